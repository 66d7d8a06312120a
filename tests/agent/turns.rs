//! A run from its first message to its last word.

use idem_tests::TestStore;
use idem_tools::agent::{Message, NewRun, RunStatus, SegmentOutcome};

use crate::model::{Hold, Reply, Script, calls};
use crate::world::{World, answers, done, id};

fn a_note() -> Script {
    Script::of([
        calls("send", r#"{"to":"ann"}"#),
        Reply::Says("it is sent"),
        calls("send", r#"{"to":"ann"}"#),
        Reply::Says("and again"),
    ])
}

pub(crate) async fn a_message_is_answered_and_the_run_is_done(store: TestStore) {
    let world = World::new(store, a_note()).await;
    let harness = world.harness().await;
    world.begin(&harness, "run-1").await;
    let outcome = world.segment(&harness, "run-1").await;
    assert_eq!(done(&outcome), "it is sent");
    assert_eq!(world.effects(), ["send ann"]);
    assert_eq!(world.model.asked(), [1, 1]);
    let run = world.run(&harness, "run-1").await;
    assert_eq!((run.status, run.live), (RunStatus::Completed, false));
}

/// R49: another turn of the same words is another intent.
pub(crate) async fn a_run_that_stays_open_has_a_second_turn(store: TestStore) {
    let world = World::new(store, a_note()).await;
    let harness = world.harness().await;
    let stays = NewRun {
        keeps_open: true,
        ..world.new_run("run-1")
    };
    world.begin_as(&harness, &stays).await;
    let outcome = world.segment(&harness, "run-1").await;
    assert!(matches!(outcome, SegmentOutcome::Idle(Some(text)) if text == "it is sent"));
    assert_eq!(world.run(&harness, "run-1").await.status, RunStatus::Idle);

    world.post(&harness, "run-1", "m2").await;
    let outcome = world.segment(&harness, "run-1").await;
    assert!(matches!(outcome, SegmentOutcome::Idle(Some(text)) if text == "and again"));
    assert_eq!(world.effects(), ["send ann", "send ann"]);
    assert_eq!(world.model.asked(), [1, 1, 1, 1]);
    // A look with nothing to do asks nobody.
    let outcome = world.segment(&harness, "run-1").await;
    assert!(matches!(outcome, SegmentOutcome::Idle(_)));
    assert_eq!(world.model.asked(), [1, 1, 1, 1]);
}

pub(crate) async fn a_run_that_starts_at_once_needs_no_message(store: TestStore) {
    let world = World::new(store, a_note()).await;
    let harness = world.harness().await;
    let at_once = NewRun {
        starts_at_once: true,
        ..world.new_run("run-1")
    };
    harness.admit(&at_once).await.unwrap();
    assert_eq!(done(&world.segment(&harness, "run-1").await), "it is sent");
    // One that waits for a message does nothing without one, however often it is looked at.
    harness.admit(&world.new_run("run-2")).await.unwrap();
    for _ in 0..2 {
        let outcome = world.segment(&harness, "run-2").await;
        assert!(matches!(outcome, SegmentOutcome::Idle(None)));
    }
    assert_eq!(world.effects(), ["send ann"]);
}

pub(crate) async fn conversation_and_trace_tell_it_exactly(store: TestStore) {
    let world = World::new(store, a_note()).await;
    let harness = world.harness().await;
    let stays = NewRun {
        keeps_open: true,
        ..world.new_run("run-1")
    };
    world.begin_as(&harness, &stays).await;
    world.segment(&harness, "run-1").await;
    world.post(&harness, "run-1", "m2").await;
    world.segment(&harness, "run-1").await;

    let said = world.said(&harness, "run-1").await;
    let kinds: Vec<_> = said
        .iter()
        .map(|message| match message {
            Message::User(text) => text.as_str(),
            Message::Assistant { text, .. } => text.as_deref().unwrap_or("calls"),
            Message::Answers(_) => "answers",
            _ => "another",
        })
        .collect();
    let first = ["this is run-1-m1", "calls", "answers", "it is sent"];
    let second = ["this is m2", "calls", "answers", "and again"];
    assert_eq!(kinds, [first, second].concat());
    assert_eq!(
        answers(&said),
        [
            ("\"effect-1\"".to_owned(), false),
            ("\"effect-2\"".to_owned(), false),
        ]
    );
    // What the model was given is what is told, up to its last word.
    assert_eq!(world.model.last_prompt(), said[..said.len() - 1]);

    let trace = harness.trace(world.organization, &id("run-1")).await;
    let trace = trace.unwrap();
    let places: Vec<_> = trace
        .iter()
        .map(|s| (s.turn, s.step, s.calls.len()))
        .collect();
    assert_eq!(places, [(1, 1, 1), (1, 2, 0), (2, 1, 1), (2, 2, 0)]);
    assert!(trace.iter().all(|step| step.is_settled));
    assert!(trace.iter().all(|step| step.model == "scripted-1"));
    assert_eq!(trace[0].calls[0].0, "send");
    assert_ne!(trace[0].calls[0].1, trace[2].calls[0].1, "another turn");
    let prompts: std::collections::HashSet<_> = trace.iter().map(|s| &s.prompt).collect();
    assert_eq!(prompts.len(), 4, "each prompt was another one");
}

/// R49: the turn's messages were written down when it began.
pub(crate) async fn a_message_that_comes_while_the_model_thinks_is_the_next_turn(store: TestStore) {
    let hold = Hold::default();
    let script = Script::of([
        Reply::Held(hold.clone(), Box::new(Reply::Says("first"))),
        Reply::Says("second"),
    ]);
    let world = World::new(store, script).await;
    let harness = world.harness().await;
    world.begin(&harness, "run-1").await;
    let (outcome, ()) = tokio::join!(world.segment(&harness, "run-1"), async {
        hold.reached.opened().await;
        world.post(&harness, "run-1", "m2").await;
        hold.go.open();
    });
    assert_eq!(done(&outcome), "second");
    let trace = harness.trace(world.organization, &id("run-1")).await;
    let turns: Vec<_> = trace.unwrap().iter().map(|step| step.turn).collect();
    assert_eq!(turns, [1, 2]);
}

/// R49: a message that the store took is answered, whenever it came.
pub(crate) async fn a_message_at_the_last_moment_is_answered(store: TestStore) {
    let script = Script::of((0..20).map(|_| Reply::Says("yes")));
    let world = World::new(store, script).await;
    let harness = world.harness().await;
    for round in 0..10 {
        let run = format!("run-{round}");
        world.begin(&harness, &run).await;
        let late = format!("late-{round}");
        let message = crate::world::says(&late);
        let run_id = id(&run);
        let (_, posted) = tokio::join!(
            world.segment(&harness, &run),
            harness.post(world.organization, &run_id, &message)
        );
        let driver = harness.driver();
        driver.until_nothing_is_ready().await.unwrap();
        assert_eq!(world.run(&harness, &run).await.status, RunStatus::Completed);
        let said = world.said(&harness, &run).await;
        let users = said
            .iter()
            .filter(|m| matches!(m, Message::User(_)))
            .count();
        assert_eq!(users, 1 + usize::from(posted.is_ok()), "round {round}");
    }
}
