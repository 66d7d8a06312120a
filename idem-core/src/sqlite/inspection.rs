//! Binds the verbs that only look to their statements, and nothing else.

use super::row::{array, get, instant, record};
use super::{SqliteStore, sort_error};
use crate::error::RepositoryError;
use crate::identity::{IdempotencyKey, RunId};
use crate::inspection::{Inspected, Inspection, KeyPrefix};
use crate::organization::OrganizationId;
use crate::scope::Scope;
use async_trait::async_trait;
use sqlx::sqlite::SqliteRow;
use std::sync::Arc;

#[async_trait]
impl Inspection for SqliteStore {
    async fn find_keys(
        &self,
        organization: OrganizationId,
        prefix: &KeyPrefix,
        scope: Option<&str>,
        rows_max: u32,
    ) -> Result<Vec<Inspected>, RepositoryError> {
        let (low, high) = prefix.range();
        let rows = sqlx::query(include_str!("sql/inspect_keys.sql"))
            .bind(organization.as_uuid())
            .bind(low.as_bytes().as_slice())
            .bind(high.as_bytes().as_slice())
            .bind(scope)
            .bind(i64::from(rows_max))
            .fetch_all(&self.reader)
            .await
            .map_err(sort_error)?;
        rows.iter().map(inspected).collect()
    }

    async fn answered_in_run(
        &self,
        organization: OrganizationId,
        scope: &Scope,
        run: &RunId,
    ) -> Result<bool, RepositoryError> {
        let rows = sqlx::query(include_str!("sql/answered_in_run.sql"))
            .bind(organization.as_uuid())
            .bind(run.as_ref())
            .bind(scope.as_str())
            .fetch_all(&self.reader)
            .await
            .map_err(sort_error)?;
        Ok(!rows.is_empty())
    }
}

fn inspected(row: &SqliteRow) -> Result<Inspected, RepositoryError> {
    let key: Vec<u8> = get(row, "key")?;
    let input: Option<Vec<u8>> = get(row, "input")?;
    Ok(Inspected {
        scope: get(row, "scope")?,
        key: IdempotencyKey::from_bytes(array(&key, "key")?),
        key_text: get(row, "key_text")?,
        record: record(row)?,
        lease_expires_at: instant(row, "lease_expires_at")?,
        retain_until: instant(row, "retain_until")?,
        settled_note: get(row, "settled_note")?,
        input: input.map(Arc::from),
    })
}
