//! The sweep: what is past its retention, bounded, and never what is in use.

use std::time::Duration;

use idem_core::states::RowState;
use idem_core::{ClaimOutcome, SweepReport};
use idem_tests::{StoreKind, TestStore};

use crate::plane::{FORGOTTEN, LEASE, Plane, answer};
use crate::rows::build;
use crate::session::Session;

/// R70: in every state, only what is past its retention goes; what never got an answer is an incident.
pub(crate) async fn a_sweep_deletes_only_what_is_past_its_retention(store: TestStore) {
    let plane = Plane::open(store).await;
    let mut rows = Vec::new();
    for (number, state) in RowState::ALL.into_iter().enumerate() {
        rows.push((state, build(&plane, &format!("k{number}"), state).await));
    }
    let report = plane.repository.sweep(1_000).await.expect("a sweep");
    let expected = SweepReport {
        read: 3,
        deleted: 3,
        incidents: 2,
    };
    assert_eq!(report, expected);
    for (state, built) in rows {
        let left = plane.state(&built.request).await;
        let expected = if state.is_past_retention() {
            RowState::Absent
        } else {
            state
        };
        assert_eq!(left, expected);
        built.put_aside(&plane);
    }
    let again = plane.repository.sweep(1_000).await.expect("a sweep");
    assert_eq!(again, SweepReport::default());
}

/// R70: the bound holds, the oldest go first, and a full read says that there is a backlog.
pub(crate) async fn a_sweep_is_bounded_and_begins_with_the_oldest(store: TestStore) {
    let plane = Plane::open(store).await;
    let mut requests = Vec::new();
    for number in 0..5 {
        let request = plane.request(&format!("k{number}"));
        plane.completed(&request, &answer("1")).await;
        plane
            .age(&request, FORGOTTEN + Duration::from_secs(60 * number))
            .await;
        requests.push(request);
    }
    for (left, deleted) in [(3, 2), (1, 2), (0, 1), (0, 0)] {
        let report = plane.repository.sweep(2).await.expect("a sweep");
        assert_eq!(
            (report.read, report.deleted, report.incidents),
            (deleted, deleted, 0)
        );
        for (number, request) in requests.iter().enumerate() {
            let state = plane.state(request).await;
            assert_eq!(
                state == RowState::PastRetention,
                number < left,
                "k{number}: {state:?}"
            );
        }
    }
    let none = plane.repository.sweep(0).await.expect("a sweep");
    assert_eq!(none, SweepReport::default());
}

/// R70, P12: a row that another session holds is neither waited for nor deleted. SQLite has one writer and no row
/// locks, so there is nothing to skip: its twin is that a sweep goes through while somebody is reading.
pub(crate) async fn a_sweep_skips_what_is_locked_and_passes_readers(store: TestStore) {
    let plane = Plane::open(store.clone()).await;
    let (held, free) = (plane.request("held"), plane.request("free"));
    for request in [&held, &free] {
        plane.completed(request, &answer("1")).await;
        plane.age(request, FORGOTTEN).await;
    }
    let session = Session::connect(&store).await;
    session
        .execute("BEGIN", "BEGIN")
        .await
        .expect("a transaction");
    let postgres = "SELECT id FROM agent.idempotency_keys WHERE key_text = 'held' FOR UPDATE";
    let sqlite = "SELECT id FROM agent_idempotency_keys";
    session.execute(postgres, sqlite).await.expect("a look");
    let report = plane.repository.sweep(100).await.expect("a sweep");
    let deleted = match store.kind {
        StoreKind::Postgres => 1,
        StoreKind::Sqlite => 2,
    };
    assert_eq!((report.read, report.deleted), (deleted, deleted));
    assert_eq!(plane.state(&free).await, RowState::Absent);
    let snapshot = session.repository.get(&held.key).await.expect("a look");
    assert!(
        snapshot.is_some(),
        "a reader keeps seeing what it began with"
    );
    session.roll_back().await;
    let rest = plane.repository.sweep(100).await.expect("a sweep");
    assert_eq!(rest.deleted, 2 - deleted);
}

/// R70, R16, P12: whoever takes a forgotten row over keeps it, also where the sweep has read it already.
pub(crate) async fn a_sweep_never_deletes_what_was_claimed_meanwhile(store: TestStore) {
    let plane = Plane::open(store).await;
    for round in 0..50 {
        let request = plane.request(&format!("round {round}"));
        plane.completed(&request, &answer("1")).await;
        plane.age(&request, FORGOTTEN).await;
        let claims = crate::plane::race(6, |racer| {
            let (plane, request) = (plane.clone(), request.clone());
            async move {
                if racer % 2 == 0 {
                    plane.repository.sweep(10).await.expect("a sweep");
                    return None;
                }
                match plane
                    .service
                    .claim(&request, LEASE)
                    .await
                    .expect("an outcome")
                {
                    ClaimOutcome::Claimed(claim) => Some(claim),
                    _ => None,
                }
            }
        })
        .await;
        let mut owners: Vec<_> = claims.into_iter().flatten().collect();
        assert_eq!(owners.len(), 1, "in round {round}");
        let owner = owners.remove(0);
        let row = plane.row(&request).await;
        assert_eq!((row.id, row.live, row.attempt), (owner.id(), true, 1));
        assert!(plane.service.complete(owner, &answer("2")).await.is_ok());
    }
    let report = plane.repository.sweep(100).await.expect("a sweep");
    assert_eq!(report, SweepReport::default());
}
