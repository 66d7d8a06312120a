//! Ownership of a key: a value that cannot be copied, consumed by exactly one ending (R15).

use crate::error::RepositoryError;
use crate::record::{ClaimId, LeaseToken, Record, StoredInput};
use crate::repository::Held;
use crate::request::{ClaimKey, Request};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};
use time::OffsetDateTime;

static ABANDONED: AtomicU64 = AtomicU64::new(0);

/// How many claims this process dropped without an ending. Each blocks its key until its lease passes.
#[must_use]
pub fn abandoned_claims() -> u64 {
    ABANDONED.load(Ordering::Relaxed)
}

/// What is known of the attempts before a takeover.
#[derive(Clone, Debug)]
pub struct Takeover {
    /// An earlier attempt may have made the effect, and nobody resolved that.
    pub doubt: bool,
    /// How many attempts there were before this one.
    pub earlier_attempts: u32,
    /// When the first one began, by the store's clock.
    pub first_claimed_at: OffsetDateTime,
    /// When one of them first said that the effect may begin.
    pub first_dispatched_at: Option<OffsetDateTime>,
    /// How long ago the first dispatch under the current vendor key was.
    pub epoch_age: Option<Duration>,
    /// What was sent, where it may have been: what is sent again is sent in the same words.
    pub input: Option<StoredInput>,
}

/// Ownership of a key. Its ending is [`IdempotencyService::complete`](crate::IdempotencyService::complete) or
/// [`release`](crate::IdempotencyService::release); each takes the claim, so a second ending does not compile.
///
/// Dropping it without an ending leaves the key blocked until the lease passes; that is logged and counted
/// ([`abandoned_claims`]), and it does not panic, since shutdown and cancellation drop claims too.
#[must_use = "a claim blocks its key until it is completed or released"]
#[derive(Debug)]
pub struct Claim {
    id: ClaimId,
    key: ClaimKey,
    token: LeaseToken,
    attempt: u32,
    epoch: u32,
    doubt: bool,
    takeover: Option<Takeover>,
    lease: Duration,
    asked_at: Instant,
    claimed_at: OffsetDateTime,
    ended: bool,
}

impl Claim {
    pub(crate) fn granted(
        request: &Request,
        row: &Record,
        lease: Duration,
        asked_at: Instant,
    ) -> Self {
        let takeover = (row.attempt > 1).then(|| Takeover {
            doubt: row.doubt,
            earlier_attempts: row.attempt - 1,
            first_claimed_at: row.first_claimed_at,
            first_dispatched_at: if row.doubt {
                row.first_dispatched_at
            } else {
                None
            },
            epoch_age: if row.doubt { row.epoch_age } else { None },
            input: row.input.clone().filter(|_| row.doubt),
        });
        Self {
            id: row.id,
            key: request.key.clone(),
            token: row.lease_token,
            attempt: row.attempt,
            epoch: row.epoch,
            doubt: row.doubt,
            takeover,
            lease,
            asked_at,
            claimed_at: row.claimed_at,
            ended: false,
        }
    }

    /// The row.
    #[must_use]
    pub fn id(&self) -> ClaimId {
        self.id
    }

    /// The identity that is owned.
    #[must_use]
    pub fn key(&self) -> &ClaimKey {
        &self.key
    }

    /// Which attempt this is; 1 is the first.
    #[must_use]
    pub fn attempt(&self) -> u32 {
        self.attempt
    }

    /// Which vendor key this attempt uses (R29).
    #[must_use]
    pub fn epoch(&self) -> u32 {
        self.epoch
    }

    /// When this attempt began, by the store's clock.
    #[must_use]
    pub fn claimed_at(&self) -> OffsetDateTime {
        self.claimed_at
    }

    /// What is known of earlier attempts, where there were any.
    #[must_use]
    pub fn takeover(&self) -> Option<&Takeover> {
        self.takeover.as_ref()
    }

    /// An earlier attempt may have made the effect, and nobody resolved that.
    #[must_use]
    pub fn in_doubt(&self) -> bool {
        self.doubt
    }

    /// The instant at which the lease may have passed, on this worker's monotonic clock. It is counted from before
    /// the claim was asked for, so it is never later than the store's own (R9).
    #[must_use]
    pub fn lease_ends(&self) -> Instant {
        self.asked_at + self.lease
    }

    /// What this owner may show to mark its dispatch while the claim itself stays with its ending.
    #[must_use]
    pub fn fence(&self) -> Fence {
        Fence { held: self.held() }
    }

    pub(crate) fn held(&self) -> Held {
        Held {
            organization: self.key.organization(),
            id: self.id,
            token: self.token,
        }
    }

    pub(crate) fn token(&self) -> LeaseToken {
        self.token
    }

    pub(crate) fn end(mut self) {
        self.ended = true;
    }
}

impl Drop for Claim {
    fn drop(&mut self) {
        if !self.ended {
            ABANDONED.fetch_add(1, Ordering::Relaxed);
            tracing::warn!(
                scope = %self.key.scope(),
                claim = ?self.id,
                "a claim was dropped without an ending; its key is blocked until the lease passes"
            );
        }
    }
}

/// The right to mark one claim's dispatch, or to store its answer in the transaction that makes its effect. It cannot
/// end the claim.
#[derive(Clone, Copy, Debug)]
pub struct Fence {
    pub(crate) held: Held,
}

/// How a claim ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[must_use]
pub enum Ending {
    /// As asked: the answer is stored, or the key is free.
    Done,
    /// Another worker owns the key now. Nothing was changed; the caller reads the journal once more (R33).
    LeaseLost,
}

/// An ending that could not be written. The claim comes back, so that it can be tried again.
#[derive(Debug, thiserror::Error)]
#[error("the claim could not be ended: {source}")]
pub struct EndingError {
    /// The claim, still owned.
    pub claim: Box<Claim>,
    /// What the store said.
    #[source]
    pub source: RepositoryError,
}
