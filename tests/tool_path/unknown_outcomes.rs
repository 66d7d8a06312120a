//! An unknown outcome is never released as if nothing had happened, and never stored as a failure (R14).
//!
//! Where the subject is the timeout itself, a second really passes: the vendor's gate stays closed.

use std::time::Duration;

use idem_core::OutcomeKind;
use idem_tests::vendor::{Behaviour, Gate, Keys};
use idem_tools::{ToolContext, ToolError, tool};

use crate::setting::{Setting, World, assert_replays, assert_replays_aged, code, in_flight};
use crate::tools::{Note, Sent};

const ANN: &str = r#"{"to":"ann"}"#;
/// Longer than any wait that a healthy run needs.
const WAIT_MAX: Duration = Duration::from_secs(30);

/// What leaves an outcome unknown, and how many effects it makes.
fn faults() -> [(Behaviour, usize); 6] {
    let bad_gateway = |effect| Behaviour::Status { code: 502, effect };
    [
        (bad_gateway(false), 0),
        (bad_gateway(true), 1),
        (Behaviour::DropBeforeEffect, 0),
        (Behaviour::DropReplyAfterEffect, 1),
        (
            Behaviour::Status {
                code: 408,
                effect: true,
            },
            1,
        ),
        (
            Behaviour::Lie {
                body: serde_json::json!("no such shape"),
                effect: true,
            },
            1,
        ),
    ]
}

/// R14, R32, P1: without a promise of the vendor's it is said at once, the same for ever, and never sent again.
pub(crate) async fn an_unknown_outcome_of_an_at_most_once_tool_is_stored_and_never_sent_again(
    setting: Setting,
) {
    for (fault, effects) in faults() {
        let world = World::new(&setting, Keys::Ignored).await;
        let worker = world.worker().await;
        world.next(fault.clone());
        let first = worker.answer("send", ANN).await;
        assert_eq!(code(&first), "outcome_unknown", "{fault:?}");
        assert_eq!(first.kind, Some(OutcomeKind::OutcomeUnknown));
        assert!(first.failure().is_some_and(|failure| !failure.retryable));
        assert!(!first.replayed && first.first_ran_at.is_some());
        assert_replays(&first, &worker.answer("send", ANN).await);
        setting.leases_pass().await;
        assert_replays_aged(&first, &world.worker().await.answer("send", ANN).await);
        assert_eq!(world.counted(), (1, effects), "{fault:?}");
    }
}

/// R14, P1, C27 with a vendor that heeds no keys: the timeout ends the wait and not the request.
pub(crate) async fn a_timeout_of_an_at_most_once_tool_is_never_sent_again_though_it_lands_late(
    setting: Setting,
) {
    let world = World::new(&setting, Keys::Ignored).await;
    let worker = world.worker().await;
    let landing = world.next_is_slow();
    let first = worker.answer("send_briefly", ANN).await;
    assert_eq!(code(&first), "outcome_unknown");
    assert_eq!(world.counted(), (1, 0));
    assert_replays(&first, &worker.answer("send_briefly", ANN).await);
    landing.open();
    world.vendor.wait_for_effects(1).await;
    assert_replays(&first, &worker.answer("send_briefly", ANN).await);
    setting.leases_pass().await;
    assert_replays_aged(
        &first,
        &world.worker().await.answer("send_briefly", ANN).await,
    );
    assert_eq!(world.counted(), (1, 1));
}

/// R14, P1: a vendor that answers an error and does it afterwards.
pub(crate) async fn an_effect_that_lands_after_an_error_is_not_made_twice(setting: Setting) {
    let world = World::new(&setting, Keys::Ignored).await;
    let worker = world.worker().await;
    let landing = Gate::new();
    world.next(Behaviour::LandLate(landing.clone()));
    let first = worker.answer("send", ANN).await;
    assert_eq!(code(&first), "outcome_unknown");
    landing.open();
    world.vendor.wait_for_effects(1).await;
    assert_replays(&first, &worker.answer("send", ANN).await);
    assert_eq!(world.counted(), (1, 1));
}

/// R14, R31, R32, contract test 20: the key is held while the lease lives, and then sent again.
pub(crate) async fn an_unknown_outcome_of_a_keyed_tool_is_held_and_then_sent_under_the_same_key(
    setting: Setting,
) {
    for (fault, _) in faults() {
        let world = World::new(&setting, Keys::Kept).await;
        let (worker, other) = (world.worker().await, world.worker().await);
        world.next(fault.clone());
        let lease = Duration::from_secs(60 + 10);
        for caller in [&worker, &worker, &other] {
            let left = in_flight(caller.call("send_keyed", ANN).await);
            assert!(!left.is_zero() && left <= lease, "{fault:?}: {left:?}");
        }
        assert_eq!(
            world.counted().0,
            1,
            "nothing is sent while the lease lives"
        );
        setting.leases_pass().await;
        let sent = other.answer("send_keyed", ANN).await;
        assert_eq!(sent.decode::<Sent>().expect("sent").id, "effect-1");
        assert!(!sent.replayed && sent.attempt == 2, "{fault:?}: {sent:?}");
        assert_replays(&sent, &worker.answer("send_keyed", ANN).await);
        let book = world.vendor.book();
        assert_eq!((book.requests, book.distinct_keys, book.effects), (2, 1, 1));
    }
}

/// R14, C27 with a vendor that keeps keys: one effect although the first request lands after the timeout.
pub(crate) async fn a_timeout_of_a_keyed_tool_makes_one_effect_though_it_lands_late(
    setting: Setting,
) {
    let world = World::new(&setting, Keys::Kept).await;
    let worker = world.worker().await;
    let landing = world.next_is_slow();
    let left = in_flight(worker.call("send_keyed_briefly", ANN).await);
    assert!(
        !left.is_zero() && left <= Duration::from_secs(10),
        "{left:?}"
    );
    landing.open();
    world.vendor.wait_for_effects(1).await;
    in_flight(worker.call("send_keyed_briefly", ANN).await);
    setting.leases_pass().await;
    let sent = worker.answer("send_keyed_briefly", ANN).await;
    assert_eq!(sent.decode::<Sent>().expect("sent").id, "effect-1");
    let book = world.vendor.book();
    assert_eq!((book.requests, book.distinct_keys, book.effects), (2, 1, 1));
}

/// R14, P1: "I am still at work on that key" is no answer, for the effect comes after it.
pub(crate) async fn a_vendor_still_at_work_under_our_key_is_not_stored_as_a_failure(
    setting: Setting,
) {
    let world = World::new(&setting, Keys::Kept).await;
    let worker = world.worker().await;
    let landing = world.next_is_slow();
    in_flight(worker.call("send_keyed_briefly", ANN).await);
    setting.leases_pass().await;
    in_flight(worker.call("send_keyed_briefly", ANN).await);
    assert_eq!(world.counted(), (2, 0));
    landing.open();
    world.vendor.wait_for_effects(1).await;
    setting.leases_pass().await;
    let sent = worker.answer("send_keyed_briefly", ANN).await;
    assert_eq!(sent.decode::<Sent>().expect("sent").id, "effect-1");
    assert_eq!((sent.attempt, world.counted()), (3, (3, 1)));
}

/// R13: without an earlier attempt the same status is the vendor's answer.
pub(crate) async fn a_conflict_at_the_vendor_is_an_answer_where_nothing_is_in_doubt(
    setting: Setting,
) {
    let world = World::new(&setting, Keys::Kept).await;
    let worker = world.worker().await;
    world.next(Behaviour::Status {
        code: 409,
        effect: false,
    });
    let first = worker.answer("send_keyed", ANN).await;
    assert_eq!(code(&first), "http_409");
    assert_replays(&first, &worker.answer("send_keyed", ANN).await);
    assert_eq!(world.counted(), (1, 0));
}

/// R14, P1: no effect is claimed of what was sent before, whatever this attempt's own request met.
pub(crate) async fn a_release_after_a_doubtful_attempt_keeps_the_doubt(setting: Setting) {
    let world = World::new(&setting, Keys::Kept).await;
    let worker = world.worker().await;
    let bad_gateway = Behaviour::Status {
        code: 502,
        effect: true,
    };
    let busy = Behaviour::Status {
        code: 429,
        effect: false,
    };
    world.vendor.script([bad_gateway, busy]);
    in_flight(worker.call("send_keyed", ANN).await);
    setting.leases_pass().await;
    assert_eq!(code(&worker.answer("send_keyed", ANN).await), "http_429");
    assert_eq!(setting.rows().await, 1, "the row keeps content and doubt");
    let sent = worker.answer("send_keyed", ANN).await;
    assert_eq!(sent.decode::<Sent>().expect("sent").id, "effect-1");
    assert_eq!((sent.attempt, world.counted()), (3, (3, 1)));
}

/// A thread of the body's own, which an abort does not reach.
#[tool(scope = "tool.note.thread", timeout_s = 1)]
async fn hand_over(ctx: &ToolContext, _input: Note) -> Result<(), ToolError> {
    let (token, heard) = (ctx.cancellation().clone(), ctx.state::<Gate>()?.clone());
    tokio::spawn(async move {
        token.cancelled().await;
        heard.open();
    });
    std::future::pending().await
}

/// R14, P25: work that outlives the body is told to stop, and the outcome is unknown.
pub(crate) async fn a_stopped_body_cancels_what_it_handed_over(setting: Setting) {
    let world = World::new(&setting, Keys::Ignored).await;
    let heard = Gate::new();
    let state = heard.clone();
    let worker = world
        .worker_with(|builder| builder.tool::<hand_over>().state(state))
        .await;
    let stopped = worker.answer("hand_over", ANN).await;
    assert_eq!(code(&stopped), "outcome_unknown");
    let cancelled = tokio::time::timeout(WAIT_MAX, heard.opened()).await;
    assert!(cancelled.is_ok(), "the body's token was not cancelled");
    assert_replays(&stopped, &worker.answer("hand_over", ANN).await);
}
