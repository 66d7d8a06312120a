//! R40 to R46: a call that waits for a person, and the run with it.

use std::time::Duration;

use idem_core::approval::EditRequest;
use idem_tests::TestStore;
use idem_tools::Principal;
use idem_tools::agent::{AgentHarness, RunStatus, SegmentOutcome};

use crate::model::{Reply, Script, calls};
use crate::world::{World, answers, done, id};

const TWO_DAYS: Duration = Duration::from_secs(2 * 24 * 60 * 60);

/// A world in which a clean-up waits for a person, and the process that asked.
async fn waiting(store: TestStore) -> (World, AgentHarness) {
    let script = Script::of([
        calls("cleanup", r#"{"to":"tmp"}"#),
        Reply::Says("all is well"),
    ]);
    let world = World::new(store, script).await;
    let harness = world.harness().await;
    world.begin(&harness, "run-1").await;
    let outcome = world.segment(&harness, "run-1").await;
    match outcome {
        SegmentOutcome::Suspended(waits) => assert_eq!(waits.len(), 1),
        other => panic!("it waits: {other:?}"),
    }
    (world, harness)
}

/// R41, R46: nothing is held: no key, no lease of the run.
pub(crate) async fn a_call_that_waits_ends_the_segment_and_claims_nothing(store: TestStore) {
    let (world, harness) = waiting(store).await;
    assert_eq!(world.tool_rows().await, 0);
    let run = world.run(&harness, "run-1").await;
    assert_eq!((run.status, run.live), (RunStatus::Waiting, false));
    let cards: Vec<_> = world.cards().await.iter().map(|card| card.id).collect();
    assert_eq!(run.waits_for, cards);
    assert_eq!(harness.driver().until_nothing_is_ready().await.unwrap(), 0);
    // Looking again asks nobody anew: neither the model nor a person.
    let again = world.segment(&world.harness().await, "run-1").await;
    assert!(matches!(again, SegmentOutcome::Suspended(_)));
    assert_eq!(
        (world.model.asked(), world.cards().await.len()),
        (vec![1], 1)
    );
    assert!(world.effects().is_empty());
}

/// R46: the process ends, and another one goes on; the model is asked only for what has no record.
pub(crate) async fn a_decision_resumes_the_run_in_another_process(store: TestStore) {
    let (world, harness) = waiting(store).await;
    drop(harness);
    world.approve("tmp").await;
    let harness = world.harness().await;
    assert_eq!(harness.driver().until_nothing_is_ready().await.unwrap(), 1);
    let run = world.run(&harness, "run-1").await;
    assert_eq!(run.status, RunStatus::Completed);
    assert_eq!(world.effects(), ["cleanup tmp"]);
    assert_eq!(world.model.asked(), [1, 1]);
}

/// R50, contract 21.
pub(crate) async fn a_decision_after_two_days_is_made_once(store: TestStore) {
    let (world, _) = waiting(store).await;
    world.store.age_runs(TWO_DAYS).await;
    world.store.age_cards(TWO_DAYS).await;
    world.store.age_all(TWO_DAYS).await;
    world.approve("tmp").await;
    let outcome = world.segment(&world.harness().await, "run-1").await;
    assert_eq!(done(&outcome), "all is well");
    assert_eq!(world.effects(), ["cleanup tmp"]);
    assert_eq!(world.model.asked(), [1, 1]);
}

/// R45: no second card, and the model hears the reason.
pub(crate) async fn a_denial_is_the_answer_also_after_a_restart(store: TestStore) {
    let (world, _) = waiting(store).await;
    world.deny("tmp").await;
    let harness = world.harness().await;
    assert_eq!(done(&world.segment(&harness, "run-1").await), "all is well");
    let told = answers(&world.said(&harness, "run-1").await);
    assert_eq!(told.len(), 1);
    assert!(told[0].1 && told[0].0.contains("denied") && told[0].0.contains("leave them"));
    assert!(world.effects().is_empty());
    assert_eq!(world.store.count_rows("approvals").await, 1);
    assert_eq!(world.tool_rows().await, 0);
}

/// R41: the end of its time is an answer for that turn.
pub(crate) async fn nobody_deciding_is_the_answer(store: TestStore) {
    let (world, harness) = waiting(store).await;
    world.store.age_cards(4 * TWO_DAYS).await;
    assert_eq!(harness.driver().until_nothing_is_ready().await.unwrap(), 1);
    let told = answers(&world.said(&harness, "run-1").await);
    assert!(told[0].1 && told[0].0.contains("approval_expired"));
    assert!(world.effects().is_empty());
}

/// R41: the end of the run takes a yes back that nobody used.
pub(crate) async fn what_was_approved_is_not_made_after_the_run_was_cancelled(store: TestStore) {
    let (world, harness) = waiting(store).await;
    world.approve("tmp").await;
    let run = harness
        .cancel(world.organization, &id("run-1"), "carol")
        .await;
    assert_eq!(run.unwrap().status, RunStatus::Cancelled);
    assert_eq!(harness.driver().until_nothing_is_ready().await.unwrap(), 0);
    assert!(world.try_segment(&harness, "run-1").await.is_err());
    assert!(world.effects().is_empty());
}

/// R43, R46: an edit is checked by whoever has the tool, and that is the run's driver; nobody has to decide first.
pub(crate) async fn an_edit_that_a_person_asks_for_is_checked_by_the_driver(store: TestStore) {
    let script = Script::of([calls("cleanup", r#"{"to":"tmp"}"#), Reply::Says("done")]);
    let world = World::new(store, script).await;
    let harness = world.harness().await;
    world.begin(&harness, "run-1").await;
    world.segment(&harness, "run-1").await;
    for (arguments, input) in [
        (r#"{"too":"var"}"#, r#"{"to":"tmp"}"#),
        (r#"{"to":"var"}"#, r#"{"to":"var"}"#),
    ] {
        let card = world.cards().await.remove(0);
        let edit = EditRequest {
            shown_hash: card.effective.shown_hash,
            arguments: arguments.to_owned(),
            by: Principal::new("bob").unwrap(),
        };
        world
            .opened
            .request_edit(world.organization, card.id, &edit)
            .await
            .unwrap()
            .expect("an open card");
        // Once, and not again and again: it waits as before.
        assert_eq!(harness.driver().until_nothing_is_ready().await.unwrap(), 1);
        let checked = world.cards().await.remove(0);
        assert_eq!((checked.id, &checked.edit_request), (card.id, &None));
        assert_eq!(&*checked.effective.input, input);
        assert_eq!(
            world.run(&harness, "run-1").await.status,
            RunStatus::Waiting
        );
    }
    world.approve("tmp").await;
    assert_eq!(harness.driver().until_nothing_is_ready().await.unwrap(), 1);
    assert_eq!(world.effects(), ["cleanup var"]);
    assert_eq!(world.model.asked(), [1, 1]);
}
