//! The boundary instants, with a clock that stands still. On SQLite the view `agent_clock` is put in place of a fixed
//! number. On PostgreSQL every statement runs in one transaction, in which `now()` is its start. Each row then moves
//! by milliseconds around the store's own present.

use std::sync::Arc;

use idem_core::states::RowState;
use idem_core::{ClaimOutcome, ReadOutcome, Request, Store, TakeOver, TakeOverReason};
use idem_tests::{StoreKind, TestStore};

use crate::plane::{LEASE, Plane, answer, new_id, outcome_unknown, terms};
use crate::rows::settlement;
use crate::session::Session;

/// One millisecond to go, the very instant, one millisecond late.
const AROUND_MS: [i64; 3] = [1, 0, -1];

/// A plane whose store's clock stands still.
struct Still {
    plane: Plane,
    session: Option<Session>,
}

impl Still {
    async fn new(store: TestStore) -> Self {
        let open: Arc<dyn Store> = store.open().await;
        match store.kind {
            StoreKind::Postgres => {
                let session = Session::begin(&store).await;
                Self {
                    plane: Plane::over(store, session.repository.clone()),
                    session: Some(session),
                }
            }
            StoreKind::Sqlite => {
                let now = store.number("", "SELECT now_ms FROM agent_clock").await;
                store.execute("", "DROP VIEW agent_clock").await;
                let fixed = format!("CREATE VIEW agent_clock AS SELECT {now} AS now_ms");
                store.execute("", &fixed).await;
                Self {
                    plane: Plane::over(store, open),
                    session: None,
                }
            }
        }
    }

    /// Lets an instant of one row lie `ms` milliseconds after the store's present.
    async fn put(&self, request: &Request, column: &str, ms: i64) {
        let text = request.key.text().expect("a text");
        let postgres = format!(
            "UPDATE agent.idempotency_keys SET {column} = now() + {ms} * interval '1 millisecond' \
             WHERE key_text = '{text}'"
        );
        let sqlite = format!(
            "UPDATE agent_idempotency_keys SET {column} = (SELECT now_ms FROM agent_clock) + {ms} \
             WHERE key_text = '{text}'"
        );
        let moved = match &self.session {
            Some(session) => session.execute(&postgres, "").await.expect("a moved row"),
            None => self.plane.store.execute("", &sqlite).await,
        };
        assert_eq!(moved, 1, "there is no row to move under this key");
    }

    /// A claim whose lease ends `ms` from now; it leaves no doubt.
    async fn leased(&self, key: &str, ms: i64) -> Request {
        let request = self.plane.marking(key);
        let claim = self.plane.claimed(&request).await;
        self.plane.service.leave_in_doubt(claim);
        self.put(&request, "lease_expires_at", ms).await;
        request
    }

    /// An unknown outcome whose retention ends `ms` from now.
    async fn kept(&self, key: &str, ms: i64) -> Request {
        let request = self.plane.request(key);
        self.plane.completed(&request, &outcome_unknown()).await;
        self.put(&request, "lease_expires_at", -1).await;
        self.put(&request, "retain_until", ms).await;
        request
    }
}

/// C63, R6, R9: until the lease's end both say in flight, from that instant on a read is absent and a claim owns.
pub(crate) async fn read_and_claim_agree_at_the_instant_a_lease_ends(store: TestStore) {
    let still = Still::new(store).await;
    let service = &still.plane.service;
    for ms in AROUND_MS {
        let request = still.leased(&format!("k{ms}"), ms).await;
        let row = still.plane.row(&request).await;
        assert_eq!(
            (row.live, row.lease_left.as_millis()),
            (ms > 0, u128::from(ms > 0))
        );
        let read = service.read(&request).await.expect("an outcome");
        let claim = service.claim(&request, LEASE).await.expect("an outcome");
        match (read, claim) {
            (ReadOutcome::Processing(_), ClaimOutcome::Processing(_)) => assert!(ms > 0),
            (ReadOutcome::Absent, ClaimOutcome::Claimed(claim)) => {
                assert!(ms <= 0);
                assert_eq!(claim.attempt(), 2);
                service.leave_in_doubt(claim);
            }
            outcomes => panic!("{ms} ms before the lease's end: {outcomes:?}"),
        }
    }
}

/// C63, R16: until the retention's end both give the answer, from that instant on it is forgotten by both.
pub(crate) async fn read_and_claim_agree_at_the_instant_a_retention_ends(store: TestStore) {
    let still = Still::new(store).await;
    let service = &still.plane.service;
    for ms in AROUND_MS {
        let request = still.kept(&format!("k{ms}"), ms).await;
        assert_eq!(still.plane.row(&request).await.kept, ms > 0);
        let read = service.read(&request).await.expect("an outcome");
        let claim = service.claim(&request, LEASE).await.expect("an outcome");
        match (read, claim) {
            (ReadOutcome::Completed(_), ClaimOutcome::Completed(_)) => assert!(ms > 0),
            (ReadOutcome::Absent, ClaimOutcome::Claimed(claim)) => {
                assert!(ms <= 0);
                assert_eq!(claim.attempt(), 1);
                service.leave_in_doubt(claim);
            }
            outcomes => panic!("{ms} ms before the retention's end: {outcomes:?}"),
        }
    }
}

/// C63, R9: an unended claim whose lease and retention end together is reclaimed at no instant, and claimed anew.
pub(crate) async fn lease_and_retention_may_end_at_the_same_instant(store: TestStore) {
    let still = Still::new(store).await;
    for ms in AROUND_MS {
        let request = still.leased(&format!("k{ms}"), ms).await;
        still.put(&request, "retain_until", ms).await;
        let state = if ms > 0 {
            RowState::Live
        } else {
            RowState::PastRetentionUnanswered
        };
        assert_eq!(still.plane.state(&request).await, state);
        let seen = still.plane.row(&request).await.lease_token;
        let reclaimed = still
            .plane
            .repository
            .reclaim(&request, seen, &terms())
            .await;
        assert!(reclaimed.expect("an outcome").is_none(), "{ms} ms");
        let outcome = still
            .plane
            .service
            .claim(&request, LEASE)
            .await
            .expect("an outcome");
        assert_eq!(
            matches!(outcome, ClaimOutcome::Claimed(_)),
            ms <= 0,
            "{ms} ms"
        );
        if let ClaimOutcome::Claimed(claim) = outcome {
            still.plane.service.leave_in_doubt(claim);
        }
    }
}

/// C63, R16, R24, R70: the other verbs that look at a clock turn at the same instant.
pub(crate) async fn the_other_verbs_turn_at_the_same_instants(store: TestStore) {
    let still = Still::new(store).await;
    let (plane, service) = (&still.plane, &still.plane.service);
    for ms in AROUND_MS {
        let passed = ms <= 0;
        let request = still.leased(&format!("settle {ms}"), ms).await;
        let settled = service.settle(&request.key, &settlement(true)).await;
        assert_eq!(
            settled.expect("an outcome").is_some(),
            passed,
            "settle a lease {ms}"
        );

        let request = still.leased(&format!("other {ms}"), ms).await;
        let take = TakeOver {
            reason: TakeOverReason::OtherContent,
            seen: plane.row(&request).await.lease_token,
            id: new_id(),
        };
        let other = plane.other(&format!("other {ms}"));
        let taken = plane.repository.take_over(&other, &take, &terms()).await;
        assert_eq!(
            taken.expect("an outcome").is_some(),
            passed,
            "take over {ms}"
        );

        let request = still.kept(&format!("settle kept {ms}"), ms).await;
        let settled = service.settle(&request.key, &settlement(true)).await;
        assert_eq!(
            settled.expect("an outcome").is_none(),
            passed,
            "settle an answer {ms}"
        );

        let request = still.kept(&format!("record {ms}"), ms).await;
        let token = terms().token;
        let recorded = plane
            .repository
            .record(&request, new_id(), token, &answer("1"))
            .await;
        assert_eq!(
            recorded.expect("an outcome").is_some(),
            passed,
            "record {ms}"
        );
    }
    // The three of `settle kept` are left: one to go, one due at this very instant, one late.
    let swept = plane.repository.sweep(100).await.expect("a sweep");
    assert_eq!((swept.read, swept.deleted, swept.incidents), (2, 2, 0));
}
