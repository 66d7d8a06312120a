//! What the director and its workers say to one another: a JSON document a line.

use std::io::Write;
use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use crate::Outcome;
use crate::vendor::book::Call;

/// What a worker is told when it starts: the first line of its standard input.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Order {
    /// The store's URL.
    pub(crate) store: String,
    pub(crate) organization: String,
    /// The airline's address.
    pub(crate) vendor: String,
    pub(crate) recordings: PathBuf,
    /// How the model words things: as recorded at 0, otherwise differently at each number.
    pub(crate) sample: u32,
    /// Every call that changes a booking or sends a certificate asks a person.
    pub(crate) asks: bool,
    /// Verbs that wait for the store go out together.
    pub(crate) coalesce: bool,
    /// What a lease has beyond the tool's timeout.
    pub(crate) lease_ms: u64,
    /// The bug that the worker is to have.
    #[cfg(feature = "planted-bugs")]
    pub(crate) planted_bug: Option<String>,
}

/// What a worker is told later, a line each.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(tag = "do", rename_all = "snake_case")]
pub(crate) enum Errand {
    /// Begin a segment of this run now, whoever works on it.
    Drive { run: String },
}

/// What a worker says. It may be killed before it says what it did: nobody relies on hearing it.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(tag = "said", rename_all = "snake_case")]
pub(crate) enum Said {
    /// It works.
    Ready,
    /// A turn of a run is over.
    TurnOver { run: String, turn: u32 },
    /// A call has its answer.
    Answered {
        run: String,
        turn: u32,
        replayed: bool,
    },
    /// A call that cannot be repeated is about to be sent.
    Dispatches { call: Call },
    /// Such a call failed: its reply may not have come.
    InDoubt { call: Call },
    /// A segment found another process at work on its run.
    TurnedAway,
}

/// Says something on the standard output.
pub(crate) fn say(said: &Said) {
    let Ok(line) = serde_json::to_string(said) else {
        return;
    };
    // The director is gone: nobody listens, and standard input says so too.
    let _ = writeln!(std::io::stdout().lock(), "{line}");
}

/// One document as a line.
pub(crate) fn line(document: &impl Serialize) -> Outcome<Vec<u8>> {
    let mut line = serde_json::to_vec(document)?;
    line.push(b'\n');
    Ok(line)
}
