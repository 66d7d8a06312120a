//! A store that forgets everything with the process: for tests and benchmarks, never for production (feature
//! `testing`). No URL opens it.

mod cards;
mod inspection;
mod row;
mod run_row;
mod runs;
#[cfg(test)]
mod tests;

use crate::answer::{Answer, OutcomeKind, Settled};
use crate::approval::Approval;
use crate::error::RepositoryError;
use crate::identity::LogicalTurn;
use crate::organization::OrganizationId;
use crate::record::{ClaimId, LeaseToken, Record, Status};
use crate::repository::{
    EndLease, Held, IdempotencyRepository, LeaseTerms, Probe, Settlement, SweepReport, TakeOver,
    TakeOverReason, TurnRepository,
};
use crate::request::{ClaimKey, Request};
use async_trait::async_trait;
use row::Row;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use time::OffsetDateTime;

/// The plane in memory. Clones share it. Its clock runs, and [`advance`](Self::advance) moves it on.
#[derive(Clone, Debug, Default)]
pub struct VolatileStore {
    inner: Arc<Mutex<Inner>>,
}

#[derive(Debug, Default)]
struct Inner {
    rows: HashMap<ClaimKey, Row>,
    turns: HashMap<(OrganizationId, LogicalTurn), OffsetDateTime>,
    cards: Vec<Approval>,
    runs: Vec<run_row::RunRow>,
    ahead: Duration,
}

impl Inner {
    fn now(&self) -> OffsetDateTime {
        OffsetDateTime::now_utc() + self.ahead
    }

    /// The row that an owner shows its fence for, while it has no answer.
    fn held(&mut self, held: &Held) -> Option<&mut Row> {
        self.rows.iter_mut().find_map(|(key, row)| {
            let is_it = key.organization() == held.organization
                && row.record.id == held.id
                && row.record.lease_token == held.token
                && row.record.status == Status::Processing;
            is_it.then_some(row)
        })
    }
}

impl VolatileStore {
    /// An empty store.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Moves the store's clock on, for every later verb: leases and retentions pass without waiting.
    pub fn advance(&self, by: Duration) {
        self.lock().ahead += by;
    }

    /// How many keys are stored.
    #[must_use]
    pub fn len(&self) -> usize {
        self.lock().rows.len()
    }

    /// Whether nothing is stored.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    fn lock(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[async_trait]
impl IdempotencyRepository for VolatileStore {
    async fn try_claim(
        &self,
        request: &Request,
        id: ClaimId,
        terms: &LeaseTerms,
    ) -> Result<Option<Record>, RepositoryError> {
        let mut inner = self.lock();
        let now = inner.now();
        if inner.rows.contains_key(&request.key) {
            return Ok(None);
        }
        let row = Row::claimed(request, id, terms, now);
        let record = row.seen(now);
        inner.rows.insert(request.key.clone(), row);
        Ok(Some(record))
    }

    async fn reclaim(
        &self,
        request: &Request,
        seen: LeaseToken,
        terms: &LeaseTerms,
    ) -> Result<Option<Record>, RepositoryError> {
        let mut inner = self.lock();
        let now = inner.now();
        let Some(row) = inner.rows.get_mut(&request.key) else {
            return Ok(None);
        };
        let lapsed = row.is_lapsed(now) && row.retain_until > now;
        let is_it = row.record.lease_token == seen && row.record.request_hash == request.hash;
        if !lapsed || !is_it {
            return Ok(None);
        }
        row.reclaim(request, terms, now);
        Ok(Some(row.seen(now)))
    }

    async fn get(&self, key: &ClaimKey) -> Result<Option<Record>, RepositoryError> {
        let inner = self.lock();
        let now = inner.now();
        Ok(inner.rows.get(key).map(|row| row.seen(now)))
    }

    async fn complete(
        &self,
        held: &Held,
        answer: &Answer,
    ) -> Result<Option<OffsetDateTime>, RepositoryError> {
        let mut inner = self.lock();
        let now = inner.now();
        let Some(row) = inner.held(held) else {
            return Ok(None);
        };
        row.answer(answer, now);
        Ok(Some(now))
    }

    async fn release(&self, held: &Held) -> Result<bool, RepositoryError> {
        let mut inner = self.lock();
        if inner
            .held(held)
            .is_none_or(|row| row.record.doubt || row.record.epoch > 0)
        {
            return Ok(false);
        }
        inner.rows.retain(|_, row| row.record.id != held.id);
        Ok(true)
    }

    async fn end_lease(&self, held: &Held, how: EndLease) -> Result<bool, RepositoryError> {
        let mut inner = self.lock();
        let now = inner.now();
        let Some(row) = inner.held(held) else {
            return Ok(false);
        };
        row.end_lease(how, now);
        Ok(true)
    }

    async fn mark_dispatched(&self, held: &Held) -> Result<Option<Duration>, RepositoryError> {
        let mut inner = self.lock();
        let now = inner.now();
        let Some(row) = inner.held(held) else {
            return Ok(None);
        };
        row.mark(now);
        Ok(Some(row.seen(now).lease_left))
    }

    async fn record(
        &self,
        request: &Request,
        id: ClaimId,
        token: LeaseToken,
        answer: &Answer,
    ) -> Result<Option<Record>, RepositoryError> {
        let mut inner = self.lock();
        let now = inner.now();
        if inner
            .rows
            .get(&request.key)
            .is_some_and(|row| row.retain_until > now)
        {
            return Ok(None);
        }
        let retain = request.key.scope().retention();
        let terms = LeaseTerms {
            token,
            lease: Duration::ZERO,
            retain,
            dispatched: false,
        };
        let mut row = Row::claimed(request, id, &terms, now);
        row.answer(answer, now);
        let record = row.seen(now);
        inner.rows.insert(request.key.clone(), row);
        Ok(Some(record))
    }

    async fn take_over(
        &self,
        request: &Request,
        take: &TakeOver,
        terms: &LeaseTerms,
    ) -> Result<Option<Record>, RepositoryError> {
        let mut inner = self.lock();
        let now = inner.now();
        let Some(old) = inner.rows.get(&request.key) else {
            return Ok(None);
        };
        let kept = old.retain_until > now;
        let holds = old.record.lease_token == take.seen
            && match take.reason {
                TakeOverReason::PastRetention => !kept,
                TakeOverReason::OtherContent => kept && old.is_lapsed(now) && !old.in_doubt(),
                TakeOverReason::Reopened => {
                    kept && old
                        .record
                        .settled
                        .as_ref()
                        .is_some_and(|settled| !settled.happened)
                }
            };
        if !holds {
            return Ok(None);
        }
        let mut row = Row::claimed(request, take.id, terms, now);
        if take.reason != TakeOverReason::PastRetention {
            row.record.epoch = old.record.epoch + 1;
        }
        let record = row.seen(now);
        inner.rows.insert(request.key.clone(), row);
        Ok(Some(record))
    }

    async fn settle(
        &self,
        key: &ClaimKey,
        settlement: &Settlement,
    ) -> Result<Option<Record>, RepositoryError> {
        let mut inner = self.lock();
        let now = inner.now();
        let Some(row) = inner.rows.get_mut(key) else {
            return Ok(None);
        };
        let unknown = row.record.outcome == Some(OutcomeKind::OutcomeUnknown);
        if row.retain_until <= now
            || row.record.settled.is_some()
            || !(row.is_lapsed(now) || unknown)
        {
            return Ok(None);
        }
        if row.record.status == Status::Processing {
            row.answer(&settlement.answer, now);
            row.record.lease_token = LeaseToken::mint();
            let unknown = OutcomeKind::OutcomeUnknown;
            row.record.outcome = Some(if settlement.happened {
                OutcomeKind::Answer
            } else {
                unknown
            });
        }
        row.settled_note.clone_from(&settlement.note);
        row.record.settled = Some(Settled {
            happened: settlement.happened,
            at: now,
            by: Some(settlement.by.clone()),
            response: settlement
                .answer
                .response()
                .map(|response| response.bytes.clone()),
        });
        Ok(Some(row.seen(now)))
    }

    async fn sweep(&self, rows_max: u32) -> Result<SweepReport, RepositoryError> {
        let mut inner = self.lock();
        let now = inner.now();
        let mut due: Vec<(OffsetDateTime, ClaimKey)> = inner
            .rows
            .iter()
            .filter(|(_, row)| row.retain_until <= now)
            .map(|(key, row)| (row.retain_until, key.clone()))
            .collect();
        due.sort_by_key(|(until, _)| *until);
        due.truncate(rows_max as usize);
        let mut report = SweepReport::default();
        for (_, key) in due {
            let gone = inner.rows.remove(&key);
            report.read += 1;
            report.deleted += 1;
            let unanswered = gone.is_some_and(|row| row.record.status == Status::Processing);
            report.incidents += u64::from(unanswered);
        }
        Ok(report)
    }

    async fn probe(&self) -> Result<Probe, RepositoryError> {
        Ok(Probe {
            store: "memory",
            clock: self.lock().now(),
        })
    }
}

#[async_trait]
impl TurnRepository for VolatileStore {
    async fn turn_age(
        &self,
        organization: OrganizationId,
        turn: &LogicalTurn,
    ) -> Result<Duration, RepositoryError> {
        let mut inner = self.lock();
        let now = inner.now();
        let started = *inner
            .turns
            .entry((organization, turn.clone()))
            .or_insert(now);
        Ok((now - started).try_into().unwrap_or_default())
    }
}
