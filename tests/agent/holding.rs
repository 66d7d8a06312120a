//! A store that holds its process just before, or just after, a step is written down. What else is asked of it is done by
//! the store under it.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use async_trait::async_trait;
use idem_core::identity::LogicalTurn;
use idem_core::{
    Answer, ClaimId, ClaimKey, EndLease, Held, IdempotencyRepository, LeaseTerms, LeaseToken,
    OrganizationId, Probe, Record, RepositoryError, Request, Settlement, Store, SweepReport,
    TakeOver, TurnRepository,
};
use time::OffsetDateTime;

use crate::model::Hold;

type Answered<T> = Result<T, RepositoryError>;

/// Where a process is held, at the n-th step that it writes down.
#[derive(Clone, Debug)]
pub(crate) enum At {
    /// The model answered, and nothing says so.
    Before(usize),
    /// The step is stored, and nothing was done about it.
    After(usize),
}

#[derive(Debug)]
pub(crate) struct Holding {
    store: Arc<dyn Store>,
    at: At,
    hold: Hold,
    steps: AtomicUsize,
}

impl Holding {
    pub(crate) fn over(store: Arc<dyn Store>, at: At, hold: Hold) -> Arc<Self> {
        Arc::new(Self {
            store,
            at,
            hold,
            steps: AtomicUsize::new(0),
        })
    }

    async fn held(&self) {
        self.hold.reached.open();
        self.hold.go.opened().await;
    }
}

#[async_trait]
impl TurnRepository for Holding {
    async fn turn_age(
        &self,
        organization: OrganizationId,
        turn: &LogicalTurn,
    ) -> Answered<Duration> {
        self.store.turn_age(organization, turn).await
    }
}

#[async_trait]
impl IdempotencyRepository for Holding {
    async fn record(
        &self,
        request: &Request,
        id: ClaimId,
        token: LeaseToken,
        answer: &Answer,
    ) -> Answered<Option<Record>> {
        let is_step = request.key.scope().as_str() == "model.turn";
        let nth = self.steps.fetch_add(usize::from(is_step), Ordering::SeqCst) + 1;
        if is_step && matches!(self.at, At::Before(at) if at == nth) {
            self.held().await;
        }
        let recorded = self.store.record(request, id, token, answer).await;
        if is_step && matches!(self.at, At::After(at) if at == nth) {
            self.held().await;
        }
        recorded
    }

    async fn try_claim(
        &self,
        request: &Request,
        id: ClaimId,
        terms: &LeaseTerms,
    ) -> Answered<Option<Record>> {
        self.store.try_claim(request, id, terms).await
    }

    async fn reclaim(
        &self,
        request: &Request,
        seen: LeaseToken,
        terms: &LeaseTerms,
    ) -> Answered<Option<Record>> {
        self.store.reclaim(request, seen, terms).await
    }

    async fn get(&self, key: &ClaimKey) -> Answered<Option<Record>> {
        self.store.get(key).await
    }

    async fn complete(&self, held: &Held, answer: &Answer) -> Answered<Option<OffsetDateTime>> {
        self.store.complete(held, answer).await
    }

    async fn release(&self, held: &Held) -> Answered<bool> {
        self.store.release(held).await
    }

    async fn end_lease(&self, held: &Held, how: EndLease) -> Answered<bool> {
        self.store.end_lease(held, how).await
    }

    async fn mark_dispatched(&self, held: &Held) -> Answered<Option<Duration>> {
        self.store.mark_dispatched(held).await
    }

    async fn take_over(
        &self,
        request: &Request,
        take: &TakeOver,
        terms: &LeaseTerms,
    ) -> Answered<Option<Record>> {
        self.store.take_over(request, take, terms).await
    }

    async fn settle(&self, key: &ClaimKey, settlement: &Settlement) -> Answered<Option<Record>> {
        self.store.settle(key, settlement).await
    }

    async fn sweep(&self, rows_max: u32) -> Answered<SweepReport> {
        self.store.sweep(rows_max).await
    }

    async fn probe(&self) -> Answered<Probe> {
        self.store.probe().await
    }
}

idem_core::delegate_cards!(Holding, store);
