//! A process that is killed while it drains (R34): its call was on the wire, and it is taken over by its
//! class like that of any other dead worker. Waiting for a signal to drain is the application's.

use idem_tests::TestStore;
use idem_tests::vendor::{Behaviour, Gate, Keys, Vendor};
use idem_tools::codes;

use crate::killed::{PAST_LEASE, order, run};
use crate::order::{Event, Job};
use crate::worker::Worker;

/// The vendor has the request and does its work when the gate opens; the process drains and dies.
async fn die_while_draining(store: &TestStore, vendor: &Vendor, tool: &str) -> Event {
    let gate = Gate::new();
    vendor.script([Behaviour::Slow(gate.clone())]);
    let mut order = order(store, vendor, tool);
    order.job = Job::Drain;
    let mut worker = Worker::ready(&order).await;
    worker.go().await;
    vendor.wait_for_requests(1).await;
    worker.go().await;
    assert_eq!(worker.event().await, Some(Event::Draining), "no new calls");
    worker.kill().await;
    gate.open();
    vendor.wait_for_effects(1).await;
    order.job = Job::Call;
    assert_eq!(run(&order).await, Event::InFlight);
    store.age_all(PAST_LEASE).await;
    run(&order).await
}

pub(crate) async fn a_keyed_call_whose_process_dies_while_draining_is_sent_again_under_its_key(
    store: TestStore,
) {
    let vendor = Vendor::start(Keys::Kept).await;
    let event = die_while_draining(&store, &vendor, "keyed").await;
    let Event::Settled { code, attempt, .. } = event else {
        panic!("the call has an answer: {event:?}");
    };
    assert_eq!((code, attempt), (None, 2));
    let book = vendor.book();
    assert_eq!((book.requests, book.distinct_keys, book.effects), (2, 1, 1));
}

pub(crate) async fn a_call_whose_process_dies_while_draining_is_not_sent_again(store: TestStore) {
    let vendor = Vendor::start(Keys::Ignored).await;
    let event = die_while_draining(&store, &vendor, "once").await;
    let Event::Settled { code, .. } = event else {
        panic!("the call has an answer: {event:?}");
    };
    assert_eq!(code.as_deref(), Some(codes::OUTCOME_UNKNOWN));
    assert_eq!(vendor.book().requests, 1);
}
