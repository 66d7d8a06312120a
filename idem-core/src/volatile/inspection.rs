//! Questions about the past, asked of memory.

use super::VolatileStore;
use super::row::Row;
use crate::error::RepositoryError;
use crate::identity::RunId;
use crate::inspection::{Inspected, Inspection, KeyPrefix};
use crate::organization::OrganizationId;
use crate::record::Status;
use crate::request::ClaimKey;
use crate::scope::Scope;
use async_trait::async_trait;
use std::cmp::Reverse;
use time::OffsetDateTime;

#[async_trait]
impl Inspection for VolatileStore {
    async fn find_keys(
        &self,
        organization: OrganizationId,
        prefix: &KeyPrefix,
        scope: Option<&str>,
        rows_max: u32,
    ) -> Result<Vec<Inspected>, RepositoryError> {
        let inner = self.lock();
        let (now, (low, high)) = (inner.now(), prefix.range());
        let lies_between = |key: &ClaimKey| {
            let bytes = key.key();
            low.as_bytes() <= bytes.as_bytes() && bytes.as_bytes() <= high.as_bytes()
        };
        let mut found: Vec<Inspected> = inner
            .rows
            .iter()
            .filter(|(key, _)| key.organization() == organization && lies_between(key))
            .filter(|(key, _)| scope.is_none_or(|scope| key.scope().as_str() == scope))
            .map(|(key, row)| inspected(key, row, now))
            .collect();
        found.sort_by_key(|row| Reverse((row.record.claimed_at, row.record.id.as_uuid())));
        found.truncate(rows_max.try_into().unwrap_or(usize::MAX));
        Ok(found)
    }

    async fn answered_in_run(
        &self,
        organization: OrganizationId,
        scope: &Scope,
        run: &RunId,
    ) -> Result<bool, RepositoryError> {
        let inner = self.lock();
        let now = inner.now();
        Ok(inner.rows.iter().any(|(key, row)| {
            key.organization() == organization
                && key.scope() == scope
                && row.record.origin.run.as_deref() == Some(run.as_ref())
                && row.record.status == Status::Completed
                && row.retain_until > now
        }))
    }
}

fn inspected(key: &ClaimKey, row: &Row, now: OffsetDateTime) -> Inspected {
    Inspected {
        scope: key.scope().as_str().to_owned(),
        key: key.key(),
        key_text: key.text().map(str::to_owned),
        record: row.seen(now),
        lease_expires_at: row.lease_expires_at,
        retain_until: row.retain_until,
        settled_note: row.settled_note.clone(),
        input: row.input.as_deref().map(|input| input.as_bytes().into()),
    }
}
