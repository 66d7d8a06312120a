//! The order's store, standing still before or after it writes an answer down.

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use idem_core::identity::LogicalTurn;
use idem_core::{
    Answer, ClaimId, ClaimKey, EndLease, Held, IdempotencyRepository, LeaseTerms, LeaseToken,
    OrganizationId, Probe, Record, RepositoryError, Request, Settlement, Store, SweepReport,
    TakeOver, TurnRepository,
};
use time::OffsetDateTime;

use crate::order::Point;
use crate::tools::stop;

type Answers<T> = Result<T, RepositoryError>;

/// Passes everything on.
#[derive(Debug)]
pub(crate) struct Stopping {
    store: Arc<dyn Store>,
    stop_at: Option<Point>,
}

impl Stopping {
    pub(crate) fn new(store: Arc<dyn Store>, stop_at: Option<Point>) -> Self {
        Self { store, stop_at }
    }
}

#[async_trait]
impl IdempotencyRepository for Stopping {
    async fn try_claim(&self, r: &Request, i: ClaimId, t: &LeaseTerms) -> Answers<Option<Record>> {
        self.store.try_claim(r, i, t).await
    }
    async fn reclaim(&self, r: &Request, s: LeaseToken, t: &LeaseTerms) -> Answers<Option<Record>> {
        self.store.reclaim(r, s, t).await
    }
    async fn get(&self, key: &ClaimKey) -> Answers<Option<Record>> {
        self.store.get(key).await
    }
    async fn complete(&self, held: &Held, a: &Answer) -> Answers<Option<OffsetDateTime>> {
        stop(self.stop_at, Point::BeforeEnding).await;
        let ended = self.store.complete(held, a).await;
        stop(self.stop_at, Point::Ended).await;
        ended
    }
    async fn release(&self, held: &Held) -> Answers<bool> {
        self.store.release(held).await
    }
    async fn end_lease(&self, held: &Held, how: EndLease) -> Answers<bool> {
        self.store.end_lease(held, how).await
    }
    async fn mark_dispatched(&self, held: &Held) -> Answers<Option<Duration>> {
        self.store.mark_dispatched(held).await
    }
    async fn record(
        &self,
        r: &Request,
        i: ClaimId,
        t: LeaseToken,
        a: &Answer,
    ) -> Answers<Option<Record>> {
        stop(self.stop_at, Point::BeforeEnding).await;
        let recorded = self.store.record(r, i, t, a).await;
        stop(self.stop_at, Point::Ended).await;
        recorded
    }
    async fn take_over(
        &self,
        r: &Request,
        take: &TakeOver,
        t: &LeaseTerms,
    ) -> Answers<Option<Record>> {
        self.store.take_over(r, take, t).await
    }
    async fn settle(&self, key: &ClaimKey, s: &Settlement) -> Answers<Option<Record>> {
        self.store.settle(key, s).await
    }
    async fn sweep(&self, rows_max: u32) -> Answers<SweepReport> {
        self.store.sweep(rows_max).await
    }
    async fn probe(&self) -> Answers<Probe> {
        self.store.probe().await
    }
}

#[async_trait]
impl TurnRepository for Stopping {
    async fn turn_age(&self, o: OrganizationId, t: &LogicalTurn) -> Answers<Duration> {
        self.store.turn_age(o, t).await
    }
}

idem_core::delegate_cards!(Stopping, store);
