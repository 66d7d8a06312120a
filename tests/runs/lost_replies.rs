//! R11 for runs: a statement that was carried out, and whose reply was lost, counts once.

use std::sync::Arc;
use std::time::Duration;

use idem_core::identity::LogicalTurn;
use idem_core::insist;
use idem_core::runs::{BegunTurn, EndRun, LeaveAs, RunDesk, RunRepository, RunStatus, StartKey};

use crate::bench::{Bench, LEASE, id, says};
use crate::lossy::{Fault, Lossy};

/// The verbs of a whole run that write.
const WRITING: [&str; 5] = [
    "admit_run",
    "post_message",
    "take_segment",
    "end_run",
    "withdraw_cards_of_run",
];

/// A desk whose next statement of each kind is carried out and not heard of.
fn losing(bench: &Bench) -> (Arc<Lossy>, RunDesk) {
    let lossy = Lossy::new(bench.store.clone(), Fault::ReplyLost);
    (lossy.clone(), RunDesk::new(lossy))
}

pub(crate) async fn an_admission_whose_reply_was_lost_is_not_made_twice(bench: Bench) {
    let (lossy, desk) = losing(&bench);
    let mut new = bench.new_run("run-1");
    for key in [None, Some(StartKey::new("order-7").unwrap())] {
        new.run = id(if key.is_some() { "run-2" } else { "run-1" });
        new.start_key = key;
        lossy.break_next("admit_run");
        let admitted = desk.admit(&new).await.unwrap();
        // Whose it was, nobody can say any more: that is no harm, since it is one run.
        assert_eq!((admitted.fresh, admitted.run.run), (false, new.run.clone()));
        assert!(!desk.admit(&new).await.unwrap().fresh);
    }
}

pub(crate) async fn a_message_whose_reply_was_lost_is_stored_once(bench: Bench) {
    bench.admitted("run-1").await;
    let (lossy, desk) = losing(&bench);
    lossy.break_next("post_message");
    let posted = desk
        .post(bench.organization, &id("run-1"), &says("m1"))
        .await;
    assert_eq!(posted.unwrap().message.place, 1);
    let all = bench
        .store
        .messages(bench.organization, &id("run-1"), 0)
        .await;
    assert_eq!(all.unwrap().len(), 1);
}

/// R11: the token on the row is the caller's own.
pub(crate) async fn a_take_whose_reply_was_lost_is_the_callers(bench: Bench) {
    bench.admitted("run-1").await;
    let (lossy, desk) = losing(&bench);
    lossy.break_next("take_segment");
    let (record, token) = desk
        .take(bench.organization, &id("run-1"), LEASE)
        .await
        .expect("its own");
    assert_eq!((record.token, record.segments), (Some(token), 1));
}

pub(crate) async fn an_end_whose_reply_was_lost_is_done(bench: Bench) {
    bench.admitted("run-1").await;
    let card = bench.card("run-1", 1).await;
    let token = bench.take("run-1").await;
    let (lossy, desk) = losing(&bench);
    lossy.break_next("end_run");
    lossy.break_next("withdraw_cards_of_run");
    let how = EndRun {
        status: RunStatus::Completed,
        reason: None,
        answered_upto: Some(0),
    };
    let ended = desk
        .end(bench.organization, &id("run-1"), Some(token), &how)
        .await;
    assert_eq!(ended.unwrap().unwrap().status, RunStatus::Completed);
    let shown = bench.cards().show(card.id).await.unwrap().expect("a card");
    assert!(!shown.status.word().contains("open"));
}

/// A repeat writes what the first one wrote.
pub(crate) async fn a_leave_that_is_repeated_counts_once(bench: Bench) {
    bench.admitted("run-1").await;
    let token = bench.take("run-1").await;
    let (lossy, _) = losing(&bench);
    lossy.break_next("leave_segment");
    let how = LeaveAs::Ready {
        after: Duration::ZERO,
        failures: 1,
    };
    let (organization, run) = (bench.organization, id("run-1"));
    let left = insist(|| lossy.leave_segment(organization, &run, token, &how)).await;
    assert_eq!(left.unwrap().expect("its owner").failures, 1);
    assert_eq!(lossy.calls("leave_segment"), 2);
    assert!(!bench.is_owned("run-1").await);
}

pub(crate) async fn a_turn_whose_reply_was_lost_is_written_once(bench: Bench) {
    bench.admitted("run-1").await;
    let token = bench.take("run-1").await;
    let (lossy, _) = losing(&bench);
    lossy.break_next("begin_run_turn");
    let (organization, run) = (bench.organization, id("run-1"));
    let turn = BegunTurn {
        number: 1,
        turn: LogicalTurn::numbered(&run, 1),
        upto: 0,
    };
    let begun = insist(|| lossy.begin_run_turn(organization, &run, token, &turn)).await;
    // The repeat finds it there; whoever wrote it, what stands is read.
    assert!(begun.unwrap().is_none());
    let turns = bench.store.run_turns(organization, &run).await.unwrap();
    assert_eq!((turns.len(), &turns[0].turn), (1, &turn.turn));
}

/// R11: a store that does not hear is asked again.
pub(crate) async fn what_never_arrived_is_asked_again(bench: Bench) {
    let lossy = Lossy::new(bench.store.clone(), Fault::NoAnswer);
    let desk = RunDesk::new(lossy.clone());
    for call in WRITING {
        lossy.break_next(call);
    }
    let (organization, run) = (bench.organization, id("run-1"));
    assert!(desk.admit(&bench.new_run("run-1")).await.unwrap().fresh);
    assert!(
        desk.post(organization, &run, &says("m1"))
            .await
            .unwrap()
            .fresh
    );
    let (_, token) = desk.take(organization, &run, LEASE).await.unwrap();
    let how = EndRun {
        status: RunStatus::Failed,
        reason: None,
        answered_upto: None,
    };
    let ended = desk.end(organization, &run, Some(token), &how).await;
    assert!(ended.unwrap().is_some());
    for call in WRITING {
        assert_eq!(lossy.calls(call), 2, "{call}");
    }
}
