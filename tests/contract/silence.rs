//! A store that stays silent, or that always lets somebody else win: every loop ends, and what is left behind is as
//! little as can be.

use std::sync::Arc;
use std::time::Duration;

use idem_core::states::RowState;
use idem_core::{
    CLAIM_ATTEMPTS_MAX, EndLease, Ending, EndingError, IdempotencyService, RecordOutcome,
    RepositoryError, STORE_FAILURES_MAX,
};
use idem_tests::TestStore;

use crate::lossy::{Call, FOR_EVER, Fault, Lossy};
use crate::plane::{LEASE, Plane, answer, in_flight, owned};
use crate::rows::build;

async fn lossy(store: TestStore) -> (Plane, Arc<Lossy>, IdempotencyService) {
    let plane = Plane::open(store).await;
    let lossy = Lossy::new(plane.repository.clone());
    let service = plane.service_over(&lossy);
    (plane, lossy, service)
}

fn is_silence(error: &RepositoryError) -> bool {
    matches!(error, RepositoryError::Unavailable(_))
}

/// R11: the lease ends and the own mark goes, so the next caller need not wait, and runs without doubt.
pub(crate) async fn a_claim_that_stays_unheard_is_given_up(store: TestStore) {
    let (plane, lossy, service) = lossy(store).await;
    let request = plane.request("k");
    lossy.plan(Call::TryClaim, Fault::ReplyLost, FOR_EVER);
    let error = service.claim(&request, LEASE).await.expect_err("silence");
    assert!(is_silence(&error));
    assert_eq!(lossy.calls(Call::TryClaim), STORE_FAILURES_MAX);
    assert_eq!(
        (lossy.calls(Call::Get), lossy.calls(Call::EndLease)),
        (1, 1)
    );
    assert_eq!(plane.state(&request).await, RowState::Lapsed);
    let next = plane.claimed(&request).await;
    assert_eq!((next.attempt(), next.in_doubt()), (2, false));
    plane.service.leave_in_doubt(next);
}

/// R11, R13a: it gives up its own mark and keeps the doubt before it.
pub(crate) async fn a_reclaim_that_is_given_up_keeps_the_doubt_before_it(store: TestStore) {
    let (plane, lossy, service) = lossy(store).await;
    let built = build(&plane, "k", RowState::LapsedMarked).await;
    lossy.plan(Call::Reclaim, Fault::Refused, 1);
    let error = service.claim(&built.request, LEASE).await;
    assert!(matches!(error, Err(RepositoryError::Refused(_))));
    assert_eq!(
        (lossy.calls(Call::Reclaim), lossy.calls(Call::EndLease)),
        (1, 1)
    );
    let row = plane.row(&built.request).await;
    assert_eq!(RowState::of(Some(&row)), RowState::LapsedInDoubt);
    assert!(row.dispatched_at.is_none() && row.attempt == 3);
    let next = owned(
        service
            .claim(&built.request, LEASE)
            .await
            .expect("an outcome"),
    );
    assert!(next.in_doubt());
    plane.service.leave_in_doubt(next);
    built.put_aside(&plane);
}

/// R11: where the store cannot be reached at all, the claim lapses like any other, and its mark is doubt.
pub(crate) async fn a_claim_that_cannot_be_given_up_lapses(store: TestStore) {
    let (plane, lossy, service) = lossy(store).await;
    let request = plane.request("k");
    lossy.plan(Call::TryClaim, Fault::ReplyLost, FOR_EVER);
    lossy.plan(Call::Get, Fault::NoAnswer, FOR_EVER);
    let error = service.claim(&request, LEASE).await.expect_err("silence");
    assert!(is_silence(&error));
    assert!(lossy.calls(Call::Get) <= STORE_FAILURES_MAX);
    assert_eq!(plane.state(&request).await, RowState::LiveMarked);
    in_flight(
        plane
            .service
            .claim(&request, LEASE)
            .await
            .expect("an outcome"),
    );
    plane.lapse(&request).await;
    let next = plane.claimed(&request).await;
    assert!(next.in_doubt());
    plane.service.leave_in_doubt(next);
}

/// R11: giving up looks at the token, so another owner's claim is not ended.
pub(crate) async fn giving_up_does_not_touch_another_owner(store: TestStore) {
    let (plane, lossy, service) = lossy(store).await;
    let request = plane.request("k");
    let owner = plane.claimed(&request).await;
    lossy.plan(Call::TryClaim, Fault::NoAnswer, FOR_EVER);
    let before = plane.snapshot().await;
    assert!(service.claim(&request, LEASE).await.is_err());
    assert_eq!(lossy.calls(Call::EndLease), 0);
    assert_eq!(plane.snapshot().await, before);
    plane.service.leave_in_doubt(owner);
}

/// A refusal is not silence: it is not asked again.
pub(crate) async fn a_refused_statement_is_not_asked_again(store: TestStore) {
    let (plane, lossy, service) = lossy(store).await;
    let request = plane.request("k");
    lossy.plan(Call::TryClaim, Fault::Refused, FOR_EVER);
    let error = service.claim(&request, LEASE).await.expect_err("a refusal");
    assert!(matches!(error, RepositoryError::Refused(_)));
    assert_eq!(lossy.calls(Call::TryClaim), 1);
    lossy.mend();
    let claim = owned(service.claim(&request, LEASE).await.expect("an outcome"));
    lossy.plan(Call::Complete, Fault::Refused, FOR_EVER);
    let failed = service
        .complete(claim, &answer("1"))
        .await
        .expect_err("a refusal");
    assert!(matches!(failed.source, RepositoryError::Refused(_)));
    assert_eq!(lossy.calls(Call::Complete), 1);
    lossy.mend();
    let ending = service
        .complete(*failed.claim, &answer("1"))
        .await
        .expect("an end");
    assert_eq!(ending, Ending::Done);
}

/// R11, R15: each ending asks a bounded number of times and hands the claim back; tried again, it is done.
pub(crate) async fn an_ending_that_stays_unheard_hands_the_claim_back(store: TestStore) {
    let (plane, lossy, service) = lossy(store).await;
    for (key, call) in [
        ("complete", Call::Complete),
        ("release", Call::Release),
        ("end lease", Call::EndLease),
    ] {
        let request = plane.request(key);
        let mut claim = owned(service.claim(&request, LEASE).await.expect("an outcome"));
        for fault in [Fault::NoAnswer, Fault::ReplyLost] {
            let asked = lossy.calls(call);
            lossy.plan(call, fault, FOR_EVER);
            let failed = end(&service, call, claim).await.expect_err("silence");
            assert!(is_silence(&failed.source));
            assert_eq!(
                lossy.calls(call) - asked,
                STORE_FAILURES_MAX,
                "{call:?} and {fault:?}"
            );
            lossy.mend();
            claim = *failed.claim;
        }
        let ending = end(&service, call, claim).await.expect("an end");
        assert_eq!(ending, Ending::Done, "{call:?}");
    }
}

async fn end(
    service: &IdempotencyService,
    call: Call,
    claim: idem_core::Claim,
) -> Result<Ending, EndingError> {
    match call {
        Call::Complete => service.complete(claim, &answer("1")).await,
        Call::Release => service.release(claim).await,
        _ => service.end_lease(claim, EndLease::default()).await,
    }
}

/// R11: so do a mark, a look and a record; a mark that is not known to be written is an error: do not send.
pub(crate) async fn a_mark_a_read_and_a_record_ask_a_bounded_number_of_times(store: TestStore) {
    let (plane, lossy, service) = lossy(store).await;
    let request = plane.marking("k");
    let claim = owned(service.claim(&request, LEASE).await.expect("an outcome"));
    for call in [Call::Mark, Call::Get, Call::Record] {
        lossy.plan(call, Fault::NoAnswer, FOR_EVER);
    }
    let asked = lossy.calls(Call::Get);
    let marked = service.mark_dispatched(&claim.fence()).await;
    assert!(is_silence(&marked.expect_err("silence")));
    assert!(is_silence(
        &service.read(&request).await.expect_err("silence")
    ));
    let recorded = service.record(&plane.request("r"), &answer("1")).await;
    assert!(is_silence(&recorded.expect_err("silence")));
    assert_eq!(lossy.calls(Call::Mark), STORE_FAILURES_MAX);
    assert_eq!(lossy.calls(Call::Get) - asked, STORE_FAILURES_MAX);
    assert_eq!(lossy.calls(Call::Record), STORE_FAILURES_MAX);
    assert_eq!(plane.state(&request).await, RowState::Live);
    plane.service.leave_in_doubt(claim);
}

/// R4, P8: rows that vanish between the insert and the look end in `processing`, after a bounded number of rounds.
pub(crate) async fn a_claim_that_is_always_outrun_answers_processing(store: TestStore) {
    let (plane, lossy, service) = lossy(store).await;
    let request = plane.request("k");
    lossy.plan(Call::TryClaim, Fault::Outrun, FOR_EVER);
    lossy.plan(Call::Record, Fault::Outrun, FOR_EVER);
    let waiting = in_flight(service.claim(&request, LEASE).await.expect("an outcome"));
    assert_eq!((waiting.retry_after, waiting.attempt), (Duration::ZERO, 0));
    assert_eq!(lossy.calls(Call::TryClaim), CLAIM_ATTEMPTS_MAX);
    assert_eq!(lossy.calls(Call::Get), CLAIM_ATTEMPTS_MAX);
    let recorded = service
        .record(&request, &answer("1"))
        .await
        .expect("an outcome");
    assert!(
        matches!(recorded, RecordOutcome::Processing(_)),
        "{recorded:?}"
    );
    assert_eq!(lossy.calls(Call::Record), CLAIM_ATTEMPTS_MAX);
    assert_eq!(plane.store.count_rows("idempotency_keys").await, 0);
}

/// R4: a lapsed row that others always reclaim first, and a forgotten one that others always take.
pub(crate) async fn a_takeover_that_is_always_outrun_answers_processing(store: TestStore) {
    let (plane, lossy, service) = lossy(store).await;
    lossy.plan(Call::Reclaim, Fault::Outrun, FOR_EVER);
    lossy.plan(Call::TakeOver, Fault::Outrun, FOR_EVER);
    for (key, state, call) in [
        ("lapsed", RowState::LapsedMarked, Call::Reclaim),
        ("forgotten", RowState::PastRetention, Call::TakeOver),
    ] {
        let built = build(&plane, key, state).await;
        let before = plane.snapshot().await;
        in_flight(
            service
                .claim(&built.request, LEASE)
                .await
                .expect("an outcome"),
        );
        assert_eq!(lossy.calls(call), CLAIM_ATTEMPTS_MAX, "{state:?}");
        assert_eq!(plane.snapshot().await, before);
        built.put_aside(&plane);
    }
}

/// R11: done means that the answer is stored. An own token on a row that is still open is no success.
pub(crate) async fn a_completion_that_is_always_outrun_is_not_done(store: TestStore) {
    let (plane, lossy, service) = lossy(store).await;
    let request = plane.request("k");
    let claim = owned(service.claim(&request, LEASE).await.expect("an outcome"));
    lossy.plan(Call::Complete, Fault::Outrun, FOR_EVER);
    let ending = service.complete(claim, &answer("1")).await.expect("an end");
    assert_eq!(ending, Ending::LeaseLost);
    assert_eq!(plane.state(&request).await, RowState::LiveMarked);
}
