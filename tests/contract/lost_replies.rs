//! The store did what it was asked, and nobody heard of it. One service call recognises its own work by its token.

use std::sync::Arc;

use idem_core::states::RowState;
use idem_core::{
    ClaimOutcome, EndLease, Ending, IdempotencyService, RecordOutcome, RepositoryError,
};
use idem_tests::TestStore;

use crate::lossy::{Call, Fault, Lossy};
use crate::plane::{FORGOTTEN, LEASE, Plane, answer, answered, owned, text};
use crate::rows::build;

/// The plane, and a service whose next call of this verb is carried out and not heard of.
async fn losing(store: TestStore, call: Call) -> (Plane, Arc<Lossy>, IdempotencyService) {
    let plane = Plane::open(store).await;
    let lossy = Lossy::new(plane.repository.clone());
    lossy.plan(call, Fault::ReplyLost, 1);
    let service = plane.service_over(&lossy);
    (plane, lossy, service)
}

/// R11, C25, P19: no second attempt, and no wait for a lease that is its own.
pub(crate) async fn a_claim_whose_reply_was_lost_is_the_callers(store: TestStore) {
    let (plane, lossy, service) = losing(store, Call::TryClaim).await;
    let request = plane.request("k");
    let claim = owned(service.claim(&request, LEASE).await.expect("an outcome"));
    assert_eq!((claim.attempt(), claim.in_doubt()), (1, false));
    assert!(claim.takeover().is_none());
    assert_eq!(
        (lossy.calls(Call::TryClaim), lossy.calls(Call::Get)),
        (2, 1)
    );
    assert_eq!(plane.row(&request).await.id, claim.id());
    assert_eq!(
        service.complete(claim, &answer("1")).await.expect("an end"),
        Ending::Done
    );
}

/// R11, P19: the row was reclaimed once, and its doubt is the earlier attempt's alone.
pub(crate) async fn a_reclaim_whose_reply_was_lost_is_the_callers(store: TestStore) {
    let (plane, lossy, service) = losing(store, Call::Reclaim).await;
    for (key, state) in [
        ("sure", RowState::Lapsed),
        ("unsure", RowState::LapsedMarked),
    ] {
        lossy.plan(Call::Reclaim, Fault::ReplyLost, 1);
        let built = build(&plane, key, state).await;
        let claim = owned(
            service
                .claim(&built.request, LEASE)
                .await
                .expect("an outcome"),
        );
        assert_eq!(claim.attempt(), 3);
        assert_eq!(claim.in_doubt(), state == RowState::LapsedMarked);
        assert_eq!(
            service.complete(claim, &answer("1")).await.expect("an end"),
            Ending::Done
        );
        built.put_aside(&plane);
    }
    assert_eq!(lossy.calls(Call::Reclaim), 2);
}

/// R11, R16, R24: the whole row, forgotten or under other content.
pub(crate) async fn a_take_over_whose_reply_was_lost_is_the_callers(store: TestStore) {
    let (plane, lossy, service) = losing(store, Call::TakeOver).await;
    let built = build(&plane, "forgotten", RowState::PastRetention).await;
    let claim = owned(
        service
            .claim(&built.request, LEASE)
            .await
            .expect("an outcome"),
    );
    assert_eq!((claim.attempt(), lossy.calls(Call::TakeOver)), (1, 1));
    plane.service.leave_in_doubt(claim);
    built.put_aside(&plane);

    for (key, fault) in [
        ("lost", Fault::ReplyLost),
        ("never arrived", Fault::NoAnswer),
    ] {
        lossy.plan(Call::TakeOver, fault, 1);
        let built = build(&plane, key, RowState::Lapsed).await;
        let other = plane.other(key);
        let ClaimOutcome::Conflict(conflict) =
            service.claim(&other, LEASE).await.expect("an outcome")
        else {
            panic!("other content conflicts");
        };
        let claimed = service.claim_over(&other, conflict, LEASE).await;
        let claim = owned(claimed.expect("an outcome"));
        assert_eq!((claim.attempt(), claim.epoch()), (1, 1), "{fault:?}");
        assert_eq!(plane.row(&other).await.id, claim.id());
        plane.service.leave_in_doubt(claim);
        built.put_aside(&plane);
    }
}

/// R11, R27: the recorder is told that its answer is the stored one, and so it is.
pub(crate) async fn a_record_whose_reply_was_lost_is_the_callers(store: TestStore) {
    let (plane, lossy, service) = losing(store, Call::Record).await;
    let request = plane.request("k");
    match service
        .record(&request, &answer("[1]"))
        .await
        .expect("an outcome")
    {
        RecordOutcome::Recorded(own) => assert_eq!(text(&own), "[1]"),
        other => panic!("it is the caller's own record: {other:?}"),
    }
    assert_eq!(lossy.calls(Call::Record), 2);
    assert_eq!(plane.store.count_rows("idempotency_keys").await, 1);
    plane.age(&request, FORGOTTEN).await;
    lossy.plan(Call::Record, Fault::ReplyLost, 1);
    let again = service
        .record(&request, &answer("[2]"))
        .await
        .expect("an outcome");
    assert!(
        matches!(again, RecordOutcome::Recorded(_)),
        "over a forgotten row: {again:?}"
    );
}

/// R11, C25, P19: it is not a lost lease.
pub(crate) async fn a_completion_whose_reply_was_lost_is_done(store: TestStore) {
    let (plane, lossy, service) = losing(store, Call::Complete).await;
    let request = plane.request("k");
    let claim = owned(service.claim(&request, LEASE).await.expect("an outcome"));
    let ending = service
        .complete(claim, &answer("[1]"))
        .await
        .expect("an end");
    assert_eq!((ending, lossy.calls(Call::Complete)), (Ending::Done, 2));
    let stored = answered(service.claim(&request, LEASE).await.expect("an outcome"));
    assert_eq!(text(&stored), "[1]");
}

/// R11, C25: gone is what was wanted.
pub(crate) async fn a_release_whose_reply_was_lost_is_done(store: TestStore) {
    let (plane, lossy, service) = losing(store, Call::Release).await;
    let request = plane.request("k");
    let claim = owned(service.claim(&request, LEASE).await.expect("an outcome"));
    let ending = service.release(claim).await.expect("an end");
    assert_eq!((ending, lossy.calls(Call::Release)), (Ending::Done, 2));
    assert_eq!(plane.state(&request).await, RowState::Absent);
}

/// R11, R14: the row is ended once more, with the same result.
pub(crate) async fn an_ended_lease_whose_reply_was_lost_is_done(store: TestStore) {
    let (plane, lossy, service) = losing(store, Call::EndLease).await;
    let request = plane.request("k");
    let claim = owned(service.claim(&request, LEASE).await.expect("an outcome"));
    let ending = service
        .end_lease(claim, EndLease::default())
        .await
        .expect("an end");
    assert_eq!((ending, lossy.calls(Call::EndLease)), (Ending::Done, 2));
    assert_eq!(plane.state(&request).await, RowState::LapsedMarked);
}

/// R11, R32: the mark is there, so the effect may begin.
pub(crate) async fn a_mark_whose_reply_was_lost_is_the_callers(store: TestStore) {
    let (plane, lossy, service) = losing(store, Call::Mark).await;
    let request = plane.marking("k");
    let claim = owned(service.claim(&request, LEASE).await.expect("an outcome"));
    let left = service
        .mark_dispatched(&claim.fence())
        .await
        .expect("an answer");
    assert!(left.expect("the lease lives") <= LEASE);
    assert_eq!(lossy.calls(Call::Mark), 2);
    assert_eq!(plane.state(&request).await, RowState::LiveMarked);
    assert_eq!(
        service.complete(claim, &answer("1")).await.expect("an end"),
        Ending::Done
    );
}

/// R11: a store that does not hear is asked again, for a claim, a look and an answer alike.
pub(crate) async fn a_call_that_never_arrived_is_made_again(store: TestStore) {
    let (plane, lossy, service) = losing(store, Call::TryClaim).await;
    let request = plane.request("k");
    for call in [Call::TryClaim, Call::Get, Call::Complete] {
        lossy.plan(call, Fault::NoAnswer, 2);
    }
    assert!(service.read(&request).await.is_ok());
    assert_eq!(lossy.calls(Call::Get), 3);
    let claim = owned(service.claim(&request, LEASE).await.expect("an outcome"));
    assert_eq!((claim.attempt(), lossy.calls(Call::TryClaim)), (1, 3));
    assert_eq!(
        service.complete(claim, &answer("1")).await.expect("an end"),
        Ending::Done
    );
    assert_eq!(lossy.calls(Call::Complete), 3);
}

/// R7, R11: between the lost release and its repeat somebody else claimed the key; that claim is not touched.
pub(crate) async fn a_repeated_ending_does_not_touch_the_next_owner(store: TestStore) {
    let (plane, lossy, service) = losing(store, Call::Release).await;
    let request = plane.request("k");
    lossy.mend();
    let claim = owned(service.claim(&request, LEASE).await.expect("an outcome"));
    lossy.plan(Call::Release, Fault::ReplyLost, 3);
    let failed = service
        .release(claim)
        .await
        .expect_err("three lost replies");
    assert!(matches!(failed.source, RepositoryError::Unavailable(_)));
    lossy.mend();
    let next = plane.claimed(&request).await;
    let ending = service.release(*failed.claim).await.expect("an end");
    assert_eq!(ending, Ending::LeaseLost);
    assert_eq!(plane.row(&request).await.id, next.id());
    assert_eq!(
        plane
            .service
            .complete(next, &answer("1"))
            .await
            .expect("an end"),
        Ending::Done
    );
}
