//! What the processes say to one another: an order on a worker's standard input, events on its standard output.

use std::fmt;
use std::io::Write;

use serde::{Deserialize, Serialize};

use crate::conversation::ToolCall;

/// The two effects of the story.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Kind {
    Reminder,
    Email,
}

impl Kind {
    pub(crate) const fn word(self) -> &'static str {
        match self {
            Self::Reminder => "reminder",
            Self::Email => "email",
        }
    }

    /// Where the vendor takes it.
    pub(crate) const fn path(self) -> &'static str {
        match self {
            Self::Reminder => "/reminders",
            Self::Email => "/emails",
        }
    }
}

/// A moment of one call at which a worker can be killed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Moment {
    /// The worker owns the call and has sent nothing.
    BeforeWire,
    /// The vendor took the request and the connection closed without an answer.
    ReplyLost,
    /// The vendor answered and the worker has recorded nothing.
    AfterWire,
}

/// A named point: `email.before_wire`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Point {
    pub(crate) kind: Kind,
    pub(crate) moment: Moment,
}

impl fmt::Display for Point {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let moment = match self.moment {
            Moment::BeforeWire => "before_wire",
            Moment::ReplyLost => "reply_lost",
            Moment::AfterWire => "after_wire",
        };
        write!(f, "{}.{moment}", self.kind.word())
    }
}

/// How a worker executes what the model proposes.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Mode {
    /// Plain HTTP calls: no claim, no key.
    Plain,
    /// Through Idem, with its store at this URL.
    Idem { store: String },
}

/// What one worker has to do. It goes through a pipe and not through arguments: a store's URL may hold a password.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Order {
    pub(crate) mode: Mode,
    pub(crate) vendor: String,
    pub(crate) organization: String,
    pub(crate) run: String,
    pub(crate) turns: Vec<u32>,
    pub(crate) sample: usize,
    /// The point at which the worker says where it is and waits to be killed.
    pub(crate) stop_at: Option<Point>,
}

/// What a worker tells, one JSON object per line.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Event {
    /// The model proposes a call.
    Proposed {
        call_id: String,
        tool: String,
        arguments: String,
    },
    /// Another worker's lease still runs.
    Waiting { for_ms: u64 },
    /// A request goes to the vendor, with its idempotency key if it has one.
    Sending { kind: Kind, key: Option<String> },
    /// The connection closed without an answer.
    ReplyLost { why: String },
    /// The vendor answered from its key store, without a second effect.
    VendorRepeated,
    /// The worker is at the point where it was told to stop.
    At { point: Point },
    /// The call has an answer.
    Settled { answer: String, replayed: bool },
    /// The order is done; what the worker counted.
    Done { counters: Counters },
    /// The order cannot be done.
    Failed { why: String },
}

impl Event {
    pub(crate) fn proposed(call: &ToolCall) -> Self {
        Self::Proposed {
            call_id: call.id.clone(),
            tool: call.function.name.clone(),
            arguments: call.function.arguments.clone(),
        }
    }
}

/// The duplicates that did not happen.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Counters {
    /// Answers that came from the journal.
    pub(crate) replayed: u32,
    /// Repeats that the vendor recognised by their key.
    pub(crate) vendor_repeats: u32,
}

impl Counters {
    pub(crate) const fn prevented(self) -> u32 {
        self.replayed + self.vendor_repeats
    }

    pub(crate) const fn add(&mut self, other: Self) {
        self.replayed += other.replayed;
        self.vendor_repeats += other.vendor_repeats;
    }
}

/// Says one event on standard output.
pub(crate) fn announce(event: &Event) {
    if let Ok(line) = serde_json::to_string(event) {
        let mut out = std::io::stdout().lock();
        // A closed pipe means that the parent is gone; the watch on standard input ends this process then.
        let _ = writeln!(out, "{line}").and_then(|()| out.flush());
    }
}
