//! Many callers in many processes, one key (R3, R31; contract 1 and 12; C57b): one owns it, the others
//! are told to come back, and the store's own busyness reaches nobody.

use idem_tests::TestStore;
use idem_tests::vendor::{Behaviour, Gate, Keys, Vendor};

use crate::killed::order;
use crate::order::{Event, Job, Order};
use crate::worker::Worker;

/// So many processes make the order's call at once. The vendor holds the owner's request back until
/// every other caller has its answer, so that no caller comes too late to compete.
async fn race(vendor: &Vendor, order: &Order, processes: usize) {
    let gate = Gate::new();
    vendor.script([Behaviour::Slow(gate.clone())]);
    let mut workers = Vec::new();
    for _ in 0..processes {
        workers.push(Worker::ready(order).await);
    }
    for worker in &mut workers {
        worker.go().await;
    }
    let (sender, mut events) = tokio::sync::mpsc::unbounded_channel();
    for mut worker in workers {
        let sender = sender.clone();
        tokio::spawn(async move {
            while let Some(event) = worker.event().await {
                sender.send(event).unwrap();
            }
        });
    }
    drop(sender);
    for _ in 1..processes * order.callers {
        let told = events.recv().await;
        assert_eq!(told, Some(Event::InFlight), "the owner is at work");
    }
    vendor.wait_for_requests(1).await;
    gate.open();
    let owner = events.recv().await;
    let executed = matches!(
        &owner,
        Some(Event::Settled {
            code: None,
            replayed: false,
            attempt: 1,
            ..
        })
    );
    assert!(executed, "the owner has its answer: {owner:?}");
    assert_eq!(events.recv().await, None, "everybody was told one thing");
}

pub(crate) async fn twenty_callers_in_four_processes_make_one_effect(store: TestStore) {
    let vendor = Vendor::start(Keys::Ignored).await;
    for (effects, tool) in (1..).zip(["once", "keyed", "marked"]) {
        let order = Order {
            callers: 5,
            ..order(&store, &vendor, tool)
        };
        race(&vendor, &order, 4).await;
        let book = vendor.book();
        assert_eq!((book.requests, book.effects), (effects, effects), "{tool}");
    }
    assert_eq!(store.count_rows("idempotency_keys").await, 3);
}

/// C57(b): on SQLite every writer waits for every other, and none is told "database is locked".
pub(crate) async fn one_caller_owns_the_key_while_another_process_writes(store: TestStore) {
    let vendor = Vendor::start(Keys::Ignored).await;
    let writing = Order {
        job: Job::Write,
        ..order(&store, &vendor, "once")
    };
    let mut writer = Worker::ready(&writing).await;
    for (effects, what) in (1..).zip(["a", "b", "c"]) {
        let order = Order {
            callers: 20,
            what: what.to_owned(),
            ..order(&store, &vendor, "once")
        };
        race(&vendor, &order, 2).await;
        assert_eq!(vendor.book().effects, effects);
    }
    writer.go().await;
    let wrote = writer.rest().await;
    assert!(
        matches!(wrote[..], [Event::Wrote(rows)] if rows > 0),
        "the other process wrote all the while: {wrote:?}"
    );
}
