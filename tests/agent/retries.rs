//! R31, R46: what is tried again, how often, and what that costs.

use std::time::Duration;

use idem_tests::TestStore;
use idem_tests::vendor::{Behaviour, Gate};
use idem_tools::agent::{AgentHarness, HarnessError, RunStatus, SegmentOutcome};

use crate::model::{Reply, Script, calls};
use crate::process::Process;
use crate::tools::Stop;
use crate::world::{World, answers, done, fast};

fn busy() -> Behaviour {
    Behaviour::Status {
        code: 429,
        effect: false,
    }
}

fn a_note() -> Script {
    Script::of([calls("send", r#"{"to":"ann"}"#), Reply::Says("over")])
}

pub(crate) async fn a_failure_that_may_be_tried_again_is_and_costs_are_bounded(store: TestStore) {
    for (refusals, effects, requests) in [(2, 1, 3), (3, 0, 3)] {
        let world = World::new(store.clone(), a_note()).await;
        world.vendor.script(vec![busy(); refusals]);
        let harness = world.harness().await;
        world.begin(&harness, "run-1").await;
        assert_eq!(done(&world.segment(&harness, "run-1").await), "over");
        let book = world.vendor.book();
        assert_eq!((book.effects, book.requests), (effects, requests));
        let told = answers(&world.said(&harness, "run-1").await);
        assert_eq!((told.len(), told[0].1), (1, effects == 0));
    }
}

/// A wait that a vendor asks for is not waited for inside a segment where it is longer than the longest one.
pub(crate) async fn a_vendor_that_asks_for_more_patience_than_there_is_gets_none(store: TestStore) {
    let world = World::new(
        store,
        Script::of([calls("patient", "{}"), Reply::Says("later")]),
    )
    .await;
    let harness = world.harness().await;
    world.begin(&harness, "run-1").await;
    assert_eq!(done(&world.segment(&harness, "run-1").await), "later");
    let told = answers(&world.said(&harness, "run-1").await);
    assert!(told[0].1 && told[0].0.contains("rate_limited"), "{told:?}");
}

/// R31: the lease of a worker that is gone is waited out; the one attempt that there is, is not spent by that.
pub(crate) async fn a_claim_in_flight_elsewhere_is_waited_out_and_costs_no_attempt(
    store: TestStore,
) {
    let world = World::new(store, a_note()).await;
    let first = Process::start(&world, Stop::open()).await;
    let gate = Gate::new();
    world.vendor.script([Behaviour::Slow(gate.clone())]);
    let harness = world.harness_with(|b| b.call_retries(fast(1))).await;
    world.begin(&harness, "run-1").await;
    first.begin("run-1");
    world.vendor.wait_for_requests(1).await;
    world.store.age_runs(Duration::from_secs(200)).await;
    let mut events = harness.events();
    let (outcome, ()) = tokio::join!(world.segment(&harness, "run-1"), async {
        // It has met the claim, and waits.
        loop {
            let event = events.recv().await.unwrap();
            if matches!(
                event.what,
                idem_tools::agent::Happened::CallTriedAgain { .. }
            ) {
                break;
            }
        }
        gate.open();
    });
    assert_eq!(done(&outcome), "over");
    assert_eq!(world.effects(), ["send ann"]);
    assert_eq!(world.vendor.book().requests, 1);
}

pub(crate) async fn a_model_that_is_overloaded_is_asked_again(store: TestStore) {
    let script = Script::default();
    script.says(
        0,
        [Reply::Unavailable, Reply::Unavailable, Reply::Says("now")],
    );
    let world = World::new(store, script).await;
    let harness = world.harness().await;
    world.begin(&harness, "run-1").await;
    assert_eq!(done(&world.segment(&harness, "run-1").await), "now");
    assert_eq!(world.model.asked(), [3]);
}

/// A failed segment leaves the run to the next one, until there were too many in a row.
async fn until_it_failed(world: &World, harness: &AgentHarness) -> (usize, String) {
    let mut failed = 0;
    loop {
        match world.try_segment(harness, "run-1").await {
            Err(HarnessError::Model(_)) => failed += 1,
            Ok(SegmentOutcome::Failed(why)) => return (failed, why),
            other => panic!("the model stays away: {other:?}"),
        }
        let run = world.run(harness, "run-1").await;
        assert_eq!((run.status, run.live), (RunStatus::Ready, false));
        assert_eq!(usize::try_from(run.failures).unwrap(), failed);
    }
}

pub(crate) async fn a_model_that_stays_away_fails_the_run_after_bounded_segments(store: TestStore) {
    let world = World::new(store, Script::of([Reply::Unavailable])).await;
    let harness = world.harness().await;
    world.begin(&harness, "run-1").await;
    let (failed, why) = until_it_failed(&world, &harness).await;
    assert_eq!((failed, world.model.asked()), (2, vec![9]));
    assert!(why.starts_with("model_failed: "), "{why}");
    let run = world.run(&harness, "run-1").await;
    assert_eq!((run.status, run.reason), (RunStatus::Failed, Some(why)));
}

pub(crate) async fn a_model_that_refuses_fails_the_run_at_once(store: TestStore) {
    let world = World::new(store, Script::of([Reply::Refused])).await;
    let harness = world.harness().await;
    world.begin(&harness, "run-1").await;
    let outcome = world.segment(&harness, "run-1").await;
    assert!(matches!(outcome, SegmentOutcome::Failed(why) if why.starts_with("model_refused: ")));
    assert_eq!(world.model.asked(), [1]);
}

pub(crate) async fn a_model_whose_code_panics_is_a_failure_like_another(store: TestStore) {
    let script = Script::default();
    script.says(0, [Reply::Panics, Reply::Says("now")]);
    let world = World::new(store, script).await;
    let harness = world.harness().await;
    world.begin(&harness, "run-1").await;
    assert_eq!(done(&world.segment(&harness, "run-1").await), "now");
    assert_eq!(world.model.asked(), [2]);
}

/// A run that gets on is not ended by failures that lie apart.
pub(crate) async fn failures_in_a_row_are_counted_anew_after_progress(store: TestStore) {
    let script = Script::default();
    for step in 0..6 {
        let rings = Reply::Calls(vec![("call_a", "diagnose", r#"{"to":"cpu"}"#)]);
        script.says(step, [Reply::Unavailable, rings]);
    }
    script.says(6, [Reply::Says("at last")]);
    let world = World::new(store, script).await;
    let harness = world.harness_with(|b| b.model_retries(fast(1))).await;
    world.begin(&harness, "run-1").await;
    for _ in 0..6 {
        let failed = world.try_segment(&harness, "run-1").await;
        assert!(matches!(failed, Err(HarnessError::Model(_))), "{failed:?}");
        assert_eq!(world.run(&harness, "run-1").await.failures, 1);
    }
    assert_eq!(done(&world.segment(&harness, "run-1").await), "at last");
    assert_eq!(world.effects(), ["diagnose cpu"]);
}
