//! What a caller learns about a key. One enum per verb: a read can never own a key, a claim is never absent.

use crate::answer::{OutcomeKind, Resource, Response, Settled};
use crate::claim::Claim;
use crate::record::{ClaimId, LeaseToken, Origin, Record, StoredInput};
use crate::states::RowState;
use std::time::Duration;
use time::OffsetDateTime;

/// What [`IdempotencyService::read`](crate::IdempotencyService::read) learns. It never writes.
#[derive(Debug)]
#[must_use]
pub enum ReadOutcome {
    /// No answer, and nobody at work: a row whose lease has passed too. Go on to the checkpoint and claim.
    Absent,
    /// The stored answer.
    Completed(Box<StoredAnswer>),
    /// Another worker holds a live lease.
    Processing(InFlight),
    /// The same key answers for other content.
    Conflict(Box<Conflict>),
}

/// What [`IdempotencyService::claim`](crate::IdempotencyService::claim) gets.
#[derive(Debug)]
#[must_use]
#[allow(
    clippy::large_enum_variant,
    reason = "a claim moves once, from here to its ending"
)]
pub enum ClaimOutcome {
    /// The caller owns the key: execute, then complete or release.
    Claimed(Claim),
    /// The stored answer.
    Completed(Box<StoredAnswer>),
    /// Another worker holds a live lease.
    Processing(InFlight),
    /// The same key answers for other content.
    Conflict(Box<Conflict>),
}

/// What [`IdempotencyService::record`](crate::IdempotencyService::record) did.
#[derive(Debug)]
#[must_use]
pub enum RecordOutcome {
    /// This caller's answer is the stored one.
    Recorded(Box<StoredAnswer>),
    /// Somebody was first; this is the stored answer.
    Completed(Box<StoredAnswer>),
    /// Another worker holds a live lease.
    Processing(InFlight),
    /// The same key answers for other content.
    Conflict(Box<Conflict>),
}

/// Another worker is at work, and its effect may be in flight. Never a value for a model (R31).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InFlight {
    /// How long its lease still runs, by the store's clock.
    pub retry_after: Duration,
    /// Which attempt is at work.
    pub attempt: u32,
}

impl InFlight {
    pub(crate) fn of(row: &Record) -> Self {
        Self {
            retry_after: row.lease_left,
            attempt: row.attempt,
        }
    }
}

/// The journal's answer to a key.
#[derive(Clone, Debug)]
pub struct StoredAnswer {
    /// The row.
    pub claim: ClaimId,
    /// What kind of answer it is.
    pub kind: OutcomeKind,
    /// Its exact bytes, where it has any.
    pub response: Option<Response>,
    /// The resource it names, where it names one.
    pub resource: Option<Resource>,
    /// What was found out since, where something was.
    pub settled: Option<Settled>,
    /// Who made it.
    pub origin: Origin,
    /// What it was called with, where the answer was read from the journal.
    pub input: Option<StoredInput>,
    /// Which attempt made it.
    pub attempt: u32,
    /// Which vendor key that attempt used.
    pub epoch: u32,
    /// When the first attempt began.
    pub first_claimed_at: OffsetDateTime,
    /// When it was stored.
    pub completed_at: OffsetDateTime,
}

impl StoredAnswer {
    /// The answer in a completed row; `None` for a row without one.
    pub(crate) fn of(row: &Record) -> Option<Self> {
        Some(Self {
            claim: row.id,
            kind: row.outcome?,
            response: row.response.clone(),
            resource: row.resource.clone(),
            settled: row.settled.clone(),
            origin: row.origin.clone(),
            input: row.input.clone(),
            attempt: row.attempt,
            epoch: row.epoch,
            first_claimed_at: row.first_claimed_at,
            completed_at: row.completed_at?,
        })
    }
}

/// The same key, other content. It carries what is stored, so that a caller can say what was done.
#[derive(Clone, Debug)]
pub struct Conflict {
    /// The row's state.
    pub state: RowState,
    /// Its answer, where it has one.
    pub stored: Option<StoredAnswer>,
    /// The owner at work, where its lease lives.
    pub in_flight: Option<InFlight>,
    pub(crate) seen: LeaseToken,
}

impl Conflict {
    pub(crate) fn of(row: &Record) -> Box<Self> {
        let state = RowState::of(Some(row));
        Box::new(Self {
            state,
            stored: StoredAnswer::of(row),
            in_flight: state.is_live().then(|| InFlight::of(row)),
            seen: row.lease_token,
        })
    }
}
