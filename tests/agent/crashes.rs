//! R46, R51: a process that vanishes at each point, and another one that goes on.

use idem_tests::TestStore;
use idem_tests::vendor::{Behaviour, Gate};
use idem_tools::agent::HarnessError;

use crate::model::{Hold, Reply, Script, calls};
use crate::process::Process;
use crate::tools::Stop;
use crate::world::{World, answers, done};

/// Another process goes on once the lease of the one that vanished has ended, and not before.
async fn another_goes_on(world: &World) -> Vec<(String, bool)> {
    let harness = world.harness().await;
    match world.try_segment(&harness, "run-1").await {
        Err(error @ HarnessError::Run(_)) => assert!(error.retry_after().is_some()),
        other => panic!("the lease lives: {other:?}"),
    }
    world.leases_pass().await;
    assert_eq!(harness.driver().until_nothing_is_ready().await.unwrap(), 1);
    let said = world.said(&harness, "run-1").await;
    assert!(world.run(&harness, "run-1").await.status.has_ended());
    answers(&said)
}

/// The step is there, and its call is made by whoever reads it: the request of the first never arrived.
pub(crate) async fn a_worker_that_vanished_after_it_recorded_a_step_made_no_call(store: TestStore) {
    let script = Script::of([
        Reply::Calls(vec![("call_a", "cleanup", r#"{"to":"tmp"}"#)]),
        Reply::Says("made"),
    ]);
    let world = World::new(store, script).await;
    let harness = world.harness().await;
    world.begin(&harness, "run-1").await;
    // A first segment records the step and waits; the next one is taken by a process that goes no further.
    world.segment(&harness, "run-1").await;
    world.approve("tmp").await;
    let token = idem_tools::plane::runs::SegmentToken::mint();
    let taken = world
        .opened
        .take_segment(
            world.organization,
            &crate::world::id("run-1"),
            token,
            std::time::Duration::from_secs(60),
        )
        .await;
    assert!(taken.unwrap().is_some());
    let told = another_goes_on(&world).await;
    assert_eq!(told, [("\"effect-1\"".to_owned(), false)]);
    assert_eq!(world.effects(), ["cleanup tmp"]);
    assert_eq!(world.model.asked(), [1, 1]);
}

/// The effect is made and its answer stored; the next step has no record.
pub(crate) async fn a_worker_that_vanished_after_the_effect_left_it_made_once(store: TestStore) {
    let hold = Hold::default();
    let script = Script::of([calls("send", r#"{"to":"ann"}"#)]);
    script.says(
        1,
        [
            Reply::Held(hold.clone(), Box::new(Reply::Says("never heard"))),
            Reply::Says("made"),
        ],
    );
    let world = World::new(store, script).await;
    let first = Process::start(&world, Stop::open()).await;
    world.begin(&world.harness().await, "run-1").await;
    first.begin("run-1");
    hold.reached.opened().await;
    first.vanish();
    let told = another_goes_on(&world).await;
    assert_eq!(told, [("\"effect-1\"".to_owned(), false)]);
    assert_eq!(world.effects(), ["send ann"]);
    assert_eq!(
        world.model.asked(),
        [1, 2],
        "once for each step that was recorded"
    );
}

/// The answer to the first call stands in the second step, so nothing of the first is asked or made.
pub(crate) async fn a_worker_that_vanished_after_the_next_record_left_nothing_to_make(
    store: TestStore,
) {
    let stop = Stop::default();
    let script = Script::of([
        Reply::Calls(vec![("call_a", "cleanup", r#"{"to":"tmp"}"#)]),
        calls("send", r#"{"to":"ann"}"#),
        Reply::Says("made"),
    ]);
    let world = World::new(store, script).await;
    let harness = world.harness().await;
    world.begin(&harness, "run-1").await;
    world.segment(&harness, "run-1").await;
    world.deny("tmp").await;
    // The process is held in the body of the second step's call, before its request is answered.
    let slow = Gate::new();
    world.vendor.script([Behaviour::Slow(slow.clone())]);
    let first = Process::start(&world, stop.clone()).await;
    first.begin("run-1");
    world.vendor.wait_for_requests(1).await;
    first.vanish();
    slow.open();
    world.vendor.wait_for_effects(1).await;
    let told = another_goes_on(&world).await;
    assert!(told[0].0.contains("denied"));
    assert!(
        told[1].1 && told[1].0.contains("outcome_unknown"),
        "it was sent, and is not sent again"
    );
    assert_eq!(world.effects(), ["send ann"]);
    assert_eq!(world.model.asked(), [1, 1, 1]);
}

pub(crate) async fn a_worker_that_vanished_before_it_recorded_anything_is_followed(
    store: TestStore,
) {
    let hold = Hold::default();
    let script = Script::default();
    script.says(
        0,
        [
            Reply::Held(hold.clone(), Box::new(Reply::Says("never heard"))),
            calls("send", r#"{"to":"ann"}"#),
        ],
    );
    script.says(1, [Reply::Says("made")]);
    let world = World::new(store, script).await;
    let first = Process::start(&world, Stop::open()).await;
    let harness = world.harness().await;
    world.begin(&harness, "run-1").await;
    first.begin("run-1");
    hold.reached.opened().await;
    first.vanish();
    world
        .store
        .age_runs(std::time::Duration::from_secs(200))
        .await;
    assert_eq!(done(&world.segment(&harness, "run-1").await), "made");
    assert_eq!(
        (world.effects(), world.step_rows().await),
        (vec!["send ann".to_owned()], 2)
    );
}
