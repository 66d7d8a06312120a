//! What a test and its workers say to each other, a line of JSON each. The worker program includes
//! this file too.

use serde::{Deserialize, Serialize};

/// What a worker is to do. It is the first line on its standard input.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Order {
    pub(crate) job: Job,
    /// The store's URL.
    pub(crate) store: String,
    /// Where effects are asked for.
    pub(crate) vendor: String,
    pub(crate) tool: String,
    pub(crate) what: String,
    /// How many callers make the one call side by side.
    pub(crate) callers: usize,
    /// Where the worker stops, to be killed.
    pub(crate) stop_at: Option<Point>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Job {
    /// Opens the store, makes the call and tells what each caller got.
    Call,
    /// As [`Job::Call`]; at the second line it drains, and tries one more call.
    Drain,
    /// Opens the store, and says when it is open.
    Open,
    /// Writes to a table of its own in the same database until the next line.
    Write,
}

/// Where a worker can die.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Point {
    /// The body runs; nothing is on the wire.
    BeforeWire,
    /// The body has marked its dispatch; nothing is on the wire.
    Marked,
    /// The vendor has answered.
    Sent,
    /// The body has ended; its answer is not stored.
    BeforeEnding,
    /// The answer is stored; nobody was told.
    Ended,
}

/// What a worker tells.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Event {
    /// It is ready and waits for a line.
    Ready,
    /// It stands at its point and waits for its end.
    At(Point),
    /// A caller has its answer: the text for the model, and the code where it is a failure.
    Settled {
        text: String,
        code: Option<String>,
        replayed: bool,
        attempt: u32,
    },
    /// A caller was told to come back.
    InFlight,
    /// A caller was refused because the worker drains.
    Draining,
    /// The store is open.
    Opened,
    /// How many rows were written.
    Wrote(u64),
    /// Something that no case expects.
    Failed(String),
}
