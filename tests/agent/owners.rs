//! R46, R51: two that work on one run at once.

use idem_tests::TestStore;
use idem_tests::vendor::Behaviour;
use idem_tools::agent::providers::Form;
use idem_tools::agent::{AgentHarness, HarnessError, NewRun, OnMessage, Prompt, SegmentOutcome};

use crate::model::{Hold, Reply, Script, calls};
use crate::process::Process;
use crate::tools::Stop;
use crate::world::{World, answers, done};

/// A vendor that is busy so many times.
fn busy(times: usize) -> Vec<Behaviour> {
    let busy = Behaviour::Status {
        code: 429,
        effect: false,
    };
    vec![busy; times]
}

const ROUNDS: usize = 1_000;
const AT_ONCE: usize = 50;

/// What two owners come to: one is held while its model speaks, its lease lapses, and the other does the whole run.
async fn overtaken(
    world: &World,
    (stale, owner): (&AgentHarness, &AgentHarness),
    hold: &Hold,
) -> (Result<SegmentOutcome, HarnessError>, SegmentOutcome) {
    tokio::join!(world.try_segment(stale, "run-1"), async {
        hold.reached.opened().await;
        world
            .store
            .age_runs(std::time::Duration::from_secs(200))
            .await;
        let won = world.segment(owner, "run-1").await;
        hold.go.open();
        won
    })
}

/// R46: the first writer's step stands, and who comes second makes what that one proposed.
pub(crate) async fn a_loser_runs_the_winners_proposals(store: TestStore) {
    let hold = Hold::default();
    let script = Script::default();
    let loser = Reply::Held(hold.clone(), Box::new(calls("send", r#"{"to":"loser"}"#)));
    script.says(0, [loser, calls("send", r#"{"to":"winner"}"#)]);
    script.says(1, [Reply::Says("made")]);
    let world = World::new(store, script).await;
    let (stale, owner) = (world.harness().await, world.harness().await);
    world.begin(&stale, "run-1").await;
    let (lost, won) = overtaken(&world, (&stale, &owner), &hold).await;
    assert_eq!(done(&won), "made");
    match lost {
        Err(HarnessError::SegmentLost(run)) => assert_eq!(run.as_ref(), "run-1"),
        // It came to the same end by the other's records, and found it written.
        Ok(SegmentOutcome::Completed(text)) => assert_eq!(text.as_deref(), Some("made")),
        other => panic!("it was overtaken: {other:?}"),
    }
    assert_eq!(world.effects(), ["send winner"]);
    assert_eq!((world.step_rows().await, world.tool_rows().await), (2, 1));
}

/// R46: the two said the very same, and the owner went on: what it gave up has its answer in the next step, and the one
/// who was overtaken makes nothing of it.
pub(crate) async fn a_loser_that_said_the_same_makes_nothing_that_has_its_answer(store: TestStore) {
    let hold = Hold::default();
    let script = Script::default();
    let send = || calls("send", r#"{"to":"ann"}"#);
    script.says(0, [Reply::Held(hold.clone(), Box::new(send())), send()]);
    script.says(1, [Reply::Says("given up")]);
    let world = World::new(store, script).await;
    world.vendor.script(busy(3));
    let (stale, owner) = (world.harness().await, world.harness().await);
    world.begin(&stale, "run-1").await;
    let (_, won) = overtaken(&world, (&stale, &owner), &hold).await;
    assert_eq!(done(&won), "given up");
    assert!(world.effects().is_empty(), "{:?}", world.effects());
    assert_eq!(world.vendor.book().requests, 3);
}

/// R41, R51: one who ends a turn for a new message is overtaken, and the new owner's model goes on in that turn: the turn
/// is that owner's, and none of its calls is left without an answer.
pub(crate) async fn a_stale_owner_does_not_end_a_turn_that_goes_on(store: TestStore) {
    let (hold, stop) = (Hold::default(), Stop::default());
    let world = World::new(store, goes_on()).await;
    let stale = world.harness().await;
    let ends = NewRun {
        on_message: OnMessage::EndsTheTurn,
        ..world.new_run("run-1")
    };
    world.begin_as(&stale, &ends).await;
    world.segment(&stale, "run-1").await;
    world.post(&stale, "run-1", "m2").await;
    // The first decision finds the card open, the second one that it was taken back.
    world.rules.hold(2, &hold);
    let owner = Process::start(&world, stop.clone()).await;
    let (lost, ()) = tokio::join!(world.try_segment(&stale, "run-1"), async {
        hold.reached.opened().await;
        world.leases_pass().await;
        owner.begin("run-1");
        stop.reached.opened().await;
        hold.go.open();
    });
    assert!(
        matches!(lost, Err(HarnessError::SegmentLost(_))),
        "{lost:?}"
    );
    // The owner's process is gone before the answer of its call is recorded.
    owner.vanish();
    world.leases_pass().await;
    assert_eq!(done(&world.segment(&stale, "run-1").await), "second");
    assert_eq!(world.effects(), ["send ann"]);
    let prompt = world.model.last_prompt();
    let written = Form::OpenAiChat.write(&Prompt::new(&prompt));
    assert!(written.is_ok(), "every call has an answer: {written:?}");
    assert_eq!(answers(&prompt).len(), 2);
}

fn goes_on() -> Script {
    Script::of([
        calls("cleanup", r#"{"to":"tmp"}"#),
        calls("send", r#"{"to":"ann"}"#),
        Reply::Says("first"),
        Reply::Says("second"),
    ])
}

/// R51: one owner at a time, one record of each step and one effect of each call.
pub(crate) async fn two_drivers_resume_a_run_a_thousand_times(store: TestStore) {
    let script = Script::of([calls("ring", ""), Reply::Says("made")]);
    let world = World::new(store, script).await;
    let (one, two) = (world.harness().await, world.harness().await);
    for first in (0..ROUNDS).step_by(AT_ONCE) {
        for round in first..first + AT_ONCE {
            world.begin(&one, &format!("run-{round}")).await;
        }
        let drivers = (one.driver().parallel_runs(2), two.driver().parallel_runs(2));
        let (ran, also) = tokio::join!(
            drivers.0.until_nothing_is_ready(),
            drivers.1.until_nothing_is_ready(),
        );
        assert!(ran.unwrap() + also.unwrap() >= AT_ONCE);
    }
    assert_eq!(world.vendor.book().effects, ROUNDS);
    assert_eq!(world.model.asked(), [ROUNDS, ROUNDS]);
    let steps = i64::try_from(2 * ROUNDS).unwrap();
    assert_eq!(world.step_rows().await, steps);
}
