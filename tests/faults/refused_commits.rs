//! A commit that fails after the statement has answered its row (R1): the row was never stored, so the
//! verb is an error and never an answer. A reader that stops at the first row does not see that.

use idem_core::{ClaimOutcome, RepositoryError};
use idem_tests::vendor::{Keys, Vendor};
use idem_tests::{StoreKind, TestStore};
use idem_tools::CallError;

use crate::agent::Agent;
use crate::plane::{LEASE, PAST_LEASE, abandon, answer, request, service};

/// From now on every commit that did this to the plane's table fails, and nothing sooner: a deferred
/// constraint is looked at when the transaction ends.
pub(crate) async fn refuse_commits_of(store: &TestStore, deed: &str) {
    match store.kind {
        StoreKind::Postgres => {
            let function = "CREATE OR REPLACE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql \
                            AS $$ BEGIN RAISE EXCEPTION 'refused at the commit'; END $$";
            store.execute(function, "").await;
            let trigger = format!(
                "CREATE CONSTRAINT TRIGGER refuse AFTER {deed} ON agent.idempotency_keys \
                 DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION refuse()"
            );
            store.execute(&trigger, "").await;
        }
        StoreKind::Sqlite => {
            let parent = "CREATE TABLE IF NOT EXISTS owner (id INTEGER PRIMARY KEY) STRICT";
            store.execute("", parent).await;
            let child = "CREATE TABLE IF NOT EXISTS debt (owner INTEGER NOT NULL \
                         REFERENCES owner (id) DEFERRABLE INITIALLY DEFERRED) STRICT";
            store.execute("", child).await;
            let trigger = format!(
                "CREATE TRIGGER refuse AFTER {deed} ON agent_idempotency_keys \
                 BEGIN INSERT INTO debt (owner) VALUES (1); END"
            );
            store.execute("", &trigger).await;
        }
    }
}

/// Commits go through again.
pub(crate) async fn accept_commits(store: &TestStore) {
    store
        .execute(
            "DROP TRIGGER refuse ON agent.idempotency_keys",
            "DROP TRIGGER refuse",
        )
        .await;
}

#[track_caller]
pub(crate) fn assert_refused(error: &RepositoryError) {
    assert!(
        matches!(error, RepositoryError::Refused(_)),
        "the store refused it at the commit, and says: {error:?}"
    );
}

/// R1, for try_claim: two workers would otherwise both be told that they own the key.
pub(crate) async fn a_claim_whose_commit_fails_is_an_error_and_stores_nothing(store: TestStore) {
    let service = service(&store.open().await);
    refuse_commits_of(&store, "INSERT").await;
    for _ in 0..2 {
        match service.claim(&request(1), LEASE).await {
            Err(error) => assert_refused(&error),
            Ok(outcome) => panic!("nothing was stored, and the caller is told {outcome:?}"),
        }
    }
    assert_eq!(store.count_rows("idempotency_keys").await, 0);
    accept_commits(&store).await;
    let outcome = service.claim(&request(1), LEASE).await.unwrap();
    assert!(matches!(outcome, ClaimOutcome::Claimed(claim) if claim.attempt() == 1));
}

/// R1, for reclaim: the dead owner's row stays as it was.
pub(crate) async fn a_takeover_whose_commit_fails_is_an_error_and_changes_nothing(
    store: TestStore,
) {
    let service = service(&store.open().await);
    abandon(&service, &request(1)).await;
    store.age_all(PAST_LEASE).await;
    refuse_commits_of(&store, "UPDATE").await;
    let refused = service.claim(&request(1), LEASE).await;
    assert_refused(&refused.expect_err("nothing was taken over"));
    let attempts = "SELECT attempt::bigint FROM agent.idempotency_keys";
    let attempts = store
        .number(attempts, "SELECT attempt FROM agent_idempotency_keys")
        .await;
    assert_eq!(attempts, 1);
    accept_commits(&store).await;
    let outcome = service.claim(&request(1), LEASE).await.unwrap();
    assert!(matches!(outcome, ClaimOutcome::Claimed(claim) if claim.attempt() == 2));
}

/// R1, for record: a read whose answer is not stored has not been recorded.
pub(crate) async fn a_record_whose_commit_fails_is_an_error_and_stores_nothing(store: TestStore) {
    let service = service(&store.open().await);
    refuse_commits_of(&store, "INSERT").await;
    let refused = service.record(&request(1), &answer("seen")).await;
    assert_refused(&refused.expect_err("nothing was recorded"));
    assert_eq!(store.count_rows("idempotency_keys").await, 0);
}

/// R1, R30: no send without a committed claim.
pub(crate) async fn a_call_whose_claim_is_not_committed_sends_nothing(store: TestStore) {
    let vendor = Vendor::start(Keys::Ignored).await;
    let agent = Agent::open(&store.url, &vendor).await;
    refuse_commits_of(&store, "INSERT").await;
    for tool in ["keyed", "once", "marked"] {
        match agent.call(tool, "a").await {
            Err(CallError::Store(error)) => assert_refused(&error),
            other => panic!("{tool} has no claim, and ends with {other:?}"),
        }
    }
    assert_eq!(vendor.book().requests, 0);
    assert_eq!(store.count_rows("idempotency_keys").await, 0);
    accept_commits(&store).await;
    assert!(!agent.call_ok("once", "a").await);
    assert_eq!(vendor.book().effects, 1);
}
