//! R46: which runs a driver is given, by state and time.

use std::time::Duration;

use idem_core::approval::ApprovalId;
use idem_core::identity::{LogicalTurn, MessageId};
use idem_core::runs::{BegunTurn, EndRun, LeaveAs, NewRun, RUN_DURATION_MAX, RunStatus};

use crate::bench::{Bench, LEASE, id, ready_now, statuses};

const MINUTE: Duration = Duration::from_secs(60);

pub(crate) async fn a_new_run_is_ready_if_it_starts_at_once(bench: Bench) {
    bench.admitted("run-1").await;
    let at_once = NewRun {
        starts_at_once: true,
        ..bench.new_run("run-2")
    };
    bench.admit(&at_once).await;
    assert_eq!(bench.ready().await, ["run-2"]);
}

/// R46, R49: a message that a turn answers already wakes nobody.
pub(crate) async fn an_idle_run_is_ready_when_a_message_comes(bench: Bench) {
    bench.admitted("run-1").await;
    assert!(!bench.is_ready("run-1").await);
    bench.post("run-1", "m1").await;
    assert!(bench.is_ready("run-1").await);
    let token = bench.take("run-1").await;
    let turn = BegunTurn {
        number: 1,
        turn: LogicalTurn::of_messages(&[MessageId::new("m1").unwrap()]).unwrap(),
        upto: 1,
    };
    let (organization, run) = (bench.organization, id("run-1"));
    let begun = bench
        .store
        .begin_run_turn(organization, &run, token, &turn)
        .await;
    begun.unwrap().expect("its owner");
    bench.leave("run-1", token, &LeaveAs::Idle).await.unwrap();
    assert!(!bench.is_ready("run-1").await);
    bench.post("run-1", "m2").await;
    assert!(bench.is_ready("run-1").await);
}

pub(crate) async fn a_run_that_rests_is_ready_when_it_is_due(bench: Bench) {
    bench.admitted("run-1").await;
    let rests = LeaveAs::Ready {
        after: MINUTE,
        failures: 1,
    };
    bench.left("run-1", &rests).await;
    assert!(!bench.is_ready("run-1").await);
    bench.pass(MINUTE).await;
    assert!(bench.is_ready("run-1").await);
}

/// R50: whoever asked for the rest, the run ends at its time.
pub(crate) async fn a_run_rests_no_longer_than_it_may_last(bench: Bench) {
    for (round, after) in [2 * MINUTE, Duration::MAX].into_iter().enumerate() {
        let run = format!("run-{round}");
        let short = NewRun {
            duration_max: MINUTE,
            ..bench.new_run(&run)
        };
        bench.admit(&short).await;
        let rests = LeaveAs::Ready { after, failures: 1 };
        bench.left(&run, &rests).await;
        assert!(!bench.is_ready(&run).await);
        bench.pass(MINUTE).await;
        assert!(bench.is_ready(&run).await);
    }
}

pub(crate) async fn an_owned_run_is_not_ready_until_its_lease_ends(bench: Bench) {
    bench.admitted("run-1").await;
    bench.post("run-1", "m1").await;
    bench.take("run-1").await;
    assert!(!bench.is_ready("run-1").await);
    bench.pass(LEASE).await;
    assert!(bench.is_ready("run-1").await);
}

/// R46, R51: a worker that vanishes may have begun the turn, or have come to its end; the next one sees what is left.
pub(crate) async fn a_run_whose_worker_vanished_is_ready_whatever_it_was(bench: Bench) {
    for (at, (how, status)) in statuses().into_iter().enumerate() {
        let run = format!("run-{at}");
        bench.admitted(&run).await;
        bench.left(&run, &how).await;
        assert_eq!(bench.is_ready(&run).await, status == RunStatus::Ready);
        bench.take(&run).await;
        bench.pass(LEASE).await;
        assert!(bench.is_ready(&run).await, "it was {status}");
    }
}

/// R41, R50: cancelled ones, and those whose time is over.
pub(crate) async fn a_run_that_should_end_is_ready_in_every_state(bench: Bench) {
    for (at, (how, status)) in statuses().into_iter().enumerate() {
        let run = format!("run-{at}");
        bench.admitted(&run).await;
        let token = bench.take(&run).await;
        bench
            .store
            .request_cancel(bench.organization, &id(&run), "bob")
            .await
            .unwrap()
            .expect("a run that goes on");
        assert!(!bench.is_ready(&run).await, "its owner ends it");
        bench.leave(&run, token, &how).await.unwrap();
        assert!(
            bench.is_ready(&run).await,
            "cancelled while it was {status}"
        );
    }
    for (at, (how, _)) in statuses().into_iter().enumerate() {
        let run = format!("late-{at}");
        bench.admitted(&run).await;
        bench.left(&run, &how).await;
    }
    bench.pass(RUN_DURATION_MAX).await;
    let ready = bench.ready().await;
    for at in 0..3 {
        assert!(ready.contains(&format!("late-{at}")));
    }
    assert_eq!(bench.get("late-0").await.time_left, Duration::ZERO);
}

pub(crate) async fn an_ended_run_is_never_ready(bench: Bench) {
    for (at, status) in [
        RunStatus::Completed,
        RunStatus::Failed,
        RunStatus::Cancelled,
    ]
    .into_iter()
    .enumerate()
    {
        let run = format!("run-{at}");
        bench.admitted(&run).await;
        bench.post(&run, &format!("m{at}")).await;
        let how = EndRun {
            status,
            reason: None,
            answered_upto: None,
        };
        let ended = bench
            .desk
            .end(bench.organization, &id(&run), None, &how)
            .await;
        assert_eq!(ended.unwrap().expect("it ends").status, status);
    }
    bench.pass(RUN_DURATION_MAX).await;
    assert!(bench.ready().await.is_empty());
}

/// R46: what an owner says stands, so that a repeat counts once.
pub(crate) async fn failures_are_counted_until_one_makes_progress(bench: Bench) {
    bench.admitted("run-1").await;
    for failures in [1, 2] {
        let how = LeaveAs::Ready {
            after: Duration::ZERO,
            failures,
        };
        assert_eq!(bench.left("run-1", &how).await.failures, failures);
    }
    let cards = vec![ApprovalId::mint()];
    let waits = LeaveAs::Waiting {
        cards: cards.clone(),
    };
    let left = bench.left("run-1", &waits).await;
    assert_eq!((left.failures, left.waits_for), (0, cards));
    assert_eq!(bench.left("run-1", &ready_now()).await.waits_for, []);
}

pub(crate) async fn ready_runs_are_listed_oldest_first_and_bounded(bench: Bench) {
    for run in ["run-b", "run-a", "run-c"] {
        bench.admitted(run).await;
        bench.left(run, &ready_now()).await;
        bench.pass(MINUTE).await;
    }
    assert_eq!(bench.ready().await, ["run-b", "run-a", "run-c"]);
    let first = bench.store.ready_runs(Some(bench.organization), 1).await;
    assert_eq!(first.unwrap()[0].run, id("run-b"));
}
