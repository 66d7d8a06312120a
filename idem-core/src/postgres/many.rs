//! Binds the groups to their statements: a column of the rows is an array.

use super::repository::version;
use super::{PostgresStore, query, span};
use crate::answer::{Answer, Resource};
use crate::error::RepositoryError;
use crate::record::{ClaimId, Record};
use crate::repository::{Held, LeaseTerms};
use crate::request::{ClaimKey, Request};
use crate::stores::many;
use time::OffsetDateTime;

/// One column of the rows.
fn column<'a, T, U>(rows: &'a [T], of: impl Fn(&'a T) -> U) -> Vec<U> {
    rows.iter().map(of).collect()
}

impl PostgresStore {
    pub(super) async fn found(
        &self,
        keys: &[ClaimKey],
    ) -> Result<Vec<Option<Record>>, RepositoryError> {
        let statement = query(include_str!("sql/get_many.sql"))
            .bind(column(keys, |key| key.organization().as_uuid()))
            .bind(column(keys, |key| key.scope().as_str()))
            .bind(column(keys, |key| key.key().as_bytes().to_vec()));
        many::found(&self.look(statement).await?, keys.len())
    }

    pub(super) async fn claimed(
        &self,
        claims: &[(Request, ClaimId, LeaseTerms)],
    ) -> Result<Vec<Option<Record>>, RepositoryError> {
        let key = |(request, _, _): &'_ (Request, ClaimId, LeaseTerms)| request.key.key();
        let statement = query(include_str!("sql/try_claim_many.sql"))
            .bind(column(claims, |(_, id, _)| id.as_uuid()))
            .bind(column(claims, |(r, _, _)| r.key.organization().as_uuid()))
            .bind(column(claims, |(r, _, _)| r.key.scope().as_str()))
            .bind(column(claims, |claim| key(claim).as_bytes().to_vec()))
            .bind(column(claims, |(r, _, _)| r.key.text()))
            .bind(column(claims, |(r, _, _)| r.hash.as_bytes().to_vec()))
            .bind(version())
            .bind(column(claims, |(_, _, terms)| terms.token.as_uuid()))
            .bind(column(claims, |(_, _, terms)| span(terms.lease)))
            .bind(column(claims, |(_, _, terms)| span(terms.retain)))
            .bind(column(claims, |(_, _, terms)| terms.dispatched))
            .bind(column(claims, |(r, _, _)| r.origin.run.as_deref()))
            .bind(column(claims, |(r, _, _)| r.origin.principal.as_deref()))
            .bind(column(claims, |(r, _, _)| {
                r.origin.trace.map(|trace| trace.0.to_vec())
            }))
            .bind(column(claims, |(r, _, _)| {
                r.input.as_deref().map(str::as_bytes)
            }));
        let ids = claims.iter().map(|(_, id, _)| id.as_uuid());
        many::claimed(&self.write(statement).await?, ids)
    }

    pub(super) async fn completed(
        &self,
        endings: &[(Held, Answer)],
    ) -> Result<Vec<Option<OffsetDateTime>>, RepositoryError> {
        let statement = query(include_str!("sql/complete_many.sql"))
            .bind(column(endings, |(held, _)| held.id.as_uuid()))
            .bind(column(endings, |(held, _)| held.organization.as_uuid()))
            .bind(column(endings, |(held, _)| held.token.as_uuid()))
            .bind(column(endings, |(_, answer)| answer.kind().word()))
            .bind(column(endings, |(_, answer)| {
                answer.response().map(|response| &*response.bytes)
            }))
            .bind(column(endings, |(_, answer)| {
                answer.response().map(|r| r.encoding.number())
            }))
            .bind(column(endings, |(_, answer)| {
                answer.resource_named().map(Resource::kind)
            }))
            .bind(column(endings, |(_, answer)| {
                answer.resource_named().map(Resource::id)
            }));
        let held = endings.iter().map(|(held, _)| held);
        many::completed(&self.write(statement).await?, held)
    }

    pub(super) async fn released(&self, held: &[Held]) -> Result<Vec<bool>, RepositoryError> {
        let statement = query(include_str!("sql/release_many.sql"))
            .bind(column(held, |held| held.id.as_uuid()))
            .bind(column(held, |held| held.organization.as_uuid()))
            .bind(column(held, |held| held.token.as_uuid()));
        many::released(&self.write(statement).await?, held)
    }
}
