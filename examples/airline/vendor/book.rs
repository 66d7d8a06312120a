//! The airline's book: what it was asked, and what it did, call by call.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::chaos::Fault;
use crate::place::Place;

/// One call of one turn: two requests for the same one mean one effect.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub(crate) struct Call {
    #[serde(flatten)]
    pub(crate) place: Place,
    pub(crate) tool: String,
    /// The canonical text of the arguments.
    pub(crate) arguments: String,
}

impl Call {
    /// Its text, for what is chosen by it.
    pub(crate) fn text(&self) -> String {
        let Place { conversation, turn } = &self.place;
        format!("{conversation} {turn} {} {}", self.tool, self.arguments)
    }
}

/// What happened to one call.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Entry {
    pub(crate) requests: u32,
    /// How often it was done: 1 is right, 2 is a duplicate. A look-up has none.
    pub(crate) effects: u32,
}

/// One line of the book.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Line {
    #[serde(flatten)]
    pub(crate) call: Call,
    #[serde(flatten)]
    pub(crate) entry: Entry,
}

/// The book as the airline shows it.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Book {
    /// All requests, broken ones too.
    pub(crate) requests: u32,
    /// What was booked, changed, cancelled and sent.
    pub(crate) effects: u32,
    /// Hand-overs to a person.
    pub(crate) handovers: u32,
    /// Notices that were sent to customers.
    pub(crate) notices: u32,
    /// Requests that got the first answer of their key.
    pub(crate) answered_from_keys: u32,
    /// Requests whose key belongs to another request.
    pub(crate) keys_reused: u32,
    /// Requests for a call that no recording has.
    pub(crate) not_recorded: u32,
    /// Requests that were broken, by how.
    pub(crate) faults: BTreeMap<Fault, u32>,
    /// Calls that were done more than once: there must be none.
    pub(crate) duplicates: Vec<Line>,
    /// Every call of a tool that changes something.
    pub(crate) calls: Vec<Line>,
}
