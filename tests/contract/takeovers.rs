//! How a whole row passes on under a new id: forgotten, lapsed under other content, or reopened.

use idem_core::states::RowState;
use idem_core::{
    Answer, ClaimOutcome, EndLease, Record, Request, Resource, Status, TakeOver, TakeOverReason,
};
use idem_tests::TestStore;

use crate::plane::{
    FORGOTTEN, LEASE, Plane, answer, answered, assert_untouched, new_id, outcome_unknown, owned,
    race, terms, text,
};
use crate::rows::{build, settlement};

const REASONS: [TakeOverReason; 3] = [
    TakeOverReason::PastRetention,
    TakeOverReason::OtherContent,
    TakeOverReason::Reopened,
];

/// The one reason, where there is one, for which a row in this state may be taken over.
fn holds(state: RowState) -> Option<TakeOverReason> {
    match state {
        RowState::Lapsed => Some(TakeOverReason::OtherContent),
        _ if state.is_past_retention() => Some(TakeOverReason::PastRetention),
        _ => None,
    }
}

async fn take(plane: &Plane, request: &Request, reason: TakeOverReason) -> Option<Record> {
    let take = TakeOver {
        reason,
        seen: plane.row(request).await.lease_token,
        id: new_id(),
    };
    let taken = plane.repository.take_over(request, &take, &terms()).await;
    taken.expect("an outcome")
}

/// R16, R24, R32, P8: in every state, for every reason. A reason that does not hold changes nothing.
pub(crate) async fn a_row_is_taken_over_for_the_reason_that_holds_and_for_no_other(
    store: TestStore,
) {
    let plane = Plane::open(store).await;
    for (number, state) in RowState::ALL.into_iter().enumerate().skip(1) {
        let key = format!("k{number}");
        let built = build(&plane, &key, state).await;
        let (other, before) = (plane.other(&key), plane.row(&built.request).await);
        for reason in REASONS
            .into_iter()
            .filter(|reason| Some(*reason) != holds(state))
        {
            let taken = take(&plane, &other, reason).await;
            assert!(taken.is_none(), "{state:?} was taken over for {reason:?}");
            assert_untouched(&before, &plane.row(&other).await);
        }
        if let Some(reason) = holds(state) {
            let unseen = TakeOver {
                reason,
                seen: terms().token,
                id: new_id(),
            };
            let refused = plane.repository.take_over(&other, &unseen, &terms()).await;
            assert!(
                refused.expect("an outcome").is_none(),
                "the token was never seen"
            );
            let taken = take(&plane, &other, reason).await.expect("a take-over");
            assert_fresh(&taken, &before);
            assert_eq!(taken.request_hash, other.hash);
        }
        built.put_aside(&plane);
    }
}

/// A row as a first claim leaves it, apart from its epoch.
fn assert_fresh(taken: &Record, before: &Record) {
    assert_ne!(taken.id, before.id);
    assert_ne!(taken.lease_token, before.lease_token);
    assert_eq!((taken.status, taken.attempt), (Status::Processing, 1));
    assert!(taken.live && taken.kept && !taken.doubt);
    assert_eq!(taken.first_claimed_at, taken.claimed_at);
    assert_eq!(taken.first_dispatched_at, taken.dispatched_at);
    assert!(taken.response.is_none() && taken.resource.is_none() && taken.outcome.is_none());
    assert!(taken.completed_at.is_none() && taken.settled.is_none());
}

/// R32: only what was settled as not happened reopens, and only for a caller that says so; the vendor's key is new.
pub(crate) async fn what_did_not_happen_reopens_for_a_caller_that_says_so(store: TestStore) {
    let plane = Plane::open(store).await;
    for (key, happened) in [("did", true), ("did not", false)] {
        let request = plane.request(key);
        let mut reopening = plane.request(key);
        reopening.reopens = true;
        plane.completed(&request, &outcome_unknown()).await;
        let unsettled = plane
            .service
            .claim(&reopening, LEASE)
            .await
            .expect("an outcome");
        assert!(answered(unsettled).settled.is_none());
        let settled = plane
            .service
            .settle(&request.key, &settlement(happened))
            .await;
        assert!(settled.expect("an outcome").is_some());
        let plain = answered(
            plane
                .service
                .claim(&request, LEASE)
                .await
                .expect("an outcome"),
        );
        assert_eq!(plain.settled.expect("a settlement").happened, happened);
        let before = plane.row(&request).await;
        let outcome = plane
            .service
            .claim(&reopening, LEASE)
            .await
            .expect("an outcome");
        if happened {
            answered(outcome);
            assert_untouched(&before, &plane.row(&request).await);
        } else {
            let claim = owned(outcome);
            assert_eq!((claim.attempt(), claim.epoch()), (1, before.epoch + 1));
            assert_fresh(&plane.row(&request).await, &before);
            plane.service.leave_in_doubt(claim);
        }
    }
}

/// R24: other content takes over what lapsed without doubt; any other conflict stays one.
pub(crate) async fn other_content_claims_over_what_lapsed_without_doubt(store: TestStore) {
    let plane = Plane::open(store).await;
    let conflicts = |state: &RowState| *state != RowState::Absent && !state.is_past_retention();
    for (number, state) in RowState::ALL.into_iter().filter(conflicts).enumerate() {
        let key = format!("k{number}");
        let built = build(&plane, &key, state).await;
        let (other, before) = (plane.other(&key), plane.row(&built.request).await);
        let ClaimOutcome::Conflict(conflict) = plane
            .service
            .claim(&other, LEASE)
            .await
            .expect("an outcome")
        else {
            panic!("{state:?} conflicts with other content");
        };
        let outcome = plane.service.claim_over(&other, conflict, LEASE).await;
        match outcome.expect("an outcome") {
            ClaimOutcome::Claimed(claim) => {
                assert_eq!(state, RowState::Lapsed);
                assert_eq!((claim.attempt(), claim.epoch()), (1, 1));
                assert_eq!(plane.row(&other).await.request_hash, other.hash);
                plane.service.leave_in_doubt(claim);
            }
            ClaimOutcome::Conflict(_) => {
                assert_ne!(state, RowState::Lapsed);
                assert_untouched(&before, &plane.row(&other).await);
            }
            outcome => panic!("{state:?}: {outcome:?}"),
        }
        built.put_aside(&plane);
    }
}

/// R16, R4: the row that was seen as lapsed is at work again, so the claim is judged anew.
pub(crate) async fn a_take_over_that_comes_too_late_is_judged_anew(store: TestStore) {
    let plane = Plane::open(store).await;
    let built = build(&plane, "k", RowState::Lapsed).await;
    let other = plane.other("k");
    let ClaimOutcome::Conflict(seen) = plane
        .service
        .claim(&other, LEASE)
        .await
        .expect("an outcome")
    else {
        panic!("other content conflicts");
    };
    let owner = plane.claimed(&built.request).await;
    let outcome = plane
        .service
        .claim_over(&other, seen, LEASE)
        .await
        .expect("an outcome");
    match outcome {
        ClaimOutcome::Conflict(conflict) => assert_eq!(conflict.state, RowState::LiveMarked),
        outcome => panic!("it is at work again: {outcome:?}"),
    }
    plane.service.leave_in_doubt(owner);
    built.put_aside(&plane);
}

/// R16, P14: whatever was stored, and whatever content asks, the claim is a first one, under a new id and token.
pub(crate) async fn a_forgotten_row_is_claimed_as_if_it_were_absent(store: TestStore) {
    let plane = Plane::open(store.clone()).await;
    let states = RowState::ALL
        .into_iter()
        .filter(|state| state.is_past_retention());
    for (number, state) in states.enumerate() {
        for same_content in [true, false] {
            let key = format!("k{number} {same_content}");
            let built = build(&plane, &key, state).await;
            let before = plane.row(&built.request).await;
            let asking = if same_content {
                plane.request(&key)
            } else {
                plane.other(&key)
            };
            let claim = plane.claimed(&asking).await;
            assert_eq!((claim.attempt(), claim.epoch()), (1, 0));
            assert!(claim.takeover().is_none() && !claim.in_doubt());
            let row = plane.row(&asking).await;
            assert_fresh(&row, &before);
            assert_eq!((row.id, row.request_hash), (claim.id(), asking.hash));
            plane.service.leave_in_doubt(claim);
            built.put_aside(&plane);
        }
    }
    assert_eq!(
        store.count_rows("idempotency_keys").await,
        6,
        "no second row for a key"
    );
}

/// R16: a row with everything in it: doubt, a raised epoch, response, resource, and a settlement beside them.
pub(crate) async fn nothing_of_a_forgotten_row_is_left(store: TestStore) {
    let plane = Plane::open(store.clone()).await;
    let request = plane.request("k");
    let first = plane.claimed(&request).await;
    let how = EndLease {
        raise_epoch: true,
        ..EndLease::default()
    };
    assert!(plane.service.end_lease(first, how).await.is_ok());
    let resource = Resource::new("mail.message", "m-1").expect("a resource");
    let full: Answer = outcome_unknown().naming(resource);
    plane.completed(&request, &full).await;
    let settled = plane.service.settle(&request.key, &settlement(true)).await;
    assert!(settled.expect("an outcome").is_some());
    let before = plane.row(&request).await;
    assert!(before.doubt && before.epoch == 1 && before.resource.is_some());
    plane.age(&request, FORGOTTEN).await;

    let claim = plane.claimed(&plane.marking("k")).await;
    assert_eq!(claim.epoch(), 0);
    let row = plane.row(&request).await;
    assert_fresh(&row, &before);
    assert!(row.dispatched_at.is_none() && row.epoch_age.is_none());
    let left = "settled_by IS NOT NULL OR settled_note IS NOT NULL OR settled_response IS NOT NULL";
    let postgres = format!("SELECT count(*) FROM agent.idempotency_keys WHERE {left}");
    let sqlite = format!("SELECT count(*) FROM agent_idempotency_keys WHERE {left}");
    assert_eq!(store.number(&postgres, &sqlite).await, 0);
    assert!(plane.service.complete(claim, &answer("[2]")).await.is_ok());
    let stored = answered(
        plane
            .service
            .claim(&request, LEASE)
            .await
            .expect("an outcome"),
    );
    assert_eq!((text(&stored).as_str(), stored.settled), ("[2]", None));
}

/// R16, R4: twenty callers meet a forgotten row, and one takes it over.
pub(crate) async fn a_forgotten_row_is_taken_over_by_exactly_one_of_twenty(store: TestStore) {
    let plane = Plane::open(store).await;
    for round in 0..20 {
        let request = plane.request(&format!("round {round}"));
        plane.completed(&request, &answer("[1]")).await;
        plane.age(&request, FORGOTTEN).await;
        let outcomes = race(20, |_| {
            let (service, request) = (plane.service.clone(), request.clone());
            async move { service.claim(&request, LEASE).await.expect("an outcome") }
        })
        .await;
        let mut owners = 0;
        for outcome in outcomes {
            match outcome {
                ClaimOutcome::Claimed(claim) => {
                    owners += 1;
                    plane.service.leave_in_doubt(claim);
                }
                ClaimOutcome::Processing(_) => {}
                outcome => panic!("in round {round}: {outcome:?}"),
            }
        }
        assert_eq!(owners, 1, "in round {round}");
    }
}
