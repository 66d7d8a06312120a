//! What is refused before it has an identity: a message that says where, no row, no effect (R21, R37, R75).

use idem_tests::vendor::Keys;
use idem_tools::{Json, ProposedCall, ToolContext, ToolError, tool, tool_input};
use serde_json::json;

use crate::setting::{Setting, Worker, World, code};
use crate::tools::{Sent, post};

#[tool_input]
struct Address {
    street: String,
    number: u16,
}

#[tool_input]
struct Parcel {
    to: Address,
    weights: Vec<u32>,
    #[serde(default)]
    extra: Option<Json>,
}

#[tool(scope = "tool.parcel.send", timeout_s = 60)]
async fn send_parcel(ctx: &ToolContext, input: Parcel) -> Result<Sent, ToolError> {
    let extra = input.extra.as_ref().map(Json::to_text);
    let to = json!([input.to.street, input.to.number]);
    post(ctx, json!([to, input.weights, extra])).await
}

async fn shipper(world: &World) -> Worker {
    world.worker_with(|b| b.tool::<send_parcel>()).await
}

/// Asserts that a call is refused with a message that names what is wrong, and leaves nothing behind.
async fn assert_refused(world: &World, worker: &Worker, arguments: &str, names: &[&str]) {
    let refused = worker.answer("send_parcel", arguments).await;
    let shown: String = arguments.chars().take(120).collect();
    assert_eq!(code(&refused), "invalid_input", "{shown}");
    let failure = refused.failure().expect("a refusal");
    for name in names {
        assert!(
            failure.message.contains(name),
            "{shown}: {}",
            failure.message
        );
    }
    assert!(!failure.retryable && !refused.replayed);
    assert_eq!((refused.key, refused.first_ran_at), (None, None));
    assert_nothing_is_left(world).await;
}

async fn assert_nothing_is_left(world: &World) {
    assert_eq!(world.setting.rows().await, 0);
    assert_eq!(world.setting.store.count_rows("turns").await, 0);
    assert_eq!(world.counted(), (0, 0));
}

/// R21: what the type cannot hold is refused with the path to it.
pub(crate) async fn a_wrong_argument_is_refused_with_its_path(setting: Setting) {
    let world = World::new(&setting, Keys::Ignored).await;
    let worker = shipper(&world).await;
    let to = r#""to":{"street":"Elm","number":1}"#;
    for (arguments, names) in [
        (
            r#"{"to":{"street":"Elm","number":"1"},"weights":[]}"#.to_owned(),
            &["to.number"][..],
        ),
        (
            r#"{"to":{"street":"Elm","number":70000},"weights":[]}"#.to_owned(),
            &["to.number"],
        ),
        (
            r#"{"to":{"street":"Elm"},"weights":[]}"#.to_owned(),
            &["to", "`number`"],
        ),
        (format!(r#"{{{to},"weights":[1,-1]}}"#), &["weights[1]"]),
        (format!(r#"{{{to},"weights":null}}"#), &["weights"]),
        (format!("{{{to}}}"), &["`weights`"]),
    ] {
        assert_refused(&world, &worker, &arguments, names).await;
    }
}

/// R21, C09: what the type does not know is refused with the path to it, at any depth.
pub(crate) async fn an_unknown_argument_is_refused_with_its_path(setting: Setting) {
    let world = World::new(&setting, Keys::Ignored).await;
    let worker = shipper(&world).await;
    let outer = r#"{"to":{"street":"Elm","number":1},"weights":[],"colour":"red"}"#;
    assert_refused(&world, &worker, outer, &["colour"]).await;
    let inner = r#"{"to":{"street":"Elm","number":1,"floor":2},"weights":[]}"#;
    assert_refused(&world, &worker, inner, &["to", "floor"]).await;
}

/// R37, C07: a key that stands twice is refused at every level, however it is spelled, in free JSON too.
pub(crate) async fn a_key_that_stands_twice_is_refused_at_every_level(setting: Setting) {
    let world = World::new(&setting, Keys::Ignored).await;
    let worker = shipper(&world).await;
    for (arguments, name) in [
        (
            r#"{"weights":[1],"to":{"street":"Elm","number":1},"weights":[9000]}"#,
            "weights",
        ),
        (
            r#"{"weights":[1],"to":{"street":"Elm","number":1},"\u0077eights":[9]}"#,
            "weights",
        ),
        (
            r#"{"weights":[],"to":{"street":"Elm","number":1,"number":9000}}"#,
            "number",
        ),
        (
            r#"{"weights":[],"to":{"street":"Elm","number":1,"\u006eumber":9}}"#,
            "number",
        ),
        (
            r#"{"weights":[],"to":{"street":"Elm","number":1},"extra":{"a":1,"a":2}}"#,
            "a",
        ),
        (
            r#"{"weights":[],"to":{"street":"Elm","number":1},"extra":[{"a":1,"\u0061":2}]}"#,
            "a",
        ),
    ] {
        assert_refused(
            &world,
            &worker,
            arguments,
            &[&format!("\"{name}\""), "twice"],
        )
        .await;
    }
}

/// R37: arguments that were written as text once more are refused in words that say so.
pub(crate) async fn arguments_encoded_twice_are_refused_clearly(setting: Setting) {
    let world = World::new(&setting, Keys::Ignored).await;
    let worker = shipper(&world).await;
    let twice = r#""{\"weights\":[]}""#;
    assert_refused(&world, &worker, twice, &["a string", "once more"]).await;
    for (other, names) in [
        ("[]", &["an array"][..]),
        ("7", &["a single value"]),
        ("true", &["a single value"]),
        ("{", &["column 2"]),
        ("{} {}", &["column 4"]),
        ("{'to':1}", &["column 2"]),
        ("NaN", &["column 1"]),
    ] {
        assert_refused(&world, &worker, other, names).await;
    }
}

/// R75: the limits on depth and size hold for text and for JSON that was parsed before.
pub(crate) async fn arguments_too_deep_or_too_large_are_refused(setting: Setting) {
    let world = World::new(&setting, Keys::Ignored).await;
    let worker = shipper(&world).await;
    let head = r#"{"to":{"street":"Elm","number":1},"weights":[],"extra":"#;
    let deep = format!("{head}{}{}}}", "[".repeat(64), "]".repeat(64));
    let large = format!("{head}\"{}\"}}", "x".repeat(256 * 1024));
    for (arguments, names) in [(&deep, ["deep", "64"]), (&large, ["262144", "bytes"])] {
        assert_refused(&world, &worker, arguments, &names).await;
        let limits = idem_core::json::Limits::ANSWER;
        let parsed = Json::parse(arguments, limits).expect("JSON of that size");
        let parsed = ProposedCall::parsed("a", "send_parcel", parsed);
        let refused = worker.turn().call(parsed).await.expect("settled").answer();
        assert_eq!(code(&refused.expect("a refusal")), "invalid_input");
        assert_nothing_is_left(&world).await;
    }
    let fits = format!("{head}{}{}}}", "[".repeat(63), "]".repeat(63));
    assert!(worker.answer("send_parcel", &fits).await.result.is_ok());
    assert_eq!(world.counted(), (1, 1));
}

/// C13: half a character is refused; a NUL is a character like any other.
pub(crate) async fn a_lone_surrogate_is_refused_and_a_nul_is_kept(setting: Setting) {
    let world = World::new(&setting, Keys::Ignored).await;
    let worker = shipper(&world).await;
    let street =
        |street: &str| format!(r#"{{"to":{{"street":"{street}","number":1}},"weights":[]}}"#);
    let half = street("\\ud800");
    assert_refused(&world, &worker, &half, &["to.street", "surrogate"]).await;
    let raw = street("\u{0}");
    assert_refused(&world, &worker, &raw, &["to.street", "U+0000"]).await;
    let first = worker.answer("send_parcel", &street("Elm\\u0000")).await;
    assert!(first.result.is_ok(), "{first:?}");
    let again = worker.answer("send_parcel", &street("Elm\\u0000")).await;
    crate::setting::assert_replays(&first, &again);
    assert_eq!(world.vendor.book().done[0].what[0], json!(["Elm\u{0}", 1]));
    assert_eq!(world.counted(), (1, 1));
}

/// R35: a tool that is not there is answered with those that are.
pub(crate) async fn an_unknown_tool_is_answered_with_the_names_of_the_tools(setting: Setting) {
    let world = World::new(&setting, Keys::Ignored).await;
    let worker = shipper(&world).await;
    for name in ["send_parcels", "SEND", "", "send "] {
        let refused = worker.answer(name, "{}").await;
        assert_eq!(
            (code(&refused), refused.tool.as_str()),
            ("unknown_tool", name)
        );
        let message = &refused.failure().expect("a refusal").message;
        for tool in ["look", "send", "send_keyed", "send_parcel"] {
            assert!(message.contains(tool), "{message}");
        }
    }
    assert_nothing_is_left(&world).await;
}
