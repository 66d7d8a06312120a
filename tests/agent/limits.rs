//! R75: each bound of a run ends it with a reason that says which.

use std::time::Duration;

use idem_tests::TestStore;
use idem_tools::SetupError;
use idem_tools::agent::{NewRun, RUN_DURATION_MAX, RunLimits, RunStatus, SegmentOutcome};

use crate::model::{Reply, Script, calls};
use crate::tools::Stop;
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

/// R50: a model that asks for more patience than the run has left does not keep it from its end.
pub(crate) async fn a_run_that_rests_ends_when_its_time_is_over(store: TestStore) {
    for patience in [Duration::from_secs(10 * 24 * 3600), Duration::MAX] {
        let world = World::new(store.clone(), Script::of([Reply::BusyFor(patience)])).await;
        let harness = world.harness().await;
        let run = format!("run-{}", patience.as_secs());
        let short = NewRun {
            duration_max: Duration::from_secs(3600),
            ..world.new_run(&run)
        };
        world.begin_as(&harness, &short).await;
        let resting = world.try_segment(&harness, &run).await;
        assert!(resting.is_err(), "{resting:?}");
        let driver = harness.driver();
        assert_eq!(
            driver.until_nothing_is_ready().await.unwrap(),
            0,
            "it rests"
        );
        world.store.age_runs(Duration::from_secs(3600)).await;
        assert_eq!(driver.until_nothing_is_ready().await.unwrap(), 1);
        let record = world.run(&harness, &run).await;
        assert_eq!(record.status, RunStatus::Failed, "{record:?}");
        assert!(record.reason.unwrap().starts_with("limit_time: "));
    }
}

/// R46, R75: the words of a model's refusal are the provider's, and whatever they are, the run ends with them.
pub(crate) async fn a_reason_that_a_store_does_not_take_ends_the_run_all_the_same(
    store: TestStore,
) {
    let long: &'static str = "no ".repeat(1_000_000).leak();
    for (round, why) in ["not\u{0}that", long].into_iter().enumerate() {
        let world = World::new(store.clone(), Script::of([Reply::RefusedSaying(why)])).await;
        let harness = world.harness().await;
        let run = format!("run-{round}");
        world.begin(&harness, &run).await;
        let outcome = world.segment(&harness, &run).await;
        assert!(
            matches!(&outcome, SegmentOutcome::Failed(why) if why.starts_with("model_refused: ")),
            "{}",
            outcome.word()
        );
        let record = world.run(&harness, &run).await;
        assert_eq!(record.status, RunStatus::Failed);
        let kept = record.reason.unwrap();
        assert!(
            kept.starts_with("model_refused: ") && kept.len() <= 4096,
            "{}",
            kept.len()
        );
    }
}

/// R51: the lease of a segment is as long as the longest thing that it waits for, so that has a bound.
pub(crate) async fn a_model_timeout_longer_than_a_run_is_refused(store: TestStore) {
    let world = World::new(store, restless()).await;
    let of = async |timeout| {
        let parts = world.parts(Stop::open());
        parts.builder().await.model_timeout(timeout).build()
    };
    for timeout in [Duration::MAX, RUN_DURATION_MAX + Duration::from_secs(1)] {
        let refused = of(timeout).await;
        assert!(
            matches!(refused, Err(SetupError::ModelTimeout { asked, .. }) if asked == timeout),
            "{refused:?}"
        );
    }
    assert!(of(RUN_DURATION_MAX).await.is_ok());
}
