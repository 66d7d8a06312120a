//! Lost acknowledgements on the wire to PostgreSQL, verb by verb (R3, R11; C25, P19): what the server
//! committed is the caller's, and what it never saw is asked again. No verb waits for a lease.

use std::sync::Arc;

use idem_core::{
    ClaimOutcome, Ending, IdempotencyService, OpenMode, ReadOutcome, RecordOutcome, Store,
};
use idem_tests::TestStore;
use idem_tests::proxy::Proxy;

use crate::plane::{LEASE, PAST_LEASE, abandon, answer, claim, marked_request, request, service};

/// The statement of this name.
macro_rules! sql {
    ($name:literal) => {
        include_str!(concat!("../../idem-core/src/postgres/sql/", $name, ".sql"))
    };
}
pub(crate) use sql;

/// Which half of an exchange is lost.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Lost {
    Reply,
    Request,
}

impl Lost {
    /// Arms the proxy for the next execution of a statement.
    pub(crate) fn arm(self, proxy: &Proxy, statement: &str) {
        match self {
            Self::Reply => proxy.cut_after_request_containing(statement, 1),
            Self::Request => proxy.cut_before_request_containing(statement, 1),
        }
    }
}

/// The store behind a proxy, its service, and the proxy.
async fn plane(store: &TestStore) -> (Proxy, Arc<dyn Store>, IdempotencyService) {
    let proxy = Proxy::start(&store.url).await;
    let opened = idem_core::open(proxy.url(), OpenMode::Migrate).await;
    let opened = opened.unwrap();
    let service = service(&opened);
    (proxy, opened, service)
}

/// Attempt and rows: one row, claimed so often.
async fn assert_one_row(store: &TestStore, attempt: i64) {
    assert_eq!(store.count_rows("idempotency_keys").await, 1);
    let counted = "SELECT attempt::bigint FROM agent.idempotency_keys";
    assert_eq!(store.number(counted, "").await, attempt);
}

async fn lose_a_claim(store: TestStore, lost: Lost) {
    let (proxy, _, service) = plane(&store).await;
    lost.arm(&proxy, sql!("try_claim"));
    let claim = claim(&service, &request(1)).await;
    assert_eq!((proxy.cuts(), claim.attempt()), (1, 1));
    assert!(claim.takeover().is_none(), "its own row is no rival's");
    assert_one_row(&store, 1).await;
    let ending = service.complete(claim, &answer("done")).await.unwrap();
    assert_eq!(ending, Ending::Done);
}

/// C25, claim: the retry finds a live row with its own token.
pub(crate) async fn a_claim_whose_reply_is_lost_is_the_callers(store: TestStore) {
    lose_a_claim(store, Lost::Reply).await;
}

pub(crate) async fn a_claim_whose_request_is_lost_is_asked_again(store: TestStore) {
    lose_a_claim(store, Lost::Request).await;
}

async fn lose_a_reclaim(store: TestStore, lost: Lost) {
    let (proxy, _, service) = plane(&store).await;
    abandon(&service, &request(1)).await;
    store.age_all(PAST_LEASE).await;
    lost.arm(&proxy, sql!("reclaim"));
    let claim = claim(&service, &request(1)).await;
    assert_eq!((proxy.cuts(), claim.attempt()), (1, 2));
    assert!(claim.in_doubt(), "the dead owner may have sent");
    assert_one_row(&store, 2).await;
    let ending = service.complete(claim, &answer("done")).await.unwrap();
    assert_eq!(ending, Ending::Done);
}

pub(crate) async fn a_reclaim_whose_reply_is_lost_is_the_callers(store: TestStore) {
    lose_a_reclaim(store, Lost::Reply).await;
}

pub(crate) async fn a_reclaim_whose_request_is_lost_is_asked_again(store: TestStore) {
    lose_a_reclaim(store, Lost::Request).await;
}

async fn lose_a_take_over(store: TestStore, lost: Lost) {
    let (proxy, _, service) = plane(&store).await;
    abandon(&service, &marked_request(1)).await;
    store.age_all(PAST_LEASE).await;
    let other = marked_request(2);
    let ClaimOutcome::Conflict(conflict) = service.claim(&other, LEASE).await.unwrap() else {
        panic!("other content under the same key is a conflict");
    };
    lost.arm(&proxy, sql!("take_over"));
    let taken = service.claim_over(&other, conflict, LEASE).await.unwrap();
    assert_eq!(proxy.cuts(), 1);
    let ClaimOutcome::Claimed(claim) = taken else {
        panic!("the row was taken over by this call: {taken:?}");
    };
    let ending = service.complete(claim, &answer("done")).await.unwrap();
    assert_eq!(ending, Ending::Done);
    assert_one_row(&store, 1).await;
}

pub(crate) async fn a_take_over_whose_reply_is_lost_is_the_callers(store: TestStore) {
    lose_a_take_over(store, Lost::Reply).await;
}

pub(crate) async fn a_take_over_whose_request_is_lost_is_asked_again(store: TestStore) {
    lose_a_take_over(store, Lost::Request).await;
}

async fn lose_a_completion(store: TestStore, lost: Lost) {
    let (proxy, _, service) = plane(&store).await;
    let claim = claim(&service, &request(1)).await;
    lost.arm(&proxy, sql!("complete"));
    let ending = service.complete(claim, &answer("done")).await.unwrap();
    assert_eq!((proxy.cuts(), ending), (1, Ending::Done));
    let ReadOutcome::Completed(stored) = service.read(&request(1)).await.unwrap() else {
        panic!("a completion that was done is read");
    };
    let bytes = stored.response.expect("the response").bytes;
    assert_eq!(&*bytes, br#"{"ok":"done"}"#);
}

/// C25, complete: zero rows and the own token on a completed row are no lost fence.
pub(crate) async fn a_completion_whose_reply_is_lost_is_done(store: TestStore) {
    lose_a_completion(store, Lost::Reply).await;
}

pub(crate) async fn a_completion_whose_request_is_lost_is_asked_again(store: TestStore) {
    lose_a_completion(store, Lost::Request).await;
}

async fn lose_a_release(store: TestStore, lost: Lost) {
    let (proxy, _, service) = plane(&store).await;
    let claim = claim(&service, &request(1)).await;
    lost.arm(&proxy, sql!("release"));
    let ending = service.release(claim).await.unwrap();
    assert_eq!((proxy.cuts(), ending), (1, Ending::Done));
    assert_eq!(store.count_rows("idempotency_keys").await, 0);
}

/// C25, release: gone, and that is fine.
pub(crate) async fn a_release_whose_reply_is_lost_is_done(store: TestStore) {
    lose_a_release(store, Lost::Reply).await;
}

pub(crate) async fn a_release_whose_request_is_lost_is_asked_again(store: TestStore) {
    lose_a_release(store, Lost::Request).await;
}

async fn lose_a_mark(store: TestStore, lost: Lost) {
    let (proxy, _, service) = plane(&store).await;
    let claim = claim(&service, &marked_request(1)).await;
    lost.arm(&proxy, sql!("mark_dispatched"));
    let left = service.mark_dispatched(&claim.fence()).await.unwrap();
    assert!(left.is_some_and(|left| !left.is_zero()), "the fence holds");
    assert_eq!(proxy.cuts(), 1);
    let marked = "SELECT count(*) FROM agent.idempotency_keys WHERE dispatched_at IS NOT NULL";
    assert_eq!(store.number(marked, "").await, 1);
    let ending = service.complete(claim, &answer("done")).await.unwrap();
    assert_eq!(ending, Ending::Done);
}

pub(crate) async fn a_mark_whose_reply_is_lost_is_written(store: TestStore) {
    lose_a_mark(store, Lost::Reply).await;
}

pub(crate) async fn a_mark_whose_request_is_lost_is_asked_again(store: TestStore) {
    lose_a_mark(store, Lost::Request).await;
}

async fn lose_a_record(store: TestStore, lost: Lost) {
    let (proxy, _, service) = plane(&store).await;
    lost.arm(&proxy, sql!("record"));
    let recorded = service.record(&request(1), &answer("seen")).await.unwrap();
    assert!(
        matches!(recorded, RecordOutcome::Recorded(_)),
        "it is this caller's own answer: {recorded:?}"
    );
    assert_eq!(proxy.cuts(), 1);
    assert_one_row(&store, 1).await;
}

pub(crate) async fn a_record_whose_reply_is_lost_is_this_callers(store: TestStore) {
    lose_a_record(store, Lost::Reply).await;
}

pub(crate) async fn a_record_whose_request_is_lost_is_asked_again(store: TestStore) {
    lose_a_record(store, Lost::Request).await;
}

pub(crate) async fn a_read_whose_reply_is_lost_is_asked_again(store: TestStore) {
    let (proxy, _, service) = plane(&store).await;
    Lost::Reply.arm(&proxy, sql!("get"));
    let read = service.read(&request(1)).await.unwrap();
    assert!(matches!(read, ReadOutcome::Absent));
    assert_eq!(proxy.cuts(), 1);
}
