//! Looks at what a store keeps, for whoever decides or reports. None of it stands in the way of a call that asks
//! nothing.

use crate::error::RepositoryError;
use crate::identity::RunId;
use crate::organization::OrganizationId;
use crate::scope::Scope;
use async_trait::async_trait;
use std::fmt;

/// Questions about the past. They write nothing and take no claim.
#[async_trait]
pub trait Inspection: Send + Sync + fmt::Debug {
    /// Whether a call of this scope has its answer in this run, of whatever kind: a success, a failure that is an
    /// answer, or an outcome that nobody knows. A call that is under way, or that was given up, does not count.
    ///
    /// # Errors
    ///
    /// [`RepositoryError`].
    async fn answered_in_run(
        &self,
        organization: OrganizationId,
        scope: &Scope,
        run: &RunId,
    ) -> Result<bool, RepositoryError>;
}
