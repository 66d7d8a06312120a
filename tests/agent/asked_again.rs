//! R46, R51: replay of model turns is off. Last words of a turn that is not over are asked for again; stored proposals
//! never are.

use idem_tests::TestStore;
use idem_tools::agent::{AgentHarness, Message, NewRun, SegmentOutcome};

use crate::holding::At;
use crate::model::{Hold, Reply, Script, calls};
use crate::process::Process;
use crate::tools::Stop;
use crate::world::{World, answers, done, id};

/// A worker that dies when its n-th step is stored, before anything is done about it.
async fn dies_after_record(world: &World, step: usize, replays: bool) {
    let hold = Hold::default();
    let parts = world.parts(Stop::open()).held(At::After(step), &hold);
    let worker = Process::of(world, parts, move |agent| agent.replay_model_turns(replays));
    let worker = worker.await;
    worker.begin("run-1");
    hold.reached.opened().await;
    worker.vanish();
    world.leases_pass().await;
}

async fn not_replaying(world: &World) -> AgentHarness {
    world
        .harness_with(|agent| agent.replay_model_turns(false))
        .await
}

/// A note, and last words; asked again, the model wants the note once more, in other words, and looks before.
fn script() -> Script {
    let script = Script::of([Reply::Calls(vec![
        ("a_1", "send", r#"{"to":"ann"}"#),
        ("a_2", "remind", r#"{"to":"bob","note":"hello"}"#),
    ])]);
    let again = Reply::Calls(vec![
        ("b_1", "look", r#"{"to":"files"}"#),
        ("b_2", "remind", r#"{"to":"bob","note":"good morning"}"#),
        ("b_3", "send", r#"{"to":"ann"}"#),
    ]);
    script.says(1, [Reply::Says("first words"), again]);
    script.says(2, [Reply::Says("second words")]);
    script
}

/// The model's words in a run, in their order.
async fn words(world: &World, harness: &AgentHarness) -> Vec<String> {
    let said = world.said(harness, "run-1").await;
    let texts = said.into_iter().filter_map(|message| match message {
        Message::Assistant { text, .. } => text,
        _ => None,
    });
    texts.collect()
}

pub(crate) async fn last_words_of_a_turn_that_is_not_over_are_asked_for_again(store: TestStore) {
    let world = World::new(store, script()).await;
    world.begin(&world.harness().await, "run-1").await;
    dies_after_record(&world, 2, false).await;
    let harness = not_replaying(&world).await;
    assert_eq!(words(&world, &harness).await, ["first words"]);
    assert_eq!(
        done(&world.segment(&harness, "run-1").await),
        "second words"
    );

    assert_eq!(world.effects(), ["remind bob: hello", "send ann"]);
    assert_eq!(world.model.asked(), [1, 2, 1]);
    assert_eq!(words(&world, &harness).await, ["second words"]);
    let told = answers(&world.said(&harness, "run-1").await);
    assert_eq!((told.len(), &told[0]), (5, &told[4]), "{told:?}");
    let trace = harness.trace(world.organization, &id("run-1")).await;
    let trace = trace.unwrap();
    let replaced: Vec<_> = trace.iter().map(|step| step.is_replaced).collect();
    // The last step is nobody's: it confirms the second words.
    assert_eq!(replaced, [false, true, false, false, false]);
    let paid: u64 = trace.iter().map(|step| step.usage.input_tokens).sum();
    assert_eq!(paid, 40, "what was asked for twice was paid for twice");
}

/// What was recorded for good stays so: replay on takes it, and so does replay off after it.
pub(crate) async fn last_words_are_taken_where_model_turns_are_replayed(store: TestStore) {
    for (recorded_by, read_by) in [(true, true), (true, false), (false, true)] {
        let world = World::new(store.clone(), script()).await;
        world.begin(&world.harness().await, "run-1").await;
        dies_after_record(&world, 2, recorded_by).await;
        let harness = world.harness_with(|agent| agent.replay_model_turns(read_by));
        let harness = harness.await;
        assert_eq!(done(&world.segment(&harness, "run-1").await), "first words");
        assert_eq!(world.model.asked(), [1, 1]);
        assert_eq!(world.effects(), ["remind bob: hello", "send ann"]);
    }
}

/// R51: off only allows asking again where no proposal was stored.
pub(crate) async fn stored_proposals_are_made_and_never_asked_for_again(store: TestStore) {
    let world = World::new(store, script()).await;
    world.begin(&world.harness().await, "run-1").await;
    dies_after_record(&world, 1, false).await;
    assert!(world.effects().is_empty());
    let harness = not_replaying(&world).await;
    assert_eq!(done(&world.segment(&harness, "run-1").await), "first words");
    assert_eq!(world.model.asked(), [1, 1]);
    assert_eq!(world.effects(), ["remind bob: hello", "send ann"]);
}

/// Words that were confirmed are the turn's, also where the turn's row does not say so yet; and so for the next turn.
pub(crate) async fn confirmed_words_are_never_asked_for_again(store: TestStore) {
    let world = World::new(store, script()).await;
    let harness = not_replaying(&world).await;
    let stays = NewRun {
        keeps_open: true,
        ..world.new_run("run-1")
    };
    world.begin_as(&harness, &stays).await;
    dies_after_record(&world, 3, false).await;
    let rested = world.segment(&harness, "run-1").await;
    assert!(matches!(rested, SegmentOutcome::Idle(Some(text)) if text == "first words"));
    assert_eq!(world.model.asked(), [1, 1]);
    world.post(&harness, "run-1", "m2").await;
    let rested = world.segment(&harness, "run-1").await;
    assert!(matches!(rested, SegmentOutcome::Idle(Some(text)) if text == "second words"));
    assert_eq!(world.model.asked(), [1, 1, 1]);
    let heard = world.model.last_prompt();
    let said = world.said(&harness, "run-1").await;
    assert_eq!(heard, said[..said.len() - 1], "the first words are in it");
    assert_eq!(
        words(&world, &harness).await,
        ["first words", "second words"]
    );
    assert_eq!(world.effects(), ["remind bob: hello", "send ann"]);
}

/// R46: the answers before the words are on record, whatever is said after them now.
pub(crate) async fn what_was_denied_before_the_words_is_not_made_after_them(store: TestStore) {
    let script = Script::of([calls("send", r#"{"to":"ann"}"#)]);
    script.says(1, [Reply::Says("denied"), Reply::Says("still denied")]);
    let world = World::new(store, script).await;
    world.begin(&world.harness().await, "run-1").await;
    world.rules.deny(&["send"]);
    dies_after_record(&world, 2, false).await;
    world.rules.deny(&[]);
    let harness = not_replaying(&world).await;
    assert_eq!(
        done(&world.segment(&harness, "run-1").await),
        "still denied"
    );
    let told = answers(&world.model.last_prompt());
    assert!(told.len() == 1 && told[0].1 && told[0].0.contains("denied"));
    assert_eq!(world.model.asked(), [1, 2]);
    assert!(world.effects().is_empty());
}

/// The words stand where the turn has no response left.
pub(crate) async fn a_turn_without_a_response_left_keeps_its_words(store: TestStore) {
    let world = World::new(store, script()).await;
    world.begin(&world.harness().await, "run-1").await;
    dies_after_record(&world, 2, false).await;
    let limits = idem_tools::agent::RunLimits {
        steps_a_turn: 2,
        ..Default::default()
    };
    let harness = world.harness_with(|agent| agent.replay_model_turns(false).limits(limits));
    let harness = harness.await;
    assert_eq!(done(&world.segment(&harness, "run-1").await), "first words");
    assert_eq!(world.model.asked(), [1, 1]);
}
