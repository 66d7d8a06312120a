//! A worker dies at a named point by SIGKILL and another takes its call over: what the table class by
//! point needs (R14, R27, R30, R32; contract 10 and 20).

use std::time::Duration;

use idem_tests::TestStore;
use idem_tests::vendor::{Keys, Vendor};
use idem_tools::codes;

use crate::order::{Event, Job, Order, Point};
use crate::worker::Worker;

/// Longer than the lease of the worker's tools, their timeout and the margin.
pub(crate) const PAST_LEASE: Duration = Duration::from_secs(71);

/// What came of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Aftermath {
    /// Requests that the vendor saw.
    pub(crate) requests: usize,
    /// Effects that it made.
    pub(crate) effects: usize,
    /// What the worker that came after was told.
    pub(crate) told: Told,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Told {
    /// The vendor's answer, from the execution of the attempt of this number.
    Executed { attempt: u32 },
    /// The vendor's answer, from the journal.
    Replayed,
    /// Nobody can know, and it was not sent again.
    Unknown,
}

/// An order for one call.
pub(crate) fn order(store: &TestStore, vendor: &Vendor, tool: &str) -> Order {
    Order {
        job: Job::Call,
        store: store.url.clone(),
        vendor: vendor.effects_url(),
        tool: tool.to_owned(),
        what: "a letter".to_owned(),
        callers: 1,
        stop_at: None,
    }
}

/// Runs an order of one caller to its end; what it told.
pub(crate) async fn run(order: &Order) -> Event {
    let mut worker = Worker::ready(order).await;
    worker.go().await;
    let mut events = worker.rest().await;
    assert_eq!(events.len(), 1, "one caller is told one thing: {events:?}");
    events.remove(0)
}

fn told(event: &Event) -> Told {
    let Event::Settled {
        code,
        replayed,
        attempt,
        ..
    } = event
    else {
        panic!("the call has an answer: {event:?}");
    };
    match (code.as_deref(), replayed) {
        (None, true) => Told::Replayed,
        (None, false) => Told::Executed { attempt: *attempt },
        (Some(codes::OUTCOME_UNKNOWN), _) => Told::Unknown,
        (Some(other), _) => panic!("the call failed with {other}"),
    }
}

fn text(event: &Event) -> Option<&str> {
    match event {
        Event::Settled { text, .. } => Some(text),
        _ => None,
    }
}

/// Kills a worker at a point, lets another have the call before and after the lease, and a third one
/// replay it.
pub(crate) async fn kill_at(store: &TestStore, tool: &str, keys: Keys, point: Point) -> Aftermath {
    let vendor = Vendor::start(keys).await;
    let mut order = order(store, &vendor, tool);
    order.stop_at = Some(point);
    Worker::ready(&order).await.die_at(point).await;
    order.stop_at = None;
    if tool != "read" && point != Point::Ended {
        // R11 of the contract: the dead owner's lease still runs, and nobody can know that it is dead.
        assert_eq!(run(&order).await, Event::InFlight);
    }
    store.age_all(PAST_LEASE).await;
    let next = run(&order).await;
    let last = run(&order).await;
    assert!(
        matches!(&last, Event::Settled { replayed: true, .. }),
        "{last:?}"
    );
    assert_eq!(text(&last), text(&next), "a replay gives the same answer");
    let book = vendor.book();
    assert!(
        book.distinct_keys <= 1,
        "one key on every attempt: {book:?}"
    );
    Aftermath {
        requests: book.requests,
        effects: book.effects,
        told: told(&next),
    }
}
