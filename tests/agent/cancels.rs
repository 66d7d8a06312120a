//! R14, R41: a run that somebody ends, and a turn that a message ends.

use idem_tests::TestStore;
use idem_tests::vendor::{Behaviour, Gate};
use idem_tools::agent::{HarnessError, NewRun, OnMessage, RunStatus, SegmentOutcome};

use crate::model::{Hold, Reply, Script, calls};
use crate::world::{World, answers, done, id};

/// R14: the body hears it within a third of the segment's lease; what it had begun, nobody knows.
pub(crate) async fn a_tool_that_runs_hears_it_and_is_an_unknown_outcome(store: TestStore) {
    let script = Script::of([calls("long_work", r#"{"to":"ann"}"#)]);
    let world = World::new(store, script).await;
    world.vendor.script([Behaviour::Slow(Gate::new())]);
    let harness = world.brisk_harness().await;
    world.begin(&harness, "run-1").await;
    let run = id("run-1");
    let (outcome, cancelled) = tokio::join!(world.segment(&harness, "run-1"), async {
        world.vendor.wait_for_requests(1).await;
        harness.cancel(world.organization, &run, "bob").await
    });
    assert!(cancelled.unwrap().live, "its owner ends it");
    assert!(matches!(outcome, SegmentOutcome::Cancelled(by) if by == "bob"));
    let record = world.run(&harness, "run-1").await;
    assert_eq!(record.status, RunStatus::Cancelled);
    assert_eq!(record.reason.as_deref(), Some("cancelled by bob"));
    let unknown =
        "SELECT count(*) FROM agent.idempotency_keys WHERE outcome_kind = 'outcome_unknown'";
    let sqlite = unknown.replace("agent.", "agent_");
    assert_eq!(world.store.number(unknown, &sqlite).await, 1);
    assert_eq!(world.model.asked(), [1]);
}

pub(crate) async fn a_run_that_waits_ends_at_once_and_its_card_goes(store: TestStore) {
    let world = World::new(store, Script::of([calls("cleanup", r#"{"to":"tmp"}"#)])).await;
    let harness = world.harness().await;
    world.begin(&harness, "run-1").await;
    world.segment(&harness, "run-1").await;
    let run = id("run-1");
    let record = harness
        .cancel(world.organization, &run, "bob")
        .await
        .unwrap();
    assert_eq!(record.status, RunStatus::Cancelled);
    assert!(world.cards().await.is_empty());
    let again = world.try_segment(&harness, "run-1").await;
    assert!(matches!(again, Err(HarnessError::Run(_))));
}

pub(crate) async fn an_idle_run_ends_at_once(store: TestStore) {
    let world = World::new(store, Script::default()).await;
    let harness = world.harness().await;
    harness.admit(&world.new_run("run-1")).await.unwrap();
    let run = id("run-1");
    let record = harness
        .cancel(world.organization, &run, "bob")
        .await
        .unwrap();
    assert_eq!(record.status, RunStatus::Cancelled);
    assert!(world.model.asked().is_empty());
}

/// R41: the owner had not heard it when it gave the run back; it is not forgotten.
pub(crate) async fn a_cancel_that_came_while_the_owner_left_is_kept(store: TestStore) {
    let hold = Hold::default();
    let waits = Reply::Held(hold.clone(), Box::new(calls("cleanup", r#"{"to":"tmp"}"#)));
    let world = World::new(store, Script::of([waits])).await;
    let harness = world.harness().await;
    world.begin(&harness, "run-1").await;
    let run = id("run-1");
    let (outcome, ()) = tokio::join!(world.segment(&harness, "run-1"), async {
        hold.reached.opened().await;
        harness
            .cancel(world.organization, &run, "bob")
            .await
            .unwrap();
        hold.go.open();
    });
    assert!(matches!(outcome, SegmentOutcome::Cancelled(by) if by == "bob"));
    assert_eq!(
        world.run(&harness, "run-1").await.status,
        RunStatus::Cancelled
    );
    assert!(world.cards().await.is_empty());
}

fn waits_and_answers() -> Script {
    Script::of([
        calls("cleanup", r#"{"to":"tmp"}"#),
        Reply::Says("first"),
        Reply::Says("second"),
    ])
}

/// R41: it is the next turn, once somebody decided.
pub(crate) async fn a_message_queues_behind_a_turn_that_waits(store: TestStore) {
    let world = World::new(store, waits_and_answers()).await;
    let harness = world.harness().await;
    world.begin(&harness, "run-1").await;
    world.segment(&harness, "run-1").await;
    world.post(&harness, "run-1", "m2").await;
    assert_eq!(harness.driver().until_nothing_is_ready().await.unwrap(), 0);
    let again = world.segment(&harness, "run-1").await;
    assert!(matches!(again, SegmentOutcome::Suspended(_)));
    world.approve("tmp").await;
    assert_eq!(done(&world.segment(&harness, "run-1").await), "second");
    assert_eq!(world.effects(), ["cleanup tmp"]);
    assert_eq!(world.model.asked(), [1, 1, 1]);
}

/// R41: what nobody decided is taken back, and nobody is asked what to say to that.
pub(crate) async fn a_message_ends_a_turn_that_waits_where_the_run_says_so(store: TestStore) {
    let script = Script::of([
        calls("cleanup", r#"{"to":"tmp"}"#),
        Reply::Says("forget it"),
    ]);
    let world = World::new(store, script).await;
    let harness = world.harness().await;
    let ends = NewRun {
        on_message: OnMessage::EndsTheTurn,
        ..world.new_run("run-1")
    };
    world.begin_as(&harness, &ends).await;
    world.segment(&harness, "run-1").await;
    world.post(&harness, "run-1", "m2").await;
    assert_eq!(harness.driver().until_nothing_is_ready().await.unwrap(), 1);
    assert_eq!(
        world.run(&harness, "run-1").await.status,
        RunStatus::Completed
    );
    assert!(world.cards().await.is_empty() && world.effects().is_empty());
    let said = world.said(&harness, "run-1").await;
    let told = answers(&said);
    assert!(told[0].1 && told[0].0.contains("approval_withdrawn"));
    assert_eq!(world.model.asked(), [1, 1]);
    // The very segment that ended the turn told the model what came of its calls (R35).
    assert_eq!(world.model.last_prompt(), said[..said.len() - 1]);
}
