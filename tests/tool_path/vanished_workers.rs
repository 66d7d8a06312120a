//! A worker that vanished is taken over once its lease has passed, and the run continues by the effect's class.

use std::io;

use idem_core::OutcomeKind;
use idem_tests::vendor::Keys;
use idem_tools::{ToolContext, ToolError, tool};
use serde_json::json;

use crate::process::Process;
use crate::setting::{Setting, World, assert_replays, code, in_flight};
use crate::tools::{Note, Sent, Stop, Stops, post};

const ANN: &str = r#"{"to":"ann"}"#;

/// R27, contract test 10 for `read`: a look that nobody finished leaves nothing behind.
pub(crate) async fn a_read_whose_worker_vanished_runs_again(setting: Setting) {
    let world = World::new(&setting, Keys::Ignored).await;
    let process = Process::start(&world, Stops::default()).await;
    world.next_is_slow();
    process.begin("look", ANN);
    world.vendor.wait_for_requests(1).await;
    process.vanish();
    assert_eq!(setting.rows().await, 0);
    let seen = world.worker().await.answer("look", ANN).await;
    assert!(seen.result.is_ok() && !seen.replayed);
    assert_eq!(world.counted(), (2, 1));
}

/// R32, contract tests 10 and 20 for `keyed`: the call is sent again under its key, and is one effect.
pub(crate) async fn a_keyed_call_whose_worker_vanished_is_sent_again_and_is_one_effect(
    setting: Setting,
) {
    let world = World::new(&setting, Keys::Kept).await;
    let process = Process::start(&world, Stops::default()).await;
    let landing = world.next_is_slow();
    process.begin("send_keyed", ANN);
    world.vendor.wait_for_requests(1).await;
    process.vanish();
    landing.open();
    world.vendor.wait_for_effects(1).await;
    let next = world.worker().await;
    in_flight(next.call("send_keyed", ANN).await);
    setting.leases_pass().await;
    let sent = next.answer("send_keyed", ANN).await;
    assert_eq!(sent.decode::<Sent>().expect("sent").id, "effect-1");
    assert_eq!((sent.attempt, sent.replayed), (2, false));
    let book = world.vendor.book();
    assert_eq!((book.requests, book.distinct_keys, book.effects), (2, 1, 1));
}

/// R32, contract test 10 for `at_most_once`: nobody can know, so the run goes on with that.
pub(crate) async fn an_at_most_once_call_whose_worker_vanished_is_unknown_and_not_sent_again(
    setting: Setting,
) {
    for lands in [true, false] {
        let world = World::new(&setting, Keys::Ignored).await;
        let process = Process::start(&world, Stops::default()).await;
        let landing = world.next_is_slow();
        process.begin("send", ANN);
        world.vendor.wait_for_requests(1).await;
        process.vanish();
        if lands {
            landing.open();
            world.vendor.wait_for_effects(1).await;
        }
        setting.leases_pass().await;
        let next = world.worker().await;
        let unknown = next.answer("send", ANN).await;
        assert_eq!(code(&unknown), "outcome_unknown");
        assert_eq!(unknown.kind, Some(OutcomeKind::OutcomeUnknown));
        assert_replays(
            &next.answer("send", ANN).await,
            &next.answer("send", ANN).await,
        );
        assert_eq!(world.counted(), (1, usize::from(lands)));
    }
}

/// R32: without the mark nothing was sent, so even an at-most-once call runs again.
pub(crate) async fn a_worker_that_vanished_before_its_mark_left_no_doubt(setting: Setting) {
    for tool in ["send_marked", "send_keyed_marked"] {
        let world = World::new(&setting, Keys::Ignored).await;
        let stops = Stops::before();
        let process = Process::start(&world, stops.clone()).await;
        process.begin(tool, ANN);
        stops.before.reached.opened().await;
        process.vanish();
        setting.leases_pass().await;
        let sent = world.worker().await.answer(tool, ANN).await;
        assert_eq!(sent.decode::<Sent>().expect("sent").id, "effect-1");
        assert_eq!(world.counted(), (1, 1), "{tool}");
    }
}

/// R32: with the mark the class decides.
pub(crate) async fn a_worker_that_vanished_after_its_mark_is_judged_by_class(setting: Setting) {
    for (tool, keys) in [
        ("send_marked", Keys::Ignored),
        ("send_keyed_marked", Keys::Kept),
    ] {
        let world = World::new(&setting, keys).await;
        let stops = Stops::after();
        let process = Process::start(&world, stops.clone()).await;
        process.begin(tool, ANN);
        stops.after.reached.opened().await;
        process.vanish();
        setting.leases_pass().await;
        let next = world.worker().await.answer(tool, ANN).await;
        if keys == Keys::Ignored {
            assert_eq!(code(&next), "outcome_unknown");
            assert_eq!(world.counted(), (1, 1));
        } else {
            assert_eq!(next.decode::<Sent>().expect("sent").id, "effect-1");
            assert_eq!(world.counted(), (2, 1));
        }
    }
}

/// How the body of `stumble` ends before it marks its dispatch.
#[derive(Debug, Clone, Copy)]
enum Stumble {
    ForeignError,
    Panic,
    TakesTooLong,
}

#[tool(scope = "tool.note.stumble", timeout_s = 1, marks_dispatch)]
async fn stumble(ctx: &ToolContext, input: Note) -> Result<Sent, ToolError> {
    match ctx.state::<Option<Stumble>>()? {
        Some(Stumble::ForeignError) => Err(io::Error::other("no template"))?,
        Some(Stumble::Panic) => panic!("before anything was sent"),
        Some(Stumble::TakesTooLong) => std::future::pending().await,
        None => {}
    }
    post(ctx, json!(input.to)).await
}

/// R32: what a body that marks its dispatch meets before the mark had no effect, whatever it was. A second really
/// passes for the timeout.
pub(crate) async fn whatever_happens_before_the_mark_releases(setting: Setting) {
    for way in [Stumble::ForeignError, Stumble::Panic, Stumble::TakesTooLong] {
        let world = World::new(&setting, Keys::Ignored).await;
        let stumbling = |way: Option<Stumble>| {
            world.worker_with(move |builder| builder.tool::<stumble>().state(way))
        };
        let failed = stumbling(Some(way)).await.answer("stumble", ANN).await;
        assert_eq!(code(&failed), "not_sent", "{way:?}");
        assert!(failed.failure().is_some_and(|failure| failure.retryable));
        let sent = stumbling(None).await.answer("stumble", ANN).await;
        assert_eq!((sent.result.is_ok(), sent.attempt), (true, 1), "{way:?}");
        assert_eq!(world.counted(), (1, 1), "{way:?}");
    }
}

/// R32, P21: a worker that was overtaken before its mark does not send, and gets the journal's answer.
pub(crate) async fn a_mark_after_the_lease_was_taken_over_sends_nothing(setting: Setting) {
    for tool in ["send_marked", "send_keyed_marked"] {
        let world = World::new(&setting, Keys::Ignored).await;
        let stops = Stops {
            before: Stop::closed(),
            after: Stop::open(),
        };
        let state = stops.clone();
        let slow = world.worker_with(|builder| builder.state(state)).await;
        let overtaken = slow.begin(tool, ANN);
        stops.before.reached.opened().await;
        setting.leases_pass().await;
        let sent = world.worker().await.answer(tool, ANN).await;
        assert_eq!((sent.result.is_ok(), sent.attempt), (true, 2));
        stops.before.go.open();
        let late = overtaken.await.expect("a task that ends");
        assert_replays(&sent, &late.expect("the journal's answer"));
        assert_eq!(world.counted(), (1, 1), "{tool}");
    }
}
