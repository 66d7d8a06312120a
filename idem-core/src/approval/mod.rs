//! A person's yes or no as a durable row: asked before anything is claimed, decided once, spent by the answer.
//!
//! No row is written in the plane while a person thinks (R41). What every act does to a card in every state is one
//! pure function, [`table::decide`].

mod desk;
pub mod page;
#[cfg(feature = "render")]
pub mod render;
mod repository;
pub mod table;

pub use desk::{ApprovalDesk, Decided, DecisionRequest, Verdict, stored_text};
pub use repository::{ApprovalRepository, CardCall, CardFilter, Decision, EditRequest, TakenEdit};

use crate::identity::{IdempotencyKey, LogicalTurn, RequestHash, RunId, ShownHash};
use crate::organization::{OrganizationId, Principal};
use crate::request::ClaimKey;
use crate::scope::Scope;
use std::fmt;
use std::sync::Arc;
use std::time::Duration;
use time::OffsetDateTime;
use uuid::Uuid;

/// How long a card stays open unless its rule says otherwise.
pub const EXPIRES_IN: Duration = Duration::from_secs(7 * 24 * 60 * 60);

/// The longest a card may stay open: a run lasts no longer.
pub const EXPIRES_IN_MAX: Duration = Duration::from_secs(30 * 24 * 60 * 60);

/// The longest reason, in bytes (R75).
pub const REASON_BYTES_MAX: usize = 2_000;

/// A card.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ApprovalId(Uuid);

impl ApprovalId {
    /// A new id, ordered by time.
    #[must_use]
    pub fn mint() -> Self {
        Self(Uuid::now_v7())
    }

    /// The id of a stored card.
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

impl fmt::Display for ApprovalId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.hyphenated().fmt(f)
    }
}

impl fmt::Debug for ApprovalId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ApprovalId({})", self.0)
    }
}

impl std::str::FromStr for ApprovalId {
    type Err = uuid::Error;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        text.parse().map(Self)
    }
}

/// One form of a call: its identity, and what a person sees of it.
#[derive(Clone, PartialEq, Eq)]
pub struct Proposal {
    /// Its key.
    pub key: IdempotencyKey,
    /// Its content.
    pub hash: RequestHash,
    /// Everything a person sees, defaults and prose included.
    pub shown_hash: ShownHash,
    /// The arguments, every one of them, as canonical JSON text.
    pub input: Arc<str>,
}

impl fmt::Debug for Proposal {
    /// Leaves the arguments out: they may hold personal data.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Proposal")
            .field("key", &self.key)
            .field("shown_hash", &self.shown_hash)
            .finish_non_exhaustive()
    }
}

/// Who may decide.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Approvers {
    /// These principals only; anybody of the organization where it is `None`.
    pub named: Option<Vec<Principal>>,
    /// Whether the one on whose behalf the call is made may decide it.
    pub requester_may_decide: bool,
}

impl Default for Approvers {
    /// Anybody of the organization but the requester.
    fn default() -> Self {
        Self {
            named: None,
            requester_may_decide: false,
        }
    }
}

/// A card to open.
#[derive(Clone, Debug)]
pub struct NewCard {
    /// The tenant.
    pub organization: OrganizationId,
    /// The run that is bound by the answer.
    pub run: RunId,
    /// The turn.
    pub turn: LogicalTurn,
    /// The kind of effect.
    pub scope: Scope,
    /// The tool's name.
    pub tool: String,
    /// The tool's effect class, by its word.
    pub effect: String,
    /// On whose behalf the call is made.
    pub principal: Principal,
    /// The rule that asks, in words for the approver.
    pub rule: String,
    /// Who may decide.
    pub approvers: Approvers,
    /// What the tool looked like, field by field (R44).
    pub fingerprint: String,
    /// The call.
    pub proposed: Proposal,
    /// How long it stays open.
    pub expires_in: Duration,
    /// The card that this one replaces.
    pub supersedes: Option<ApprovalId>,
    /// The reason of an earlier denial of other content under the same key.
    pub earlier_denial: Option<String>,
}

/// What the column says. Whether the time is over is judged by the store's clock, beside it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CardStatus {
    /// Nobody has decided.
    Open,
    /// Somebody said yes.
    Approved,
    /// Somebody said no.
    Denied,
    /// Its time was over.
    Expired,
    /// It was taken back.
    Withdrawn,
}

impl CardStatus {
    /// The word in the column.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Open => "open",
            Self::Approved => "approved",
            Self::Denied => "denied",
            Self::Expired => "expired",
            Self::Withdrawn => "withdrawn",
        }
    }

    /// Reads the column's word.
    #[must_use]
    pub fn from_word(word: &str) -> Option<Self> {
        [
            Self::Open,
            Self::Approved,
            Self::Denied,
            Self::Expired,
            Self::Withdrawn,
        ]
        .into_iter()
        .find(|status| status.word() == word)
    }
}

/// A stored card.
#[derive(Clone, Debug)]
pub struct Approval {
    /// The card.
    pub id: ApprovalId,
    /// The tenant.
    pub organization: OrganizationId,
    /// The run that is bound by the answer.
    pub run: String,
    /// The turn.
    pub turn: String,
    /// The kind of effect.
    pub scope: String,
    /// The tool's name.
    pub tool: String,
    /// The tool's effect class, by its word.
    pub effect: String,
    /// On whose behalf the call is made.
    pub principal: String,
    /// The rule that asked.
    pub rule: String,
    /// Who may decide: names, or anybody.
    pub approvers: Option<Vec<String>>,
    /// Whether the requester may.
    pub requester_may_decide: bool,
    /// What the tool looked like when it asked.
    pub fingerprint: String,
    /// What the column says.
    pub status: CardStatus,
    /// Whether its time is not over, by the store's clock.
    pub current: bool,
    /// What the model proposed.
    pub proposed: Proposal,
    /// What would run: the same unless it was edited.
    pub effective: Proposal,
    /// Other arguments that somebody asked for and nobody has checked yet.
    pub edit_request: Option<String>,
    /// Who asked for other arguments last, whatever became of them. Whose the effective ones are is
    /// [`edited_by`](Self::edited_by).
    pub edit_requested_by: Option<String>,
    /// Why the last ones could not run.
    pub edit_refusal: Option<String>,
    /// The card that this one replaced.
    pub supersedes: Option<ApprovalId>,
    /// The reason of an earlier denial of other content under the same key.
    pub earlier_denial: Option<String>,
    /// When it was asked.
    pub asked_at: OffsetDateTime,
    /// When its time is over.
    pub expires_at: OffsetDateTime,
    /// When it was decided.
    pub decided_at: Option<OffsetDateTime>,
    /// Who decided it.
    pub decided_by: Option<String>,
    /// Why, or why it was taken back.
    pub reason: Option<String>,
    /// When its call got its answer, as far as that was noted.
    pub spent_at: Option<OffsetDateTime>,
}

impl Approval {
    /// Whether other arguments than the proposed ones would run.
    #[must_use]
    pub fn is_edited(&self) -> bool {
        self.proposed.shown_hash != self.effective.shown_hash
    }

    /// Who asked for the arguments that would run, where that is certain (R43): not where other ones were asked for since,
    /// which wait to be checked or were refused. Their author is the one that the card remembers then.
    #[must_use]
    pub fn edited_by(&self) -> Option<&str> {
        let last_is_effective = self.edit_request.is_none() && self.edit_refusal.is_none();
        self.edit_requested_by
            .as_deref()
            .filter(|_| self.is_edited() && last_is_effective)
    }

    /// Whether somebody said yes, whatever became of the card since.
    #[must_use]
    pub fn had_a_yes(&self) -> bool {
        self.decided_at.is_some() && self.status != CardStatus::Denied
    }

    /// The key under which an approved call is claimed.
    #[must_use]
    pub fn effective_key(&self, scope: Scope) -> ClaimKey {
        ClaimKey::new(self.organization, scope, self.effective.key)
    }
}
