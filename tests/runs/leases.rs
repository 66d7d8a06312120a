//! R51: a run has one owner, by a lease and a fence.

use std::time::Duration;

use idem_core::runs::{EndRun, LeaveAs, RunError, RunStatus, SegmentToken};
use tokio::task::JoinSet;

use crate::bench::{Bench, LEASE, id, ready_now, statuses};

async fn race(bench: &Bench) -> Vec<SegmentToken> {
    let mut racers = JoinSet::new();
    for _ in 0..20 {
        let bench = bench.clone();
        racers.spawn(async move {
            let taken = bench
                .desk
                .take(bench.organization, &id("run-1"), LEASE)
                .await;
            match taken {
                Ok((_, token)) => Some(token),
                Err(RunError::SegmentInFlight { .. }) => None,
                Err(other) => panic!("the run is there: {other}"),
            }
        });
    }
    racers.join_all().await.into_iter().flatten().collect()
}

async fn renew(bench: &Bench, token: SegmentToken) -> bool {
    let renewed = bench
        .store
        .renew_segment(bench.organization, &id("run-1"), token, LEASE)
        .await;
    renewed.unwrap().is_some()
}

/// R51, C63: one owner of twenty.
pub(crate) async fn one_of_twenty_takes_a_run(bench: Bench) {
    bench.admitted("run-1").await;
    let owners = race(&bench).await;
    assert_eq!(owners.len(), 1);
    let run = bench.get("run-1").await;
    assert_eq!(
        (run.token, run.live, run.segments),
        (Some(owners[0]), true, 1)
    );
}

/// R51: whoever asks is told when to come back.
pub(crate) async fn a_live_lease_refuses_and_says_for_how_long(bench: Bench) {
    bench.admitted("run-1").await;
    bench.take("run-1").await;
    bench.pass(LEASE / 2).await;
    let refused = bench
        .desk
        .take(bench.organization, &id("run-1"), LEASE)
        .await;
    match refused {
        Err(RunError::SegmentInFlight { run, retry_after }) => {
            assert_eq!(run, id("run-1"));
            assert!(retry_after <= LEASE / 2 && retry_after > LEASE / 4);
        }
        other => panic!("it is owned: {other:?}"),
    }
}

/// R51: the fence is the token.
pub(crate) async fn a_lapsed_lease_is_taken_over_and_the_stale_owner_changes_nothing(bench: Bench) {
    bench.admitted("run-1").await;
    let stale = bench.take("run-1").await;
    bench.pass(LEASE).await;
    let owner = bench.take("run-1").await;
    let before = bench.get("run-1").await;
    assert_eq!((before.token, before.segments), (Some(owner), 2));
    assert!(!renew(&bench, stale).await);
    for (how, _) in statuses() {
        assert!(bench.leave("run-1", stale, &how).await.is_none());
    }
    let how = EndRun {
        status: RunStatus::Failed,
        reason: None,
        answered_upto: None,
    };
    let ended = bench
        .desk
        .end(bench.organization, &id("run-1"), Some(stale), &how)
        .await;
    assert!(ended.unwrap().is_none());
    let after = bench.get("run-1").await;
    assert_eq!((after.token, after.status), (Some(owner), before.status));
    assert!(renew(&bench, owner).await);
}

/// R7 for runs: nobody took it, so refusing its owner would only repeat what it did.
pub(crate) async fn an_owner_whose_lease_lapsed_is_still_the_owner(bench: Bench) {
    bench.admitted("run-1").await;
    let token = bench.take("run-1").await;
    bench.pass(2 * LEASE).await;
    assert!(!bench.get("run-1").await.live);
    assert!(renew(&bench, token).await);
    assert!(bench.get("run-1").await.live);
    bench.pass(2 * LEASE).await;
    assert!(bench.leave("run-1", token, &LeaveAs::Idle).await.is_some());
}

/// R51: the timer's last renewal may arrive after the owner left; the run is nobody's all the same.
pub(crate) async fn a_lease_that_was_given_back_is_not_renewed(bench: Bench) {
    bench.admitted("run-1").await;
    for (how, status) in statuses() {
        let token = bench.take("run-1").await;
        let left = bench.leave("run-1", token, &how).await.expect("its owner");
        assert_eq!((left.status, left.live), (status, false));
        assert!(!renew(&bench, token).await, "{status}");
    }
    assert!(!bench.is_owned("run-1").await);
}

/// R51: as a takeover of a claim.
pub(crate) async fn one_of_twenty_takes_a_lapsed_run(bench: Bench) {
    bench.admitted("run-1").await;
    bench.take("run-1").await;
    for _ in 0..5 {
        bench.pass(LEASE).await;
        assert_eq!(race(&bench).await.len(), 1);
    }
    assert_eq!(bench.get("run-1").await.segments, 6);
}

/// C63: a look that says the lease is over, and a take, agree; so do the list of ready runs and a take.
pub(crate) async fn taking_and_looking_agree_at_the_instant(bench: Bench) {
    bench.admitted("run-1").await;
    bench.take("run-1").await;
    bench.pass(LEASE - Duration::from_millis(30)).await;
    loop {
        let listed = bench.is_ready("run-1").await;
        let seen = bench.get("run-1").await;
        let owned = bench.is_owned("run-1").await;
        // Time goes on between the three: what was over before is over now.
        assert!(!listed || !seen.live, "listed, and then seen alive");
        assert!(seen.live || !owned, "seen to be over, and then owned");
        if !owned {
            break;
        }
        tokio::task::yield_now().await;
    }
    // The same instant read from the row itself: a lease that ends now is over for all of them.
    bench.left_now().await;
}

pub(crate) async fn a_run_that_its_owner_left_is_taken_at_once(bench: Bench) {
    bench.admitted("run-1").await;
    for (how, _) in statuses() {
        bench.left("run-1", &how).await;
        let (record, token) = bench
            .desk
            .take(bench.organization, &id("run-1"), LEASE)
            .await
            .expect("nobody owns it");
        assert_eq!(
            record.status,
            RunStatus::Ready,
            "it is ready while it is worked on"
        );
        assert!(record.waits_for.is_empty());
        bench.leave("run-1", token, &ready_now()).await.unwrap();
    }
}

impl Bench {
    /// A lease of no length is over at the instant at which it begins.
    async fn left_now(&self) {
        let run = id("run-2");
        self.admitted("run-2").await;
        for _ in 0..20 {
            let taken = self
                .desk
                .take(self.organization, &run, Duration::ZERO)
                .await;
            let (record, _) = taken.expect("the lease before is over");
            assert!(!record.live);
        }
    }
}
