//! R42, R46: a yes and a no to one card at the same moment, while two processes resume its run.

use idem_core::approval::{Decided, DecisionRequest, Verdict};
use idem_tests::TestStore;
use idem_tools::Principal;
use idem_tools::agent::{RunStatus, SegmentOutcome};
use tokio::sync::Barrier;

use crate::model::{Reply, Script, calls};
use crate::world::{World, answers};

const ROUNDS: usize = 200;

/// One of the two wins and the run obeys it: one effect after a yes and none after a no, and nobody is asked again.
pub(crate) async fn a_yes_and_a_no_at_once_have_one_winner_that_the_run_obeys(store: TestStore) {
    let script = Script::of([calls("cleanup", r#"{"to":"tmp"}"#), Reply::Says("over")]);
    let world = World::new(store, script).await;
    // Each has connections of its own, as two processes and two people at their desks have.
    let drivers = [world.harness().await, world.harness().await];
    let desks = [world.harness().await, world.harness().await];
    let mut yes = 0;
    for round in 0..ROUNDS {
        let run = format!("run-{round}");
        world.begin(&drivers[0], &run).await;
        let suspended = world.segment(&drivers[0], &run).await;
        let SegmentOutcome::Suspended(waits) = suspended else {
            panic!("it waits: {suspended:?}");
        };
        let card = &waits[0].card;
        let start = Barrier::new(4);
        let decide = async |at: usize, by: &str, verdict: Verdict| {
            let request = DecisionRequest {
                id: card.id,
                shown_hash: card.effective.shown_hash,
                by: Principal::new(by).unwrap(),
                verdict,
            };
            start.wait().await;
            let desk = desks[at].idem().approvals(world.organization);
            desk.decide(&request).await.unwrap()
        };
        let drive = async |at: usize| {
            start.wait().await;
            drivers[at].driver().until_nothing_is_ready().await.unwrap()
        };
        let reason = "leave them".to_owned();
        let (approved, denied, _, _) = tokio::join!(
            decide(0, "bob", Verdict::Approve),
            decide(1, "carol", Verdict::Deny { reason }),
            drive(0),
            drive(1),
        );
        let is_yes = match (&approved, &denied) {
            (Decided::Done(_), Decided::Stands(stands)) => {
                assert_eq!(stands.decided_by.as_ref().unwrap().as_str(), "bob");
                true
            }
            (Decided::Stands(stands), Decided::Done(_)) => {
                assert_eq!(stands.decided_by.as_ref().unwrap().as_str(), "carol");
                false
            }
            other => panic!("round {round}: one wins, and the other is told: {other:?}"),
        };
        yes += usize::from(is_yes);
        // Where both drivers looked before anybody had decided, the decision wakes the run now.
        for driver in &drivers {
            driver.driver().until_nothing_is_ready().await.unwrap();
        }
        let status = world.run(&drivers[0], &run).await.status;
        assert_eq!(status, RunStatus::Completed, "round {round}");
        assert_eq!(world.vendor.book().effects, yes, "round {round}");
        let told = answers(&world.said(&drivers[1], &run).await);
        assert_eq!(told.len(), 1);
        assert_eq!(told[0].1, !is_yes, "{told:?}");
        assert!(is_yes || told[0].0.contains("leave them"), "{told:?}");
        assert!(world.cards().await.is_empty(), "nobody is asked again");
    }
    assert_eq!(world.model.asked(), [ROUNDS, ROUNDS]);
    assert_eq!(world.store.count_rows("approvals").await as usize, ROUNDS);
}
