//! A store that writes down which of its verbs were asked, and does what the store under it does.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use async_trait::async_trait;
use idem_core::identity::LogicalTurn;
use idem_core::{
    Answer, ClaimId, ClaimKey, EndLease, Held, IdempotencyRepository, LeaseTerms, LeaseToken,
    OrganizationId, Probe, Record, RepositoryError, Request, Settlement, Store, SweepReport,
    TakeOver, TurnRepository,
};
use time::OffsetDateTime;

type Answered<T> = Result<T, RepositoryError>;

/// The store, with the verbs in the order in which they were asked. Each is one statement.
#[derive(Debug)]
pub(crate) struct Counting {
    store: Arc<dyn Store>,
    asked: Mutex<Vec<&'static str>>,
}

impl Counting {
    pub(crate) fn new(store: Arc<dyn Store>) -> Arc<Self> {
        let asked = Mutex::default();
        Arc::new(Self { store, asked })
    }

    /// The verbs since the last time.
    pub(crate) fn take(&self) -> Vec<&'static str> {
        std::mem::take(&mut self.asked.lock().expect("no holder panics"))
    }

    fn asked(&self, verb: &'static str) -> &dyn Store {
        self.asked.lock().expect("no holder panics").push(verb);
        &*self.store
    }
}

#[async_trait]
impl TurnRepository for Counting {
    async fn turn_age(
        &self,
        organization: OrganizationId,
        turn: &LogicalTurn,
    ) -> Answered<Duration> {
        self.asked("turn_age").turn_age(organization, turn).await
    }
}

#[async_trait]
impl IdempotencyRepository for Counting {
    async fn try_claim(
        &self,
        request: &Request,
        id: ClaimId,
        terms: &LeaseTerms,
    ) -> Answered<Option<Record>> {
        self.asked("try_claim").try_claim(request, id, terms).await
    }

    async fn reclaim(
        &self,
        request: &Request,
        seen: LeaseToken,
        terms: &LeaseTerms,
    ) -> Answered<Option<Record>> {
        self.asked("reclaim").reclaim(request, seen, terms).await
    }

    async fn get(&self, key: &ClaimKey) -> Answered<Option<Record>> {
        self.asked("get").get(key).await
    }

    async fn complete(&self, held: &Held, answer: &Answer) -> Answered<Option<OffsetDateTime>> {
        self.asked("complete").complete(held, answer).await
    }

    async fn release(&self, held: &Held) -> Answered<bool> {
        self.asked("release").release(held).await
    }

    async fn end_lease(&self, held: &Held, how: EndLease) -> Answered<bool> {
        self.asked("end_lease").end_lease(held, how).await
    }

    async fn mark_dispatched(&self, held: &Held) -> Answered<Option<Duration>> {
        self.asked("mark_dispatched").mark_dispatched(held).await
    }

    async fn record(
        &self,
        request: &Request,
        id: ClaimId,
        token: LeaseToken,
        answer: &Answer,
    ) -> Answered<Option<Record>> {
        let store = self.asked("record");
        store.record(request, id, token, answer).await
    }

    async fn take_over(
        &self,
        request: &Request,
        take: &TakeOver,
        terms: &LeaseTerms,
    ) -> Answered<Option<Record>> {
        self.asked("take_over")
            .take_over(request, take, terms)
            .await
    }

    async fn settle(&self, key: &ClaimKey, settlement: &Settlement) -> Answered<Option<Record>> {
        self.asked("settle").settle(key, settlement).await
    }

    async fn sweep(&self, rows_max: u32) -> Answered<SweepReport> {
        self.asked("sweep").sweep(rows_max).await
    }

    async fn probe(&self) -> Answered<Probe> {
        self.asked("probe").probe().await
    }
}

idem_core::delegate_cards!(Counting, store, find_card by [asked("find_card")]);
