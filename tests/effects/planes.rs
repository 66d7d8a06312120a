//! `fence_in` and `complete_in`, and a lease that ends after a while, below the tools (R2, R7, R11).

use crate::calls::{MINUTE, create_table, of_row, schedules};
use idem_core::identity::{IdempotencyKey, KeyKind, LogicalTurn, RequestHash, RunId, ToolName};
use idem_core::postgres::PostgresStore;
use idem_core::sqlite::SqliteStore;
use idem_core::{
    Answer, Claim, ClaimKey, ClaimOutcome, EndLease, Ending, Fence, IdempotencyService,
    OrganizationId, OutcomeKind, ReadOutcome, Request, Scope,
};
use idem_tests::{StoreKind, TestStore};
use std::time::Duration;

const LEASE: Duration = Duration::from_secs(30);

fn request() -> Request {
    let organization: OrganizationId = "7f3c0d9e-4d0b-4b2a-9c55-0c5f4b1d2a10"
        .parse()
        .expect("a uuid");
    let turn = LogicalTurn::numbered(&RunId::new("run-1").expect("a run"), 1);
    let tool = ToolName::new("create").expect("a name");
    let key = IdempotencyKey::new(KeyKind::Turn { turn: &turn }, &tool, "{}");
    let scope = Scope::new("tool.schedule.create").expect("a scope");
    let key = ClaimKey::new(organization, scope, key);
    let mut request = Request::new(key, RequestHash::from_bytes([7; 32]));
    request.marks_dispatch = true;
    request
}

async fn claim(service: &IdempotencyService) -> Claim {
    match service.claim(&request(), LEASE).await.expect("a claim") {
        ClaimOutcome::Claimed(claim) => claim,
        other => panic!("not claimed: {other:?}"),
    }
}

/// What one transaction came to.
#[derive(Debug, PartialEq, Eq)]
struct Came {
    fenced: bool,
    completed: bool,
    committed: bool,
}

/// Begins, looks at the fence, writes all the same, completes, and commits where that is right and wanted.
async fn transact(store: &TestStore, fence: &Fence, commits: bool) -> Came {
    macro_rules! on {
        ($plane:ty) => {{
            let opened = store.open().await;
            let plane = opened
                .concrete()
                .and_then(|plane| plane.downcast_ref::<$plane>());
            let plane = plane.expect("the store's own type").clone();
            let mut transaction = plane.begin().await.expect("a transaction");
            let connection = transaction.connection();
            let fenced = plane.fence_in(connection, fence).await.expect("a look");
            let effect = sqlx::query("INSERT INTO schedules (name, made_by) VALUES ('daily', 1)");
            effect
                .execute(transaction.connection())
                .await
                .expect("a row");
            let answer = Answer::json(OutcomeKind::Answer, "1").expect("an answer");
            let connection = transaction.connection();
            let completed = plane.complete_in(connection, fence, &answer).await;
            let completed = completed.expect("a completion").is_some();
            let committed = completed && commits;
            if committed {
                transaction.commit().await.expect("a commit");
            } else {
                transaction.rollback().await.expect("a rollback");
            }
            Came {
                fenced,
                completed,
                committed,
            }
        }};
    }
    match store.kind {
        StoreKind::Sqlite => on!(SqliteStore),
        StoreKind::Postgres => on!(PostgresStore),
    }
}

/// R7: a lost fence is a value inside the transaction too, and the effect goes with it.
pub(crate) async fn a_fence_that_moved_on_is_seen_inside_the_transaction(store: TestStore) {
    create_table(&store).await;
    let service = IdempotencyService::new(store.open().await);
    let stale = claim(&service).await;
    store.age_all(MINUTE).await;
    let owner = claim(&service).await;
    let came = transact(&store, &stale.fence(), true).await;
    let lost = Came {
        fenced: false,
        completed: false,
        committed: false,
    };
    assert_eq!((came, schedules(&store).await), (lost, 0));
    assert!(!service.is_completed(&stale).await.expect("a look"));
    service.leave_in_doubt(stale);
    let came = transact(&store, &owner.fence(), true).await;
    assert!(came.fenced && came.committed);
    assert_eq!(schedules(&store).await, 1);
    service.committed(owner);
}

/// R32: before the commit nothing is stored, and after it both are.
pub(crate) async fn an_answer_completed_in_a_transaction_is_stored_by_its_commit_alone(
    store: TestStore,
) {
    create_table(&store).await;
    let service = IdempotencyService::new(store.open().await);
    let owner = claim(&service).await;
    let came = transact(&store, &owner.fence(), false).await;
    assert!(came.fenced && came.completed && !came.committed);
    assert_eq!(schedules(&store).await, 0);
    assert!(
        !service.is_completed(&owner).await.expect("a look"),
        "it was rolled back"
    );
    assert!(transact(&store, &owner.fence(), true).await.committed);
    assert!(service.is_completed(&owner).await.expect("a look"));
    service.committed(owner);
    let read = service.read(&request()).await.expect("a look");
    assert!(matches!(read, ReadOutcome::Completed(_)), "{read:?}");
    assert_eq!(schedules(&store).await, 1);
}

/// R7: the fence is the token and never the lease.
pub(crate) async fn a_late_fence_that_nobody_took_commits(store: TestStore) {
    create_table(&store).await;
    let service = IdempotencyService::new(store.open().await);
    let late = claim(&service).await;
    store.age_all(MINUTE).await;
    assert!(transact(&store, &late.fence(), true).await.committed);
    assert_eq!(schedules(&store).await, 1);
    service.committed(late);
}

/// R13a, R32: callers are kept apart by the store's clock, and a lease is never made longer.
pub(crate) async fn a_held_lease_ends_after_the_while_it_was_given_and_never_later(
    store: TestStore,
) {
    let service = IdempotencyService::new(store.open().await);
    let mut earlier = LEASE;
    for after in [MINUTE, LEASE / 3] {
        let owner = claim(&service).await;
        let how = EndLease {
            after,
            ..EndLease::default()
        };
        let ended = service.end_lease(owner, how).await.expect("an ending");
        assert_eq!(ended, Ending::Done);
        let ClaimOutcome::Processing(seen) =
            service.claim(&request(), LEASE).await.expect("a claim")
        else {
            panic!("the lease has not ended");
        };
        let bound = after.min(LEASE);
        assert!(seen.retry_after <= bound, "{:?}", seen.retry_after);
        assert!(seen.retry_after > bound / 2, "{:?}", seen.retry_after);
        assert!(seen.retry_after <= earlier);
        earlier = bound;
        store.age_all(after).await;
    }
    assert_eq!(of_row(&store, "attempt").await, 2);
}
