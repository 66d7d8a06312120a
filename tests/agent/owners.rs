//! R46, R51: two that work on one run at once.

use idem_tests::TestStore;
use idem_tools::agent::{HarnessError, SegmentOutcome};

use crate::model::{Hold, Reply, Script, calls};
use crate::world::{World, done};

const ROUNDS: usize = 1_000;
const AT_ONCE: usize = 50;

/// R46: the first writer's step stands, and who comes second makes what that one proposed.
pub(crate) async fn a_loser_runs_the_winners_proposals(store: TestStore) {
    let hold = Hold::default();
    let script = Script::default();
    let loser = Reply::Held(hold.clone(), Box::new(calls("send", r#"{"to":"loser"}"#)));
    script.says(0, [loser, calls("send", r#"{"to":"winner"}"#)]);
    script.says(1, [Reply::Says("made")]);
    let world = World::new(store, script).await;
    let (stale, owner) = (world.harness().await, world.harness().await);
    world.begin(&stale, "run-1").await;
    let (lost, won) = tokio::join!(world.try_segment(&stale, "run-1"), async {
        hold.reached.opened().await;
        world
            .store
            .age_runs(std::time::Duration::from_secs(200))
            .await;
        let won = world.segment(&owner, "run-1").await;
        hold.go.open();
        won
    });
    assert_eq!(done(&won), "made");
    match lost {
        Err(HarnessError::SegmentLost(run)) => assert_eq!(run.as_ref(), "run-1"),
        // It came to the same end by the other's records, and found it written.
        Ok(SegmentOutcome::Completed(text)) => assert_eq!(text.as_deref(), Some("made")),
        other => panic!("it was overtaken: {other:?}"),
    }
    assert_eq!(world.effects(), ["send winner"]);
    assert_eq!((world.step_rows().await, world.tool_rows().await), (2, 1));
}

/// R51: one owner at a time, one record of each step and one effect of each call.
pub(crate) async fn two_drivers_resume_a_run_a_thousand_times(store: TestStore) {
    let script = Script::of([calls("ring", ""), Reply::Says("made")]);
    let world = World::new(store, script).await;
    let (one, two) = (world.harness().await, world.harness().await);
    for first in (0..ROUNDS).step_by(AT_ONCE) {
        for round in first..first + AT_ONCE {
            world.begin(&one, &format!("run-{round}")).await;
        }
        let drivers = (one.driver().parallel_runs(2), two.driver().parallel_runs(2));
        let (ran, also) = tokio::join!(
            drivers.0.until_nothing_is_ready(),
            drivers.1.until_nothing_is_ready(),
        );
        assert!(ran.unwrap() + also.unwrap() >= AT_ONCE);
    }
    assert_eq!(world.vendor.book().effects, ROUNDS);
    assert_eq!(world.model.asked(), [ROUNDS, ROUNDS]);
    let steps = i64::try_from(2 * ROUNDS).unwrap();
    assert_eq!(world.step_rows().await, steps);
}
