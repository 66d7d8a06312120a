//! The four verbs that are grouped, and the plane's others.

use super::Coalesced;
use super::lane::Grouped;
use crate::answer::Answer;
use crate::error::RepositoryError;
use crate::record::{ClaimId, LeaseToken, Record};
use crate::repository::{
    EndLease, Held, IdempotencyRepository, LeaseTerms, Probe, Settlement, Store, SweepReport,
    TakeOver,
};
use crate::request::{ClaimKey, Request};
use async_trait::async_trait;
use std::any::Any;
use std::time::Duration;
use time::OffsetDateTime;

/// What every row adds to a statement besides its texts.
const ROW_BYTES: usize = 256;

pub(super) struct Get;

#[async_trait]
impl Grouped for Get {
    type Item = ClaimKey;
    type Reply = Option<Record>;
    type Row = ();

    fn row(_: &ClaimKey) -> Option<()> {
        None
    }

    fn bytes(_: &ClaimKey) -> usize {
        ROW_BYTES
    }

    async fn alone(store: &dyn Store, key: &ClaimKey) -> Result<Option<Record>, RepositoryError> {
        store.get(key).await
    }

    async fn together(
        store: &dyn Store,
        keys: &[ClaimKey],
    ) -> Result<Vec<Option<Option<Record>>>, RepositoryError> {
        let rows = store.get_many(keys).await?;
        Ok(rows.into_iter().map(Some).collect())
    }
}

pub(super) struct TryClaim;

#[async_trait]
impl Grouped for TryClaim {
    type Item = (Request, ClaimId, LeaseTerms);
    type Reply = Option<Record>;
    type Row = ClaimKey;

    fn row((request, _, _): &Self::Item) -> Option<ClaimKey> {
        Some(request.key.clone())
    }

    fn bytes((request, _, _): &Self::Item) -> usize {
        ROW_BYTES + request.input.as_deref().map_or(0, str::len)
    }

    async fn alone(
        store: &dyn Store,
        (request, id, terms): &Self::Item,
    ) -> Result<Option<Record>, RepositoryError> {
        store.try_claim(request, *id, terms).await
    }

    async fn together(
        store: &dyn Store,
        claims: &[Self::Item],
    ) -> Result<Vec<Option<Option<Record>>>, RepositoryError> {
        let rows = store.try_claim_many(claims).await?;
        Ok(rows.into_iter().map(Some).collect())
    }
}

pub(super) struct Complete;

#[async_trait]
impl Grouped for Complete {
    type Item = (Held, Answer);
    type Reply = Option<OffsetDateTime>;
    type Row = ClaimId;

    fn row((held, _): &Self::Item) -> Option<ClaimId> {
        Some(held.id)
    }

    fn bytes((_, answer): &Self::Item) -> usize {
        ROW_BYTES + answer.response().map_or(0, |response| response.bytes.len())
    }

    async fn alone(
        store: &dyn Store,
        (held, answer): &Self::Item,
    ) -> Result<Option<OffsetDateTime>, RepositoryError> {
        store.complete(held, answer).await
    }

    /// A row that did not come back may only have been locked.
    async fn together(
        store: &dyn Store,
        endings: &[Self::Item],
    ) -> Result<Vec<Option<Self::Reply>>, RepositoryError> {
        let instants = store.complete_many(endings).await?;
        Ok(instants.into_iter().map(|at| at.map(Some)).collect())
    }
}

pub(super) struct Release;

#[async_trait]
impl Grouped for Release {
    type Item = Held;
    type Reply = bool;
    type Row = ClaimId;

    fn row(held: &Held) -> Option<ClaimId> {
        Some(held.id)
    }

    fn bytes(_: &Held) -> usize {
        ROW_BYTES
    }

    async fn alone(store: &dyn Store, held: &Held) -> Result<bool, RepositoryError> {
        store.release(held).await
    }

    /// As with [`Complete`].
    async fn together(
        store: &dyn Store,
        held: &[Held],
    ) -> Result<Vec<Option<bool>>, RepositoryError> {
        let released = store.release_many(held).await?;
        Ok(released
            .into_iter()
            .map(|went| went.then_some(true))
            .collect())
    }
}

#[async_trait]
impl IdempotencyRepository for Coalesced {
    async fn try_claim(
        &self,
        request: &Request,
        id: ClaimId,
        terms: &LeaseTerms,
    ) -> Result<Option<Record>, RepositoryError> {
        self.try_claim.ask((request.clone(), id, *terms)).await
    }

    async fn reclaim(
        &self,
        request: &Request,
        seen: LeaseToken,
        terms: &LeaseTerms,
    ) -> Result<Option<Record>, RepositoryError> {
        self.store.reclaim(request, seen, terms).await
    }

    async fn get(&self, key: &ClaimKey) -> Result<Option<Record>, RepositoryError> {
        self.get.ask(key.clone()).await
    }

    async fn complete(
        &self,
        held: &Held,
        answer: &Answer,
    ) -> Result<Option<OffsetDateTime>, RepositoryError> {
        self.complete.ask((*held, answer.clone())).await
    }

    async fn release(&self, held: &Held) -> Result<bool, RepositoryError> {
        self.release.ask(*held).await
    }

    async fn end_lease(&self, held: &Held, how: EndLease) -> Result<bool, RepositoryError> {
        self.store.end_lease(held, how).await
    }

    async fn mark_dispatched(&self, held: &Held) -> Result<Option<Duration>, RepositoryError> {
        self.store.mark_dispatched(held).await
    }

    async fn record(
        &self,
        request: &Request,
        id: ClaimId,
        token: LeaseToken,
        answer: &Answer,
    ) -> Result<Option<Record>, RepositoryError> {
        self.store.record(request, id, token, answer).await
    }

    async fn take_over(
        &self,
        request: &Request,
        take: &TakeOver,
        terms: &LeaseTerms,
    ) -> Result<Option<Record>, RepositoryError> {
        self.store.take_over(request, take, terms).await
    }

    async fn settle(
        &self,
        key: &ClaimKey,
        settlement: &Settlement,
    ) -> Result<Option<Record>, RepositoryError> {
        self.store.settle(key, settlement).await
    }

    async fn sweep(&self, rows_max: u32) -> Result<SweepReport, RepositoryError> {
        self.store.sweep(rows_max).await
    }

    async fn probe(&self) -> Result<Probe, RepositoryError> {
        self.store.probe().await
    }

    fn concrete(&self) -> Option<&dyn Any> {
        self.store.concrete()
    }

    async fn get_many(&self, keys: &[ClaimKey]) -> Result<Vec<Option<Record>>, RepositoryError> {
        self.store.get_many(keys).await
    }

    async fn try_claim_many(
        &self,
        claims: &[(Request, ClaimId, LeaseTerms)],
    ) -> Result<Vec<Option<Record>>, RepositoryError> {
        self.store.try_claim_many(claims).await
    }

    async fn complete_many(
        &self,
        endings: &[(Held, Answer)],
    ) -> Result<Vec<Option<OffsetDateTime>>, RepositoryError> {
        self.store.complete_many(endings).await
    }

    async fn release_many(&self, held: &[Held]) -> Result<Vec<bool>, RepositoryError> {
        self.store.release_many(held).await
    }
}
