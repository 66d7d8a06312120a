//! A store that does what the store under it does, and loses one reply of one verb.

use async_trait::async_trait;
use idem_core::identity::LogicalTurn;
use idem_core::{
    Answer, ClaimId, ClaimKey, EndLease, Held, IdempotencyRepository, LeaseTerms, LeaseToken,
    OrganizationId, Probe, Record, RepositoryError, Request, Settlement, Store, SweepReport,
    TakeOver, TurnRepository,
};
use std::any::Any;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use time::OffsetDateTime;

type Answered<T> = Result<T, RepositoryError>;

/// A verb whose reply can be lost.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Verb {
    TryClaim,
    Get,
    Complete,
    Record,
}

/// The statement of this name.
macro_rules! sql {
    ($name:literal) => {
        include_str!(concat!("../../idem-core/src/postgres/sql/", $name, ".sql"))
    };
}

impl Verb {
    /// What stands for it on the wire to PostgreSQL.
    pub(crate) const fn statement(self) -> &'static str {
        match self {
            Self::TryClaim => sql!("try_claim"),
            Self::Get => sql!("get"),
            Self::Complete => sql!("complete"),
            Self::Record => sql!("record"),
        }
    }
}

/// The store, and the reply that is to be lost.
#[derive(Debug)]
pub(crate) struct Losing {
    store: Arc<dyn Store>,
    verb: Verb,
    lost: AtomicBool,
}

impl Losing {
    pub(crate) fn new(store: Arc<dyn Store>, verb: Verb) -> Arc<Self> {
        let lost = AtomicBool::new(false);
        Arc::new(Self { store, verb, lost })
    }

    /// Whether the reply was lost.
    pub(crate) fn has_lost(&self) -> bool {
        self.lost.load(Ordering::SeqCst)
    }

    fn reply<T>(&self, verb: Verb, reply: Answered<T>) -> Answered<T> {
        let reply = reply?;
        if verb == self.verb && !self.lost.swap(true, Ordering::SeqCst) {
            return Err(RepositoryError::Unavailable("the reply was lost".into()));
        }
        Ok(reply)
    }
}

#[async_trait]
impl TurnRepository for Losing {
    async fn turn_age(
        &self,
        organization: OrganizationId,
        turn: &LogicalTurn,
    ) -> Answered<Duration> {
        self.store.turn_age(organization, turn).await
    }
}

#[async_trait]
impl IdempotencyRepository for Losing {
    async fn try_claim(
        &self,
        request: &Request,
        id: ClaimId,
        terms: &LeaseTerms,
    ) -> Answered<Option<Record>> {
        let reply = self.store.try_claim(request, id, terms).await;
        self.reply(Verb::TryClaim, reply)
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
        self.reply(Verb::Get, self.store.get(key).await)
    }

    async fn complete(&self, held: &Held, answer: &Answer) -> Answered<Option<OffsetDateTime>> {
        self.reply(Verb::Complete, self.store.complete(held, answer).await)
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

    async fn record(
        &self,
        request: &Request,
        id: ClaimId,
        token: LeaseToken,
        answer: &Answer,
    ) -> Answered<Option<Record>> {
        let reply = self.store.record(request, id, token, answer).await;
        self.reply(Verb::Record, reply)
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

    /// The store under it: a transaction does not come through here.
    fn concrete(&self) -> Option<&dyn Any> {
        self.store.concrete()
    }
}

idem_core::delegate_cards!(Losing, store);
