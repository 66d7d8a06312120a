//! Questions about the past, asked of memory.

use super::VolatileStore;
use crate::error::RepositoryError;
use crate::identity::RunId;
use crate::inspection::Inspection;
use crate::organization::OrganizationId;
use crate::record::Status;
use crate::scope::Scope;
use async_trait::async_trait;

#[async_trait]
impl Inspection for VolatileStore {
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
