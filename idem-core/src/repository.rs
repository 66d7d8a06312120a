//! The verbs that a store keeps atomic (R2). The service gives them their meaning.

use crate::answer::Answer;
use crate::approval::ApprovalRepository;
use crate::error::RepositoryError;
use crate::inspection::Inspection;
use crate::record::{ClaimId, LeaseToken, Record};
use crate::request::{ClaimKey, Request};
use crate::runs::RunRepository;
use async_trait::async_trait;
use std::any::Any;
use std::fmt;
use std::time::Duration;
use time::OffsetDateTime;

/// How an attempt owns a key: its fence and its two clocks, as durations (R8, R9).
#[derive(Clone, Copy, Debug)]
pub struct LeaseTerms {
    /// The fence that the service minted for this call.
    pub token: LeaseToken,
    /// How long the owner may hold it.
    pub lease: Duration,
    /// How long the answer is remembered; a store raises it to the lease.
    pub retain: Duration,
    /// Whether the claim itself says that the effect may begin (the tool does not mark it later).
    pub dispatched: bool,
}

/// What an owner shows to end or mark its claim: tenant, row and fence.
#[derive(Clone, Copy, Debug)]
pub struct Held {
    /// The tenant.
    pub organization: crate::OrganizationId,
    /// The row.
    pub id: ClaimId,
    /// The fence.
    pub token: LeaseToken,
}

/// How a lease is ended while the row stays.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct EndLease {
    /// This attempt made no effect: its own mark goes.
    pub clear_mark: bool,
    /// Somebody found out that no earlier attempt made an effect either.
    pub clear_doubt: bool,
    /// The vendor stored a failure under the current key: the next attempt needs another.
    pub raise_epoch: bool,
    /// How long the lease still stands, so that nobody asks again sooner; never longer than it would have.
    pub after: Duration,
}

/// The longest that a transaction with an effect may last: below a lease's margin, and short for whoever waits for
/// its locks (R32).
pub const TRANSACTION_MAX: Duration = Duration::from_secs(5);

/// Why a whole row may be taken over under a new id.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum TakeOverReason {
    /// Its retention has passed and the sweep has not reached it (R16).
    PastRetention,
    /// It lapsed without doubt, and other content is asked for (R24).
    OtherContent,
    /// It was settled that its effect did not happen, and the caller may do it again (R32).
    Reopened,
}

impl TakeOverReason {
    /// The word that the statement compares.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::PastRetention => "past_retention",
            Self::OtherContent => "other_content",
            Self::Reopened => "reopened",
        }
    }
}

/// What was found out about an unknown outcome, and by whom.
#[derive(Clone, Debug)]
pub struct Settlement {
    /// Whether the effect happened.
    pub happened: bool,
    /// Who says so.
    pub by: String,
    /// Why, for the record.
    pub note: Option<String>,
    /// The answer. It becomes the row's own where the row had none yet; beside an answer that is there already its
    /// response is kept, and a resource is not.
    pub answer: Answer,
}

/// One bounded pass of the sweep. `read` says whether it keeps up; `deleted` says what went (R70).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SweepReport {
    /// Rows that were due and were read, at most the bound.
    pub read: u64,
    /// Rows that were deleted.
    pub deleted: u64,
    /// Deleted rows that still had no answer: incidents.
    pub incidents: u64,
}

/// What a store says about itself at start-up.
#[derive(Clone, Debug)]
pub struct Probe {
    /// The store's words for itself, for messages.
    pub store: &'static str,
    /// Its clock.
    pub clock: OffsetDateTime,
}

/// The atomic verbs of one store. Zero rows are a value in each of them, never an error.
///
/// A verb is answered only after its commit. Dropping a verb's future leaves it done or not done, never half.
#[async_trait]
pub trait IdempotencyRepository: Send + Sync + fmt::Debug {
    /// Inserts a claim under `id`. `None`: the key is taken.
    ///
    /// # Errors
    ///
    /// [`RepositoryError`]: nothing is known about the row then.
    async fn try_claim(
        &self,
        request: &Request,
        id: ClaimId,
        terms: &LeaseTerms,
    ) -> Result<Option<Record>, RepositoryError>;

    /// Takes a lapsed claim over from the owner whose token was `seen`. `None`: read again.
    ///
    /// # Errors
    ///
    /// [`RepositoryError`].
    async fn reclaim(
        &self,
        request: &Request,
        seen: LeaseToken,
        terms: &LeaseTerms,
    ) -> Result<Option<Record>, RepositoryError>;

    /// Reads a key, past its retention or not. `None`: nothing is stored.
    ///
    /// # Errors
    ///
    /// [`RepositoryError`].
    async fn get(&self, key: &ClaimKey) -> Result<Option<Record>, RepositoryError>;

    /// Stores the answer; gives back when. `None`: the lease moved on, or it is stored already.
    ///
    /// # Errors
    ///
    /// [`RepositoryError`].
    async fn complete(
        &self,
        held: &Held,
        answer: &Answer,
    ) -> Result<Option<OffsetDateTime>, RepositoryError>;

    /// Deletes a claim without doubt. `false`: the lease moved on, or there is doubt.
    ///
    /// # Errors
    ///
    /// [`RepositoryError`].
    async fn release(&self, held: &Held) -> Result<bool, RepositoryError>;

    /// Ends the lease and keeps the row. `false`: the lease moved on.
    ///
    /// # Errors
    ///
    /// [`RepositoryError`].
    async fn end_lease(&self, held: &Held, how: EndLease) -> Result<bool, RepositoryError>;

    /// Marks that the effect may begin; gives back what is left of the lease. `None`: do not send.
    ///
    /// # Errors
    ///
    /// [`RepositoryError`].
    async fn mark_dispatched(&self, held: &Held) -> Result<Option<Duration>, RepositoryError>;

    /// Stores an answer without a claim; the first writer wins. `None`: somebody was first.
    ///
    /// # Errors
    ///
    /// [`RepositoryError`].
    async fn record(
        &self,
        request: &Request,
        id: ClaimId,
        token: LeaseToken,
        answer: &Answer,
    ) -> Result<Option<Record>, RepositoryError>;

    /// Takes the whole row over, for the reason given, from the token that was seen. `None`: read again.
    ///
    /// # Errors
    ///
    /// [`RepositoryError`].
    async fn take_over(
        &self,
        request: &Request,
        take: &TakeOver,
        terms: &LeaseTerms,
    ) -> Result<Option<Record>, RepositoryError>;

    /// Writes down what was found out about an unknown outcome. `None`: there is nothing to settle.
    ///
    /// # Errors
    ///
    /// [`RepositoryError`].
    async fn settle(
        &self,
        key: &ClaimKey,
        settlement: &Settlement,
    ) -> Result<Option<Record>, RepositoryError>;

    /// Deletes at most `rows_max` rows past their retention.
    ///
    /// # Errors
    ///
    /// [`RepositoryError`].
    async fn sweep(&self, rows_max: u32) -> Result<SweepReport, RepositoryError>;

    /// Asks the store whether it can be trusted: reachable, durable, not a replica, its schema known (R19).
    ///
    /// # Errors
    ///
    /// [`RepositoryError`] says what is wrong and what to do.
    async fn probe(&self) -> Result<Probe, RepositoryError>;

    /// The store itself, for what only one kind of store can do: a transaction of its own. A store around another
    /// gives the inner one. `None`: it has nothing of the kind.
    fn concrete(&self) -> Option<&dyn Any> {
        None
    }

    /// Reads many keys, answers in the same order. A store may do it in one statement (R82).
    ///
    /// # Errors
    ///
    /// The first key's [`RepositoryError`].
    async fn get_many(&self, keys: &[ClaimKey]) -> Result<Vec<Option<Record>>, RepositoryError> {
        let mut rows = Vec::with_capacity(keys.len());
        for key in keys {
            rows.push(self.get(key).await?);
        }
        Ok(rows)
    }

    /// Claims many keys, answers in the same order. A store may do it in one statement (R82).
    ///
    /// # Errors
    ///
    /// The first claim's [`RepositoryError`]; the earlier ones stand and lapse unless the caller ends them.
    async fn try_claim_many(
        &self,
        claims: &[(Request, ClaimId, LeaseTerms)],
    ) -> Result<Vec<Option<Record>>, RepositoryError> {
        let mut rows = Vec::with_capacity(claims.len());
        for (request, id, terms) in claims {
            rows.push(self.try_claim(request, *id, terms).await?);
        }
        Ok(rows)
    }

    /// Completes many claims, answers in the same order. A store may do it in one statement (R82).
    ///
    /// # Errors
    ///
    /// The first completion's [`RepositoryError`].
    async fn complete_many(
        &self,
        endings: &[(Held, Answer)],
    ) -> Result<Vec<Option<OffsetDateTime>>, RepositoryError> {
        let mut rows = Vec::with_capacity(endings.len());
        for (held, answer) in endings {
            rows.push(self.complete(held, answer).await?);
        }
        Ok(rows)
    }

    /// Releases many claims, answers in the same order. A store may do it in one statement.
    ///
    /// # Errors
    ///
    /// The first release's [`RepositoryError`].
    async fn release_many(&self, held: &[Held]) -> Result<Vec<bool>, RepositoryError> {
        let mut released = Vec::with_capacity(held.len());
        for held in held {
            released.push(self.release(held).await?);
        }
        Ok(released)
    }
}

/// A take-over: the reason, the owner that was seen, and the new row's id.
#[derive(Clone, Copy, Debug)]
pub struct TakeOver {
    /// Why.
    pub reason: TakeOverReason,
    /// The fence of the row that was judged.
    pub seen: LeaseToken,
    /// The new row's id.
    pub id: ClaimId,
}

/// When a logical turn began, by the store's clock (R49).
#[async_trait]
pub trait TurnRepository: Send + Sync + fmt::Debug {
    /// How long ago the turn began; writes that it begins now where nothing is stored.
    ///
    /// # Errors
    ///
    /// [`RepositoryError`].
    async fn turn_age(
        &self,
        organization: crate::OrganizationId,
        turn: &crate::identity::LogicalTurn,
    ) -> Result<Duration, RepositoryError>;
}

/// Everything that one store keeps.
pub trait Store:
    IdempotencyRepository + TurnRepository + ApprovalRepository + RunRepository + Inspection
{
}

impl<T> Store for T where
    T: IdempotencyRepository + TurnRepository + ApprovalRepository + RunRepository + Inspection
{
}
