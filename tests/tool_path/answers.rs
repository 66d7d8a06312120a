//! What is stored is what is returned, to the first caller and to every other (R17).

use idem_core::OutcomeKind;
use idem_tests::vendor::Keys;
use idem_tools::{Answered, Json, ToolContext, ToolError, tool, tool_input, tool_output};
use serde_json::json;

use crate::setting::{Setting, Worker, World, assert_replays, code};
use crate::tools::post;

#[tool_input]
struct Which {
    n: u8,
}

#[tool_output]
#[derive(Debug, PartialEq)]
struct Score {
    score: f64,
}

/// Makes its effect, and answers what JSON cannot hold.
#[tool(scope = "tool.score.take", timeout_s = 60)]
async fn score(ctx: &ToolContext, input: Which) -> Result<Score, ToolError> {
    post(ctx, json!(input.n)).await?;
    let score = match input.n {
        0 => f64::NAN,
        1 => f64::INFINITY,
        2 => f64::NEG_INFINITY,
        _ => 0.1 + 0.2,
    };
    Ok(Score { score })
}

#[tool_input]
struct Length {
    bytes: usize,
}

/// Makes its effect, and answers a text of that length.
#[tool(scope = "tool.text.make", timeout_s = 120)]
async fn make_text(ctx: &ToolContext, input: Length) -> Result<String, ToolError> {
    post(ctx, json!(input.bytes)).await?;
    Ok("x".repeat(input.bytes))
}

#[tool_input]
struct Deep {
    levels: usize,
}

/// Makes its effect, and answers arrays inside each other.
#[tool(scope = "tool.text.nest", timeout_s = 60)]
async fn nest(ctx: &ToolContext, input: Deep) -> Result<Json, ToolError> {
    post(ctx, json!(input.levels)).await?;
    Ok((0..input.levels).fold(Json::Null, |inner, _| Json::Array(vec![inner])))
}

#[tool_input]
struct Text {
    text: String,
}

#[tool_output]
#[derive(Debug, PartialEq)]
struct Heard {
    text: String,
}

#[tool(scope = "tool.text.echo", timeout_s = 60)]
async fn echo(ctx: &ToolContext, input: Text) -> Result<Heard, ToolError> {
    post(ctx, json!(input.text)).await?;
    Ok(Heard { text: input.text })
}

#[tool(scope = "tool.text.drop", timeout_s = 60)]
async fn swallow(ctx: &ToolContext, input: Text) -> Result<(), ToolError> {
    post(ctx, json!(input.text)).await.map(|_| ())
}

async fn writer(world: &World) -> Worker {
    let add = |builder: idem_tools::IdemBuilder| {
        let builder = builder.tool::<score>().tool::<make_text>();
        builder.tool::<nest>().tool::<echo>().tool::<swallow>()
    };
    world.worker_with(add).await
}

/// Asserts that a call whose answer cannot be kept says the same, once and for all, and made its one effect.
async fn assert_not_stored(world: &World, tool: &str, arguments: &str) -> Answered {
    let worker = writer(world).await;
    let (_, before) = world.counted();
    let first = worker.answer(tool, arguments).await;
    assert_eq!(code(&first), "answer_not_stored", "{tool} {arguments}");
    assert_eq!(first.kind, Some(OutcomeKind::NotStored));
    assert!(first.failure().is_some_and(|failure| !failure.retryable));
    assert!(!first.replayed);
    assert_replays(&first, &worker.answer(tool, arguments).await);
    assert_replays(&first, &writer(world).await.answer(tool, arguments).await);
    assert_eq!(world.counted().1, before + 1, "the effect is made once");
    first
}

fn detail(answer: &Answered, name: &str) -> Option<Json> {
    let details = answer.failure().and_then(|failure| failure.details.clone());
    details.and_then(|details| details.get(name).cloned())
}

/// R17, C11: a number that JSON cannot hold is one failure, at once and on every replay.
pub(crate) async fn an_answer_that_json_cannot_hold_is_one_failure_for_all(setting: Setting) {
    let world = World::new(&setting, Keys::Ignored).await;
    for n in 0..3 {
        let failed = assert_not_stored(&world, "score", &format!(r#"{{"n":{n}}}"#)).await;
        let reason = detail(&failed, "reason").expect("a reason").to_text();
        assert!(reason.contains("score"), "it says where: {reason}");
    }
    let finite = writer(&world).await.answer("score", r#"{"n":9}"#).await;
    let score = Score { score: 0.1 + 0.2 };
    assert_eq!(finite.decode::<Score>().expect("a score"), score);
}

/// R17, R18: what is longer than a row takes is kept as its digest and its length.
pub(crate) async fn an_answer_longer_than_a_row_takes_is_kept_as_its_digest(setting: Setting) {
    let world = World::new(&setting, Keys::Ignored).await;
    let limit = idem_core::RESPONSE_BYTES_MAX;
    // Two quotes around it, and the envelope around those: within the limit alone, and beyond it by far.
    for bytes in [limit - 2, limit + 1] {
        let arguments = format!(r#"{{"bytes":{bytes}}}"#);
        let failed = assert_not_stored(&world, "make_text", &arguments).await;
        let kept = detail(&failed, "bytes").and_then(|bytes| bytes.as_u64());
        assert_eq!(kept, u64::try_from(bytes + 2).ok());
        let digest = detail(&failed, "digest").expect("a digest");
        let text = format!("\"{}\"", "x".repeat(bytes));
        let digest_of = idem_core::identity::digest_hex(text.as_bytes());
        assert_eq!(digest, Json::from(format!("sha256:{digest_of}")));
    }
    let envelope = r#"{"ok":""}"#.len();
    let arguments = format!(r#"{{"bytes":{}}}"#, limit - envelope);
    let worker = writer(&world).await;
    let fits = worker.answer("make_text", &arguments).await;
    assert_eq!(
        fits.value().and_then(Json::as_str).map(str::len),
        Some(limit - envelope)
    );
    assert_replays(&fits, &worker.answer("make_text", &arguments).await);
}

/// R17: an answer nested deeper than can be read back is not stored as if it could.
pub(crate) async fn an_answer_nested_too_deep_is_one_failure_for_all(setting: Setting) {
    let world = World::new(&setting, Keys::Ignored).await;
    assert_not_stored(&world, "nest", r#"{"levels":129}"#).await;
    let worker = writer(&world).await;
    let fits = worker.answer("nest", r#"{"levels":128}"#).await;
    assert!(fits.result.is_ok(), "{fits:?}");
    assert_replays(&fits, &worker.answer("nest", r#"{"levels":128}"#).await);
}

/// R17, C13, P17: bytes that a text column refuses are kept on both stores.
pub(crate) async fn every_character_of_an_answer_is_kept(setting: Setting) {
    let world = World::new(&setting, Keys::Ignored).await;
    let worker = writer(&world).await;
    for text in [
        "POZ\u{0}",
        "\u{0}",
        "",
        "\u{1f980}\u{2028}\u{7f}\u{1b}",
        "\\u0000\"\n",
    ] {
        let arguments = json!({ "text": text }).to_string();
        let first = worker.answer("echo", &arguments).await;
        let heard = Heard {
            text: text.to_owned(),
        };
        assert_eq!(first.decode::<Heard>().expect("a text"), heard);
        let again = worker.answer("echo", &arguments).await;
        assert_replays(&first, &again);
        assert_eq!(again.decode::<Heard>().expect("a text"), heard);
    }
    assert_eq!(world.counted(), (5, 5));
}

/// R17, P17: a tool that answers nothing has an answer all the same.
pub(crate) async fn an_answer_of_nothing_is_replayed_too(setting: Setting) {
    let world = World::new(&setting, Keys::Ignored).await;
    let worker = writer(&world).await;
    let first = worker.answer("swallow", r#"{"text":"a"}"#).await;
    assert_eq!(first.value(), Some(&Json::Null));
    let again = worker.answer("swallow", r#"{"text":"a"}"#).await;
    assert_replays(&first, &again);
    again.decode::<()>().expect("nothing");
    assert_eq!(world.counted(), (1, 1));
}

/// R17: a failure's details are kept as exactly as a value.
pub(crate) async fn a_failure_is_kept_with_its_details(setting: Setting) {
    #[tool(scope = "tool.text.refuse", timeout_s = 60)]
    async fn refuse(ctx: &ToolContext, input: Text) -> Result<(), ToolError> {
        post(ctx, json!(input.text)).await?;
        let details = r#"{"z":1e300,"a":[1.10,"\u0000"],"n":12345678901234567890123}"#;
        let details: Json = details.parse()?;
        Err(ToolError::answer("refused", "no\u{0}").with_details(details))
    }
    let world = World::new(&setting, Keys::Ignored).await;
    let worker = world.worker_with(|b| b.tool::<refuse>()).await;
    let first = worker.answer("refuse", r#"{"text":"a"}"#).await;
    assert_eq!(code(&first), "refused");
    assert!(
        first
            .failure()
            .is_some_and(|failure| failure.details.is_some())
    );
    assert_replays(&first, &worker.answer("refuse", r#"{"text":"a"}"#).await);
}
