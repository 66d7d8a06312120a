//! R71: what a run's watchers are told.

use idem_tests::TestStore;
use idem_tools::agent::{AgentHarness, Happened, RunEvent};
use tokio::sync::broadcast::Receiver;
use tokio::sync::broadcast::error::TryRecvError;

use crate::model::{Reply, Script};
use crate::world::{World, done};

fn told(events: &mut Receiver<RunEvent>) -> Vec<String> {
    let mut told = Vec::new();
    while let Ok(event) = events.try_recv() {
        let what = match event.what {
            Happened::SegmentBegan { segment } => format!("segment {segment}"),
            Happened::ModelAsked => "asked".to_owned(),
            Happened::ModelAnswered { replayed, calls } => format!("{calls} calls, {replayed}"),
            Happened::CallAnswered {
                tool,
                replayed,
                failure,
                ..
            } => {
                format!("{tool} {} {replayed}", failure.unwrap_or_default())
            }
            Happened::CallWaits { tool, .. } => format!("{tool} waits"),
            Happened::TurnOver => "turn over".to_owned(),
            Happened::SegmentOver { outcome } => outcome.to_owned(),
            other => format!("{other:?}"),
        };
        told.push(format!("{}.{} {what}", event.turn, event.step));
    }
    told
}

async fn watched(world: &World) -> (AgentHarness, Receiver<RunEvent>) {
    let harness = world.harness_with(|b| b).await;
    let events = harness.events();
    (harness, events)
}

/// A replay says so, step by step and call by call.
pub(crate) async fn events_come_in_order_and_a_replay_is_marked(store: TestStore) {
    let script = Script::of([
        Reply::Calls(vec![("call_a", "diagnose", r#"{"to":"cpu"}"#)]),
        Reply::Calls(vec![("call_b", "cleanup", r#"{"to":"tmp"}"#)]),
        Reply::Says("over"),
    ]);
    let world = World::new(store, script).await;
    let (harness, mut events) = watched(&world).await;
    world.begin(&harness, "run-1").await;
    world.segment(&harness, "run-1").await;
    assert_eq!(
        told(&mut events),
        [
            "0.0 segment 1",
            "1.1 asked",
            "1.1 1 calls, false",
            "1.1 diagnose  false",
            "1.2 asked",
            "1.2 1 calls, false",
            "1.2 cleanup waits",
            "1.2 suspended",
        ]
    );
    world.approve("tmp").await;
    let (harness, mut events) = watched(&world).await;
    assert_eq!(done(&world.segment(&harness, "run-1").await), "over");
    assert_eq!(
        told(&mut events),
        [
            "0.0 segment 2",
            "1.1 1 calls, true",
            "1.1 diagnose  true",
            "1.2 1 calls, true",
            "1.2 cleanup  false",
            "1.3 asked",
            "1.3 0 calls, false",
            "1.3 turn over",
            "1.3 completed",
        ]
    );
}

/// It misses what it was too slow for, and is told how much.
pub(crate) async fn a_watcher_that_lags_holds_nobody_up(store: TestStore) {
    let script = Script::of([Reply::Says("over")]);
    let world = World::new(store, script).await;
    let (harness, mut events) = watched(&world).await;
    for run in 0..230 {
        world.begin(&harness, &format!("run-{run}")).await;
    }
    let ran = harness.driver().until_nothing_is_ready().await.unwrap();
    assert_eq!(ran, 230);
    match events.try_recv() {
        Err(TryRecvError::Lagged(missed)) => assert!(missed > 0),
        other => panic!("it has missed some: {other:?}"),
    }
    assert!(events.try_recv().is_ok());
}
