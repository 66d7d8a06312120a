//! The meaning of duplicates: read, claim, and the two endings. The store keeps each verb atomic.

use crate::answer::Answer;
use crate::claim::{Claim, Ending, EndingError, Fence};
use crate::error::RepositoryError;
use crate::outcome::{ClaimOutcome, Conflict, InFlight, ReadOutcome, StoredAnswer};
use crate::record::{ClaimId, LeaseToken, Record, Status};
use crate::repository::{
    EndLease, Held, IdempotencyRepository, LeaseTerms, TakeOver, TakeOverReason,
};
use crate::request::Request;
use crate::states::{Decision, Party, Reply, RowState, Verb, decide};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// How often one claim goes round insert, read and reclaim before it answers `processing` (R4).
pub const CLAIM_ATTEMPTS_MAX: u32 = 8;

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
        let row = self.get(request).await?;
        let decision = judge(row.as_ref(), Verb::Read, request);
        match (decision.reply, row) {
            (Reply::Answer, Some(row)) => Ok(ReadOutcome::Completed(stored(&row)?)),
            (Reply::InFlight, Some(row)) => Ok(ReadOutcome::Processing(InFlight::of(&row))),
            (Reply::Conflict, Some(row)) => Ok(ReadOutcome::Conflict(Conflict::of(&row))),
            _ => Ok(ReadOutcome::Absent),
        }
    }

    /// Owns a key for `lease`, or says why not. One statement where the key is free.
    ///
    /// # Errors
    ///
    /// [`RepositoryError`]. A claim whose reply was lost is recognised by its token and is the caller's; where the
    /// store stays silent, the row is given up as far as it can be reached (R11).
    ///
    /// # Cancel safety
    ///
    /// Not safe: a claim may be stored that nobody owns; it lapses. Run it in a task of its own.
    pub async fn claim(
        &self,
        request: &Request,
        lease: Duration,
    ) -> Result<ClaimOutcome, RepositoryError> {
        self.own(request, lease, Start::Insert).await
    }

    /// Owns a key whose row lapsed without doubt under other content (R24). Any other conflict is given back.
    ///
    /// # Errors
    ///
    /// [`RepositoryError`].
    ///
    /// # Cancel safety
    ///
    /// As [`claim`](Self::claim).
    pub async fn claim_over(
        &self,
        request: &Request,
        conflict: Box<Conflict>,
        lease: Duration,
    ) -> Result<ClaimOutcome, RepositoryError> {
        if conflict.state != RowState::Lapsed {
            return Ok(ClaimOutcome::Conflict(conflict));
        }
        self.own(request, lease, Start::Over(conflict.seen)).await
    }

    async fn own(
        &self,
        request: &Request,
        lease: Duration,
        start: Start,
    ) -> Result<ClaimOutcome, RepositoryError> {
        let mut attempt = Attempt::new(request, lease);
        let mut failures = 0;
        let mut last_seen = None;
        let mut start = Some(start);
        for _ in 0..CLAIM_ATTEMPTS_MAX {
            match self
                .own_once(&mut attempt, start.take().unwrap_or(Start::Insert))
                .await
            {
                Ok(Round::Ended(outcome)) => return Ok(*outcome),
                Ok(Round::Again(seen)) => last_seen = seen.or(last_seen),
                Err(error) => {
                    failures += 1;
                    if !error.is_transient() || failures >= STORE_FAILURES_MAX {
                        self.give_up_unseen(&attempt).await;
                        return Err(error);
                    }
                }
            }
        }
        // Everyone else kept winning: ordinary concurrency, and the caller may come back at once (R4).
        let none = InFlight {
            retry_after: Duration::ZERO,
            attempt: 0,
        };
        Ok(ClaimOutcome::Processing(last_seen.unwrap_or(none)))
    }

    async fn own_once(
        &self,
        attempt: &mut Attempt<'_>,
        start: Start,
    ) -> Result<Round, RepositoryError> {
        if let Start::Over(seen) = start {
            return self
                .take_over(attempt, seen, TakeOverReason::OtherContent)
                .await;
        }
        let Attempt {
            request, id, terms, ..
        } = *attempt;
        if let Some(row) = self.store.try_claim(request, id, &terms).await? {
            return Ok(attempt.granted(&row));
        }
        // The insert's conflict is read by a second statement: a single insert-else-select statement answers no
        // row at all when the other commit is concurrent (R3).
        let Some(row) = self.store.get(&request.key).await? else {
            return Ok(Round::Again(None));
        };
        if row.lease_token == terms.token && row.status == Status::Processing {
            return Ok(attempt.granted(&row));
        }
        match judge(Some(&row), Verb::Claim, request).reply {
            Reply::Conflict => Ok(Round::ended(ClaimOutcome::Conflict(Conflict::of(&row)))),
            Reply::InFlight => Ok(Round::ended(ClaimOutcome::Processing(InFlight::of(&row)))),
            Reply::Answer if reopens(request, &row) => {
                self.take_over(attempt, row.lease_token, TakeOverReason::Reopened)
                    .await
            }
            Reply::Answer => Ok(Round::ended(ClaimOutcome::Completed(stored(&row)?))),
            Reply::TakenOver | Reply::TakenOverInDoubt => {
                match self.store.reclaim(request, row.lease_token, &terms).await? {
                    Some(row) => Ok(attempt.granted(&row)),
                    None => Ok(Round::Again(Some(InFlight::of(&row)))),
                }
            }
            _ => {
                self.take_over(attempt, row.lease_token, TakeOverReason::PastRetention)
                    .await
            }
        }
    }

    async fn take_over(
        &self,
        attempt: &Attempt<'_>,
        seen: LeaseToken,
        reason: TakeOverReason,
    ) -> Result<Round, RepositoryError> {
        let take = TakeOver {
            reason,
            seen,
            id: attempt.id,
        };
        match self
            .store
            .take_over(attempt.request, &take, &attempt.terms)
            .await?
        {
            Some(row) => Ok(attempt.granted(&row)),
            None => Ok(Round::Again(None)),
        }
    }

    /// An attempt whose claim may have been stored gives it up, as far as the store can be reached: the lease ends
    /// and its own mark goes, so that the next caller need not wait for nobody (R11).
    async fn give_up_unseen(&self, attempt: &Attempt<'_>) {
        let Ok(Some(row)) = self.store.get(&attempt.request.key).await else {
            return;
        };
        if row.lease_token != attempt.terms.token {
            return;
        }
        let organization = attempt.request.key.organization();
        let held = Held {
            organization,
            id: row.id,
            token: row.lease_token,
        };
        let how = EndLease {
            clear_mark: true,
            ..EndLease::default()
        };
        if let Err(error) = self.store.end_lease(&held, how).await {
            tracing::warn!(%error, "a claim whose reply was lost could not be given up; it lapses");
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
        let mut failures = 0;
        loop {
            let ended = match self.store.complete(&held, answer).await {
                Ok(Some(_)) => Ok(true),
                Ok(None) => self.is_completed_by(&claim).await,
                Err(error) => Err(error),
            };
            match ended {
                Ok(true) => return Ok(finish(claim, Ending::Done)),
                Ok(false) => return Ok(finish(claim, Ending::LeaseLost)),
                Err(source) => {
                    failures += 1;
                    if !source.is_transient() || failures >= STORE_FAILURES_MAX {
                        return Err(EndingError {
                            claim: Box::new(claim),
                            source,
                        });
                    }
                }
            }
        }
    }

    /// A completion whose acknowledgement was lost finds its own token on the completed row (R11).
    async fn is_completed_by(&self, claim: &Claim) -> Result<bool, RepositoryError> {
        let row = self.store.get(claim.key()).await?;
        let owner = row
            .as_ref()
            .is_some_and(|row| row.lease_token == claim.token());
        let party = if owner {
            Party::Owner
        } else {
            Party::FencedOut
        };
        let state = RowState::of(row.as_ref());
        Ok(decide(state, Verb::Complete, party).reply == Reply::Stored)
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
        if claim.in_doubt() {
            let how = EndLease {
                clear_mark: true,
                ..EndLease::default()
            };
            return self.end_lease(claim, how).await;
        }
        let held = claim.held();
        let mut failures = 0;
        loop {
            let released = match self.store.release(&held).await {
                Ok(true) => Ok(true),
                // Gone is what was wanted, whoever's reply was lost.
                Ok(false) => self.store.get(claim.key()).await.map(|row| row.is_none()),
                Err(error) => Err(error),
            };
            match released {
                Ok(true) => return Ok(finish(claim, Ending::Done)),
                Ok(false) => return Ok(finish(claim, Ending::LeaseLost)),
                Err(source) => {
                    failures += 1;
                    if !source.is_transient() || failures >= STORE_FAILURES_MAX {
                        return Err(EndingError {
                            claim: Box::new(claim),
                            source,
                        });
                    }
                }
            }
        }
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
        let mut failures = 0;
        loop {
            match self.store.end_lease(&held, how).await {
                Ok(true) => return Ok(finish(claim, Ending::Done)),
                Ok(false) => return Ok(finish(claim, Ending::LeaseLost)),
                Err(source) => {
                    failures += 1;
                    if !source.is_transient() || failures >= STORE_FAILURES_MAX {
                        return Err(EndingError {
                            claim: Box::new(claim),
                            source,
                        });
                    }
                }
            }
        }
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
        let mut failures = 0;
        loop {
            match self.store.mark_dispatched(&fence.held).await {
                Err(error) if error.is_transient() && failures + 1 < STORE_FAILURES_MAX => {
                    failures += 1
                }
                answer => return answer,
            }
        }
    }

    async fn get(&self, request: &Request) -> Result<Option<Record>, RepositoryError> {
        let mut failures = 0;
        loop {
            match self.store.get(&request.key).await {
                Err(error) if error.is_transient() && failures + 1 < STORE_FAILURES_MAX => {
                    failures += 1
                }
                answer => return answer,
            }
        }
    }
}

/// How the first round of a claim begins.
#[derive(Clone, Copy)]
enum Start {
    Insert,
    Over(LeaseToken),
}

/// How a round of a claim ended.
enum Round {
    Ended(Box<ClaimOutcome>),
    Again(Option<InFlight>),
}

impl Round {
    fn ended(outcome: ClaimOutcome) -> Self {
        Self::Ended(Box::new(outcome))
    }
}

/// One service call's attempt: its token is minted once and reused across the call's own retries, never longer (R3).
struct Attempt<'a> {
    request: &'a Request,
    id: ClaimId,
    terms: LeaseTerms,
    asked_at: Instant,
}

impl<'a> Attempt<'a> {
    fn new(request: &'a Request, lease: Duration) -> Self {
        let terms = LeaseTerms {
            token: LeaseToken::mint(),
            lease,
            retain: request.key.scope().retention(),
            dispatched: !request.marks_dispatch,
        };
        Self {
            request,
            id: ClaimId::mint(),
            terms,
            asked_at: Instant::now(),
        }
    }

    fn granted(&self, row: &Record) -> Round {
        let claim = Claim::granted(self.request, row, self.terms.lease, self.asked_at);
        Round::ended(ClaimOutcome::Claimed(claim))
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

pub(crate) fn stored(row: &Record) -> Result<StoredAnswer, RepositoryError> {
    StoredAnswer::of(row)
        .ok_or_else(|| RepositoryError::Corrupt("a completed row without an answer".to_owned()))
}

fn reopens(request: &Request, row: &Record) -> bool {
    request.reopens
        && row
            .settled
            .as_ref()
            .is_some_and(|settled| !settled.happened)
}

fn finish(claim: Claim, ending: Ending) -> Ending {
    claim.end();
    ending
}
