//! Why a segment came to no outcome: control flow and failures of what it stands on.

use super::model::ModelError;
use crate::CallError;
use idem_core::RepositoryError;
use idem_core::identity::RunId;
use idem_core::runs::RunError;
use std::sync::Arc;
use std::time::Duration;

/// Why a harness did not do what was asked. For a driver, never for a model.
#[derive(Clone, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum HarnessError {
    /// The run: it is not there, another process works on it, it has ended.
    #[error(transparent)]
    Run(Arc<RunError>),
    /// Another process took the run over. What had begun comes to its end, and the other process goes on from it (R51).
    #[error("another process took run `{0}` over")]
    SegmentLost(RunId),
    /// The model gave no response, as often as it was asked.
    #[error(transparent)]
    Model(Arc<ModelError>),
    /// A call has no answer yet: it is in flight elsewhere, or the store failed under it.
    #[error("a call of the run has no answer yet: {0}")]
    Call(CallError),
    /// What a model said does not fit a row.
    #[error("a step cannot be stored: {0}")]
    StepTooLarge(String),
    /// The store.
    #[error(transparent)]
    Store(Arc<RepositoryError>),
}

impl HarnessError {
    /// When to come back, where that is known.
    #[must_use]
    pub fn retry_after(&self) -> Option<Duration> {
        match self {
            Self::Run(error) => match &**error {
                RunError::SegmentInFlight { retry_after, .. } => Some(*retry_after),
                _ => None,
            },
            Self::Model(error) => error.retry_after(),
            Self::Call(error) => error.retry_after(),
            _ => None,
        }
    }

    /// Whether coming back may help.
    #[must_use]
    pub fn is_transient(&self) -> bool {
        match self {
            Self::Run(error) => match &**error {
                RunError::SegmentInFlight { .. } => true,
                RunError::Store(error) => error.is_transient(),
                _ => false,
            },
            Self::SegmentLost(_) => true,
            Self::Model(error) => error.is_transient(),
            Self::Call(error) => !matches!(
                error,
                CallError::TurnTooOld { .. } | CallError::NotShowable { .. }
            ),
            Self::StepTooLarge(_) => false,
            Self::Store(error) => error.is_transient(),
        }
    }
}

impl From<RunError> for HarnessError {
    fn from(error: RunError) -> Self {
        Self::Run(Arc::new(error))
    }
}

impl From<RepositoryError> for HarnessError {
    fn from(error: RepositoryError) -> Self {
        Self::Store(Arc::new(error))
    }
}

impl From<ModelError> for HarnessError {
    fn from(error: ModelError) -> Self {
        Self::Model(Arc::new(error))
    }
}
