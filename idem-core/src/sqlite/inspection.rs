//! Binds the questions about the past, and nothing else.

use super::{SqliteStore, sort_error};
use crate::error::RepositoryError;
use crate::identity::RunId;
use crate::inspection::Inspection;
use crate::organization::OrganizationId;
use crate::scope::Scope;
use async_trait::async_trait;

#[async_trait]
impl Inspection for SqliteStore {
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
