//! Binds the plane's verbs to their statements, and nothing else.
//!
//! Every statement is read to its end with `fetch_all`: SQLite commits when a statement is stepped to its end, so a
//! reader that stops at the first row is told Ok although the commit failed and nothing was stored (R1).

use super::waiting::Statement;
use super::{SqliteStore, query, span};
use crate::answer::Answer;
use crate::error::RepositoryError;
use crate::identity::{LogicalTurn, RequestHash};
use crate::organization::OrganizationId;
use crate::record::{ClaimId, LeaseToken, Record};
use crate::repository::{
    EndLease, Held, IdempotencyRepository, LeaseTerms, Probe, Settlement, SweepReport, TakeOver,
    TurnRepository,
};
use crate::request::{ClaimKey, Request};
use crate::stores::record_row::{record, record_with_input};
use crate::stores::row::{StoredRow, get, micros};
use async_trait::async_trait;
use std::any::Any;
use std::time::Duration;
use time::OffsetDateTime;

impl SqliteStore {
    async fn row(&self, statement: Statement<'_>) -> Result<Option<Record>, RepositoryError> {
        self.write(statement).await?.first().map(record).transpose()
    }
}

#[async_trait]
impl IdempotencyRepository for SqliteStore {
    async fn try_claim(
        &self,
        request: &Request,
        id: ClaimId,
        terms: &LeaseTerms,
    ) -> Result<Option<Record>, RepositoryError> {
        let statement = query(include_str!("sql/try_claim.sql")).bind(id.as_uuid());
        let statement = bind_key(statement, &request.key)
            .bind(request.key.text())
            .bind(request.hash.as_bytes().as_slice())
            .bind(version())
            .bind(terms.token.as_uuid());
        let statement = bind_origin(bind_terms(statement, terms), request);
        let held = bind_key(query(include_str!("sql/get.sql")), &request.key);
        let rows = self.write_unless(held, statement).await?;
        rows.first().map(record).transpose()
    }

    async fn reclaim(
        &self,
        request: &Request,
        seen: LeaseToken,
        terms: &LeaseTerms,
    ) -> Result<Option<Record>, RepositoryError> {
        let statement = bind_key(query(include_str!("sql/reclaim.sql")), &request.key)
            .bind(request.hash.as_bytes().as_slice())
            .bind(seen.as_uuid())
            .bind(terms.token.as_uuid());
        let statement = bind_origin(bind_terms(statement, terms), request);
        let rows = self.write(statement).await?;
        rows.first().map(record_with_input).transpose()
    }

    async fn get(&self, key: &ClaimKey) -> Result<Option<Record>, RepositoryError> {
        let rows = self
            .look(bind_key(query(include_str!("sql/get.sql")), key))
            .await?;
        rows.first().map(record_with_input).transpose()
    }

    async fn complete(
        &self,
        held: &Held,
        answer: &Answer,
    ) -> Result<Option<OffsetDateTime>, RepositoryError> {
        let statement = bind_held(query(include_str!("sql/complete.sql")), held);
        let rows = self.write(bind_answer(statement, answer)).await?;
        rows.first()
            .map(|row| row.instant("completed_at"))
            .transpose()
    }

    async fn release(&self, held: &Held) -> Result<bool, RepositoryError> {
        let statement = bind_held(query(include_str!("sql/release.sql")), held);
        Ok(!self.write(statement).await?.is_empty())
    }

    async fn end_lease(&self, held: &Held, how: EndLease) -> Result<bool, RepositoryError> {
        let statement = bind_held(query(include_str!("sql/end_lease.sql")), held)
            .bind(how.clear_mark)
            .bind(how.clear_doubt)
            .bind(how.raise_epoch)
            .bind(span(how.after));
        Ok(!self.write(statement).await?.is_empty())
    }

    async fn mark_dispatched(&self, held: &Held) -> Result<Option<Duration>, RepositoryError> {
        let statement = bind_held(query(include_str!("sql/mark_dispatched.sql")), held);
        let rows = self.write(statement).await?;
        rows.first()
            .map(|row| get(row, "lease_left_us").map(micros))
            .transpose()
    }

    async fn record(
        &self,
        request: &Request,
        id: ClaimId,
        token: LeaseToken,
        answer: &Answer,
    ) -> Result<Option<Record>, RepositoryError> {
        let statement = query(include_str!("sql/record.sql")).bind(id.as_uuid());
        let statement = bind_key(statement, &request.key)
            .bind(request.key.text())
            .bind(request.hash.as_bytes().as_slice())
            .bind(version())
            .bind(token.as_uuid())
            .bind(span(request.key.scope().retention()));
        self.row(bind_origin(bind_answer(statement, answer), request))
            .await
    }

    async fn take_over(
        &self,
        request: &Request,
        take: &TakeOver,
        terms: &LeaseTerms,
    ) -> Result<Option<Record>, RepositoryError> {
        let statement = bind_key(query(include_str!("sql/take_over.sql")), &request.key)
            .bind(take.seen.as_uuid())
            .bind(take.reason.word())
            .bind(take.id.as_uuid())
            .bind(request.hash.as_bytes().as_slice())
            .bind(version())
            .bind(terms.token.as_uuid());
        let statement = bind_terms(statement, terms);
        self.row(bind_origin(statement, request)).await
    }

    async fn settle(
        &self,
        key: &ClaimKey,
        settlement: &Settlement,
    ) -> Result<Option<Record>, RepositoryError> {
        let answer = &settlement.answer;
        let (response, resource) = (answer.response(), answer.resource_named());
        let statement = bind_key(query(include_str!("sql/settle.sql")), key)
            .bind(if settlement.happened {
                "happened"
            } else {
                "did_not_happen"
            })
            .bind(&settlement.by)
            .bind(settlement.note.as_deref())
            .bind(response.map(|r| &*r.bytes))
            .bind(response.map(|r| r.encoding.number()))
            .bind(LeaseToken::mint().as_uuid())
            .bind(resource.map(crate::answer::Resource::kind))
            .bind(resource.map(crate::answer::Resource::id));
        self.row(statement).await
    }

    async fn sweep(&self, rows_max: u32) -> Result<SweepReport, RepositoryError> {
        let statement = query(include_str!("sql/sweep.sql")).bind(i64::from(rows_max));
        let rows = self.write(statement).await?;
        let mut report = SweepReport::default();
        for row in &rows {
            report.read += 1;
            report.deleted += 1;
            report.incidents += u64::from(get::<String>(row, "status")? == "processing");
        }
        Ok(report)
    }

    async fn probe(&self) -> Result<Probe, RepositoryError> {
        super::probe::probe(self).await
    }

    fn concrete(&self) -> Option<&dyn Any> {
        Some(self)
    }

    async fn get_many(&self, keys: &[ClaimKey]) -> Result<Vec<Option<Record>>, RepositoryError> {
        self.found(keys).await
    }

    async fn try_claim_many(
        &self,
        claims: &[(Request, ClaimId, LeaseTerms)],
    ) -> Result<Vec<Option<Record>>, RepositoryError> {
        self.claimed(claims).await
    }

    async fn complete_many(
        &self,
        endings: &[(Held, Answer)],
    ) -> Result<Vec<Option<OffsetDateTime>>, RepositoryError> {
        self.completed(endings).await
    }

    async fn release_many(&self, held: &[Held]) -> Result<Vec<bool>, RepositoryError> {
        self.released(held).await
    }
}

#[async_trait]
impl TurnRepository for SqliteStore {
    async fn turn_age(
        &self,
        organization: OrganizationId,
        turn: &LogicalTurn,
    ) -> Result<Duration, RepositoryError> {
        let bind = |statement: Statement<'static>| {
            statement
                .bind(organization.as_uuid())
                .bind(turn.as_ref().to_owned())
        };
        let age = || self.look(bind(query(include_str!("sql/turn_age.sql"))));
        if let Some(row) = age().await?.first() {
            return get(row, "age_us").map(micros);
        }
        let known = bind(query(include_str!("sql/turn_age.sql")));
        let begun = bind(query(include_str!("sql/begin_turn.sql")));
        let begun = self.write_unless(known, begun).await?;
        if !begun.is_empty() {
            return Ok(Duration::ZERO);
        }
        age()
            .await?
            .first()
            .map_or(Ok(Duration::ZERO), |row| get(row, "age_us").map(micros))
    }
}

fn bind_key<'q>(statement: Statement<'q>, key: &ClaimKey) -> Statement<'q> {
    statement
        .bind(key.organization().as_uuid())
        .bind(key.scope().as_str().to_owned())
        .bind(key.key().as_bytes().to_vec())
}

pub(super) fn bind_held<'q>(statement: Statement<'q>, held: &Held) -> Statement<'q> {
    statement
        .bind(held.id.as_uuid())
        .bind(held.organization.as_uuid())
        .bind(held.token.as_uuid())
}

fn bind_terms<'q>(statement: Statement<'q>, terms: &LeaseTerms) -> Statement<'q> {
    statement
        .bind(span(terms.lease))
        .bind(span(terms.retain))
        .bind(terms.dispatched)
}

pub(super) fn bind_answer<'q>(statement: Statement<'q>, answer: &'q Answer) -> Statement<'q> {
    let (response, resource) = (answer.response(), answer.resource_named());
    statement
        .bind(answer.kind().word())
        .bind(response.map(|r| &*r.bytes))
        .bind(response.map(|r| r.encoding.number()))
        .bind(resource.map(crate::answer::Resource::kind))
        .bind(resource.map(crate::answer::Resource::id))
}

fn bind_origin<'q>(statement: Statement<'q>, request: &'q Request) -> Statement<'q> {
    let origin = &request.origin;
    statement
        .bind(origin.run.as_deref())
        .bind(origin.principal.as_deref())
        .bind(origin.trace.map(|trace| trace.0.to_vec()))
        .bind(request.input.as_deref().map(str::as_bytes))
}

pub(super) fn version() -> i16 {
    i16::try_from(RequestHash::VERSION).unwrap_or(i16::MAX)
}
