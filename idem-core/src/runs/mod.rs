//! Runs: one agent job each, from its admission to its end, with the messages that came in and the segments that worked
//! on it (R49 to R51, R62).
//!
//! Nothing here touches the plane's table: a run's admission is the insert of its own row.

mod desk;
mod repository;

pub use desk::{Admitted, Posted, RunDesk, RunError};
pub use repository::{BegunTurn, EndRun, LeaveAs, Left, RunRepository};

use crate::approval::ApprovalId;
#[cfg(any(feature = "sqlite", feature = "postgres"))]
use crate::error::RepositoryError;
use crate::identity::{IdentityError, LogicalTurn, MessageId, RunId};
use crate::organization::{OrganizationId, Principal};
use std::fmt;
use std::time::Duration;
use time::OffsetDateTime;
use uuid::Uuid;

/// The longest that a run may last: what its calls answered is remembered so long (R50).
pub const RUN_DURATION_MAX: Duration = Duration::from_secs(30 * 24 * 60 * 60);

/// How long a run's row is kept after its admission (R62).
pub const RUN_RETENTION: Duration = Duration::from_secs(396 * 24 * 60 * 60);

/// How many bytes a message may have.
pub const MESSAGE_BYTES_MAX: usize = 256 * 1024;

/// What makes a start one start, however often it is asked for: 1 to 512 bytes of text without control characters.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct StartKey(String);

impl StartKey {
    /// Checks a text and takes it.
    ///
    /// # Errors
    ///
    /// [`IdentityError::Part`] where it is empty, too long, or holds control characters.
    pub fn new(text: impl Into<String>) -> Result<Self, IdentityError> {
        const BYTES_MAX: usize = 512;
        let text = text.into();
        if !(1..=BYTES_MAX).contains(&text.len()) || text.contains(char::is_control) {
            let (what, max) = ("start key", BYTES_MAX);
            return Err(IdentityError::Part { what, max });
        }
        Ok(Self(text))
    }

    /// The text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// A run that asks to be admitted.
#[derive(Clone, Debug)]
pub struct NewRun {
    /// The tenant.
    pub organization: OrganizationId,
    /// Its id.
    pub run: RunId,
    /// On whose behalf its calls are made.
    pub principal: Principal,
    /// What makes this start one start; without one, the run's id does.
    pub start_key: Option<StartKey>,
    /// How long it may last, at most [`RUN_DURATION_MAX`].
    pub duration_max: Duration,
    /// It is an agent job of its own: its first turn begins at once. Otherwise that waits for a message.
    pub starts_at_once: bool,
    /// It stays open for the next message when a turn is over; otherwise the turn's end completes it.
    pub keeps_open: bool,
    /// What a message does that comes while a turn waits for a person.
    pub on_message: OnMessage,
}

impl NewRun {
    /// A run that begins with a message, lasts at most 30 days, and is completed when its turn is over.
    #[must_use]
    pub fn new(organization: OrganizationId, run: RunId, principal: Principal) -> Self {
        Self {
            organization,
            run,
            principal,
            start_key: None,
            duration_max: RUN_DURATION_MAX,
            starts_at_once: false,
            keeps_open: false,
            on_message: OnMessage::Queues,
        }
    }
}

/// What a message does that comes while a turn waits for a person (R41).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum OnMessage {
    /// It queues behind that turn.
    #[default]
    Queues,
    /// It ends that turn: what nobody decided is taken back, and the message is the next turn.
    EndsTheTurn,
}

impl OnMessage {
    /// The word that is stored.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Queues => "queues",
            Self::EndsTheTurn => "ends_the_turn",
        }
    }

    /// The value of a word.
    #[must_use]
    pub fn from_word(word: &str) -> Option<Self> {
        [Self::Queues, Self::EndsTheTurn]
            .into_iter()
            .find(|what| what.word() == word)
    }
}

/// Where a run stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum RunStatus {
    /// A segment can be begun.
    Ready,
    /// It waits for a person's decision.
    Waiting,
    /// It waits for a message.
    Idle,
    /// It ended, and its last turn with it.
    Completed,
    /// It ended before it was done; the reason says why.
    Failed,
    /// Somebody ended it.
    Cancelled,
}

impl RunStatus {
    /// The word that is stored and shown.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Ready => "ready",
            Self::Waiting => "waiting",
            Self::Idle => "idle",
            Self::Completed => "completed",
            Self::Failed => "failed",
            Self::Cancelled => "cancelled",
        }
    }

    /// The status of a word.
    #[must_use]
    pub fn from_word(word: &str) -> Option<Self> {
        let all = [
            Self::Ready,
            Self::Waiting,
            Self::Idle,
            Self::Completed,
            Self::Failed,
            Self::Cancelled,
        ];
        all.into_iter().find(|status| status.word() == word)
    }

    /// Whether it has ended.
    #[must_use]
    pub fn has_ended(self) -> bool {
        matches!(self, Self::Completed | Self::Failed | Self::Cancelled)
    }
}

impl fmt::Display for RunStatus {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.word())
    }
}

/// The fence of a segment: new each time a run is taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct SegmentToken(Uuid);

impl SegmentToken {
    /// A new token.
    #[must_use]
    pub fn mint() -> Self {
        Self(Uuid::new_v4())
    }

    /// The token of a stored row.
    #[must_use]
    pub fn from_uuid(token: Uuid) -> Self {
        Self(token)
    }

    /// The uuid.
    #[must_use]
    pub fn as_uuid(&self) -> Uuid {
        self.0
    }
}

/// A run as it is stored, judged by the store's clock.
#[derive(Clone, Debug)]
pub struct RunRecord {
    /// The tenant.
    pub organization: OrganizationId,
    /// Its id.
    pub run: RunId,
    /// On whose behalf its calls are made.
    pub principal: Principal,
    /// What made its start one start.
    pub start_key: Option<StartKey>,
    /// Where it stands.
    pub status: RunStatus,
    /// Why it ended as it did: a code and a sentence.
    pub reason: Option<String>,
    /// Its first turn begins without a message.
    pub starts_at_once: bool,
    /// It stays open for the next message.
    pub keeps_open: bool,
    /// What a message does that comes while a turn waits.
    pub on_message: OnMessage,
    /// How many segments were begun.
    pub segments: u32,
    /// How many in a row failed without progress.
    pub failures: u32,
    /// The fence of the last segment.
    pub token: Option<SegmentToken>,
    /// Whether that segment's lease lives.
    pub live: bool,
    /// How long that lease still lives.
    pub lease_left: Duration,
    /// What it waits for, unless it is at work.
    pub waits_for: Vec<ApprovalId>,
    /// Somebody asked to end it.
    pub cancel_requested_by: Option<String>,
    /// When it was admitted.
    pub created_at: OffsetDateTime,
    /// How long it may still last.
    pub time_left: Duration,
    /// When it ended.
    pub ended_at: Option<OffsetDateTime>,
}

/// Who a message is from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum MessageKind {
    /// From the user.
    User,
    /// What was found out about a call of this run (R32).
    News,
}

impl MessageKind {
    /// The word that is stored.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::User => "user",
            Self::News => "news",
        }
    }

    /// The kind of a word.
    #[must_use]
    pub fn from_word(word: &str) -> Option<Self> {
        [Self::User, Self::News]
            .into_iter()
            .find(|kind| kind.word() == word)
    }
}

/// A message for a run.
#[derive(Clone, PartialEq, Eq)]
pub struct NewMessage {
    /// Its id, unique in the organization: the turn that it makes is named after it, and with that turn every call in it.
    pub id: MessageId,
    /// Who it is from.
    pub kind: MessageKind,
    /// What it says, at most [`MESSAGE_BYTES_MAX`].
    pub body: String,
}

impl fmt::Debug for NewMessage {
    /// Leaves the body out: it may hold personal data.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("NewMessage")
            .field("id", &self.id)
            .field("kind", &self.kind)
            .field("bytes", &self.body.len())
            .finish()
    }
}

/// A message as it is stored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredMessage {
    /// Its run.
    pub run: RunId,
    /// Its place among the run's messages, from 1, without gaps.
    pub place: u32,
    /// The message.
    pub message: NewMessage,
    /// When it came.
    pub received_at: OffsetDateTime,
}

/// One turn of a run: the messages that it answers are written down once (R49).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RunTurn {
    /// Its number in the run, from 1.
    pub number: u32,
    /// Its identity.
    pub turn: LogicalTurn,
    /// The place of its last message; its first one follows the turn before.
    pub upto: u32,
    /// When it was begun.
    pub began_at: OffsetDateTime,
    /// When it was over.
    pub ended_at: Option<OffsetDateTime>,
}

/// Why a row of a run cannot be read.
#[cfg(any(feature = "sqlite", feature = "postgres"))]
pub(crate) fn corrupt(column: &str) -> RepositoryError {
    RepositoryError::Corrupt(format!("a run's {column}"))
}
