//! R31, R46: drivers, and a step for an orchestrator.

use std::time::Duration;

use idem_tests::TestStore;
use idem_tools::agent::{RunStatus, SegmentOutcome, StepReport};
use idem_tools::{OrganizationId, RetryPlan};
use tokio_util::sync::CancellationToken;

use crate::model::{Hold, Reply, Script, calls};
use crate::world::{World, id};

/// The same world for another tenant.
async fn two_tenants(store: TestStore) -> (World, World) {
    let script = Script::of([calls("diagnose", r#"{"to":"cpu"}"#), Reply::Says("well")]);
    let ours = World::new(store.clone(), script.clone()).await;
    let mut theirs = World::new(store, script).await;
    theirs.organization = OrganizationId::random();
    let harness = ours.harness().await;
    for run in 0..5 {
        ours.begin(&harness, &format!("run-{run}")).await;
        theirs.begin(&harness, &format!("run-{run}")).await;
    }
    (ours, theirs)
}

async fn completed(world: &World) -> usize {
    let harness = world.harness().await;
    let mut many = 0;
    for run in 0..5 {
        let run = world.run(&harness, &format!("run-{run}")).await;
        many += usize::from(run.status == RunStatus::Completed);
    }
    many
}

pub(crate) async fn runs_of_two_tenants_are_driven_until_none_is_ready(store: TestStore) {
    let (ours, theirs) = two_tenants(store).await;
    let driver = ours.harness().await.driver().parallel_runs(3);
    assert_eq!(driver.until_nothing_is_ready().await.unwrap(), 10);
    assert_eq!((completed(&ours).await, completed(&theirs).await), (5, 5));
    assert_eq!(ours.effects().len(), 10);
    assert_eq!(driver.until_nothing_is_ready().await.unwrap(), 0);
}

pub(crate) async fn a_driver_of_one_tenant_leaves_the_others(store: TestStore) {
    let (ours, theirs) = two_tenants(store).await;
    let driver = ours.harness().await.driver().of(ours.organization);
    assert_eq!(driver.until_nothing_is_ready().await.unwrap(), 5);
    assert_eq!((completed(&ours).await, completed(&theirs).await), (5, 0));
}

/// What is under way comes to its end, and nothing is begun after that.
pub(crate) async fn a_driver_stops_when_it_is_told_to(store: TestStore) {
    let hold = Hold::default();
    let held = Reply::Held(hold.clone(), Box::new(Reply::Says("well")));
    let world = World::new(store, Script::of([held])).await;
    let harness = world.harness().await;
    world.begin(&harness, "run-1").await;
    world.begin(&harness, "run-2").await;
    let (driver, stop) = (harness.driver().parallel_runs(1), CancellationToken::new());
    tokio::join!(driver.until(&stop), async {
        hold.reached.opened().await;
        stop.cancel();
        hold.go.open();
    });
    let (one, two) = (
        world.run(&harness, "run-1").await,
        world.run(&harness, "run-2").await,
    );
    let ended = [one.status, two.status].map(RunStatus::has_ended);
    assert_eq!(ended.iter().filter(|ended| **ended).count(), 1, "{ended:?}");
    assert!(!one.live && !two.live);
}

pub(crate) async fn a_plan_whose_last_gap_is_within_the_lease_is_refused(store: TestStore) {
    let world = World::new(store, Script::default()).await;
    let harness = world.harness().await;
    let plan =
        |seconds: &[u64]| RetryPlan::of_gaps(seconds.iter().map(|s| Duration::from_secs(*s)));
    // A model may take two minutes, and the margin comes on top.
    let refused = harness.step_for(&plan(&[200, 130])).unwrap_err();
    assert_eq!(
        (refused.gap, refused.lease),
        (Duration::from_secs(130), Duration::from_secs(130))
    );
    assert!(harness.step_for(&plan(&[1, 131])).is_ok());
}

fn patient() -> RetryPlan {
    RetryPlan::of_gaps([Duration::from_secs(600)])
}

pub(crate) async fn a_step_says_what_the_orchestrator_does_next(store: TestStore) {
    let script = Script::default();
    script.says(
        0,
        [
            Reply::Unavailable,
            Reply::Unavailable,
            Reply::Unavailable,
            calls("cleanup", r#"{"to":"tmp"}"#),
        ],
    );
    script.says(1, [Reply::Refused]);
    let world = World::new(store, script).await;
    let harness = world.harness().await;
    let step = harness.step_for(&patient()).unwrap();
    let (organization, run) = (world.organization, id("run-1"));
    assert!(
        matches!(step.run(organization, &run).await, StepReport::Fail(_)),
        "there is no such run"
    );
    world.begin(&harness, "run-1").await;
    assert!(matches!(
        step.run(organization, &run).await,
        StepReport::Retry(_)
    ));
    match step.run(organization, &run).await {
        StepReport::Sleep(cards) => assert_eq!(cards, [world.cards().await[0].id]),
        other => panic!("it waits: {other:?}"),
    }
    world.approve("tmp").await;
    let token = idem_tools::plane::runs::SegmentToken::mint();
    let lease = Duration::from_secs(60);
    world
        .opened
        .take_segment(organization, &run, token, lease)
        .await
        .unwrap()
        .expect("nobody's");
    match step.run(organization, &run).await {
        StepReport::Again(after) => assert!(after <= lease && after > Duration::ZERO),
        other => panic!("another is at work: {other:?}"),
    }
    world.store.age_runs(lease).await;
    match step.run(organization, &run).await {
        StepReport::Done(SegmentOutcome::Failed(why)) => assert!(why.starts_with("model_refused")),
        other => panic!("the model refuses: {other:?}"),
    }
    assert_eq!(world.effects(), ["cleanup tmp"]);
}

/// R31: the worker that made it died before it could say so; a step may be made as often as one likes.
pub(crate) async fn a_step_that_is_made_again_after_its_run_ended_is_done(store: TestStore) {
    let world = World::new(store, Script::of([Reply::Says("well")])).await;
    let harness = world.harness().await;
    let step = harness.step_for(&patient()).unwrap();
    world.begin(&harness, "run-1").await;
    for _ in 0..3 {
        match step.run(world.organization, &id("run-1")).await {
            StepReport::Done(SegmentOutcome::Completed(text)) => {
                assert_eq!(text.as_deref(), Some("well"))
            }
            other => panic!("it is done: {other:?}"),
        }
    }
    assert_eq!(world.model.asked(), [1]);
    world.begin(&harness, "run-2").await;
    harness
        .cancel(world.organization, &id("run-2"), "bob")
        .await
        .unwrap();
    let report = step.run(world.organization, &id("run-2")).await;
    assert!(matches!(report, StepReport::Done(SegmentOutcome::Cancelled(by)) if by == "bob"));
}
