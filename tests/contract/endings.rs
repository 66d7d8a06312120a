//! How a claim ends: with its answer, given up, or never.

use std::sync::{Arc, Mutex};

use idem_core::states::RowState;
use idem_core::{ClaimOutcome, EndLease, Ending, OutcomeKind, ReadOutcome, abandoned_claims};
use idem_tests::TestStore;
use tracing::field::{Field, Visit};
use tracing::span::{Attributes, Id, Record};
use tracing::{Event, Metadata, Subscriber};

use crate::plane::{
    LEASE, Plane, answer, answered, assert_same, assert_untouched, outcome_unknown, text,
};

/// Contract no. 14, R7, P3: whoever was replaced cannot write, whether its successor is at work or done.
pub(crate) async fn a_worker_whose_claim_was_reclaimed_cannot_complete(store: TestStore) {
    let plane = Plane::open(store).await;
    let request = plane.request("k");
    let [a1, a2] = [plane.claimed(&request).await, {
        plane.lapse(&request).await;
        plane.claimed(&request).await
    }];
    plane.lapse(&request).await;
    let b = plane.claimed(&request).await;
    let at_work = plane.row(&request).await;
    let late = plane
        .service
        .complete(a1, &answer(r#""late""#))
        .await
        .expect("an end");
    assert_eq!(late, Ending::LeaseLost);
    assert_untouched(&at_work, &plane.row(&request).await);
    let ending = plane
        .service
        .complete(b, &answer(r#""b""#))
        .await
        .expect("an end");
    assert_eq!(ending, Ending::Done);
    let late = plane
        .service
        .complete(a2, &answer(r#""late""#))
        .await
        .expect("an end");
    assert_eq!(late, Ending::LeaseLost);
    let stored = answered(
        plane
            .service
            .claim(&request, LEASE)
            .await
            .expect("an outcome"),
    );
    assert_eq!(text(&stored), r#""b""#);
}

/// The twin of contract no. 14, R7, P3: nobody took the row, so the late answer is the answer. To refuse it would
/// repeat the effect.
pub(crate) async fn a_late_completion_that_nobody_replaced_is_stored(store: TestStore) {
    let plane = Plane::open(store).await;
    let request = plane.request("k");
    let claim = plane.claimed(&request).await;
    plane.age(&request, LEASE * 10).await;
    let read = plane.service.read(&request).await.expect("an outcome");
    assert!(
        matches!(read, ReadOutcome::Absent),
        "anybody may take it: {read:?}"
    );
    let ending = plane
        .service
        .complete(claim, &answer(r#""late""#))
        .await
        .expect("an end");
    assert_eq!(ending, Ending::Done);
    let stored = answered(
        plane
            .service
            .claim(&request, LEASE)
            .await
            .expect("an outcome"),
    );
    assert_eq!((text(&stored).as_str(), stored.attempt), (r#""late""#, 1));
}

/// Contract no. 15, R7: the row is as the other owner left it, for each of the endings that give up.
pub(crate) async fn a_worker_cannot_release_the_claim_another_holds(store: TestStore) {
    let plane = Plane::open(store).await;
    let (request, marking) = (plane.request("k"), plane.marking("k"));
    let a = plane.claimed(&marking).await;
    let stale = plane.held(&request).await;
    plane.lapse(&request).await;
    let b = plane.claimed(&request).await;
    let before = plane.row(&request).await;
    let everything = EndLease {
        clear_mark: true,
        clear_doubt: true,
        raise_epoch: true,
        ..EndLease::default()
    };
    assert!(
        !plane
            .repository
            .end_lease(&stale, everything)
            .await
            .expect("an outcome")
    );
    assert!(
        plane
            .repository
            .mark_dispatched(&stale)
            .await
            .expect("an outcome")
            .is_none()
    );
    let ending = plane.service.release(a).await.expect("an end");
    assert_eq!(ending, Ending::LeaseLost);
    assert_untouched(&before, &plane.row(&request).await);
    assert!(plane.service.complete(b, &answer("1")).await.is_ok());
}

/// Contract no. 18, R13: as if never claimed.
pub(crate) async fn a_released_key_executes_again_as_a_first_attempt(store: TestStore) {
    let plane = Plane::open(store.clone()).await;
    let request = plane.request("k");
    let first = plane.claimed(&request).await;
    let id = first.id();
    assert_eq!(
        plane.service.release(first).await.expect("an end"),
        Ending::Done
    );
    assert_eq!(store.count_rows("idempotency_keys").await, 0);
    let second = plane.claimed(&request).await;
    assert_ne!(second.id(), id);
    assert_eq!((second.attempt(), second.epoch()), (1, 0));
    assert!(second.takeover().is_none());
    // Nothing of the first claim's content is left either.
    assert_eq!(
        plane.service.release(second).await.expect("an end"),
        Ending::Done
    );
    plane.completed(&plane.other("k"), &answer("1")).await;
}

/// Contract no. 19, R13: the plane keeps an answer without asking whether it is good news.
pub(crate) async fn a_business_failure_is_the_answer_of_every_repeat(store: TestStore) {
    let plane = Plane::open(store).await;
    let request = plane.request("k");
    let refusal = r#"{"error":"not_found"}"#;
    plane.completed(&request, &answer(refusal)).await;
    for _ in 0..2 {
        let stored = answered(
            plane
                .service
                .claim(&request, LEASE)
                .await
                .expect("an outcome"),
        );
        assert_eq!(
            (text(&stored).as_str(), stored.kind),
            (refusal, OutcomeKind::Answer)
        );
        plane.lapse(&request).await;
    }
}

/// P13, R7: both endings need an unended claim; with the token alone a release would delete the journal.
pub(crate) async fn nothing_ends_a_completed_row_again(store: TestStore) {
    let plane = Plane::open(store).await;
    for (key, first) in [("known", answer("[1]")), ("unknown", outcome_unknown())] {
        let request = plane.request(key);
        let claim = plane.claimed(&request).await;
        let held = plane.held(&request).await;
        let repository = &plane.repository;
        assert!(
            repository
                .complete(&held, &first)
                .await
                .expect("an outcome")
                .is_some()
        );
        let before = plane.row(&request).await;
        assert!(!repository.release(&held).await.expect("an outcome"));
        let everything = EndLease {
            clear_mark: true,
            clear_doubt: true,
            raise_epoch: true,
            ..EndLease::default()
        };
        assert!(
            !repository
                .end_lease(&held, everything)
                .await
                .expect("an outcome")
        );
        assert!(
            repository
                .mark_dispatched(&held)
                .await
                .expect("an outcome")
                .is_none()
        );
        let second = repository.complete(&held, &answer("[2]")).await;
        assert!(second.expect("an outcome").is_none());
        assert_untouched(&before, &plane.row(&request).await);
        let ending = plane.service.release(claim).await.expect("an end");
        assert_eq!(ending, Ending::LeaseLost);
        assert_untouched(&before, &plane.row(&request).await);
    }
}

/// P10, R13, R13a: row, content and doubt stay, the lease ends, and only the own mark goes.
pub(crate) async fn a_release_in_doubt_keeps_row_content_and_doubt(store: TestStore) {
    let plane = Plane::open(store).await;
    let request = plane.request("k");
    let vanished = plane.claimed(&request).await;
    plane.service.leave_in_doubt(vanished);
    plane.lapse(&request).await;
    let claim = plane.claimed(&request).await;
    let held = plane.held(&request).await;
    assert!(
        !plane.repository.release(&held).await.expect("an outcome"),
        "never deleted"
    );
    let before = plane.row(&request).await;
    assert!(before.doubt && before.dispatched_at.is_some());
    assert_eq!(
        plane.service.release(claim).await.expect("an end"),
        Ending::Done
    );

    let mut expected = before.clone();
    (expected.live, expected.dispatched_at) = (false, None);
    assert_untouched(&expected, &plane.row(&request).await);
    let other = plane
        .service
        .claim(&plane.other("k"), LEASE)
        .await
        .expect("an outcome");
    match other {
        ClaimOutcome::Conflict(conflict) => assert_eq!(conflict.state, RowState::LapsedInDoubt),
        outcome => panic!("the content is remembered: {outcome:?}"),
    }
    let next = plane.claimed(&request).await;
    assert!(next.in_doubt() && next.attempt() == 3);
    plane.service.leave_in_doubt(next);
}

/// R13a: an owner clears its own mark, and the doubt before it only where it says so.
pub(crate) async fn an_ended_lease_clears_what_it_says_and_nothing_else(store: TestStore) {
    let plane = Plane::open(store).await;
    for (clear_mark, clear_doubt) in [(false, false), (true, false), (false, true), (true, true)] {
        let request = plane.request(&format!("{clear_mark} {clear_doubt}"));
        let vanished = plane.claimed(&request).await;
        plane.service.leave_in_doubt(vanished);
        plane.lapse(&request).await;
        let claim = plane.claimed(&request).await;
        let before = plane.row(&request).await;
        let how = EndLease {
            clear_mark,
            clear_doubt,
            raise_epoch: false,
            ..EndLease::default()
        };
        let ending = plane.service.end_lease(claim, how).await.expect("an end");
        assert_eq!(ending, Ending::Done);
        let mut expected = before.clone();
        expected.live = false;
        expected.doubt = !clear_doubt;
        expected.dispatched_at = before.dispatched_at.filter(|_| !clear_mark);
        assert_untouched(&expected, &plane.row(&request).await);
    }
}

/// R29, P15: the vendor stored a failure under the key, so the next attempt gets another; nothing else changes.
pub(crate) async fn a_raised_epoch_changes_the_vendor_key_and_only_that(store: TestStore) {
    let plane = Plane::open(store).await;
    let request = plane.request("k");
    let claim = plane.claimed(&request).await;
    let first_key = request.key.vendor_key(claim.epoch()).to_string();
    let before = plane.row(&request).await;
    let how = EndLease {
        raise_epoch: true,
        ..EndLease::default()
    };
    let ending = plane.service.end_lease(claim, how).await.expect("an end");
    assert_eq!(ending, Ending::Done);
    let mut expected = before.clone();
    (expected.live, expected.epoch, expected.epoch_age) = (false, 1, None);
    assert_same(&expected, &plane.row(&request).await);

    let second = plane.claimed(&request).await;
    let second_key = request.key.vendor_key(second.epoch()).to_string();
    assert_ne!(second_key, first_key);
    plane.service.leave_in_doubt(second);
    plane.lapse(&request).await;
    let third = plane.claimed(&request).await;
    assert_eq!(
        request.key.vendor_key(third.epoch()).to_string(),
        second_key
    );
    assert_eq!(plane.row(&request).await.id, before.id);
    plane.service.leave_in_doubt(third);
}

/// R29: a release after a raised epoch keeps the row, since the old vendor key would bring its failure back.
pub(crate) async fn a_release_keeps_a_raised_epoch(store: TestStore) {
    let plane = Plane::open(store).await;
    let request = plane.request("k");
    let claim = plane.claimed(&request).await;
    let how = EndLease {
        clear_mark: true,
        raise_epoch: true,
        ..EndLease::default()
    };
    let ended = plane.service.end_lease(claim, how).await.expect("an end");
    assert_eq!(ended, Ending::Done);
    let second = plane.claimed(&request).await;
    assert!(!second.in_doubt());
    assert_eq!(second.epoch(), 1);
    let released = plane.service.release(second).await.expect("an end");
    assert_eq!(released, Ending::Done);
    let third = plane.claimed(&request).await;
    assert_eq!(
        third.epoch(),
        1,
        "the key of the failure does not come back"
    );
    plane.service.leave_in_doubt(third);
}

/// R15: whoever drops a claim is told of it, and counted.
pub(crate) async fn an_abandoned_claim_is_counted_and_logged(store: TestStore) {
    let plane = Plane::open(store).await;
    let (dropped, ended) = (plane.request("dropped"), plane.request("ended"));
    let log = Log::default();
    let claim = plane.claimed(&dropped).await;
    let before = abandoned_claims();
    tracing::subscriber::with_default(log.clone(), || drop(claim));
    // Other tests of this process may drop claims of their own.
    assert!(abandoned_claims() > before);
    let lines = std::mem::take(&mut *log.lines.lock().expect("the log"));
    assert_eq!(lines.len(), 1, "{lines:?}");
    assert!(lines[0].contains("tool.email.send") && lines[0].contains("without an ending"));
    assert_eq!(plane.state(&dropped).await, RowState::LiveMarked);

    let claim = plane.claimed(&ended).await;
    tracing::subscriber::with_default(log.clone(), || plane.service.leave_in_doubt(claim));
    assert!(log.lines.lock().expect("the log").is_empty());
}

/// Keeps what the code under test logs on this thread.
#[derive(Clone, Debug, Default)]
struct Log {
    lines: Arc<Mutex<Vec<String>>>,
}

impl Subscriber for Log {
    fn enabled(&self, metadata: &Metadata<'_>) -> bool {
        metadata.target().starts_with("idem")
    }

    fn new_span(&self, _: &Attributes<'_>) -> Id {
        Id::from_u64(1)
    }

    fn record(&self, _: &Id, _: &Record<'_>) {}

    fn record_follows_from(&self, _: &Id, _: &Id) {}

    fn event(&self, event: &Event<'_>) {
        let mut line = Line(event.metadata().level().to_string());
        event.record(&mut line);
        self.lines.lock().expect("the log").push(line.0);
    }

    fn enter(&self, _: &Id) {}

    fn exit(&self, _: &Id) {}
}

struct Line(String);

impl Visit for Line {
    fn record_debug(&mut self, field: &Field, value: &dyn std::fmt::Debug) {
        self.0.push_str(&format!(" {field}={value:?}"));
    }
}
