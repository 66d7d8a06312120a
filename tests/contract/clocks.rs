//! Lease and retention: two clocks, counted in the store's time, and what the table itself refuses.

use std::time::Duration;

use idem_core::identity::request_hash;
use idem_core::{ClaimKey, Request, Scope};
use idem_tests::TestStore;

use crate::plane::{FORGOTTEN, LEASE, Plane, answer, owned};
use crate::session::Session;

const DAY: Duration = Duration::from_secs(24 * 60 * 60);

/// From the claim to the lease's end and to the retention's end of the newest row, in milliseconds.
async fn durations_ms(store: &TestStore) -> [i64; 2] {
    let mut found = [0; 2];
    for (column, ms) in ["lease_expires_at", "retain_until"]
        .into_iter()
        .zip(&mut found)
    {
        let newest = "ORDER BY claimed_at DESC, id DESC LIMIT 1";
        let postgres = format!(
            "SELECT (extract(epoch FROM {column} - claimed_at) * 1000)::bigint \
             FROM agent.idempotency_keys {newest}"
        );
        let sqlite = format!("SELECT {column} - claimed_at FROM agent_idempotency_keys {newest}");
        *ms = store.number(&postgres, &sqlite).await;
    }
    found
}

fn ms(duration: Duration) -> i64 {
    i64::try_from(duration.as_millis()).expect("milliseconds")
}

/// C17, R8, R10: to the millisecond, and the retention is the scope's alone.
pub(crate) async fn a_lease_and_a_retention_are_as_long_as_asked(store: TestStore) {
    let plane = Plane::open(store.clone()).await;
    let scopes = [
        ("tool.email.send", DAY * 30),
        ("model.turn", DAY * 30),
        ("webhook.nylas", DAY),
        ("http.orders", DAY),
        ("surface.saved_search.start", DAY),
    ];
    for (scope, retention) in scopes {
        for lease_ms in [1, 1_500, 11_000, 70_000, 130_000] {
            let lease = Duration::from_millis(lease_ms);
            let scope = Scope::new(scope).expect("a scope");
            let text = format!("{lease_ms}");
            let key = ClaimKey::from_text(plane.organization, scope, &text).expect("a key");
            let request = Request::new(key, request_hash("{}"));
            let claim = owned(
                plane
                    .service
                    .claim(&request, lease)
                    .await
                    .expect("an outcome"),
            );
            assert_eq!(
                durations_ms(&store).await,
                [ms(lease), ms(retention)],
                "{request:?}"
            );
            plane.service.leave_in_doubt(claim);
        }
    }
    let own = Scope::application("report.build", DAY * 7).expect("a scope");
    let key = ClaimKey::from_text(plane.organization, own, "k").expect("a key");
    let claim = plane.claimed(&Request::new(key, request_hash("{}"))).await;
    assert_eq!(durations_ms(&store).await, [ms(LEASE), ms(DAY * 7)]);
    plane.service.leave_in_doubt(claim);
}

/// R8: a lease that is longer than the retention raises it, on each way to own a key.
pub(crate) async fn retention_is_raised_to_a_longer_lease(store: TestStore) {
    let plane = Plane::open(store.clone()).await;
    let scope = Scope::new("webhook.nylas").expect("a scope");
    let key = ClaimKey::from_text(plane.organization, scope, "k").expect("a key");
    let request = Request::new(key, request_hash("{}"));
    let lease = DAY + Duration::from_secs(60 * 60);
    for (aged, attempt) in [(Duration::ZERO, 1), (LEASE, 2), (FORGOTTEN, 1)] {
        if !aged.is_zero() {
            plane.age(&request, aged).await;
        }
        let claim = owned(
            plane
                .service
                .claim(&request, lease)
                .await
                .expect("an outcome"),
        );
        assert_eq!(claim.attempt(), attempt);
        assert_eq!(durations_ms(&store).await, [ms(lease), ms(lease)]);
        let ended = plane
            .service
            .end_lease(claim, idem_core::EndLease::default())
            .await;
        assert!(ended.is_ok());
    }
}

/// C19, R9: nothing that a worker believes about the time is sent; two claims differ by what the store's clock did.
pub(crate) async fn every_instant_is_the_stores(store: TestStore) {
    let plane = Plane::open(store).await;
    let request = plane.request("k");
    let before = plane.repository.probe().await.expect("a probe").clock;
    plane.completed(&request, &answer("1")).await;
    let after = plane.repository.probe().await.expect("a probe").clock;
    let row = plane.row(&request).await;
    let completed_at = row.completed_at.expect("an instant");
    let dispatched_at = row.dispatched_at.expect("an instant");
    for instant in [
        row.claimed_at,
        row.first_claimed_at,
        dispatched_at,
        completed_at,
    ] {
        assert!(
            before <= instant && instant <= after,
            "{before} {instant} {after}"
        );
    }
    assert_eq!(row.claimed_at, dispatched_at);
}

/// R8, R12: what no verb does, the table refuses, whoever writes it.
pub(crate) async fn the_table_refuses_a_row_that_makes_no_sense(store: TestStore) {
    let plane = Plane::open(store.clone()).await;
    let (open, done) = (plane.request("open"), plane.request("done"));
    let claim = plane.claimed(&open).await;
    plane.service.leave_in_doubt(claim);
    plane.completed(&done, &answer("1")).await;
    let before = plane.snapshot().await;
    let session = Session::connect(&store).await;
    let nonsense = [
        ("open", "retain_until = claimed_at"),
        ("open", "status = 'completed'"),
        (
            "open",
            "status = 'completed', outcome_kind = 'answer', completed_at = claimed_at",
        ),
        ("open", "outcome_kind = 'answer'"),
        ("open", "completed_at = claimed_at"),
        ("open", "response = request_hash, response_encoding = 0"),
        ("open", "resource_type = 'crm.company', resource_id = '42'"),
        ("open", "status = 'lapsed'"),
        ("open", "attempt = 0"),
        ("open", "epoch = -1"),
        ("done", "response = NULL, response_encoding = NULL"),
        ("done", "response_encoding = NULL"),
        ("done", "resource_type = 'crm.company'"),
        ("done", "resource_id = '42'"),
        ("done", "outcome_kind = NULL"),
        ("done", "outcome_kind = 'perhaps'"),
        ("done", "completed_at = NULL"),
        ("done", "status = 'processing'"),
        ("done", "settled_as = 'happened'"),
        ("done", "settled_at = claimed_at"),
        ("done", "settled_as = 'perhaps', settled_at = claimed_at"),
    ];
    for (key, change) in nonsense {
        let set = format!("SET {change} WHERE key_text = '{key}'");
        let postgres = format!("UPDATE agent.idempotency_keys {set}");
        let sqlite = format!("UPDATE agent_idempotency_keys {set}");
        let refused = session.execute(&postgres, &sqlite).await.expect_err(change);
        let database = refused
            .into_database_error()
            .expect("a refusal by the table");
        assert!(database.is_check_violation(), "{change}: {database}");
    }
    let key = "UPDATE agent.idempotency_keys SET organization_id = o.organization_id, scope = o.scope, \
               key = o.key FROM agent.idempotency_keys o WHERE o.key_text = 'done'";
    let refused = session.execute(key, &key.replace("agent.", "agent_")).await;
    let database = refused
        .expect_err("two rows of one key")
        .into_database_error();
    assert!(
        database
            .expect("a refusal by the table")
            .is_unique_violation()
    );
    assert_eq!(plane.snapshot().await, before);
}
