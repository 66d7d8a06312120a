//! R47: a worker dies after the model answered and before that is on record; the next one asks again, and hears it said
//! differently. No option is needed for that, and none changes it.

use idem_tests::TestStore;

use crate::holding::At;
use crate::model::{Hold, Reply, Script, calls};
use crate::process::Process;
use crate::tools::Stop;
use crate::world::{World, answers, done, id};

/// A worker that dies when the model has answered for the n-th step that it writes down, before it is stored.
async fn dies_before_record(world: &World, step: usize, replays: bool) {
    let hold = Hold::default();
    let parts = world.parts(Stop::open()).held(At::Before(step), &hold);
    let worker = Process::of(world, parts, move |agent| agent.replay_model_turns(replays));
    let worker = worker.await;
    worker.begin("run-1");
    hold.reached.opened().await;
    worker.vanish();
    world.leases_pass().await;
}

/// New ids, another order, other words and one more look, at both steps: each effect is made once.
pub(crate) async fn what_was_never_recorded_is_sampled_anew_and_effects_stay(store: TestStore) {
    for (replays, rows) in [(true, 4), (false, 8)] {
        let script = Script::default();
        let send = |id| (id, "send", r#"{"to":"ann"}"#);
        let look = |id| (id, "look", r#"{"to":"files"}"#);
        let hello = ("a_2", "remind", r#"{"to":"bob","note":"hello"}"#);
        let morning = ("b_2", "remind", r#"{"note":"good morning","to":"bob"}"#);
        let again = ("d_2", "remind", r#"{"to":"bob","note":"once more"}"#);
        let first = [
            Reply::Calls(vec![send("a_1"), hello]),
            Reply::Calls(vec![look("b_1"), morning, send("b_3")]),
        ];
        let second = [
            Reply::Calls(vec![send("c_1"), hello]),
            Reply::Calls(vec![look("d_1"), again, send("d_3")]),
        ];
        script.says(0, first);
        script.says(1, second);
        script.says(2, [Reply::Says("made")]);
        let world = World::new(store.clone(), script).await;
        world.begin(&world.harness().await, "run-1").await;

        dies_before_record(&world, 1, replays).await;
        assert!(world.effects().is_empty(), "nothing runs before its record");
        dies_before_record(&world, 2, replays).await;
        let once = ["remind bob: good morning", "send ann"];
        assert_eq!(world.effects(), once);
        let last = world.harness_with(|agent| agent.replay_model_turns(replays));
        let last = last.await;
        assert_eq!(done(&world.segment(&last, "run-1").await), "made");

        assert_eq!(world.effects(), once);
        assert_eq!(world.model.asked(), [2, 2, 1]);
        let told = answers(&world.said(&last, "run-1").await);
        assert!(told.iter().all(|(_, is_error)| !is_error), "{told:?}");
        let (step, repeat) = told.split_at(3);
        assert_eq!(repeat[2], step[2], "the same note, by another id");
        assert!(
            repeat[1]
                .0
                .contains(r#""it_ran_with_other_words_in":["note"]"#)
                && repeat[1].0.contains(&step[1].0),
            "{repeat:?}"
        );
        let made = "two effects and two looks in each of the worlds";
        assert_eq!(world.tool_rows().await, rows, "{made}");
    }
}

/// R24, R47: what stands in the key and differs is another effect.
pub(crate) async fn another_key_is_another_effect(store: TestStore) {
    let script = Script::of([calls("send", r#"{"to":"ann"}"#)]);
    let second = [
        calls("send", r#"{"to":"ann"}"#),
        calls("send", r#"{"to":"anna"}"#),
    ];
    script.says(1, second);
    script.says(2, [Reply::Says("made")]);
    let world = World::new(store, script).await;
    world.begin(&world.harness().await, "run-1").await;
    dies_before_record(&world, 2, true).await;
    assert_eq!(world.effects(), ["send ann"]);
    let harness = world.harness().await;
    assert_eq!(done(&world.segment(&harness, "run-1").await), "made");
    assert_eq!(world.effects(), ["send ann", "send anna"]);
    let trace = harness.trace(world.organization, &id("run-1")).await;
    let trace = trace.unwrap();
    assert_ne!(trace[0].calls[0].1, trace[1].calls[0].1);
}
