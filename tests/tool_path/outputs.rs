//! What a tool may answer: stored as it was written, read back once before it is stored, with the resource that it names
//! (R12, R17).

use std::collections::BTreeMap;
use std::fmt::Debug;

use idem_core::OutcomeKind;
use idem_tests::vendor::Keys;
use idem_tools::{
    Answered, Date, IdemBuilder, Json, Resource, ToolContext, ToolError, Uuid, tool, tool_input,
    tool_output,
};
use serde::de::DeserializeOwned;
use serde_json::json;

use crate::setting::{Setting, Worker, World, assert_replays, code};
use crate::tools::post;

#[tool_input]
struct Ask {
    which: String,
}

/// An answer with a part that is written and not read.
#[tool_output]
struct Lossy {
    #[serde(skip_deserializing, default = "always_refuses")]
    id: u64,
}

#[allow(clippy::panic, reason = "a user's own code may")]
fn always_refuses() -> u64 {
    panic!("there is no such default")
}

/// Written as a number, read as text.
#[tool_output]
struct Crooked {
    #[serde(deserialize_with = "as_text")]
    count: u32,
}

fn as_text<'de, D: serde::Deserializer<'de>>(from: D) -> Result<u32, D::Error> {
    let text: String = serde::Deserialize::deserialize(from)?;
    text.parse().map_err(serde::de::Error::custom)
}

#[tool_output]
#[derive(Debug, PartialEq)]
struct Mixed {
    ratio: f64,
    id: Uuid,
    day: Date,
    big: u128,
    nothing: Option<String>,
    free: Json,
}

#[tool_output]
#[derive(Debug, PartialEq)]
enum Outcome {
    Done,
    Waits { since: Date },
}

/// Another crate's: written, described, and never read.
#[derive(serde::Serialize)]
struct WrittenOnly {
    text: &'static str,
}

impl idem_tools::__private::schemars::JsonSchema for WrittenOnly {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "WrittenOnly".into()
    }

    fn json_schema(
        _: &mut idem_tools::__private::schemars::SchemaGenerator,
    ) -> idem_tools::__private::schemars::Schema {
        true.into()
    }
}

#[tool_output(resource = "crm.company", id = number)]
struct Company {
    number: String,
}

/// A resource written by hand.
#[tool_output]
struct Page {
    path: String,
}

impl Resource for Page {
    const TYPE: &'static str = "cms.page";

    fn resource_id(&self) -> String {
        assert!(self.path != "/panics", "this one has no name");
        format!("page:{}", self.path)
    }
}

macro_rules! tools {
    ($($name:ident: $answer:ty = |$ask:ident| $value:expr;)+) => {
        $(
            #[tool(scope = "tool.answer.give", timeout_s = 60)]
            async fn $name(ctx: &ToolContext, $ask: Ask) -> Result<$answer, ToolError> {
                post(ctx, json!($ask.which)).await?;
                Ok($value)
            }
        )+

        fn all(builder: IdemBuilder) -> IdemBuilder {
            builder$(.tool::<$name>())+
        }
    };
}

tools! {
    lossy: Lossy = |ask| Lossy { id: ask.which.len().try_into()? };
    crooked: Crooked = |ask| Crooked { count: ask.which.len().try_into()? };
    text: String = |ask| format!("{}\u{0}\u{2028}\"é", ask.which);
    nothing: () = |ask| drop(ask);
    number: u128 = |ask| u128::MAX - ask.which.len() as u128;
    map: BTreeMap<String, Vec<Option<bool>>> = |ask| BTreeMap::from([(ask.which, vec![Some(true), None])]);
    outcomes: (Outcome, Outcome) = |ask| {
        let since = ask.which.parse()?;
        (Outcome::Done, Outcome::Waits { since })
    };
    mixed: Mixed = |ask| Mixed {
        ratio: 0.1 + 0.2,
        id: Uuid::nil(),
        day: ask.which.parse()?,
        big: u128::MAX,
        nothing: None,
        free: "[1.0,12345678901234567890123]".parse()?,
    };
    written_only: WrittenOnly = |ask| WrittenOnly { text: if ask.which.is_empty() { "" } else { "told" } };
    company: Company = |ask| Company { number: ask.which };
    page: Page = |ask| Page { path: ask.which };
}

async fn worker(world: &World) -> Worker {
    world.worker_with(all).await
}

/// Makes a call, and again in another process: one effect, the same bytes, the same value.
async fn comes_back(world: &World, tool: &str, text: &str) -> Answered {
    let arguments = r#"{"which":"2026-03-01"}"#;
    let (_, before) = world.counted();
    let first = worker(world).await.answer(tool, arguments).await;
    assert_eq!(first.value().map(Json::to_text).as_deref(), Some(text));
    let again = worker(world).await.answer(tool, arguments).await;
    assert_replays(&first, &again);
    assert_eq!(world.counted().1, before + 1);
    again
}

fn typed<T: DeserializeOwned + Debug + PartialEq>(answer: &Answered, expected: &T) {
    assert_eq!(
        answer.decode::<T>().expect("the tool's own type"),
        *expected
    );
}

/// R17: text, nothing, numbers, maps, enums, exact JSON, and what cannot be read at all.
pub(crate) async fn every_sort_of_answer_comes_back_byte_for_byte_and_typed(setting: Setting) {
    let world = World::new(&setting, Keys::Ignored).await;
    let day: Date = "2026-03-01".parse().expect("a date");
    let told = comes_back(&world, "text", "\"2026-03-01\\u0000\u{2028}\\\"é\"").await;
    typed(&told, &"2026-03-01\u{0}\u{2028}\"é".to_owned());
    typed(&comes_back(&world, "nothing", "null").await, &());
    let number = u128::MAX - 10;
    typed(
        &comes_back(&world, "number", &number.to_string()).await,
        &number,
    );
    let told = comes_back(&world, "map", r#"{"2026-03-01":[true,null]}"#).await;
    typed(
        &told,
        &BTreeMap::from([("2026-03-01".to_owned(), vec![Some(true), None])]),
    );
    let told = comes_back(
        &world,
        "outcomes",
        r#"["Done",{"Waits":{"since":"2026-03-01"}}]"#,
    )
    .await;
    typed(&told, &(Outcome::Done, Outcome::Waits { since: day }));
    let text = r#"{"big":340282366920938463463374607431768211455,"day":"2026-03-01","free":[1,12345678901234567890123],"id":"00000000-0000-0000-0000-000000000000","nothing":null,"ratio":0.30000000000000004}"#;
    let told = comes_back(&world, "mixed", text).await;
    let mixed = Mixed {
        ratio: 0.1 + 0.2,
        id: Uuid::nil(),
        day,
        big: u128::MAX,
        nothing: None,
        free: "[1,12345678901234567890123]".parse().expect("JSON"),
    };
    typed(&told, &mixed);
    let told = comes_back(&world, "written_only", r#"{"text":"told"}"#).await;
    assert!(told.result.is_ok());
}

/// Asserts that everybody is told the same of an answer that was made and is not kept.
async fn not_stored(world: &World, tool: &str, value: &str) -> String {
    let arguments = r#"{"which":"abc"}"#;
    let first = worker(world).await.answer(tool, arguments).await;
    assert_eq!(code(&first), "answer_not_stored");
    assert_eq!(
        (first.kind, first.replayed),
        (Some(OutcomeKind::NotStored), false)
    );
    let again = worker(world).await.answer(tool, arguments).await;
    assert_replays(&first, &again);
    assert_eq!(world.counted(), (1, 1), "the effect is made once");
    let details = first.failure().and_then(|failure| failure.details.clone());
    let details = details.expect("details");
    let digest = idem_core::identity::digest_hex(value.as_bytes());
    let expected = Json::from(format!("sha256:{digest}"));
    assert_eq!(details.get("digest"), Some(&expected));
    let reason = details.get("reason").and_then(Json::as_str);
    reason.expect("a reason").to_owned()
}

/// R17: found when the first answer is stored, and not by whoever repeats the call.
pub(crate) async fn an_answer_that_does_not_read_back_is_told_at_once_and_for_ever(
    setting: Setting,
) {
    let world = World::new(&setting, Keys::Ignored).await;
    let reason = not_stored(&world, "crooked", r#"{"count":3}"#).await;
    assert!(
        reason.contains("does not read back") && reason.contains("$.count"),
        "{reason}"
    );
}

/// R17, R34: the user's own code runs behind the effect; its panic is no unknown outcome.
pub(crate) async fn a_type_that_panics_while_it_reads_back_is_told_too(setting: Setting) {
    let world = World::new(&setting, Keys::Ignored).await;
    let reason = not_stored(&world, "lossy", r#"{"id":3}"#).await;
    assert!(reason.contains("panicked"), "{reason}");
}

/// The kind and id of the only row.
async fn resource(world: &World) -> Option<(String, String)> {
    let store = &world.setting.store;
    let read = |column: &str| {
        (
            format!("SELECT {column} FROM agent.idempotency_keys"),
            format!("SELECT {column} FROM agent_idempotency_keys"),
        )
    };
    let (kind, id) = (read("resource_type"), read("resource_id"));
    let kind = store.texts(&kind.0, &kind.1).await.pop().flatten();
    let id = store.texts(&id.0, &id.1).await.pop().flatten();
    kind.zip(id)
}

/// R12: kind and id stand beside the answer in the journal.
pub(crate) async fn an_answer_names_its_resource(setting: Setting) {
    for (tool, kind, id) in [
        ("company", "crm.company", "abc"),
        ("page", "cms.page", "page:abc"),
    ] {
        let world = World::new(&setting, Keys::Ignored).await;
        let first = worker(&world)
            .await
            .answer(tool, r#"{"which":"abc"}"#)
            .await;
        assert!(first.result.is_ok());
        assert_eq!(
            resource(&world).await,
            Some((kind.to_owned(), id.to_owned()))
        );
        assert_replays(
            &first,
            &worker(&world)
                .await
                .answer(tool, r#"{"which":"abc"}"#)
                .await,
        );
        setting.forget().await;
    }
}

/// R12: a name that is none costs the answer nothing.
pub(crate) async fn a_resource_without_a_name_is_left_out(setting: Setting) {
    let long = "x".repeat(257);
    for (tool, which) in [
        ("company", ""),
        ("company", "a\\nb"),
        ("company", &long),
        ("page", "/panics"),
    ] {
        let world = World::new(&setting, Keys::Ignored).await;
        let arguments = format!(r#"{{"which":"{which}"}}"#);
        let first = worker(&world).await.answer(tool, &arguments).await;
        assert!(first.result.is_ok(), "{}", first.to_model_text());
        assert_eq!(resource(&world).await, None);
        assert_replays(&first, &worker(&world).await.answer(tool, &arguments).await);
        setting.forget().await;
    }
}
