//! A look takes no claim; its answer is recorded once for its step (R27).

use idem_tests::vendor::{Behaviour, Keys};
use idem_tools::CallError;

use crate::setting::{Setting, World, assert_replays, call, code};
use crate::tools::Sent;

const ANN: &str = r#"{"to":"ann"}"#;

/// R27: while it looks there is no row, and afterwards there is one, which every repeat of the step gets.
pub(crate) async fn a_read_has_no_row_while_it_runs_and_is_recorded_once(setting: Setting) {
    let world = World::new(&setting, Keys::Ignored).await;
    let worker = world.worker().await;
    let gate = world.next_is_slow();
    let looking = worker.begin("look", ANN);
    world.vendor.wait_for_requests(1).await;
    assert_eq!(setting.rows().await, 0);
    gate.open();
    let first = looking.await.expect("a task that ends").expect("an answer");
    assert!(first.result.is_ok() && !first.replayed && first.first_ran_at.is_some());
    assert_eq!(setting.rows().await, 1);
    assert_replays(&first, &worker.answer("look", ANN).await);
    assert_replays(&first, &world.worker().await.answer("look", ANN).await);
    assert_eq!(world.counted(), (1, 1));
}

/// R27: the next step sees fresh values, and each step keeps its own.
pub(crate) async fn a_read_is_fresh_at_every_step_and_the_same_within_one(setting: Setting) {
    let world = World::new(&setting, Keys::Ignored).await;
    let turn = world.worker().await.turn();
    let mut seen = Vec::new();
    for step in 0..3 {
        let first = call(&turn.step(step), "look", ANN)
            .await
            .expect("an answer");
        assert!(!first.replayed);
        let id = first.decode::<Sent>().expect("seen").id;
        assert_eq!(id, format!("effect-{}", step + 1));
        seen.push(first);
    }
    for (step, first) in (0..).zip(&seen) {
        let again = call(&turn.step(step), "look", ANN)
            .await
            .expect("an answer");
        assert_replays(first, &again);
    }
    assert_eq!(world.counted(), (3, 3));
}

/// R20, R27: a write is one effect of its turn, whichever step proposes it.
pub(crate) async fn a_write_is_the_same_at_every_step(setting: Setting) {
    let world = World::new(&setting, Keys::Ignored).await;
    let turn = world.worker().await.turn();
    let first = call(&turn, "send", ANN).await.expect("an answer");
    let later = call(&turn.step(7), "send", ANN).await.expect("an answer");
    assert_replays(&first, &later);
    assert_eq!(world.counted(), (1, 1));
}

/// R27: two workers look at once; the first to record wins, and the other gives its answer too.
pub(crate) async fn the_loser_of_a_race_gets_the_winners_answer(setting: Setting) {
    let world = World::new(&setting, Keys::Ignored).await;
    let (slow, fast) = (world.next_is_slow(), world.next_is_slow());
    let loser = world.worker().await.begin("look", ANN);
    world.vendor.wait_for_requests(1).await;
    let winner = world.worker().await.begin("look", ANN);
    world.vendor.wait_for_requests(2).await;
    fast.open();
    let winner = winner.await.expect("a task that ends").expect("an answer");
    assert_eq!(winner.decode::<Sent>().expect("seen").id, "effect-1");
    slow.open();
    let loser = loser.await.expect("a task that ends").expect("an answer");
    assert_replays(&winner, &loser);
    assert_eq!((setting.rows().await, world.counted()), (1, (2, 2)));
}

/// R13, R14, R27: a look that failed keeps nothing and may be asked again. A second really passes for the timeout.
pub(crate) async fn a_read_that_failed_is_not_recorded_and_may_be_asked_again(setting: Setting) {
    let status = |code| Behaviour::Status {
        code,
        effect: false,
    };
    for (fault, expected) in [
        (status(503), "read_failed"),
        (Behaviour::DropReplyAfterEffect, "read_failed"),
        (status(429), "http_429"),
    ] {
        let world = World::new(&setting, Keys::Ignored).await;
        let worker = world.worker().await;
        world.next(fault.clone());
        let failed = worker.answer("look", ANN).await;
        assert_eq!(code(&failed), expected, "{fault:?}");
        assert!(failed.failure().is_some_and(|failure| failure.retryable));
        assert_eq!((failed.kind, failed.first_ran_at), (None, None));
        let turn = worker.turn();
        let seen = call(&turn, "look", ANN).await.expect("an answer");
        assert!(seen.result.is_ok() && !seen.replayed, "{fault:?}");
        assert_eq!(world.counted().0, 2);
    }
    assert_eq!(
        setting.rows().await,
        3,
        "one row for each answer, none for a failure"
    );
    let world = World::new(&setting, Keys::Ignored).await;
    let worker = world.worker().await;
    let gate = world.next_is_slow();
    let late = worker.answer("look_briefly", ANN).await;
    assert_eq!(code(&late), "read_failed");
    assert_eq!(setting.rows().await, 3);
    gate.open();
    assert!(worker.answer("look_briefly", ANN).await.result.is_ok());
}

/// R13, R27: the vendor's final no is what was seen, and is recorded.
pub(crate) async fn a_business_failure_of_a_read_is_recorded(setting: Setting) {
    let world = World::new(&setting, Keys::Ignored).await;
    let worker = world.worker().await;
    world.next(Behaviour::Status {
        code: 404,
        effect: false,
    });
    let gone = worker.answer("look", ANN).await;
    assert_eq!(code(&gone), "http_404");
    assert_replays(&gone, &worker.answer("look", ANN).await);
    assert_eq!(world.counted(), (1, 0));
}

/// R27, R34: two equal looks of one process at once; shared or not, both have the one recorded answer.
pub(crate) async fn two_equal_reads_at_once_have_one_answer(setting: Setting) {
    let world = World::new(&setting, Keys::Ignored).await;
    let worker = world.worker().await;
    let gate = world.next_is_slow();
    let first = worker.begin("look", ANN);
    world.vendor.wait_for_requests(1).await;
    let second = worker.begin("look", ANN);
    if !setting.sharing {
        // It looks for itself, and records first.
        let second: Result<_, CallError> = second.await.expect("a task that ends");
        let second = second.expect("an answer");
        gate.open();
        let first = first.await.expect("a task that ends").expect("an answer");
        assert_replays(&second, &first);
        assert_eq!((setting.rows().await, world.counted()), (1, (2, 2)));
        return;
    }
    gate.open();
    let first = first.await.expect("a task that ends").expect("an answer");
    let second = second.await.expect("a task that ends").expect("an answer");
    assert_eq!(first.result, second.result);
    assert_eq!(first.first_ran_at, second.first_ran_at);
    assert_eq!((setting.rows().await, world.counted()), (1, (1, 1)));
}
