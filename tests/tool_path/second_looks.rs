//! What a call's own words may not undo: a mark that was written, a doubt, another's answer, an identity.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use idem_tests::vendor::{Behaviour, Keys};
use idem_tools::plane::json::{Json, Map};
use idem_tools::{ToolContext, ToolError, codes, tool, tool_input};
use serde_json::json;
use tokio::sync::Notify;

use crate::setting::{Setting, World, assert_replays, call, code, in_flight};
use crate::tools::{Note, Sent, post};

const ANN: &str = r#"{"to":"ann"}"#;

/// Two places at which a body and its test meet.
#[derive(Debug, Default)]
struct Meeting {
    sent: Notify,
    go_on: Notify,
}

/// Sends, waits for the test, and says once more that it is about to send.
#[tool(scope = "tool.note.send", timeout_s = 60, marks_dispatch)]
async fn send_twice(ctx: &ToolContext, input: Note) -> Result<Sent, ToolError> {
    let sent = post(ctx, json!(input.to)).await?;
    let meeting = ctx.state::<Arc<Meeting>>()?;
    meeting.sent.notify_one();
    meeting.go_on.notified().await;
    ctx.dispatching().await?;
    Ok(sent)
}

/// R14, P1: after a mark that was written, nothing later says that nothing was sent.
pub(crate) async fn a_second_dispatch_does_not_release_what_the_first_one_sent(setting: Setting) {
    let world = World::new(&setting, Keys::Ignored).await;
    let meeting = Arc::new(Meeting::default());
    let shared = meeting.clone();
    let worker = world
        .worker_with(|builder| builder.state(shared).tool::<send_twice>())
        .await;
    let under_way = worker.begin("send_twice", ANN);
    meeting.sent.notified().await;
    setting.leases_pass().await;
    meeting.go_on.notify_one();
    let answer = under_way.await.expect("no panic").expect("an answer");
    assert_eq!(code(&answer), codes::OUTCOME_UNKNOWN);
    let again = worker.answer("send_twice", ANN).await;
    assert!(again.replayed);
    assert_eq!(world.counted(), (1, 1));
}

/// P1: a vendor that refuses the repeat at its door says nothing of the request before it.
pub(crate) async fn a_refusal_at_the_door_is_no_answer_to_an_attempt_in_doubt(setting: Setting) {
    let world = World::new(&setting, Keys::Kept).await;
    let worker = world.worker().await;
    for status in [401, 403, 423] {
        let arguments = format!(r#"{{"to":"ann {status}"}}"#);
        let refused = Behaviour::Status {
            code: status,
            effect: false,
        };
        world
            .vendor
            .script([Behaviour::DropReplyAfterEffect, refused]);
        in_flight(worker.call("send_keyed", &arguments).await);
        setting.leases_pass().await;
        in_flight(worker.call("send_keyed", &arguments).await);
        setting.leases_pass().await;
        assert!(worker.answer("send_keyed", &arguments).await.result.is_ok());
    }
    assert_eq!(world.counted(), (9, 3));
}

/// R30: without a policy nobody says that an answer may be shared, so it is not.
pub(crate) async fn without_a_policy_anothers_answer_is_not_given_away(setting: Setting) {
    let world = World::new(&setting, Keys::Ignored).await;
    let worker = world.worker().await;
    assert!(worker.answer("send", ANN).await.result.is_ok());
    let bobs = worker.turn_of("bob", "run-1", 1);
    let hidden = call(&bobs, "send", ANN).await.expect("a denial");
    assert_eq!(code(&hidden), codes::DENIED);
    assert!(hidden.first_ran_at.is_none() && !hidden.replayed);
    assert!(worker.answer("send", ANN).await.replayed);
    assert_eq!(world.counted(), (1, 1));
}

fn fleeting() -> String {
    static CALLS: AtomicU32 = AtomicU32::new(0);
    format!("value {}", CALLS.fetch_add(1, Ordering::Relaxed))
}

#[tool_input]
struct Stamped {
    to: String,
    #[serde(default = "fleeting")]
    stamp: String,
}

#[tool(scope = "tool.note.send", timeout_s = 60)]
async fn send_stamped(ctx: &ToolContext, input: Stamped) -> Result<Sent, ToolError> {
    post(ctx, json!([input.to, input.stamp])).await
}

/// R21: a default that is another one each time would make a repeat another call.
pub(crate) async fn a_default_that_changes_is_refused(setting: Setting) {
    let world = World::new(&setting, Keys::Ignored).await;
    let worker = world
        .worker_with(|builder| builder.tool::<send_stamped>())
        .await;
    let refused = worker.answer("send_stamped", ANN).await;
    assert_eq!(code(&refused), codes::INVALID_INPUT);
    assert!(
        refused.to_model_text().contains("stamp"),
        "{}",
        refused.to_model_text()
    );
    assert_eq!((world.counted(), setting.rows().await), ((0, 0), 0));
}

#[tool(scope = "tool.note.send", timeout_s = 60)]
async fn fail_deeply(_ctx: &ToolContext, input: Note) -> Result<Sent, ToolError> {
    let mut details = Json::from(input.to.as_str());
    for _ in 0..400 {
        let mut outer = Map::new();
        outer.insert("in", details);
        details = Json::Object(outer);
    }
    Err(ToolError::answer("rejected", "the service said no").with_details(details))
}

#[tool(scope = "tool.note.send", timeout_s = 60)]
async fn fail_at_length(_ctx: &ToolContext, input: Note) -> Result<Sent, ToolError> {
    Err(ToolError::answer(
        "rejected",
        input.to.repeat(3 * 1024 * 1024),
    ))
}

/// R17: a failure stays the failure that it is, and its replay says the same.
pub(crate) async fn a_failure_that_does_not_fit_is_cut_and_replays_the_same(setting: Setting) {
    let world = World::new(&setting, Keys::Ignored).await;
    let worker = world
        .worker_with(|builder| builder.tool::<fail_deeply>().tool::<fail_at_length>())
        .await;
    for tool in ["fail_deeply", "fail_at_length"] {
        let first = worker.answer(tool, ANN).await;
        assert_eq!(code(&first), "rejected", "{tool}");
        assert_replays(&first, &worker.answer(tool, ANN).await);
    }
}

#[tool_input]
#[serde(tag = "type", content = "data")]
enum What {
    Number { n: u128 },
}

#[tool_input]
struct Tagged {
    what: What,
}

#[tool(scope = "tool.note.send", timeout_s = 60)]
async fn send_tagged(ctx: &ToolContext, input: Tagged) -> Result<Sent, ToolError> {
    let What::Number { n } = input.what;
    post(ctx, json!(n.to_string())).await
}

/// R22, R37: content that stands before its tag is read as exactly and as strictly as any other.
pub(crate) async fn content_before_its_tag_is_read_exactly(setting: Setting) {
    let world = World::new(&setting, Keys::Ignored).await;
    let worker = world
        .worker_with(|builder| builder.tool::<send_tagged>())
        .await;
    let large = "123456789012345678901234567890123456789";
    let wanted = format!(r#"{{"what":{{"data":{{"n":{large}}},"type":"Number"}}}}"#);
    assert!(worker.answer("send_tagged", &wanted).await.result.is_ok());
    assert_eq!(world.vendor.book().done[0].what, json!(large));
    for refused in [
        r#"{"what":{"data":{"n":1,"bogus":2},"type":"Number"}}"#,
        r#"{"what":{"data":[1],"type":"Number"}}"#,
    ] {
        let answer = worker.answer("send_tagged", refused).await;
        assert_eq!(code(&answer), codes::INVALID_INPUT, "{refused}");
    }
    assert_eq!(world.counted(), (1, 1));
}

#[tool(
    scope = "tool.note.send",
    timeout_s = 120,
    effect = "keyed",
    vendor_window = "60s"
)]
async fn send_too_late(ctx: &ToolContext, input: Note) -> Result<Sent, ToolError> {
    post(ctx, json!(input.to)).await
}

/// P15: a window in which no second attempt fits is a mistake, found at the start.
pub(crate) async fn a_window_without_room_for_a_second_attempt_is_refused(setting: Setting) {
    let world = World::new(&setting, Keys::Ignored).await;
    let refused = world.bare().await.tool::<send_too_late>().build();
    let refused = refused
        .expect_err("a window that ends too early")
        .to_string();
    assert!(
        refused.contains("send_too_late") && refused.contains("window"),
        "{refused}"
    );
}
