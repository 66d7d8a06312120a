//! A claim that meets a row another session has written and not yet committed.

use idem_core::sqlite::SqliteStore;
use idem_core::{ClaimOutcome, IdempotencyService, Request};
use idem_tests::{StoreKind, TestStore};
use std::sync::Arc;
use tokio::task::JoinHandle;

use crate::plane::{LEASE, Plane, in_flight, owned};
use crate::session::Session;

/// A claim that waits for the other session's end.
struct Blocked {
    claiming: JoinHandle<ClaimOutcome>,
}

/// Starts a claim and comes back once it waits. On PostgreSQL the server says so. On SQLite nobody does: the one
/// writing connection of the store is out, and the file's write lock is not free.
async fn blocked(plane: &Plane, request: Request) -> Blocked {
    match plane.store.kind {
        StoreKind::Postgres => {
            let service = plane.service.clone();
            let claiming = tokio::spawn(claim(service, request));
            let waiting = "SELECT count(*) FROM pg_stat_activity \
                           WHERE datname = current_database() AND wait_event_type = 'Lock'";
            while plane.store.number(waiting, "").await == 0 {
                assert!(
                    !claiming.is_finished(),
                    "the claim did not wait for the other session"
                );
            }
            Blocked { claiming }
        }
        StoreKind::Sqlite => {
            let store = SqliteStore::connect(&plane.store.url)
                .await
                .expect("a store");
            let writer = store.pool().clone();
            let service = IdempotencyService::new(Arc::new(store));
            let claiming = tokio::spawn(claim(service, request));
            while writer.num_idle() > 0 {
                assert!(
                    !claiming.is_finished(),
                    "the claim did not wait for the other session"
                );
                tokio::task::yield_now().await;
            }
            Blocked { claiming }
        }
    }
}

async fn claim(service: IdempotencyService, request: Request) -> ClaimOutcome {
    service.claim(&request, LEASE).await.expect("an outcome")
}

/// C23, R3: the same content is in flight, other content a conflict; never an empty answer and never an owner.
pub(crate) async fn a_claim_waits_for_an_uncommitted_one_and_sees_it(store: TestStore) {
    let plane = Plane::open(store.clone()).await;
    for same_content in [true, false] {
        let key = format!("k {same_content}");
        let request = plane.request(&key);
        let session = Session::begin(&store).await;
        let first = IdempotencyService::new(session.repository.clone());
        let owner = owned(first.claim(&request, LEASE).await.expect("an outcome"));
        let asking = if same_content {
            plane.request(&key)
        } else {
            plane.other(&key)
        };
        let second = blocked(&plane, asking).await;
        session.commit().await;
        match second.claiming.await.expect("an end") {
            ClaimOutcome::Processing(seen) => assert!(same_content && seen.attempt == 1),
            ClaimOutcome::Conflict(_) => assert!(!same_content),
            outcome => panic!("the first session owns the key: {outcome:?}"),
        }
        assert_eq!(plane.row(&request).await.id, owner.id());
        plane.service.leave_in_doubt(owner);
    }
}

/// C57(b): who comes second needs nothing that another session holds. On SQLite that session is the file's one writer.
pub(crate) async fn a_repeat_is_told_while_another_session_writes(store: TestStore) {
    let plane = Plane::open(store.clone()).await;
    let request = plane.request("k");
    let owner = plane.claimed(&request).await;
    let session = Session::begin(&store).await;
    let writing = IdempotencyService::new(session.repository.clone());
    let other = writing.claim(&plane.request("another"), LEASE).await;
    let other = owned(other.expect("an outcome"));
    for asking in [plane.request("k"), plane.other("k")] {
        let same_content = asking.hash == request.hash;
        match plane
            .service
            .claim(&asking, LEASE)
            .await
            .expect("an outcome")
        {
            ClaimOutcome::Processing(seen) => assert!(same_content && seen.attempt == 1),
            ClaimOutcome::Conflict(_) => assert!(!same_content),
            outcome => panic!("the key is owned: {outcome:?}"),
        }
    }
    session.commit().await;
    for claim in [owner, other] {
        plane.service.leave_in_doubt(claim);
    }
}

/// R3: a claim that was rolled back was never made.
pub(crate) async fn a_claim_that_was_rolled_back_leaves_the_key_free(store: TestStore) {
    let plane = Plane::open(store.clone()).await;
    let request = plane.request("k");
    let session = Session::begin(&store).await;
    let first = IdempotencyService::new(session.repository.clone());
    let forgotten = owned(first.claim(&request, LEASE).await.expect("an outcome"));
    let second = blocked(&plane, plane.other("k")).await;
    session.roll_back().await;
    let owner = owned(second.claiming.await.expect("an end"));
    assert_ne!(owner.id(), forgotten.id());
    let row = plane.row(&request).await;
    assert_eq!(
        (row.id, row.request_hash),
        (owner.id(), plane.other("k").hash)
    );
    for claim in [owner, forgotten] {
        plane.service.leave_in_doubt(claim);
    }
}

/// R4: a reclaim that meets another one that is not yet committed loses to it.
pub(crate) async fn a_reclaim_waits_for_an_uncommitted_one_and_loses_to_it(store: TestStore) {
    let plane = Plane::open(store.clone()).await;
    let request = plane.request("k");
    let vanished = plane.claimed(&request).await;
    plane.service.leave_in_doubt(vanished);
    plane.lapse(&request).await;
    let session = Session::begin(&store).await;
    let first = IdempotencyService::new(session.repository.clone());
    let owner = owned(first.claim(&request, LEASE).await.expect("an outcome"));
    assert_eq!(owner.attempt(), 2);
    let second = blocked(&plane, request.clone()).await;
    session.commit().await;
    assert_eq!(in_flight(second.claiming.await.expect("an end")).attempt, 2);
    assert_eq!(plane.row(&request).await.attempt, 2);
    plane.service.leave_in_doubt(owner);
}
