//! Who owns a key: one worker at a time, inside one tenant and one scope.

use std::collections::HashSet;
use std::time::Duration;

use idem_core::identity::request_hash;
use idem_core::states::RowState;
use idem_core::{
    ClaimKey, ClaimOutcome, IdempotencyService, KEY_TEXT_BYTES_MAX, OrganizationId, ReadOutcome,
    Request, Scope,
};
use idem_tests::TestStore;

use crate::plane::{LEASE, Plane, answer, answered, in_flight, owned, race, text};

const RACERS: usize = 20;
const ROUNDS: usize = 50;

/// Contract no. 1, R3. Two stores are opened over one database, as two processes would.
pub(crate) async fn twenty_concurrent_claims_have_one_owner(store: TestStore) {
    let plane = Plane::open(store.clone()).await;
    let services = [
        plane.service.clone(),
        IdempotencyService::new(store.open().await),
    ];
    for round in 0..ROUNDS {
        let request = plane.request(&format!("round {round}"));
        let outcomes = race(RACERS, |racer| {
            let (service, request) = (services[racer % 2].clone(), request.clone());
            async move { service.claim(&request, LEASE).await.expect("an outcome") }
        })
        .await;
        let (mut owners, mut waiting) = (Vec::new(), 0);
        for outcome in outcomes {
            match outcome {
                ClaimOutcome::Claimed(claim) => owners.push(claim),
                ClaimOutcome::Processing(_) => waiting += 1,
                other => panic!("in round {round}: {other:?}"),
            }
        }
        assert_eq!((owners.len(), waiting), (1, RACERS - 1), "in round {round}");
        let owner = owners.remove(0);
        assert_eq!(owner.attempt(), 1);
        assert_eq!(plane.row(&request).await.id, owner.id());
        plane.service.leave_in_doubt(owner);
    }
    assert_eq!(
        store.count_rows("idempotency_keys").await,
        i64::try_from(ROUNDS).expect("a count")
    );
}

/// R3, C23: other content among the racers meets one owner's content and is told so.
pub(crate) async fn concurrent_claims_with_two_contents_have_one_owner(store: TestStore) {
    let plane = Plane::open(store).await;
    for round in 0..ROUNDS {
        let key = format!("round {round}");
        let outcomes = race(8, |racer| {
            let request = if racer % 2 == 0 {
                plane.request(&key)
            } else {
                plane.other(&key)
            };
            let service = plane.service.clone();
            async move {
                (
                    racer % 2,
                    service.claim(&request, LEASE).await.expect("an outcome"),
                )
            }
        })
        .await;
        let owners: Vec<_> = outcomes
            .iter()
            .filter(|(_, outcome)| matches!(outcome, ClaimOutcome::Claimed(_)))
            .map(|(content, _)| *content)
            .collect();
        assert_eq!(owners.len(), 1, "in round {round}");
        for (content, outcome) in outcomes {
            match outcome {
                ClaimOutcome::Claimed(claim) => plane.service.leave_in_doubt(claim),
                ClaimOutcome::Processing(_) => assert_eq!(content, owners[0]),
                ClaimOutcome::Conflict(_) => assert_ne!(content, owners[0]),
                ClaimOutcome::Completed(answer) => panic!("nobody answered: {answer:?}"),
            }
        }
    }
}

/// Contract no. 11, R4, R6: neither by a claim nor by a read, and the row is as it was.
pub(crate) async fn a_live_lease_cannot_be_stolen(store: TestStore) {
    let plane = Plane::open(store).await;
    let request = plane.request("k");
    let owner = plane.claimed(&request).await;
    plane.age(&request, LEASE - Duration::from_secs(30)).await;
    let before = plane.snapshot().await;
    let outcome = plane.service.claim(&request, LEASE).await;
    assert_eq!(in_flight(outcome.expect("an outcome")).attempt, 1);
    assert_eq!(plane.snapshot().await, before);
    assert!(plane.service.complete(owner, &answer("1")).await.is_ok());
}

/// Contract no. 12, R31: the caller's own key too, in the same run and by the same principal. It is a word for the
/// driver, with how long to wait by the store's clock, and never an answer.
pub(crate) async fn a_live_lease_on_the_callers_own_key_is_in_flight(store: TestStore) {
    let plane = Plane::open(store).await;
    let request = plane.request("k");
    let owner = plane.claimed(&request).await;
    let again = in_flight(
        plane
            .service
            .claim(&request, LEASE)
            .await
            .expect("an outcome"),
    );
    assert!(again.retry_after > Duration::ZERO && again.retry_after <= LEASE);
    match plane.service.read(&request).await.expect("an outcome") {
        ReadOutcome::Processing(read) => {
            assert_eq!(read.attempt, 1);
            assert!(read.retry_after > Duration::ZERO && read.retry_after <= LEASE);
        }
        other => panic!("a read says that somebody is at work: {other:?}"),
    }
    plane.service.leave_in_doubt(owner);
}

/// Contract no. 7, R5, R6: the same key with other content fails, and is told what is stored.
pub(crate) async fn the_same_key_with_other_content_is_a_conflict(store: TestStore) {
    let plane = Plane::open(store).await;
    let (request, other) = (plane.request("k"), plane.other("k"));
    let owner = plane.claimed(&request).await;
    let ClaimOutcome::Conflict(conflict) = plane.service.claim(&other, LEASE).await.expect("one")
    else {
        panic!("other content under a live claim is a conflict");
    };
    assert_eq!(conflict.state, RowState::LiveMarked);
    assert!(conflict.stored.is_none());
    assert_eq!(conflict.in_flight.expect("an owner").attempt, 1);
    let ending = plane.service.complete(owner, &answer("[7]")).await;
    assert!(ending.is_ok());
    let ReadOutcome::Conflict(conflict) = plane.service.read(&other).await.expect("an outcome")
    else {
        panic!("other content under an answered key is a conflict");
    };
    assert_eq!(conflict.state, RowState::Completed);
    assert!(conflict.in_flight.is_none());
    assert_eq!(text(&conflict.stored.expect("the stored answer")), "[7]");
}

/// R20, S2: the key's text is the same, and every tenant and every scope has a row of its own.
pub(crate) async fn two_tenants_and_two_scopes_never_share_a_row(store: TestStore) {
    let plane = Plane::open(store.clone()).await;
    let scopes = ["tool.email.send", "tool.email.draft"].map(|s| Scope::new(s).expect("a scope"));
    let tenants = [OrganizationId::random(), OrganizationId::random()];
    let (mut rows, mut vendor_keys) = (HashSet::new(), HashSet::new());
    for tenant in tenants {
        for scope in &scopes {
            let key = ClaimKey::from_text(tenant, scope.clone(), "same").expect("a key");
            let name = format!("{tenant} {scope}");
            let request = Request::new(key, request_hash(&name));
            let claim = plane.claimed(&request).await;
            rows.insert(claim.id());
            vendor_keys.insert(request.key.vendor_key(0).to_string());
            let ending = plane
                .service
                .complete(claim, &answer(&format!("{name:?}")))
                .await;
            assert!(ending.is_ok());
            let again = plane
                .service
                .claim(&request, LEASE)
                .await
                .expect("an outcome");
            assert_eq!(text(&answered(again)), format!("{name:?}"));
        }
    }
    assert_eq!((rows.len(), vendor_keys.len()), (4, 4));
    assert_eq!(store.count_rows("idempotency_keys").await, 4);
}

/// R75, C13: a key's text that no store keeps alike is refused before anything is written; the longest is kept.
pub(crate) async fn a_keys_text_is_bounded_and_without_control_characters(store: TestStore) {
    let plane = Plane::open(store.clone()).await;
    let new = |text: &str| ClaimKey::from_text(plane.organization, plane.scope.clone(), text);
    let longest = "é".repeat(KEY_TEXT_BYTES_MAX / 2);
    for refused in ["", "a\0b", "a\nb", "a\u{1b}b", "a\u{7f}b", "a\u{85}b"] {
        assert_eq!(new(refused).expect_err("a refusal").bytes, refused.len());
    }
    let too_long = format!("{longest}a");
    assert_eq!(
        new(&too_long).expect_err("a refusal").bytes,
        KEY_TEXT_BYTES_MAX + 1
    );
    assert_eq!(store.count_rows("idempotency_keys").await, 0);
    let request = Request::new(new(&longest).expect("a key"), request_hash("{}"));
    let claim = owned(
        plane
            .service
            .claim(&request, LEASE)
            .await
            .expect("an outcome"),
    );
    assert_eq!(request.key.text(), Some(longest.as_str()));
    let kept = store
        .texts(
            "SELECT key_text FROM agent.idempotency_keys",
            "SELECT key_text FROM agent_idempotency_keys",
        )
        .await;
    assert_eq!(kept, [Some(longest)]);
    plane.service.leave_in_doubt(claim);
}
