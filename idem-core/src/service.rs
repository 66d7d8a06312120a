//! The meaning of duplicates: read, claim, and the two endings. The store keeps each verb atomic.

use crate::answer::Answer;
use crate::claim::{Claim, Ending, EndingError, Fence};
use crate::claiming::reopens;
use crate::error::RepositoryError;
use crate::outcome::{Conflict, InFlight, ReadOutcome, StoredAnswer};
use crate::record::Record;
use crate::repository::{EndLease, IdempotencyRepository};
use crate::request::Request;
use crate::states::{Decision, Party, Reply, RowState, Verb, decide};
use std::sync::Arc;
use std::time::Duration;

/// How often one verb asks a store that does not answer.
pub const STORE_FAILURES_MAX: u32 = 3;

/// The meaning of duplicates over one store. Cheap to clone.
#[derive(Clone, Debug)]
pub struct IdempotencyService {
    pub(crate) store: Arc<dyn IdempotencyRepository>,
}

impl IdempotencyService {
    /// A service over a store.
    #[must_use]
    pub fn new(store: Arc<dyn IdempotencyRepository>) -> Self {
        Self { store }
    }

    /// Looks a key up. Writes nothing and takes no claim, so that it can stand before a checkpoint (R6).
    ///
    /// # Errors
    ///
    /// [`RepositoryError`].
    ///
    /// # Cancel safety
    ///
    /// Safe: nothing is written.
    pub async fn read(&self, request: &Request) -> Result<ReadOutcome, RepositoryError> {
        let row = insist(|| self.store.get(&request.key)).await?;
        let decision = judge(row.as_ref(), Verb::Read, request);
        match (decision.reply, row) {
            // The claim takes it over, past the checkpoint.
            (Reply::Answer, Some(row)) if reopens(request, &row) => Ok(ReadOutcome::Absent),
            (Reply::Answer, Some(row)) => Ok(ReadOutcome::Completed(stored(&row)?)),
            (Reply::InFlight, Some(row)) => Ok(ReadOutcome::Processing(InFlight::of(&row))),
            (Reply::Conflict, Some(row)) => Ok(ReadOutcome::Conflict(Conflict::of(&row))),
            _ => Ok(ReadOutcome::Absent),
        }
    }

    /// Ends a claim with its answer. Another statement only where the store did not answer, or where the fence
    /// moved on.
    ///
    /// # Errors
    ///
    /// [`EndingError`] hands the claim back.
    ///
    /// # Cancel safety
    ///
    /// Not safe: the claim is dropped, stored or not. Run it in a task of its own.
    pub async fn complete(&self, claim: Claim, answer: &Answer) -> Result<Ending, EndingError> {
        let held = claim.held();
        let owned = &claim;
        let done = insist(|| async move {
            match self.store.complete(&held, answer).await? {
                Some(_) => Ok(true),
                None => self.completed_by(owned).await,
            }
        });
        let done = done.await;
        finish(done, claim)
    }

    /// Gives a key up as if it had never been claimed: this attempt made no effect. The row goes, unless an
    /// earlier attempt left doubt; then its lease ends and it keeps content and doubt (R13).
    ///
    /// # Errors
    ///
    /// [`EndingError`] hands the claim back.
    ///
    /// # Cancel safety
    ///
    /// As [`complete`](Self::complete).
    pub async fn release(&self, claim: Claim) -> Result<Ending, EndingError> {
        // A raised epoch is kept as well: the vendor's answer under the old key would come back with it.
        if claim.in_doubt() || claim.epoch() > 0 {
            let how = EndLease {
                clear_mark: true,
                ..EndLease::default()
            };
            return self.end_lease(claim, how).await;
        }
        let held = claim.held();
        let key = claim.key();
        let done = insist(|| async move {
            // Gone is what was wanted, whoever's reply was lost.
            Ok(self.store.release(&held).await? || self.store.get(key).await?.is_none())
        });
        let done = done.await;
        finish(done, claim)
    }

    /// Ends the lease and keeps the row; `how` says what becomes of the marks and of the vendor key.
    ///
    /// # Errors
    ///
    /// [`EndingError`] hands the claim back. A repeat after a lost reply may raise the epoch twice, which costs a
    /// vendor key and nothing else.
    ///
    /// # Cancel safety
    ///
    /// As [`complete`](Self::complete).
    pub async fn end_lease(&self, claim: Claim, how: EndLease) -> Result<Ending, EndingError> {
        let held = claim.held();
        finish(insist(|| self.store.end_lease(&held, how)).await, claim)
    }

    /// Leaves a claim to lapse on purpose: its effect may be in flight, and the next caller takes it over in doubt
    /// once the lease has passed (R14). Nothing is written.
    pub fn leave_in_doubt(&self, claim: Claim) {
        claim.end();
    }

    /// Marks, just before the wire, that the effect may begin. `None`: the lease moved on; do not send.
    ///
    /// # Errors
    ///
    /// [`RepositoryError`]: the mark may or may not be written; do not send.
    ///
    /// # Cancel safety
    ///
    /// Safe: a mark without an effect only makes a takeover careful.
    pub async fn mark_dispatched(
        &self,
        fence: &Fence,
    ) -> Result<Option<Duration>, RepositoryError> {
        insist(|| self.store.mark_dispatched(&fence.held)).await
    }
}

/// Asks a store that may not answer, at most [`STORE_FAILURES_MAX`] times. For verbs that may be carried out twice.
///
/// # Errors
///
/// The last [`RepositoryError`], or the first that asking again does not mend.
///
/// # Cancel safety
///
/// That of what is asked.
pub async fn insist<T, Asking>(ask: impl Fn() -> Asking) -> Result<T, RepositoryError>
where
    Asking: Future<Output = Result<T, RepositoryError>>,
{
    let mut failures = 0;
    loop {
        match ask().await {
            Err(error) if error.is_transient() && failures + 1 < STORE_FAILURES_MAX => {
                failures += 1;
            }
            answer => return answer,
        }
    }
}

pub(crate) fn judge(row: Option<&Record>, verb: Verb, request: &Request) -> Decision {
    let same = row.is_none_or(|row| row.request_hash == request.hash);
    let party = if same {
        Party::SameContent
    } else {
        Party::OtherContent
    };
    decide(RowState::of(row), verb, party)
}

pub(crate) fn stored(row: &Record) -> Result<Box<StoredAnswer>, RepositoryError> {
    StoredAnswer::of(row)
        .map(Box::new)
        .ok_or_else(|| RepositoryError::Corrupt("a completed row without an answer".to_owned()))
}

fn finish(done: Result<bool, RepositoryError>, claim: Claim) -> Result<Ending, EndingError> {
    match done {
        Ok(done) => {
            claim.end();
            Ok(if done {
                Ending::Done
            } else {
                Ending::LeaseLost
            })
        }
        Err(source) => Err(EndingError {
            claim: Box::new(claim),
            source,
        }),
    }
}
