//! C41: one response with a free call and two that wait, across restarts.

use idem_tests::TestStore;
use idem_tools::agent::SegmentOutcome;

use crate::model::{Reply, Script};
use crate::world::{World, answers, done};

fn batch() -> Script {
    Script::of([
        Reply::Calls(vec![
            ("call_a", "diagnose", r#"{"to":"cpu"}"#),
            ("call_b", "cleanup", r#"{"to":"tmp"}"#),
            ("call_c", "cleanup", r#"{"to":"logs"}"#),
        ]),
        Reply::Says("done what I could"),
    ])
}

fn waits(outcome: &SegmentOutcome) -> usize {
    match outcome {
        SegmentOutcome::Suspended(waits) => waits.len(),
        other => panic!("it waits: {other:?}"),
    }
}

/// C41: approve one, and later reject the other; the process is another one each time.
pub(crate) async fn a_mixed_batch_is_settled_call_by_call_across_restarts(store: TestStore) {
    let world = World::new(store, batch()).await;
    let harness = world.harness().await;
    world.begin(&harness, "run-1").await;
    assert_eq!(waits(&world.segment(&harness, "run-1").await), 2);
    assert_eq!(world.effects(), ["diagnose cpu"]);
    drop(harness);

    world.approve("tmp").await;
    let harness = world.harness().await;
    assert_eq!(waits(&world.segment(&harness, "run-1").await), 1);
    assert_eq!(world.effects(), ["cleanup tmp", "diagnose cpu"]);
    drop(harness);

    world.deny("logs").await;
    let harness = world.harness().await;
    assert_eq!(
        done(&world.segment(&harness, "run-1").await),
        "done what I could"
    );
    assert_eq!(world.effects(), ["cleanup tmp", "diagnose cpu"]);
    assert_eq!(world.model.asked(), [1, 1]);
    let told = answers(&world.said(&harness, "run-1").await);
    assert_eq!(told[0], ("\"effect-1\"".to_owned(), false));
    assert_eq!(told[1], ("\"effect-2\"".to_owned(), false));
    assert!(told[2].1 && told[2].0.contains("denied"));
    assert_eq!(told.len(), 3, "each call has one answer, in its place");
}

pub(crate) async fn a_free_sibling_is_made_once_however_often_the_run_is_looked_at(
    store: TestStore,
) {
    let world = World::new(store, batch()).await;
    let harness = world.harness().await;
    world.begin(&harness, "run-1").await;
    for _ in 0..3 {
        let harness = world.harness().await;
        assert_eq!(waits(&world.segment(&harness, "run-1").await), 2);
    }
    world.deny("logs").await;
    assert_eq!(waits(&world.segment(&harness, "run-1").await), 1);
    world.approve("tmp").await;
    assert_eq!(
        done(&world.segment(&harness, "run-1").await),
        "done what I could"
    );
    assert_eq!(world.effects(), ["cleanup tmp", "diagnose cpu"]);
    assert_eq!(world.model.asked(), [1, 1]);
}
