//! The tenant is part of every statement: another one's id with the right row and the right token changes nothing.

use idem_core::states::RowState;
use idem_core::{
    Claim, ClaimKey, EndLease, Held, OrganizationId, Request, TakeOver, TakeOverReason,
};
use idem_tests::TestStore;

use crate::plane::{Plane, answer, new_id, terms};
use crate::rows::{build, settlement};

/// The same scope, key and content, asked by another tenant.
fn stranger(request: &Request) -> Request {
    let text = request.key.text().expect("a text");
    let tenant = OrganizationId::random();
    let key = ClaimKey::from_text(tenant, request.key.scope().clone(), text).expect("a key");
    Request::new(key, request.hash)
}

/// S1, R7: the endings and the mark, which name the row by its id.
pub(crate) async fn another_tenant_cannot_end_or_mark_a_claim(store: TestStore) {
    let plane = Plane::open(store).await;
    let request = plane.marking("k");
    let claim: Claim = plane.claimed(&request).await;
    let held = Held {
        organization: OrganizationId::random(),
        ..plane.held(&request).await
    };
    let (repository, before) = (&plane.repository, plane.snapshot().await);
    let everything = EndLease {
        clear_mark: true,
        clear_doubt: true,
        raise_epoch: true,
        ..EndLease::default()
    };
    assert!(
        repository
            .mark_dispatched(&held)
            .await
            .expect("an outcome")
            .is_none()
    );
    assert!(
        repository
            .complete(&held, &answer("1"))
            .await
            .expect("an outcome")
            .is_none()
    );
    assert!(
        !repository
            .end_lease(&held, everything)
            .await
            .expect("an outcome")
    );
    assert!(!repository.release(&held).await.expect("an outcome"));
    assert_eq!(plane.snapshot().await, before);
    assert!(plane.service.complete(claim, &answer("1")).await.is_ok());
}

/// S1, R20: the verbs that name the row by its key, on a lapsed, a settled and a forgotten row.
pub(crate) async fn another_tenant_cannot_see_or_take_a_row(store: TestStore) {
    let plane = Plane::open(store).await;
    let reasons = [
        (RowState::Lapsed, TakeOverReason::OtherContent),
        (RowState::OutcomeUnknown, TakeOverReason::Reopened),
        (RowState::PastRetention, TakeOverReason::PastRetention),
    ];
    for (number, (state, reason)) in reasons.into_iter().enumerate() {
        let built = build(&plane, &format!("k{number}"), state).await;
        let other = stranger(&built.request);
        let (repository, before) = (&plane.repository, plane.snapshot().await);
        let seen = plane.row(&built.request).await.lease_token;
        let take = TakeOver {
            reason,
            seen,
            id: new_id(),
        };
        assert!(
            repository
                .get(&other.key)
                .await
                .expect("an outcome")
                .is_none()
        );
        let reclaimed = repository.reclaim(&other, seen, &terms()).await;
        assert!(reclaimed.expect("an outcome").is_none());
        let taken = repository.take_over(&other, &take, &terms()).await;
        assert!(taken.expect("an outcome").is_none());
        let settled = repository.settle(&other.key, &settlement(false)).await;
        assert!(settled.expect("an outcome").is_none());
        assert_eq!(plane.snapshot().await, before, "{state:?}");
        built.put_aside(&plane);
    }
}
