//! What a run's watchers are told while it goes on.

use crate::ToolFailure;
use idem_core::OrganizationId;
use idem_core::approval::ApprovalId;
use idem_core::identity::RunId;
use std::time::Duration;

/// One thing that happened in a run. Events are told as they happen and are not stored: a watcher that comes late, or
/// lags, misses some. What is stored is the run itself.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct RunEvent {
    /// The tenant.
    pub organization: OrganizationId,
    /// The run.
    pub run: RunId,
    /// The number of the turn in it; 0 before the first.
    pub turn: u32,
    /// The number of the response in the turn; 0 before the first.
    pub step: u32,
    /// What happened.
    pub what: Happened,
}

/// What happened.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Happened {
    /// A segment began to work.
    SegmentBegan {
        /// Its number in the run.
        segment: u32,
    },
    /// The model is asked for the step's response.
    ModelAsked,
    /// The step's response is there.
    ModelAnswered {
        /// It was read from the journal.
        replayed: bool,
        /// How many calls it proposes.
        calls: usize,
    },
    /// A call has its answer.
    CallAnswered {
        /// The model's id of it.
        call_id: Option<String>,
        /// The tool.
        tool: String,
        /// The failure's code, where it failed.
        failure: Option<String>,
        /// It came from the journal, or from the next step's record.
        replayed: bool,
    },
    /// A call is tried again.
    CallTriedAgain {
        /// The tool.
        tool: String,
        /// After this long.
        after: Duration,
    },
    /// A call waits for a person.
    CallWaits {
        /// The model's id of it.
        call_id: Option<String>,
        /// The tool.
        tool: String,
        /// The card.
        card: ApprovalId,
    },
    /// The turn is over.
    TurnOver,
    /// The segment is over.
    SegmentOver {
        /// How the run goes on, in a word: `suspended`, `idle`, `completed`, `failed`, `cancelled`.
        outcome: &'static str,
    },
}

impl Happened {
    pub(crate) fn code(failure: Option<&ToolFailure>) -> Option<String> {
        failure.map(|failure| failure.code.clone())
    }
}
