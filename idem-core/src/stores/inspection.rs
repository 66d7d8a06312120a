//! Binds the verbs that only look to their statements, and reads what they find.

use super::record_row::record;
use super::row::{StoredRow, array, get};
use crate::error::RepositoryError;
use crate::identity::IdempotencyKey;
use crate::inspection::Inspected;
use std::sync::Arc;

pub(crate) fn inspected(row: &impl StoredRow) -> Result<Inspected, RepositoryError> {
    let key: Vec<u8> = get(row, "key")?;
    let input: Option<Vec<u8>> = get(row, "input")?;
    Ok(Inspected {
        scope: get(row, "scope")?,
        key: IdempotencyKey::from_bytes(array(&key, "key")?),
        key_text: get(row, "key_text")?,
        record: record(row)?,
        lease_expires_at: row.instant("lease_expires_at")?,
        retain_until: row.instant("retain_until")?,
        settled_note: get(row, "settled_note")?,
        input: input.map(Arc::from),
    })
}

/// Implements `Inspection` for a store, in a file beside its `sql` folder.
macro_rules! bind_inspection {
    ($store:ident) => {
        use super::query;
        use async_trait::async_trait;
        use $crate::error::RepositoryError;
        use $crate::identity::RunId;
        use $crate::inspection::{Inspected, Inspection, KeyPrefix};
        use $crate::organization::OrganizationId;
        use $crate::scope::Scope;
        use $crate::stores::inspection::inspected;

        #[async_trait]
        impl Inspection for $store {
            async fn find_keys(
                &self,
                organization: OrganizationId,
                prefix: &KeyPrefix,
                scope: Option<&str>,
                rows_max: u32,
            ) -> Result<Vec<Inspected>, RepositoryError> {
                let (low, high) = prefix.range();
                let statement = query(include_str!("sql/inspect_keys.sql"))
                    .bind(organization.as_uuid())
                    .bind(low.as_bytes().as_slice())
                    .bind(high.as_bytes().as_slice())
                    .bind(scope)
                    .bind(i64::from(rows_max));
                let rows = self.look(statement).await?;
                rows.iter().map(inspected).collect()
            }

            async fn answered_in_run(
                &self,
                organization: OrganizationId,
                scope: &Scope,
                run: &RunId,
            ) -> Result<bool, RepositoryError> {
                let statement = query(include_str!("sql/answered_in_run.sql"))
                    .bind(organization.as_uuid())
                    .bind(run.as_ref())
                    .bind(scope.as_str());
                let rows = self.look(statement).await?;
                Ok(!rows.is_empty())
            }
        }
    };
}
pub(crate) use bind_inspection;
