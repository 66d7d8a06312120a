//! What the processes say to one another: an order on a process's standard input, events on its standard output.

use std::fmt;
use std::io::Write;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::Outcome;
use crate::conversation::ToolCall;

/// A moment of one call at which a worker can be killed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Point {
    /// The row of the reminder is written, and its transaction is open.
    ReminderBeforeCommit,
    /// The transaction is committed, and nobody has been told.
    ReminderAfterCommit,
    /// The worker owns the e-mail and has sent nothing.
    EmailBeforeWire,
    /// The mail service took the e-mail, and the connection closed without an answer.
    EmailReplyLost,
}

impl fmt::Display for Point {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::ReminderBeforeCommit => "reminder.before_commit",
            Self::ReminderAfterCommit => "reminder.after_commit",
            Self::EmailBeforeWire => "email.before_wire",
            Self::EmailReplyLost => "email.reply_lost",
        })
    }
}

/// How a worker executes what the model proposes.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Mode {
    /// Plain statements and HTTP calls: no claim, no key. The application's database is a SQLite file at this URL.
    Plain { database: String },
    /// Through Idem, with its store at this URL. The application's table is in the same database.
    Idem { store: String },
}

impl Mode {
    /// Where the application's table is.
    pub(crate) fn database(&self) -> &str {
        match self {
            Self::Plain { database } => database,
            Self::Idem { store } => store,
        }
    }
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

/// What the approver is given: no call, no key, no card.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct ApproverOrder {
    pub(crate) store: String,
    pub(crate) organization: String,
}

/// What a worker or the approver tells, one JSON object per line.
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
    LeaseRuns { for_ms: u64 },
    /// The reminder's row is written, and not committed.
    RowWritten,
    /// It is committed; with Idem, together with the call's answer.
    Committed { with_answer: bool },
    /// A person is asked. The worker ends, and this is the card.
    Waits { card: String },
    /// What a command of the approver's said.
    Commanded { command: String, text: String },
    /// The approver said yes to this card.
    Approved { card: String },
    /// A request goes to the vendor, with its idempotency key if it has one.
    Sending { key: Option<String> },
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

/// Reads an order from standard input, and leaves the rest of it to the watch on the parent.
pub(crate) fn read_order<Order: DeserializeOwned>() -> Outcome<Order> {
    let mut line = String::new();
    std::io::stdin().read_line(&mut line)?;
    Ok(serde_json::from_str(&line)?)
}

/// Says one event on standard output.
pub(crate) fn announce(event: &Event) {
    if let Ok(line) = serde_json::to_string(event) {
        let mut out = std::io::stdout().lock();
        // A closed pipe means that the parent is gone; the watch on standard input ends this process then.
        let _ = writeln!(out, "{line}").and_then(|()| out.flush());
    }
}
