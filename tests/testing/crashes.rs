//! Workers that vanish where a test wants it.

use idem_tests::TestStore;
use idem_tools::testing::{CrashPoint, Keys, TestStore as UsersStore, Vendor, Worker};
use idem_tools::{Answered, CallError};

use crate::parts::{answered, equip, proposed, users_store};

/// A worker makes a call, and vanishes where it is held.
async fn vanish_at(point: CrashPoint, tool: &str, own: &UsersStore, vendor: &Vendor) {
    let worker = Worker::start_stopping_at(point, own, equip(vendor)).await;
    worker.turn(1).begin(vec![proposed(tool)]);
    worker.reached().await;
    worker.vanish();
}

/// What the next worker is told, of the same call.
async fn next(tool: &str, own: &UsersStore, vendor: &Vendor) -> Answered {
    let worker = Worker::start(own, equip(vendor)).await;
    answered(worker.turn(1).call(proposed(tool)).await)
}

/// R32: the claim alone says that the effect may have begun, so an at-most-once call is not sent; a keyed one is.
pub(crate) async fn before_the_wire_nothing_was_sent(store: TestStore) {
    for (tool, effects) in [("send", 0), ("send_keyed", 1)] {
        let vendor = Vendor::start(Keys::Kept).await;
        let own = users_store(&store);
        vanish_at(CrashPoint::BeforeWire, tool, &own, &vendor).await;
        assert_eq!(vendor.book().requests, 0, "{tool}");
        own.leases_pass().await;
        let told = next(tool, &own, &vendor).await;
        assert_eq!(told.attempt, 2, "{tool}");
        assert_eq!(told.result.is_ok(), effects == 1, "{tool}");
        assert_eq!(vendor.book().effects, effects, "{tool}");
    }
}

/// R32: the effect is made once, whatever the class; only the keyed call learns what came of it.
pub(crate) async fn after_the_wire_the_effect_is_there_and_its_answer_is_not(store: TestStore) {
    for (tool, requests) in [("send", 1), ("send_keyed", 2)] {
        let vendor = Vendor::start(Keys::Kept).await;
        let own = users_store(&store);
        vanish_at(CrashPoint::AfterWire, tool, &own, &vendor).await;
        assert_eq!(vendor.book().effects, 1, "{tool}");
        own.leases_pass().await;
        let told = next(tool, &own, &vendor).await;
        assert_eq!(told.result.is_ok(), requests == 2, "{tool}");
        let book = vendor.book();
        assert_eq!((book.requests, book.effects), (requests, 1), "{tool}");
    }
}

/// R7: what is written down needs nobody to have heard of it.
pub(crate) async fn after_the_ending_the_answer_is_there_and_nobody_has_heard(store: TestStore) {
    let vendor = Vendor::start(Keys::Ignored).await;
    let own = users_store(&store);
    vanish_at(CrashPoint::AfterEnding, "send", &own, &vendor).await;
    let told = next("send", &own, &vendor).await;
    assert!(told.replayed && told.result.is_ok());
    assert_eq!((vendor.book().requests, told.attempt), (1, 1));
}

/// R27: a read leaves nothing behind before its answer is recorded.
pub(crate) async fn a_read_is_held_at_each_point_too(store: TestStore) {
    let vendor = Vendor::start(Keys::Ignored).await;
    for (point, replayed) in [
        (CrashPoint::BeforeWire, false),
        (CrashPoint::AfterWire, false),
        (CrashPoint::AfterEnding, true),
    ] {
        let own = users_store(&store);
        vanish_at(point, "look", &own, &vendor).await;
        let seen = next("look", &own, &vendor).await;
        assert_eq!(seen.replayed, replayed, "{point:?}");
    }
}

/// R7, R33: a worker that was only slow has lost its claim to the one that took it over.
pub(crate) async fn a_worker_that_only_stalled_goes_on_and_is_given_the_journals_answer(
    store: TestStore,
) {
    let vendor = Vendor::start(Keys::Kept).await;
    let own = users_store(&store);
    let slow = Worker::start_stopping_at(CrashPoint::AfterWire, &own, equip(&vendor)).await;
    let turn = slow.turn(1);
    let stalled = tokio::spawn(async move { turn.call(proposed("send_keyed")).await });
    slow.reached().await;
    own.leases_pass().await;
    let sent = next("send_keyed", &own, &vendor).await;
    assert_eq!((sent.attempt, sent.replayed), (2, false));
    slow.go_on();
    let late = answered(stalled.await.expect("a task that ends"));
    assert!(late.replayed);
    assert_eq!((late.attempt, late.result), (2, sent.result));
    assert_eq!(vendor.book().effects, 1);
}

/// R34: the calls of a response run side by side, and a crash ends them all.
pub(crate) async fn a_worker_that_vanishes_takes_every_call_under_way_with_it(store: TestStore) {
    let vendor = Vendor::start(Keys::Kept).await;
    let own = users_store(&store);
    let worker = Worker::start_stopping_at(CrashPoint::AfterWire, &own, equip(&vendor)).await;
    let turn = worker.turn(1);
    turn.begin(vec![proposed("send"), proposed("send_keyed")]);
    vendor.wait_for_effects(2).await;
    worker.vanish();
    let next = Worker::start(&own, equip(&vendor)).await;
    for tool in ["send", "send_keyed"] {
        let waits = next.turn(1).call(proposed(tool)).await;
        assert!(
            matches!(waits, Err(CallError::ClaimInFlight { .. })),
            "{tool}"
        );
    }
    assert_eq!(own.leases_pass().await, 2);
    let calls = vec![proposed("send"), proposed("send_keyed")];
    let told: Vec<_> = next.turn(1).call_all(calls).await;
    let told: Vec<_> = told.into_iter().map(answered).collect();
    assert!(told[0].result.is_err() && told[1].result.is_ok());
    assert_eq!(vendor.book().effects, 2);
}
