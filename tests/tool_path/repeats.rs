//! The same call in other clothes is the same effect, and another call is another (R20, R21, R22, R26).

use idem_core::canonical::Patch;
use idem_tests::vendor::Keys;
use idem_tools::{Json, ProposedCall, ToolContext, ToolError, tool, tool_input};
use serde_json::json;

use crate::setting::{Setting, World, assert_replays, code};
use crate::tools::{Sent, post};

#[tool_input]
struct Mail {
    to: String,
    cc: Option<String>,
    #[serde(default = "normal")]
    priority: String,
    #[serde(default)]
    tags: Vec<String>,
}

fn normal() -> String {
    "normal".to_owned()
}

#[tool(scope = "tool.mail.send", timeout_s = 60)]
async fn send_mail(ctx: &ToolContext, input: Mail) -> Result<Sent, ToolError> {
    post(ctx, json!([input.to, input.cc, input.priority, input.tags])).await
}

#[tool_input]
struct Filing {
    folder: String,
    #[serde(default)]
    #[schemars(with = "Option<String>")]
    note: Patch<String>,
}

#[tool(scope = "tool.mail.file", timeout_s = 60)]
async fn file_mail(ctx: &ToolContext, input: Filing) -> Result<Sent, ToolError> {
    let note = match input.note {
        Patch::Missing => json!("leave it"),
        Patch::Null => json!("clear it"),
        Patch::Value(note) => json!([note]),
    };
    post(ctx, json!([input.folder, note])).await
}

#[tool_input]
struct Search {
    filter: Json,
}

#[tool(scope = "tool.mail.search", timeout_s = 60)]
async fn search_mail(ctx: &ToolContext, input: Search) -> Result<Sent, ToolError> {
    post(ctx, json!(input.filter.to_text())).await
}

#[tool_input]
struct Nothing {}

#[tool(scope = "tool.mail.ping", timeout_s = 60)]
async fn ping(ctx: &ToolContext, _input: Nothing) -> Result<Sent, ToolError> {
    post(ctx, json!("ping")).await
}

#[tool_input]
struct Optional {
    since: Option<String>,
    #[serde(default)]
    deep: bool,
}

#[tool(scope = "tool.mail.sync", timeout_s = 60)]
async fn sync_mail(ctx: &ToolContext, input: Optional) -> Result<Sent, ToolError> {
    post(ctx, json!([input.since, input.deep])).await
}

async fn mailer(world: &World) -> crate::setting::Worker {
    let add = |builder: idem_tools::IdemBuilder| {
        let builder = builder.tool::<send_mail>().tool::<file_mail>();
        builder
            .tool::<search_mail>()
            .tool::<ping>()
            .tool::<sync_mail>()
    };
    world.worker_with(add).await
}

/// R20: the id is the model's, and neither order, blanks nor escapes say anything.
pub(crate) async fn a_call_in_other_clothes_is_the_same_effect(setting: Setting) {
    let world = World::new(&setting, Keys::Ignored).await;
    let worker = mailer(&world).await;
    let first = worker
        .answer("send_mail", r#"{"to":"ann/é","cc":"bob"}"#)
        .await;
    for same in [
        r#"{"to":"ann/é","cc":"bob"}"#,
        r#"{"cc":"bob","to":"ann/é"}"#,
        "\n{ \"to\" :\t\"ann/é\" ,\r\n \"cc\": \"bob\" } ",
        r#"{"\u0074o":"ann\/\u00e9","cc":"\u0062ob"}"#,
    ] {
        assert_replays(&first, &worker.answer("send_mail", same).await);
    }
    let parsed = r#"{"cc":"bob","to":"ann/é"}"#.parse().expect("JSON");
    let parsed = ProposedCall::parsed("other-id", "send_mail", parsed);
    let parsed = worker.turn().call(parsed).await.expect("settled").answer();
    assert_replays(&first, &parsed.expect("an answer"));
    assert_eq!(world.counted(), (1, 1));
}

/// R20, R23: what is not the same is another effect; nothing is trimmed, lowered or composed unasked.
pub(crate) async fn another_argument_is_another_effect(setting: Setting) {
    let world = World::new(&setting, Keys::Ignored).await;
    let worker = mailer(&world).await;
    let calls = [
        r#"{"to":"ann"}"#,
        r#"{"to":"Ann"}"#,
        r#"{"to":"ann "}"#,
        r#"{"to":"ann","cc":""}"#,
        r#"{"to":"ann","tags":["a","b"]}"#,
        r#"{"to":"ann","tags":["b","a"]}"#,
        "{\"to\":\"ann\u{e9}\"}",
        "{\"to\":\"anne\u{301}\"}",
    ];
    for (at, other) in calls.iter().enumerate() {
        assert!(!worker.answer("send_mail", other).await.replayed, "{other}");
        assert_eq!(world.counted(), (at + 1, at + 1));
    }
}

/// R20, R26: the same arguments in another turn, another run or for another tool are another effect.
pub(crate) async fn the_turn_and_the_tool_are_part_of_the_identity(setting: Setting) {
    let world = World::new(&setting, Keys::Ignored).await;
    let worker = world.worker().await;
    let other_tenant = World::new(&setting, Keys::Ignored).await;
    let mut elsewhere = worker.clone();
    elsewhere.organization = other_tenant.organization;
    let arguments = r#"{"to":"ann"}"#;
    for (turn, tool) in [
        (worker.turn(), "send"),
        (worker.turn(), "send_keyed"),
        (worker.turn_of("ann", "run-1", 2), "send"),
        (worker.turn_of("ann", "run-2", 1), "send"),
        (elsewhere.turn(), "send"),
    ] {
        let answer = crate::setting::call(&turn, tool, arguments).await;
        assert!(!answer.expect("an answer").replayed, "{tool} {}", turn.id());
    }
    assert_eq!((setting.rows().await, world.counted()), (5, (5, 5)));
}

/// R21, C09: left out, null and the default are one call; what the tool does not know is refused with its path.
pub(crate) async fn missing_null_and_default_are_one_effect(setting: Setting) {
    let world = World::new(&setting, Keys::Ignored).await;
    let worker = mailer(&world).await;
    let unknown = worker.answer("send_mail", r#"{"to":"x","zz":1}"#).await;
    assert_eq!(code(&unknown), "invalid_input");
    let message = &unknown.failure().expect("a refusal").message;
    assert!(message.contains("zz"), "{message}");
    assert_eq!((setting.rows().await, world.counted()), (0, (0, 0)));
    let first = worker.answer("send_mail", r#"{"to":"x"}"#).await;
    for same in [
        r#"{"to":"x","cc":null}"#,
        r#"{"to":"x","priority":"normal"}"#,
        r#"{"to":"x","cc":null,"priority":"normal","tags":[]}"#,
        r#"{"to":"x","cc":null,"priority":null,"tags":null}"#,
    ] {
        assert_replays(&first, &worker.answer("send_mail", same).await);
    }
    assert_eq!(world.counted(), (1, 1));
}

/// R21, C09: where the tool tells null from missing, they are two effects.
pub(crate) async fn a_tool_that_tells_null_from_missing_makes_two_effects(setting: Setting) {
    let world = World::new(&setting, Keys::Ignored).await;
    let worker = mailer(&world).await;
    for note in ["", r#","note":null"#, r#","note":"leave it""#] {
        let arguments = format!(r#"{{"folder":"a"{note}}}"#);
        let first = worker.answer("file_mail", &arguments).await;
        assert!(first.result.is_ok() && !first.replayed, "{arguments}");
        assert_replays(&first, &worker.answer("file_mail", &arguments).await);
    }
    let done = world.vendor.book().done;
    let told: Vec<_> = done.iter().map(|effect| &effect.what[1]).collect();
    assert_eq!(
        told,
        [&json!("leave it"), &json!("clear it"), &json!(["leave it"])]
    );
}

/// R22: free JSON keeps its own value, whatever the order of its keys.
pub(crate) async fn free_json_is_the_same_in_any_order_and_any_spelling(setting: Setting) {
    let world = World::new(&setting, Keys::Ignored).await;
    let worker = mailer(&world).await;
    let first = worker.answer("search_mail", r#"{"filter":{"a":1.0,"b":[{"c":1,"d":2}]}}"#);
    let first = first.await;
    let same = r#"{"filter":{"b":[{"d":2e0,"c":1}],"a":1}}"#;
    assert_replays(&first, &worker.answer("search_mail", same).await);
    let other = r#"{"filter":{"b":[{"d":2,"c":1},null],"a":1}}"#;
    assert!(!worker.answer("search_mail", other).await.replayed);
    assert_eq!(world.counted(), (2, 2));
}

/// R37, C51: models write nothing in many ways where there is nothing to write.
pub(crate) async fn no_arguments_are_one_call_however_they_are_spelled(setting: Setting) {
    let world = World::new(&setting, Keys::Ignored).await;
    let worker = mailer(&world).await;
    for (tool, effects) in [("ping", 1), ("sync_mail", 2)] {
        let first = worker.answer(tool, "").await;
        assert!(first.result.is_ok(), "{first:?}");
        for nothing in ["   ", "\n\t", "null", " null ", "{}", "{ }"] {
            assert_replays(&first, &worker.answer(tool, nothing).await);
        }
        let null = ProposedCall::parsed("parsed", tool, Json::Null);
        let null = worker.turn().call(null).await.expect("settled").answer();
        assert_replays(&first, &null.expect("an answer"));
        assert_eq!(world.counted(), (effects, effects));
    }
    let written = r#"{"since":null,"deep":false}"#;
    assert!(worker.answer("sync_mail", written).await.replayed);
    for nothing in ["", " ", "null", "{}"] {
        let refused = worker.answer("send_mail", nothing).await;
        assert_eq!(code(&refused), "invalid_input");
        let message = &refused.failure().expect("a refusal").message;
        assert!(
            message.contains("`to`"),
            "the message names the field: {message}"
        );
    }
    assert_eq!((setting.rows().await, world.counted()), (2, (2, 2)));
}
