//! R46, R51: replay of model turns is off, and two own a run for a moment. The first record of a step decides.

use std::sync::Arc;

use idem_tests::TestStore;
use idem_tools::agent::{AgentHarness, Happened, HarnessError, SegmentOutcome};

use crate::holding::At;
use crate::model::{Hold, Reply, Script, calls};
use crate::process::Process;
use crate::tools::Stop;
use crate::world::{Parts, World, done};

async fn not_replaying(parts: Parts) -> AgentHarness {
    let agent = parts.builder().await.replay_model_turns(false);
    agent.build().expect("a harness")
}

/// A worker recorded its last words and died before its turn was over.
async fn last_words_are_found(world: &World) {
    let hold = Hold::default();
    let parts = world.parts(Stop::open()).held(At::After(2), &hold);
    let worker = Process::of(world, parts, |agent| agent.replay_model_turns(false)).await;
    world.begin(&world.harness().await, "run-1").await;
    worker.begin("run-1");
    hold.reached.opened().await;
    worker.vanish();
    world.leases_pass().await;
}

/// It was overtaken, or came to the same end by the other's records.
fn overtaken(outcome: Result<SegmentOutcome, HarnessError>, words: &str) {
    match outcome {
        Err(HarnessError::SegmentLost(run)) => assert_eq!(run.as_ref(), "run-1"),
        Ok(SegmentOutcome::Completed(text)) => assert_eq!(text.as_deref(), Some(words)),
        other => panic!("it was overtaken: {other:?}"),
    }
}

/// One asks again while the other's proposals are stored and under way: it makes those, and its own are nobody's.
pub(crate) async fn one_asks_again_while_the_others_proposals_run(store: TestStore) {
    let (hold, stop) = (Hold::default(), Stop::default());
    let script = Script::of([calls("send", r#"{"to":"ann"}"#)]);
    let late = Reply::Calls(vec![
        ("x_1", "look", r#"{"to":"files"}"#),
        ("x_2", "send", r#"{"to":"carl"}"#),
        ("x_3", "remind", r#"{"to":"bob","note":"good morning"}"#),
    ]);
    let stored = Reply::Calls(vec![
        ("y_1", "remind", r#"{"to":"bob","note":"hello"}"#),
        ("y_2", "send", r#"{"to":"ann"}"#),
    ]);
    let late = Reply::Held(hold.clone(), Box::new(late));
    script.says(1, [Reply::Says("first words"), late, stored]);
    script.says(2, [Reply::Says("second words")]);
    let world = Arc::new(World::new(store, script).await);
    last_words_are_found(&world).await;

    let stale = not_replaying(world.parts(Stop::open())).await;
    let owner = not_replaying(world.parts(stop.clone())).await;
    let mut events = stale.events();
    let (asking, at) = (world.clone(), stale.clone());
    let lost = tokio::spawn(async move { asking.try_segment(&at, "run-1").await });
    hold.reached.opened().await;
    world.leases_pass().await;
    let (making, at) = (world.clone(), owner.clone());
    let won = tokio::spawn(async move { making.segment(&at, "run-1").await });
    stop.reached.opened().await;
    hold.go.open();
    // It has been told what stands: the other's two calls, and not its own three.
    loop {
        let event = events.recv().await.expect("it goes on");
        if let (3, Happened::ModelAnswered { replayed, calls }) = (event.step, event.what) {
            assert_eq!((replayed, calls), (true, 2));
            break;
        }
    }
    stop.go.open();
    assert_eq!(done(&won.await.unwrap()), "second words");
    overtaken(lost.await.unwrap(), "second words");
    assert_eq!(world.effects(), ["remind bob: hello", "send ann"]);
}

/// Who is about to end the turn with its words finds that another one asked again, and goes on from there.
pub(crate) async fn words_that_were_asked_for_again_end_no_turn(store: TestStore) {
    let hold = Hold::default();
    let script = Script::of([calls("send", r#"{"to":"ann"}"#)]);
    script.says(
        1,
        [Reply::Says("first words"), calls("send", r#"{"to":"bob"}"#)],
    );
    script.says(2, [Reply::Says("second words")]);
    let world = World::new(store, script).await;
    world.begin(&world.harness().await, "run-1").await;
    let slow = world.parts(Stop::open()).held(At::After(2), &hold);
    let (slow, owner) = (
        not_replaying(slow).await,
        not_replaying(world.parts(Stop::open())).await,
    );
    let (lost, won) = tokio::join!(world.try_segment(&slow, "run-1"), async {
        hold.reached.opened().await;
        world.leases_pass().await;
        let won = world.segment(&owner, "run-1").await;
        hold.go.open();
        won
    });
    assert_eq!(done(&won), "second words");
    overtaken(lost, "second words");
    assert_eq!(world.effects(), ["send ann", "send bob"]);
    assert_eq!(world.model.asked(), [1, 2, 1]);
}

/// Who asks again finds that the words were confirmed meanwhile: they stand, and what it heard is not made.
pub(crate) async fn words_that_were_confirmed_meanwhile_stand(store: TestStore) {
    let (hold, asking) = (Hold::default(), Hold::default());
    let script = Script::of([calls("send", r#"{"to":"ann"}"#)]);
    let late = calls("send", r#"{"to":"bob"}"#);
    let late = Reply::Held(asking.clone(), Box::new(late));
    script.says(1, [Reply::Says("first words"), late]);
    let world = World::new(store, script).await;
    world.begin(&world.harness().await, "run-1").await;
    let slow = world.parts(Stop::open()).held(At::After(2), &hold);
    let (slow, owner) = (
        not_replaying(slow).await,
        not_replaying(world.parts(Stop::open())).await,
    );
    let (lost, won, ()) = tokio::join!(
        async {
            let lost = world.try_segment(&slow, "run-1").await;
            asking.go.open();
            lost
        },
        async {
            hold.reached.opened().await;
            world.leases_pass().await;
            world.segment(&owner, "run-1").await
        },
        async {
            asking.reached.opened().await;
            hold.go.open();
        }
    );
    overtaken(lost, "first words");
    assert_eq!(done(&won), "first words");
    assert_eq!(world.effects(), ["send ann"]);
    assert_eq!(world.model.asked(), [1, 2]);
}
