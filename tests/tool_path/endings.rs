//! The two endings of a known outcome: without effect the key is given up, with an answer it is kept.

use idem_core::OutcomeKind;
use idem_tests::vendor::{Behaviour, Keys};
use idem_tools::{Effect, ProposedCall, Tool, ToolContext, ToolError, tool};
use serde_json::json;

use crate::setting::{Setting, World, assert_replays, code};
use crate::tools::{Desk, Note, Sent, post};

const ANN: &str = r#"{"to":"ann"}"#;

/// R13, contract test 18: a vendor that is too busy made no effect.
pub(crate) async fn a_call_without_effect_is_released_and_the_next_attempt_executes(
    setting: Setting,
) {
    let world = World::new(&setting, Keys::Ignored).await;
    let worker = world.worker().await;
    world.next(Behaviour::Status {
        code: 429,
        effect: false,
    });
    let busy = worker.answer("send", ANN).await;
    assert_eq!(code(&busy), "http_429");
    assert!(busy.failure().is_some_and(|failure| failure.retryable));
    assert_eq!(
        (busy.kind, busy.first_ran_at, busy.attempt),
        (None, None, 0)
    );
    assert_eq!(setting.rows().await, 0, "nothing is kept of it");
    let sent = worker.answer("send", ANN).await;
    assert!(sent.result.is_ok() && !sent.replayed);
    assert_eq!(world.counted(), (2, 1));
}

/// R13, contract test 18: a connection that was never made carried no effect.
pub(crate) async fn a_refused_connection_is_released_and_the_next_attempt_executes(
    setting: Setting,
) {
    let world = World::new(&setting, Keys::Ignored).await;
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await;
    let closed = listener.and_then(|listener| listener.local_addr());
    let closed = format!("http://{}/effects", closed.expect("a free port"));
    let lost = world.worker_with(|b| b.state(Desk::at(closed))).await;
    let refused = lost.answer("send", ANN).await;
    assert_eq!(code(&refused), "not_reached");
    assert!(refused.failure().is_some_and(|failure| failure.retryable));
    assert_eq!(setting.rows().await, 0);
    let sent = world.worker().await.answer("send", ANN).await;
    assert!(sent.result.is_ok() && !sent.replayed);
    assert_eq!(world.counted(), (1, 1));
}

/// R13, R35, contract test 19, C59: the vendor's final no is an answer, and a repeat shows how old it is.
pub(crate) async fn a_business_failure_is_stored_and_repeats_say_when_it_first_ran(
    setting: Setting,
) {
    let world = World::new(&setting, Keys::Ignored).await;
    let worker = world.worker().await;
    world.next(Behaviour::Status {
        code: 404,
        effect: false,
    });
    let first = worker.answer("send", ANN).await;
    assert_eq!(code(&first), "http_404");
    assert!(first.failure().is_some_and(|failure| !failure.retryable));
    assert!(!first.replayed && first.first_ran_at.is_some());
    assert_eq!((first.kind, first.attempt), (Some(OutcomeKind::Answer), 1));
    for _ in 0..3 {
        assert_replays(&first, &worker.answer("send", ANN).await);
    }
    assert_replays(&first, &world.worker().await.answer("send", ANN).await);
    assert_eq!(world.counted(), (1, 0));
}

/// R17, contract test 8: typed, as JSON and as the model's text, on this worker and on another.
pub(crate) async fn a_success_is_replayed_equal_typed_and_as_json(setting: Setting) {
    let world = World::new(&setting, Keys::Ignored).await;
    let worker = world.worker().await;
    let first = worker.answer("send", ANN).await;
    let sent: Sent = first.decode().expect("the tool's own type");
    assert_eq!(sent.id, "effect-1");
    assert!(!first.replayed);
    for again in [
        worker.answer("send", ANN).await,
        world.worker().await.answer("send", ANN).await,
    ] {
        assert_replays(&first, &again);
        assert_eq!(again.decode::<Sent>().expect("the same type"), sent);
    }
    assert_eq!(world.counted(), (1, 1));
}

/// R35: an answer says which call it is for, and a replay says it of the call that asked.
pub(crate) async fn an_answer_names_the_call_that_it_is_for(setting: Setting) {
    let world = World::new(&setting, Keys::Ignored).await;
    let turn = world.worker().await.turn();
    let propose = |id: &str| ProposedCall::new(id, "send", ANN);
    let settle = async |call| turn.call(call).await.expect("settled").answer();
    let first = settle(propose("a")).await.expect("an answer");
    let again = settle(propose("b")).await.expect("an answer");
    let nameless = settle(propose("c").without_id()).await.expect("an answer");
    assert_eq!(first.call_id.as_deref(), Some("a"));
    assert_eq!(again.call_id.as_deref(), Some("b"));
    assert_eq!(nameless.call_id, None);
    assert_eq!((first.tool.as_str(), first.attempt), ("send", 1));
    assert!(first.key.is_some());
    assert_replays(&first, &again);
    assert_replays(&first, &nameless);
}

/// The same tool after a release that declares another class and another timeout.
#[tool(
    name = "send",
    scope = "tool.note.send",
    timeout_s = 5,
    effect = "keyed",
    vendor_window = "1h"
)]
async fn send_declared_anew(ctx: &ToolContext, input: Note) -> Result<Sent, ToolError> {
    post(ctx, json!(input.to)).await
}

/// R30: whatever the code declares since, what is done stays answered.
pub(crate) async fn a_completed_key_keeps_answering_whatever_the_code_declares_now(
    setting: Setting,
) {
    let world = World::new(&setting, Keys::Ignored).await;
    let first = world.worker().await.answer("send", ANN).await;
    assert_ne!(
        <send_declared_anew as Tool>::SPEC.effect_class(),
        Effect::AtMostOnce
    );
    let newer = world.bare().await.tool::<send_declared_anew>();
    let newer = world.worker_of(newer.build().expect("one tool"));
    assert_replays(&first, &newer.answer("send", ANN).await);
    assert_eq!(world.counted(), (1, 1));
}

/// R13: a release after a release is as the first, and each attempt executes.
pub(crate) async fn every_attempt_executes_until_one_has_an_answer(setting: Setting) {
    let world = World::new(&setting, Keys::Ignored).await;
    let worker = world.worker().await;
    let busy = Behaviour::Status {
        code: 429,
        effect: false,
    };
    world.vendor.script([busy.clone(), busy.clone(), busy]);
    for _ in 0..3 {
        assert_eq!(code(&worker.answer("send", ANN).await), "http_429");
        assert_eq!(setting.rows().await, 0);
    }
    let sent = worker.answer("send", ANN).await;
    assert_eq!((sent.attempt, sent.result.is_ok()), (1, true));
    assert_replays(&sent, &worker.answer("send", ANN).await);
    assert_eq!(world.counted(), (4, 1));
}
