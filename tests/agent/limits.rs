//! R75: each bound of a run ends it with a reason that says which.

use std::time::Duration;

use idem_tests::TestStore;
use idem_tools::agent::{NewRun, RunLimits, RunStatus, SegmentOutcome};

use crate::model::{Reply, Script, calls};
use crate::world::{World, says};

/// A model that rings the bell, and never has a last word.
fn restless() -> Script {
    Script::of((0..20).map(|_| calls("diagnose", r#"{"to":"cpu"}"#)))
}

/// The reason with which the only run of a world ends under these limits.
async fn ends(world: &World, limits: RunLimits) -> String {
    let harness = world.harness_with(|b| b.limits(limits)).await;
    world.begin(&harness, "run-1").await;
    let SegmentOutcome::Failed(why) = world.segment(&harness, "run-1").await else {
        panic!("it meets a limit");
    };
    let run = world.run(&harness, "run-1").await;
    assert_eq!(
        (run.status, run.reason.as_ref()),
        (RunStatus::Failed, Some(&why))
    );
    why
}

pub(crate) async fn a_turn_has_so_many_responses(store: TestStore) {
    let world = World::new(store, restless()).await;
    let limits = RunLimits {
        steps_a_turn: 3,
        ..RunLimits::default()
    };
    let why = ends(&world, limits).await;
    assert!(
        why.starts_with("limit_steps: ") && why.contains('3'),
        "{why}"
    );
    assert_eq!(world.model.asked(), [1, 1, 1]);
}

pub(crate) async fn a_turn_has_so_many_calls(store: TestStore) {
    let world = World::new(store, restless()).await;
    let limits = RunLimits {
        calls_a_turn: 2,
        ..RunLimits::default()
    };
    let why = ends(&world, limits).await;
    assert!(why.starts_with("limit_calls: "), "{why}");
    assert_eq!(world.model.asked(), [1, 1, 1]);
}

/// Each response costs eleven.
pub(crate) async fn a_run_has_so_many_tokens(store: TestStore) {
    let world = World::new(store, restless()).await;
    let limits = RunLimits {
        tokens: 22,
        ..RunLimits::default()
    };
    let why = ends(&world, limits).await;
    assert!(why.starts_with("limit_tokens: "), "{why}");
    assert_eq!(world.model.asked(), [1, 1, 1]);
}

pub(crate) async fn a_run_has_so_many_turns_and_may_use_the_last(store: TestStore) {
    let world = World::new(store, Script::of([Reply::Says("one"), Reply::Says("two")])).await;
    let limits = RunLimits {
        turns: 2,
        ..RunLimits::default()
    };
    let harness = world.harness_with(|b| b.limits(limits)).await;
    let stays = NewRun {
        keeps_open: true,
        ..world.new_run("run-1")
    };
    world.begin_as(&harness, &stays).await;
    assert!(matches!(
        world.segment(&harness, "run-1").await,
        SegmentOutcome::Idle(_)
    ));
    world.post(&harness, "run-1", "m2").await;
    assert!(matches!(
        world.segment(&harness, "run-1").await,
        SegmentOutcome::Idle(_)
    ));
    world.post(&harness, "run-1", "m3").await;
    let outcome = world.segment(&harness, "run-1").await;
    assert!(matches!(outcome, SegmentOutcome::Failed(why) if why.starts_with("limit_turns: ")));
    assert_eq!(world.model.asked(), [1, 1]);
}

/// R50: also while it waits for nobody knows what.
pub(crate) async fn a_run_lasts_so_long(store: TestStore) {
    let world = World::new(store, restless()).await;
    let harness = world.harness().await;
    let short = NewRun {
        duration_max: Duration::from_secs(3600),
        ..world.new_run("run-1")
    };
    world.begin_as(&harness, &short).await;
    world.store.age_runs(Duration::from_secs(3600)).await;
    assert_eq!(harness.driver().until_nothing_is_ready().await.unwrap(), 1);
    let run = world.run(&harness, "run-1").await;
    assert_eq!(run.status, RunStatus::Failed);
    assert!(run.reason.unwrap().starts_with("limit_time: "));
    assert!(world.model.asked().is_empty());
    let late = harness
        .post(world.organization, &run.run, &says("m2"))
        .await;
    assert!(late.is_err());
}

/// R41: a person is not asked about a run that is over.
pub(crate) async fn a_limit_takes_the_cards_of_the_run_back(store: TestStore) {
    let world = World::new(store, Script::of([calls("cleanup", r#"{"to":"tmp"}"#)])).await;
    let harness = world.harness().await;
    let short = NewRun {
        duration_max: Duration::from_secs(3600),
        ..world.new_run("run-1")
    };
    world.begin_as(&harness, &short).await;
    world.segment(&harness, "run-1").await;
    assert_eq!(world.cards().await.len(), 1);
    world.store.age_runs(Duration::from_secs(3600)).await;
    assert_eq!(harness.driver().until_nothing_is_ready().await.unwrap(), 1);
    assert!(world.cards().await.is_empty());
    assert!(world.effects().is_empty());
}
