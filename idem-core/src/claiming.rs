//! Owning a key: insert, read, reclaim or take over, round by round, a bounded number of times (R3, R4).

use crate::claim::Claim;
use crate::error::RepositoryError;
use crate::outcome::{ClaimOutcome, Conflict, InFlight};
use crate::record::{ClaimId, LeaseToken, Record, Status};
use crate::repository::{EndLease, Held, LeaseTerms, TakeOver, TakeOverReason};
use crate::request::Request;
use crate::service::{IdempotencyService, STORE_FAILURES_MAX, judge, stored};
use crate::states::{Reply, RowState, Verb};
use std::time::{Duration, Instant};

/// How often one claim goes round insert, read and reclaim before it answers `processing` (R4).
pub const CLAIM_ATTEMPTS_MAX: u32 = 8;

impl IdempotencyService {
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
        mut start: Start,
    ) -> Result<ClaimOutcome, RepositoryError> {
        let mut attempt = Attempt::new(request, lease);
        let mut failures = 0;
        let mut last_seen = None;
        for _ in 0..CLAIM_ATTEMPTS_MAX {
            match self.own_once(&mut attempt, start).await {
                Ok(Round::Ended(outcome)) => return Ok(*outcome),
                Ok(Round::Again(seen)) => {
                    last_seen = seen.or(last_seen);
                    start = Start::Insert;
                }
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

/// Whether what somebody found not to have happened may be done under this key (R32).
pub(crate) fn reopens(request: &Request, row: &Record) -> bool {
    request.reopens
        && row
            .settled
            .as_ref()
            .is_some_and(|settled| !settled.happened)
}
