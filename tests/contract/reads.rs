//! What a caller learns of a key, and that looking changes nothing.

use std::time::Duration;

use idem_core::states::RowState;
use idem_core::{
    Answer, ClaimOutcome, Origin, OutcomeKind, ReadOutcome, RecordOutcome, Resource, TraceId,
};
use idem_tests::TestStore;

use crate::plane::{FORGOTTEN, LEASE, Plane, answer, answered, text};
use crate::rows::build;

/// Contract no. 8, R12, R17: response and resource, who made it, and when.
pub(crate) async fn a_completed_duplicate_gets_the_stored_resource_and_response(store: TestStore) {
    let plane = Plane::open(store).await;
    let origin = Origin {
        run: Some("run 1".into()),
        principal: Some("ann".into()),
        trace: Some(TraceId([7; 16])),
    };
    let request = plane.request("k").by(origin.clone());
    let mail = Resource::new("mail.message", "m-1").expect("a resource");
    let both = answer(r#"{"id":"m-1"}"#).naming(mail.clone());
    let claim = plane.claimed(&request).await;
    let (id, claimed_at) = (claim.id(), claim.claimed_at());
    assert!(plane.service.complete(claim, &both).await.is_ok());

    let outcome = plane.service.claim(&plane.request("k"), LEASE).await;
    let claimed = answered(outcome.expect("an outcome"));
    let ReadOutcome::Completed(read) = plane.service.read(&request).await.expect("an outcome")
    else {
        panic!("an answered key is read as completed");
    };
    for stored in [claimed, read] {
        assert_eq!(text(&stored), r#"{"id":"m-1"}"#);
        assert_eq!(stored.resource.as_ref(), Some(&mail));
        assert_eq!((stored.kind, stored.claim), (OutcomeKind::Answer, id));
        assert_eq!((stored.attempt, stored.epoch), (1, 0));
        assert_eq!(stored.origin, origin);
        assert_eq!(stored.first_claimed_at, claimed_at);
        assert!(stored.completed_at >= claimed_at && stored.settled.is_none());
    }
}

/// R12: a resource alone is an answer too.
pub(crate) async fn a_resource_alone_is_an_answer(store: TestStore) {
    let plane = Plane::open(store).await;
    let request = plane.request("k");
    let company = Resource::new("crm.company", "42").expect("a resource");
    plane
        .completed(&request, &Answer::resource(company.clone()))
        .await;
    let stored = answered(
        plane
            .service
            .claim(&request, LEASE)
            .await
            .expect("an outcome"),
    );
    assert_eq!((stored.response, stored.resource), (None, Some(company)));
}

/// Contract no. 9, R6: every column of both tables is the same after a read, in every state of the row.
pub(crate) async fn a_read_writes_no_row(store: TestStore) {
    let plane = Plane::open(store).await;
    for (number, state) in RowState::ALL.into_iter().enumerate() {
        let built = build(&plane, &format!("k{number}"), state).await;
        let before = plane.snapshot().await;
        for request in [&built.request, &plane.other(&format!("k{number}"))] {
            let outcome = plane.service.read(request).await;
            drop(outcome.expect("an outcome"));
        }
        assert_eq!(
            plane.snapshot().await,
            before,
            "a read of a row that is {state:?}"
        );
        built.put_aside(&plane);
    }
    let absent = plane.service.read(&plane.request("never seen")).await;
    assert!(matches!(absent.expect("an outcome"), ReadOutcome::Absent));
}

/// Contract no. 9 and 16, R6, P24: the caller goes on to its checkpoint, and the claim takes the row over.
pub(crate) async fn a_read_answers_absent_for_a_passed_lease(store: TestStore) {
    let plane = Plane::open(store).await;
    for (number, state) in [
        RowState::Lapsed,
        RowState::LapsedMarked,
        RowState::LapsedInDoubt,
    ]
    .into_iter()
    .enumerate()
    {
        let built = build(&plane, &format!("k{number}"), state).await;
        let read = plane
            .service
            .read(&built.request)
            .await
            .expect("an outcome");
        assert!(matches!(read, ReadOutcome::Absent), "{state:?}: {read:?}");
        let claim = plane.claimed(&built.request).await;
        assert_eq!(claim.attempt(), 3);
        plane.service.leave_in_doubt(claim);
        built.put_aside(&plane);
    }
}

/// Contract no. 16: the lease is over, the retention is not.
pub(crate) async fn an_answer_is_readable_after_its_lease_while_retention_holds(store: TestStore) {
    let plane = Plane::open(store).await;
    let request = plane.request("k");
    plane.completed(&request, &answer("[16]")).await;
    for aged in [LEASE, Duration::from_secs(29 * 24 * 60 * 60)] {
        plane.age(&request, aged).await;
        let ReadOutcome::Completed(read) = plane.service.read(&request).await.expect("one") else {
            panic!("the answer is kept for 30 days");
        };
        let claimed = answered(plane.service.claim(&request, LEASE).await.expect("one"));
        assert_eq!(
            (text(&read), text(&claimed)),
            ("[16]".to_owned(), "[16]".to_owned())
        );
    }
    plane.age(&request, FORGOTTEN).await;
    let read = plane.service.read(&request).await.expect("an outcome");
    assert!(matches!(read, ReadOutcome::Absent));
}

/// R5: in every state in which a row counts, and for every verb that compares content, other content is told of the
/// conflict and changes nothing.
pub(crate) async fn content_is_compared_before_status_and_lease(store: TestStore) {
    let plane = Plane::open(store).await;
    let counts = |state: &RowState| *state != RowState::Absent && !state.is_past_retention();
    for (number, state) in RowState::ALL.into_iter().filter(counts).enumerate() {
        let key = format!("k{number}");
        let built = build(&plane, &key, state).await;
        let (other, before) = (plane.other(&key), plane.snapshot().await);
        let read = plane.service.read(&other).await.expect("an outcome");
        assert!(
            matches!(read, ReadOutcome::Conflict(_)),
            "{state:?}: {read:?}"
        );
        let recorded = plane
            .service
            .record(&other, &answer("0"))
            .await
            .expect("an outcome");
        assert!(
            matches!(recorded, RecordOutcome::Conflict(_)),
            "{state:?}: {recorded:?}"
        );
        match plane
            .service
            .claim(&other, LEASE)
            .await
            .expect("an outcome")
        {
            ClaimOutcome::Conflict(conflict) => {
                assert_eq!(conflict.state, state);
                assert_eq!(conflict.stored.is_some(), state.is_answered());
                assert_eq!(conflict.in_flight.is_some(), state.is_live());
            }
            outcome => panic!("{state:?}: {outcome:?}"),
        }
        assert_eq!(plane.snapshot().await, before, "{state:?}");
        built.put_aside(&plane);
    }
}
