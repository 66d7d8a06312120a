//! A store of the test's own, in which time passes.

use std::time::Duration;

use idem_core::postgres::testing::OwnDatabase;
use idem_tests::{StoreKind, TestStore};
use idem_tools::testing::{CrashPoint, Keys, Vendor, Worker};
use idem_tools::{CallError, Checkpoint, Decision, Settled};

use crate::parts::{Sent, answered, equip, message, proposed, users_store};

const DAY: Duration = Duration::from_secs(24 * 60 * 60);

/// The message with which the work panics.
async fn panics(work: impl Future<Output = ()> + Send + 'static) -> String {
    let panicked = tokio::spawn(work).await.expect_err("a panic");
    message(&*panicked.into_panic())
}

/// A store is the test's own, and nothing of it stays.
pub(crate) async fn every_store_is_fresh_and_gone_with_its_test(store: TestStore) {
    let vendor = Vendor::start(Keys::Ignored).await;
    let url = {
        let (one, other) = (users_store(&store), users_store(&store));
        assert_ne!(one.url(), other.url());
        for own in [&one, &other] {
            let worker = Worker::start(own, equip(&vendor)).await;
            let sent = answered(worker.turn(1).call(proposed("send")).await);
            assert!(!sent.replayed, "a fresh store has no answers");
            let reopened = equip(&vendor)(own.open().await).build().expect("tools");
            let actor = reopened.organization(worker.organization());
            let actor = actor.principal("tester").expect("a principal");
            let turn = actor.run("run-1").expect("a run").turn(1);
            assert!(answered(turn.call(proposed("send")).await).replayed);
        }
        one.url().to_owned()
    };
    assert_eq!(vendor.book().effects, 2);
    if let Some(file) = url.strip_prefix("sqlite://") {
        let folder = std::path::Path::new(file).parent().expect("a folder");
        assert!(!folder.exists());
    } else {
        let name = url.rsplit('/').next().expect("a name");
        let name = name.split('?').next().expect("a name");
        let left = format!("SELECT count(*) FROM pg_database WHERE datname = '{name}'");
        assert_eq!(store.number(&left, "").await, 0);
    }
}

/// R9, R32: only the lease passes, by the store's clock, and not the day for which the vendor keeps the key.
pub(crate) async fn a_passed_lease_lets_the_next_worker_in_and_leaves_the_vendors_window_open(
    store: TestStore,
) {
    let vendor = Vendor::start(Keys::Kept).await;
    let own = users_store(&store);
    let dies = Worker::start_stopping_at(CrashPoint::AfterWire, &own, equip(&vendor)).await;
    dies.turn(1).begin(vec![proposed("send_keyed")]);
    dies.reached().await;
    dies.vanish();
    let next = Worker::start(&own, equip(&vendor)).await;
    let waits = next.turn(1).call(proposed("send_keyed")).await;
    assert!(matches!(waits, Err(CallError::ClaimInFlight { .. })));
    assert_eq!(own.leases_pass().await, 1);
    let sent = answered(next.turn(1).call(proposed("send_keyed")).await);
    assert_eq!(sent.decode::<Sent>().expect("sent").id, "effect-1");
    assert_eq!(sent.attempt, 2);
    assert_eq!((vendor.book().requests, vendor.book().effects), (2, 1));
}

/// A test in which nothing passes proves nothing.
pub(crate) async fn leases_do_not_pass_where_nobody_holds_one(store: TestStore) {
    let own = users_store(&store);
    drop(own.open().await);
    let complaint = panics(async move {
        let _ = own.leases_pass().await;
    })
    .await;
    assert!(complaint.contains("no key is held"), "{complaint}");
}

/// A lease that passed once is nobody's any more: counted again, it would hide that nothing is held.
pub(crate) async fn a_lease_that_passed_already_does_not_pass_again(store: TestStore) {
    let vendor = Vendor::start(Keys::Kept).await;
    let own = users_store(&store);
    for (tool, alive) in [("send", 1), ("send_keyed", 1)] {
        let dies = Worker::start_stopping_at(CrashPoint::BeforeWire, &own, equip(&vendor)).await;
        dies.turn(1).begin(vec![proposed(tool)]);
        dies.reached().await;
        dies.vanish();
        assert_eq!(own.leases_pass().await, alive, "{tool}");
    }
    let complaint = panics(async move {
        let _ = own.leases_pass().await;
    })
    .await;
    assert!(complaint.contains("no key is held"), "{complaint}");
}

/// The reply to its making may be lost: asked again, there is one database, and none stays behind. A file needs no making.
pub(crate) async fn a_database_may_be_made_again_under_its_name(store: TestStore) {
    if store.kind == StoreKind::Sqlite {
        return;
    }
    let own = OwnDatabase::on(&store.url);
    own.make().await.expect("a database whose reply is lost");
    own.make().await.expect("the same, asked for again");
    let name = own.name();
    let named = format!("SELECT count(*) FROM pg_database WHERE datname = '{name}'");
    assert_eq!(store.number(&named, "").await, 1);
    own.remove().await.expect("removed");
    assert_eq!(store.number(&named, "").await, 0);
}

/// R16: with everything a month older, an answer is forgotten and a turn is not replayed.
pub(crate) async fn everything_grows_old_together(store: TestStore) {
    let vendor = Vendor::start(Keys::Kept).await;
    let own = users_store(&store);
    let worker = Worker::start(&own, equip(&vendor)).await;
    answered(worker.turn(1).call(proposed("send")).await);
    assert_eq!(own.age_everything(29 * DAY).await, 2, "a key and its turn");
    let again = Worker::start(&own, equip(&vendor)).await;
    assert!(answered(again.turn(1).call(proposed("send")).await).replayed);
    own.age_everything(DAY).await;
    let late = Worker::start(&own, equip(&vendor)).await;
    let refused = late.turn(1).call(proposed("send")).await;
    assert!(matches!(refused, Err(CallError::TurnTooOld { .. })));
    assert_eq!(vendor.book().effects, 1);
}

/// R42: nobody decides on a card for ever.
pub(crate) async fn a_yes_grows_old(store: TestStore) {
    let vendor = Vendor::start(Keys::Kept).await;
    let own = users_store(&store);
    let tools = equip(&vendor);
    let asks = move |builder| {
        tools(builder).policy(|_: &Checkpoint<'_>| Decision::ask("every letter is read first"))
    };
    let worker = Worker::start(&own, asks).await;
    let asked = worker.turn(1).call(proposed("send")).await;
    assert!(matches!(asked, Ok(Settled::Waiting(_))));
    assert_eq!(own.age_approvals(300 * DAY).await, 1);
    let late = answered(worker.turn(1).call(proposed("send")).await);
    let failure = late.failure().expect("nobody decided in time");
    assert_eq!(failure.code, "approval_expired");
    assert_eq!(vendor.book().effects, 0);
}

/// R49: a turn is not replayed once its answers may be forgotten.
pub(crate) async fn a_turn_grows_too_old_to_replay(store: TestStore) {
    let vendor = Vendor::start(Keys::Kept).await;
    let own = users_store(&store);
    let worker = Worker::start(&own, equip(&vendor)).await;
    let turn = worker.turn(1);
    answered(turn.call(proposed("send")).await);
    assert_eq!(own.age_turns(30 * DAY).await, 1);
    let late = worker.turn(1).call(proposed("send_keyed")).await;
    assert!(matches!(late, Err(CallError::TurnTooOld { .. })));
    assert_eq!(vendor.book().effects, 1);
}
