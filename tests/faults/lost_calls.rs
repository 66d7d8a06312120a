//! Lost acknowledgements under a whole tool call (R11, R34; C25, P19): the vendor, which heeds no keys
//! here, is asked once, and the caller gets its answer without waiting for a lease.

use idem_tests::TestStore;
use idem_tests::proxy::Proxy;
use idem_tests::vendor::{Behaviour, Keys, Vendor};
use idem_tools::ErrorClass;

use crate::agent::Agent;
use crate::lost_replies::{Lost, sql};
use crate::plane::PAST_LEASE;

/// Every statement that a call of a tool that marks its dispatch makes.
const STATEMENTS: [(&str, &str); 5] = [
    ("turn_age", sql!("turn_age")),
    ("begin_turn", sql!("begin_turn")),
    ("try_claim", sql!("try_claim")),
    ("mark_dispatched", sql!("mark_dispatched")),
    ("complete", sql!("complete")),
];

async fn lose_each(store: TestStore, lost: Lost) {
    for (name, statement) in STATEMENTS {
        store
            .execute("DROP SCHEMA IF EXISTS agent CASCADE", "")
            .await;
        let vendor = Vendor::start(Keys::Ignored).await;
        let proxy = Proxy::start(&store.url).await;
        let agent = Agent::open(proxy.url(), &vendor).await;
        lost.arm(&proxy, statement);
        let replayed = agent.call_ok("marked", "a").await;
        assert_eq!((name, proxy.cuts()), (name, 1));
        assert!(!replayed, "{name}: this very call executed");
        assert!(agent.call_ok("marked", "a").await, "{name}: it is stored");
        assert_eq!((name, vendor.book().requests), (name, 1));
        assert_eq!(store.count_rows("idempotency_keys").await, 1, "{name}");
        assert_eq!(store.count_rows("turns").await, 1, "{name}");
    }
}

pub(crate) async fn a_call_sends_once_whichever_reply_is_lost(store: TestStore) {
    lose_each(store, Lost::Reply).await;
}

pub(crate) async fn a_call_sends_once_whichever_request_is_lost(store: TestStore) {
    lose_each(store, Lost::Request).await;
}

/// R27: a read takes no claim; its own recorded row is no rival's.
pub(crate) async fn a_read_is_recorded_once_whichever_reply_is_lost(store: TestStore) {
    for statement in [sql!("get"), sql!("record")] {
        store
            .execute("DROP SCHEMA IF EXISTS agent CASCADE", "")
            .await;
        let vendor = Vendor::start(Keys::Ignored).await;
        let proxy = Proxy::start(&store.url).await;
        let agent = Agent::open(proxy.url(), &vendor).await;
        Lost::Reply.arm(&proxy, statement);
        assert!(!agent.call_ok("read", "a").await);
        assert_eq!(proxy.cuts(), 1);
        assert!(agent.call_ok("read", "a").await, "it is recorded");
        assert_eq!(vendor.book().requests, 1);
        assert_eq!(store.count_rows("idempotency_keys").await, 1);
    }
}

/// R13: the vendor refused before doing anything, and the row goes although nobody heard so.
pub(crate) async fn a_release_whose_reply_is_lost_lets_the_next_attempt_send(store: TestStore) {
    let vendor = Vendor::start(Keys::Ignored).await;
    let proxy = Proxy::start(&store.url).await;
    let agent = Agent::open(proxy.url(), &vendor).await;
    vendor.script([Behaviour::Status {
        code: 429,
        effect: false,
    }]);
    Lost::Reply.arm(&proxy, sql!("release"));
    let busy = agent.call("once", "a").await.unwrap();
    let failure = busy.failure().expect("the vendor was busy");
    assert!(failure.retryable, "{:?}: {failure}", ErrorClass::NoEffect);
    assert_eq!(proxy.cuts(), 1);
    assert_eq!(store.count_rows("idempotency_keys").await, 0);
    assert!(!agent.call_ok("once", "a").await);
    let book = vendor.book();
    assert_eq!((book.requests, book.effects), (2, 1));
}

/// The owner's body was slow and its lease passed; whoever takes over does not meet itself.
pub(crate) async fn a_takeover_whose_reply_is_lost_sends_once(store: TestStore) {
    let vendor = Vendor::start(Keys::Kept).await;
    let proxy = Proxy::start(&store.url).await;
    let agent = Agent::open(proxy.url(), &vendor).await;
    vendor.script([Behaviour::DropReplyAfterEffect]);
    agent
        .call("keyed", "a")
        .await
        .expect_err("nobody knows what became of it");
    store.age_all(PAST_LEASE + PAST_LEASE).await;
    Lost::Reply.arm(&proxy, sql!("reclaim"));
    assert!(!agent.call_ok("keyed", "a").await);
    assert_eq!(proxy.cuts(), 1);
    let book = vendor.book();
    assert_eq!((book.requests, book.distinct_keys, book.effects), (2, 1, 1));
}
