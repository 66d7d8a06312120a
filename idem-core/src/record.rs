//! One row of the plane, as a store gives it back.

use crate::answer::{OutcomeKind, Resource, Response, Settled};
use crate::identity::RequestHash;
use std::fmt;
use std::sync::Arc;
use std::time::Duration;
use time::OffsetDateTime;
use uuid::Uuid;

/// One claim's row id: ordered by time, new on every claim that starts a row.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ClaimId(Uuid);

impl ClaimId {
    /// A new id.
    #[must_use]
    pub fn mint() -> Self {
        Self(Uuid::now_v7())
    }

    /// The id of a stored row.
    #[must_use]
    pub fn from_uuid(id: Uuid) -> Self {
        Self(id)
    }

    /// The uuid.
    #[must_use]
    pub fn as_uuid(&self) -> Uuid {
        self.0
    }
}

impl fmt::Debug for ClaimId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ClaimId({})", self.0)
    }
}

/// The fence: new and random on every claim and reclaim, carried to the ending (R7). Never logged.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct LeaseToken(Uuid);

impl LeaseToken {
    /// A new token from the operating system's generator.
    #[must_use]
    pub fn mint() -> Self {
        Self(Uuid::new_v4())
    }

    /// The token of a stored row.
    #[must_use]
    pub fn from_uuid(token: Uuid) -> Self {
        Self(token)
    }

    /// The uuid, for a store to bind.
    #[must_use]
    pub fn as_uuid(&self) -> Uuid {
        self.0
    }
}

impl fmt::Debug for LeaseToken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("LeaseToken(…)")
    }
}

/// The trace in which an execution ran, so that a replay can point at it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TraceId(pub [u8; 16]);

/// Whether a row has its answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// Claimed, not ended.
    Processing,
    /// Ended with an answer.
    Completed,
}

impl Status {
    /// The word in the column.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Processing => "processing",
            Self::Completed => "completed",
        }
    }

    /// Reads the column's word.
    #[must_use]
    pub fn from_word(word: &str) -> Option<Self> {
        [Self::Processing, Self::Completed]
            .into_iter()
            .find(|s| s.word() == word)
    }
}

/// Who made an attempt. A replay to anyone else passes the checkpoint first (R30).
#[derive(Clone, PartialEq, Eq, Default)]
pub struct Origin {
    /// The run, where there is one.
    pub run: Option<Arc<str>>,
    /// The principal, where there is one.
    pub principal: Option<Arc<str>>,
    /// The trace, where there is one.
    pub trace: Option<TraceId>,
}

impl fmt::Debug for Origin {
    /// Leaves the principal out: it is often an e-mail address.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Origin")
            .field("run", &self.run)
            .field("has_principal", &self.principal.is_some())
            .field("trace", &self.trace)
            .finish()
    }
}

/// The arguments that a row was claimed with, as the canonical text that a person is shown.
#[derive(Clone, PartialEq, Eq)]
pub struct StoredInput(Arc<str>);

impl StoredInput {
    /// The text of a stored row.
    #[must_use]
    pub fn new(text: Arc<str>) -> Self {
        Self(text)
    }

    /// The text.
    #[must_use]
    pub fn text(&self) -> &Arc<str> {
        &self.0
    }
}

impl fmt::Debug for StoredInput {
    /// Says how many bytes, never which: arguments may hold personal data.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "StoredInput({} bytes)", self.0.len())
    }
}

/// One row. Instants are the store's; `live`, `kept` and the two durations were decided by the store's clock in
/// the statement that returned the row (R2, R9).
#[derive(Clone, Debug)]
pub struct Record {
    /// The row.
    pub id: ClaimId,
    /// What content it answers for.
    pub request_hash: RequestHash,
    /// Which version of the hash that is.
    pub hash_version: u16,
    /// Whether it has its answer.
    pub status: Status,
    /// The current, or the last, owner's fence.
    pub lease_token: LeaseToken,
    /// How many claims and reclaims it has seen.
    pub attempt: u32,
    /// How often a definite failure without effect made the vendor's key worthless.
    pub epoch: u32,
    /// An earlier attempt may have dispatched the effect, and nobody resolved that.
    pub doubt: bool,
    /// When this attempt marked its dispatch.
    pub dispatched_at: Option<OffsetDateTime>,
    /// When any attempt first did.
    pub first_dispatched_at: Option<OffsetDateTime>,
    /// When this attempt began.
    pub claimed_at: OffsetDateTime,
    /// When the first one began.
    pub first_claimed_at: OffsetDateTime,
    /// When the answer was stored.
    pub completed_at: Option<OffsetDateTime>,
    /// What kind of answer it is.
    pub outcome: Option<OutcomeKind>,
    /// The answer's bytes.
    pub response: Option<Response>,
    /// The resource that the answer names.
    pub resource: Option<Resource>,
    /// What was found out later.
    pub settled: Option<Settled>,
    /// Who made this attempt.
    pub origin: Origin,
    /// What it was claimed with, where the row was read by [`get`](crate::IdempotencyRepository::get) or
    /// [`reclaim`](crate::IdempotencyRepository::reclaim)ed: the other verbs give a caller what it brought.
    pub input: Option<StoredInput>,
    /// The lease has not passed. At the very instant it has.
    pub live: bool,
    /// The retention has not passed.
    pub kept: bool,
    /// What is left of the lease; zero when it has passed.
    pub lease_left: Duration,
    /// How long ago this epoch's first dispatch was.
    pub epoch_age: Option<Duration>,
}
