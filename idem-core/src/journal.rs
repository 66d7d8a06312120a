//! Answers that are recorded without a claim, and unknown outcomes that somebody settles.

use crate::answer::Answer;
use crate::claim::Ending;
use crate::claiming::CLAIM_ATTEMPTS_MAX;
use crate::error::RepositoryError;
use crate::outcome::{ClaimOutcome, Conflict, InFlight, RecordOutcome, StoredAnswer};
use crate::record::{ClaimId, LeaseToken};
use crate::repository::Settlement;
use crate::request::{ClaimKey, Request};
use crate::service::{IdempotencyService, STORE_FAILURES_MAX, judge, stored};
use crate::states::{Reply, Verb};
use std::time::Duration;

/// The lease under which a recorded answer ends a lapsed row: long enough for one statement.
const RECORD_LEASE: Duration = Duration::from_secs(10);

impl IdempotencyService {
    /// Stores an answer without a claim: for a read, whose repetition is harmless (R27). The first writer wins, and
    /// the loser gets the winner's answer.
    ///
    /// # Errors
    ///
    /// [`RepositoryError`].
    ///
    /// # Cancel safety
    ///
    /// Safe: the answer is stored or it is not.
    pub async fn record(
        &self,
        request: &Request,
        answer: &Answer,
    ) -> Result<RecordOutcome, RepositoryError> {
        let (id, token) = (ClaimId::mint(), LeaseToken::mint());
        let mut failures = 0;
        for _ in 0..CLAIM_ATTEMPTS_MAX {
            match self.record_once(request, answer, (id, token)).await {
                Ok(Some(outcome)) => return Ok(outcome),
                Ok(None) => {}
                Err(error) => {
                    failures += 1;
                    if !error.is_transient() || failures >= STORE_FAILURES_MAX {
                        return Err(error);
                    }
                }
            }
        }
        Ok(RecordOutcome::Processing(InFlight {
            retry_after: Duration::ZERO,
            attempt: 0,
        }))
    }

    async fn record_once(
        &self,
        request: &Request,
        answer: &Answer,
        (id, token): (ClaimId, LeaseToken),
    ) -> Result<Option<RecordOutcome>, RepositoryError> {
        if let Some(row) = self.store.record(request, id, token, answer).await? {
            return Ok(Some(RecordOutcome::Recorded(stored(&row)?)));
        }
        let Some(row) = self.store.get(&request.key).await? else {
            return Ok(None);
        };
        if row.lease_token == token {
            return Ok(Some(RecordOutcome::Recorded(stored(&row)?)));
        }
        Ok(match judge(Some(&row), Verb::Record, request).reply {
            Reply::Answer => Some(RecordOutcome::Completed(stored(&row)?)),
            Reply::InFlight => Some(RecordOutcome::Processing(InFlight::of(&row))),
            Reply::Conflict => Some(RecordOutcome::Conflict(Conflict::of(&row))),
            _ => self.record_over_lapsed(request, answer).await?,
        })
    }

    /// A claim lapsed under this key: it is taken over and completed, so that its owner is fenced out.
    async fn record_over_lapsed(
        &self,
        request: &Request,
        answer: &Answer,
    ) -> Result<Option<RecordOutcome>, RepositoryError> {
        let claim = match self.claim(request, RECORD_LEASE).await? {
            ClaimOutcome::Claimed(claim) => claim,
            ClaimOutcome::Completed(answer) => return Ok(Some(RecordOutcome::Completed(answer))),
            ClaimOutcome::Processing(seen) => return Ok(Some(RecordOutcome::Processing(seen))),
            ClaimOutcome::Conflict(conflict) => return Ok(Some(RecordOutcome::Conflict(conflict))),
        };
        match self.complete(claim, answer).await {
            Ok(Ending::Done) => {
                let row = self.store.get(&request.key).await?;
                row.as_ref()
                    .map(stored)
                    .transpose()
                    .map(|a| a.map(RecordOutcome::Recorded))
            }
            Ok(Ending::LeaseLost) => Ok(None),
            Err(error) => {
                (*error.claim).end();
                Err(error.source)
            }
        }
    }

    /// Writes down what somebody found out about an unknown outcome: a lapsed claim is completed by it, a completed
    /// unknown outcome keeps its first answer and shows the settlement beside it (R32). `None`: there is nothing to
    /// settle, since the key is free, at work, answered, or settled before.
    ///
    /// # Errors
    ///
    /// [`RepositoryError`].
    ///
    /// # Cancel safety
    ///
    /// Safe: it is written or it is not.
    pub async fn settle(
        &self,
        key: &ClaimKey,
        settlement: &Settlement,
    ) -> Result<Option<Box<StoredAnswer>>, RepositoryError> {
        let row = self.store.settle(key, settlement).await?;
        row.as_ref().map(stored).transpose()
    }
}
