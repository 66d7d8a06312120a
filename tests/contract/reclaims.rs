//! How a lapsed claim passes to the next worker: once, with the doubt that it left.

use std::time::Duration;

use idem_core::states::RowState;
use idem_core::{ClaimOutcome, EndLease, Ending, IdempotencyService, LeaseToken};
use idem_tests::TestStore;

use crate::plane::{LEASE, Plane, answer, assert_untouched, owned, race, terms};
use crate::rows::build;

const RACERS: usize = 20;
const ROUNDS: usize = 50;

/// Contract no. 13, R4. Two stores are opened over one database, as two processes would.
pub(crate) async fn a_passed_lease_is_reclaimed_by_exactly_one_of_twenty(store: TestStore) {
    let plane = Plane::open(store.clone()).await;
    let services = [
        plane.service.clone(),
        IdempotencyService::new(store.open().await),
    ];
    for round in 0..ROUNDS {
        let request = plane.request(&format!("round {round}"));
        let vanished = plane.claimed(&request).await;
        plane.service.leave_in_doubt(vanished);
        plane.lapse(&request).await;
        let outcomes = race(RACERS, |racer| {
            let (service, request) = (services[racer % 2].clone(), request.clone());
            async move { service.claim(&request, LEASE).await.expect("an outcome") }
        })
        .await;
        let (mut owners, mut waiting) = (0, 0);
        for outcome in outcomes {
            match outcome {
                ClaimOutcome::Claimed(claim) => {
                    assert_eq!(claim.attempt(), 2);
                    plane.service.leave_in_doubt(claim);
                    owners += 1;
                }
                ClaimOutcome::Processing(_) => waiting += 1,
                other => panic!("in round {round}: {other:?}"),
            }
        }
        assert_eq!((owners, waiting), (1, RACERS - 1), "in round {round}");
        assert_eq!(plane.row(&request).await.attempt, 2, "in round {round}");
    }
}

/// R4, P8, P20: each condition of the statement alone keeps the row as it is; with all of them it is taken over.
pub(crate) async fn a_reclaim_needs_the_content_the_seen_token_and_a_passed_lease(
    store: TestStore,
) {
    let plane = Plane::open(store).await;
    let request = plane.request("k");
    let first = plane.claimed(&request).await;
    let live = plane.row(&request).await;
    let repository = &plane.repository;
    let refused = repository
        .reclaim(&request, live.lease_token, &terms())
        .await;
    assert!(refused.expect("an outcome").is_none(), "the lease lives");
    assert_untouched(&live, &plane.row(&request).await);

    plane.lapse(&request).await;
    let lapsed = plane.row(&request).await;
    let (other, seen) = (plane.other("k"), lapsed.lease_token);
    let refused = repository.reclaim(&other, seen, &terms()).await;
    assert!(
        refused.expect("an outcome").is_none(),
        "the content is another"
    );
    let refused = repository
        .reclaim(&request, LeaseToken::mint(), &terms())
        .await;
    assert!(
        refused.expect("an outcome").is_none(),
        "the token was never seen"
    );
    assert_untouched(&lapsed, &plane.row(&request).await);

    let taken = repository
        .reclaim(&request, seen, &terms())
        .await
        .expect("an outcome");
    let taken = taken.expect("a reclaim");
    assert_eq!((taken.id, taken.attempt, taken.live), (lapsed.id, 2, true));
    assert_ne!(taken.lease_token, seen);
    plane.service.leave_in_doubt(first);
}

/// R4, P8: an answer is never reclaimed, not even by its own content and token, nor is what was forgotten.
pub(crate) async fn an_answered_or_a_forgotten_row_is_not_reclaimed(store: TestStore) {
    let plane = Plane::open(store).await;
    let states = [
        RowState::Completed,
        RowState::OutcomeUnknown,
        RowState::Settled,
        RowState::PastRetention,
        RowState::PastRetentionUnanswered,
    ];
    for (number, state) in states.into_iter().enumerate() {
        let built = build(&plane, &format!("k{number}"), state).await;
        // An answered row's lease has passed as well.
        plane.lapse(&built.request).await;
        let before = plane.row(&built.request).await;
        let outcome = plane
            .repository
            .reclaim(&built.request, before.lease_token, &terms())
            .await;
        assert!(outcome.expect("an outcome").is_none(), "{state:?}");
        assert_untouched(&before, &plane.row(&built.request).await);
        built.put_aside(&plane);
    }
}

/// Contract no. 17, R8: the lease moves, the end of the retention never comes nearer, and where this attempt's own
/// retention ends later it moves too.
pub(crate) async fn a_reclaim_moves_the_lease_and_never_shortens_the_retention(store: TestStore) {
    let plane = Plane::open(store).await;
    let until = async |column: &str| {
        let postgres = format!(
            "SELECT (extract(epoch FROM {column}) * 1000)::bigint FROM agent.idempotency_keys"
        );
        let sqlite = format!("SELECT {column} FROM agent_idempotency_keys");
        plane.store.number(&postgres, &sqlite).await
    };
    let request = plane.request("k");
    let first = plane.claimed(&request).await;
    plane.lapse(&request).await;
    let retained = until("retain_until").await;
    let mut shorter = terms();
    shorter.retain = Duration::from_secs(60 * 60);
    let seen = plane.row(&request).await.lease_token;
    let lease_before = until("lease_expires_at").await;
    let taken = plane
        .repository
        .reclaim(&request, seen, &shorter)
        .await
        .expect("an outcome");
    assert!(taken.expect("a reclaim").live);
    assert!(until("lease_expires_at").await > lease_before);
    assert_eq!(
        until("retain_until").await,
        retained,
        "an hour ends before 30 days do"
    );

    plane.lapse(&request).await;
    let retained = until("retain_until").await;
    let second = plane.claimed(&request).await;
    assert_eq!(second.attempt(), 3);
    assert!(
        until("retain_until").await > retained,
        "30 days from now end later"
    );
    for claim in [first, second] {
        plane.service.leave_in_doubt(claim);
    }
}

/// R6, R13a, P2: a claim says whether it is a takeover, of how many attempts, and with what doubt.
pub(crate) async fn a_takeover_says_what_is_known_of_the_attempts_before(store: TestStore) {
    let plane = Plane::open(store).await;
    let (sure, unsure) = (plane.marking("sure"), plane.request("unsure"));
    for request in [&sure, &unsure] {
        let first = plane.claimed(request).await;
        assert!(first.takeover().is_none() && !first.in_doubt());
        plane.service.leave_in_doubt(first);
        plane.lapse(request).await;
    }
    let first_claimed_at = plane.row(&unsure).await.first_claimed_at;
    let claims = [plane.claimed(&sure).await, plane.claimed(&unsure).await];
    let [of_sure, of_unsure] = claims
        .each_ref()
        .map(|claim| claim.takeover().expect("one"));
    assert!(!of_sure.doubt && of_sure.first_dispatched_at.is_none());
    assert!(of_sure.epoch_age.is_none());
    assert!(of_unsure.doubt && of_unsure.first_dispatched_at.is_some());
    assert!(of_unsure.epoch_age.expect("an age") >= LEASE);
    assert_eq!(of_unsure.first_claimed_at, first_claimed_at);
    assert_eq!(
        (of_sure.earlier_attempts, of_unsure.earlier_attempts),
        (1, 1)
    );
    for claim in claims {
        plane.service.leave_in_doubt(claim);
    }
}

/// P11, R13a: A may have sent and vanished; B marks its own dispatch, never did, and vanished; C is told of A's.
pub(crate) async fn a_mark_survives_reclaims(store: TestStore) {
    let plane = Plane::open(store).await;
    let (plain, marking) = (plane.request("k"), plane.marking("k"));
    let a = plane.claimed(&plain).await;
    plane.lapse(&plain).await;
    let b = plane.claimed(&marking).await;
    assert!(b.in_doubt());
    assert!(
        plane.row(&plain).await.dispatched_at.is_none(),
        "B's own mark is not set"
    );
    plane.lapse(&plain).await;
    let c = plane.claimed(&marking).await;
    let doubt = c.takeover().expect("a takeover");
    assert!(doubt.doubt && doubt.first_dispatched_at.is_some());
    assert_eq!(doubt.earlier_attempts, 2);
    assert_eq!(plane.state(&plain).await, RowState::LiveInDoubt);
    for claim in [a, b, c] {
        plane.service.leave_in_doubt(claim);
    }
}

/// R13a: a row that ended without doubt is reclaimable at once and runs; one whose mark stays is taken over in doubt.
pub(crate) async fn an_ended_lease_is_reclaimable_at_once(store: TestStore) {
    let plane = Plane::open(store).await;
    for (key, clear_mark) in [("unused", true), ("used", false)] {
        let request = plane.request(key);
        let claim = plane.claimed(&request).await;
        let how = EndLease {
            clear_mark,
            ..EndLease::default()
        };
        let ending = plane.service.end_lease(claim, how).await.expect("an end");
        assert_eq!(ending, Ending::Done);
        let next = owned(
            plane
                .service
                .claim(&request, LEASE)
                .await
                .expect("an outcome"),
        );
        assert_eq!((next.attempt(), next.in_doubt()), (2, !clear_mark));
        assert!(plane.service.complete(next, &answer("1")).await.is_ok());
    }
}
