//! The verbs on runs that a store keeps atomic, one statement each.

use super::{
    NewMessage, NewRun, RunRecord, RunStatus, RunTurn, SegmentToken, StartKey, StoredMessage,
};
use crate::approval::ApprovalId;
use crate::error::RepositoryError;
use crate::identity::{LogicalTurn, MessageId, RunId};
use crate::organization::OrganizationId;
use async_trait::async_trait;
use std::fmt;
use std::time::Duration;

/// How a segment leaves a run that goes on.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum LeaveAs {
    /// Another segment may begin after this long.
    Ready {
        /// How long to wait.
        after: Duration,
        /// How many segments in a row have failed without progress, this one included.
        failures: u32,
    },
    /// It waits for these cards: any decision makes it resumable (R46).
    Waiting {
        /// The cards.
        cards: Vec<ApprovalId>,
    },
    /// It waits for a message.
    Idle,
}

/// What is written down where a segment leaves its run.
#[doc(hidden)]
#[derive(Clone, Debug)]
pub struct Left {
    /// The status.
    pub status: RunStatus,
    /// The cards as they are stored.
    pub cards: Option<String>,
    /// How long to wait.
    pub after: Duration,
    /// Segments in a row that failed.
    pub failures: u32,
}

impl LeaveAs {
    /// What is written down.
    #[doc(hidden)]
    #[must_use]
    pub fn parts(&self) -> Left {
        let (status, cards, after, failures) = match self {
            Self::Ready { after, failures } => (RunStatus::Ready, None, *after, *failures),
            Self::Idle => (RunStatus::Idle, None, Duration::ZERO, 0),
            Self::Waiting { cards } => {
                let ids = cards.iter().map(|id| id.as_uuid().simple().to_string());
                let ids = ids.collect::<Vec<_>>().join(",");
                (RunStatus::Waiting, Some(ids), Duration::ZERO, 0)
            }
        };
        Left {
            status,
            cards,
            after,
            failures,
        }
    }
}

/// How a run ends.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EndRun {
    /// [`RunStatus::Completed`], [`RunStatus::Failed`] or [`RunStatus::Cancelled`].
    pub status: RunStatus,
    /// Why.
    pub reason: Option<String>,
    /// The place of the last message that was answered: the run does not end where one came behind it. `None`: it ends
    /// whatever came.
    pub answered_upto: Option<u32>,
}

/// A turn that is begun.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BegunTurn {
    /// Its number in the run.
    pub number: u32,
    /// Its identity.
    pub turn: LogicalTurn,
    /// The place of its last message.
    pub upto: u32,
}

/// The verbs on runs. Zero rows are a value in each of them, never an error.
#[async_trait]
pub trait RunRepository: Send + Sync + fmt::Debug {
    /// Admits a run. `None`: its id or its start key is there already.
    ///
    /// # Errors
    ///
    /// [`RepositoryError`].
    async fn admit_run(&self, run: &NewRun) -> Result<Option<RunRecord>, RepositoryError>;

    /// Reads a run.
    ///
    /// # Errors
    ///
    /// [`RepositoryError`].
    async fn run(
        &self,
        organization: OrganizationId,
        run: &RunId,
    ) -> Result<Option<RunRecord>, RepositoryError>;

    /// Reads the run that a start key admitted.
    ///
    /// # Errors
    ///
    /// [`RepositoryError`].
    async fn run_of_start(
        &self,
        organization: OrganizationId,
        start_key: &StartKey,
    ) -> Result<Option<RunRecord>, RepositoryError>;

    /// The runs for which a segment can do something now, those that wait longest first, at most `rows_max`: ready
    /// ones that are due, waiting ones about which somebody decided or whose arguments somebody wants edited, idle ones with a message, and any that should end.
    /// Of all organizations where none is named: for a process that serves them all.
    ///
    /// # Errors
    ///
    /// [`RepositoryError`].
    async fn ready_runs(
        &self,
        organization: Option<OrganizationId>,
        rows_max: u32,
    ) -> Result<Vec<RunRecord>, RepositoryError>;

    /// Takes a run that has not ended and whose last segment's lease has. It is ready until its owner leaves it. `None`: it
    /// has ended, is owned, or is not there.
    ///
    /// # Errors
    ///
    /// [`RepositoryError`].
    async fn take_segment(
        &self,
        organization: OrganizationId,
        run: &RunId,
        token: SegmentToken,
        lease: Duration,
    ) -> Result<Option<RunRecord>, RepositoryError>;

    /// Makes the owner's lease this long from now. `None`: it is another's or was given back, or the run has ended.
    ///
    /// # Errors
    ///
    /// [`RepositoryError`].
    async fn renew_segment(
        &self,
        organization: OrganizationId,
        run: &RunId,
        token: SegmentToken,
        lease: Duration,
    ) -> Result<Option<RunRecord>, RepositoryError>;

    /// Ends the owner's lease and says how the run goes on. `None`: it is another's, or the run has ended.
    ///
    /// # Errors
    ///
    /// [`RepositoryError`].
    async fn leave_segment(
        &self,
        organization: OrganizationId,
        run: &RunId,
        token: SegmentToken,
        how: &LeaveAs,
    ) -> Result<Option<RunRecord>, RepositoryError>;

    /// Ends a run: its owner, or, without a token, anybody while nobody owns it. `None`: it is owned by another, has
    /// ended, got a message that is not answered, or is not there.
    ///
    /// # Errors
    ///
    /// [`RepositoryError`].
    async fn end_run(
        &self,
        organization: OrganizationId,
        run: &RunId,
        token: Option<SegmentToken>,
        how: &EndRun,
    ) -> Result<Option<RunRecord>, RepositoryError>;

    /// Asks a run to end; the first one who asks is kept. `None`: it has ended, or is not there.
    ///
    /// # Errors
    ///
    /// [`RepositoryError`].
    async fn request_cancel(
        &self,
        organization: OrganizationId,
        run: &RunId,
        by: &str,
    ) -> Result<Option<RunRecord>, RepositoryError>;

    /// Stores a message at the next place of its run. `None`: its id is there already, or the run has ended.
    ///
    /// # Errors
    ///
    /// [`RepositoryError`].
    async fn post_message(
        &self,
        organization: OrganizationId,
        run: &RunId,
        message: &NewMessage,
    ) -> Result<Option<StoredMessage>, RepositoryError>;

    /// Reads one message, of whichever run.
    ///
    /// # Errors
    ///
    /// [`RepositoryError`].
    async fn message(
        &self,
        organization: OrganizationId,
        id: &MessageId,
    ) -> Result<Option<StoredMessage>, RepositoryError>;

    /// A run's messages behind a place, in their order.
    ///
    /// # Errors
    ///
    /// [`RepositoryError`].
    async fn messages(
        &self,
        organization: OrganizationId,
        run: &RunId,
        behind: u32,
    ) -> Result<Vec<StoredMessage>, RepositoryError>;

    /// Writes down, once, which messages a turn answers, for the owner of the run. `None`: that turn is written down
    /// already, or the run is another's.
    ///
    /// # Errors
    ///
    /// [`RepositoryError`].
    async fn begin_run_turn(
        &self,
        organization: OrganizationId,
        run: &RunId,
        token: SegmentToken,
        turn: &BegunTurn,
    ) -> Result<Option<RunTurn>, RepositoryError>;

    /// A turn is over. `None`: it was already, or it is not there.
    ///
    /// # Errors
    ///
    /// [`RepositoryError`].
    async fn end_run_turn(
        &self,
        organization: OrganizationId,
        run: &RunId,
        number: u32,
    ) -> Result<Option<RunTurn>, RepositoryError>;

    /// A run's turns, in their order.
    ///
    /// # Errors
    ///
    /// [`RepositoryError`].
    async fn run_turns(
        &self,
        organization: OrganizationId,
        run: &RunId,
    ) -> Result<Vec<RunTurn>, RepositoryError>;

    /// Takes back every card of a run that is open, or approved and not spent (R41). Says how many there were.
    ///
    /// # Errors
    ///
    /// [`RepositoryError`].
    async fn withdraw_cards_of_run(
        &self,
        organization: OrganizationId,
        run: &RunId,
        reason: &str,
    ) -> Result<u64, RepositoryError>;
}
