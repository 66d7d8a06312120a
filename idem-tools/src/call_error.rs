//! What the driver of a run is told instead of an answer: control flow and the store's failures (R31).

use idem_core::RepositoryError;
use idem_core::identity::IdempotencyKey;
use std::error::Error;
use std::sync::Arc;
use std::time::Duration;

/// Why a call has no answer yet. For the driver, never for the model.
#[derive(Clone, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum CallError {
    /// The effect may be in flight: another worker holds the key, or this one's outcome is unknown. Wait it out; it
    /// need not cost an attempt.
    #[error("the call is in flight; its lease ends in {retry_after:?}")]
    ClaimInFlight {
        /// How long the lease still runs, by the store's clock.
        retry_after: Duration,
        /// The identity.
        key: IdempotencyKey,
    },
    /// Another worker took the key over and left no answer behind. Call again; this caller's own result is not the
    /// answer (R33).
    #[error("another worker took the call over; call again")]
    LeaseLost {
        /// The identity.
        key: IdempotencyKey,
    },
    /// The turn began so long ago that its answers may be forgotten; executing it again could repeat an effect (R49).
    #[error(
        "the turn began {age:?} ago, and a replay is safe for {limit:?}: start a new turn, \
         after checking by hand what the old one did"
    )]
    TurnTooOld {
        /// How long ago, by the store's clock.
        age: Duration,
        /// How long a turn may be replayed.
        limit: Duration,
    },
    /// Other processes kept opening and closing the card of this call. Call again.
    #[error("other callers keep changing what is asked about this call; call again")]
    CardContended {
        /// The identity.
        key: IdempotencyKey,
    },
    /// A person would approve something else than what runs: the tool's input does not read its own canonical form. A
    /// field with `#[serde(with = …)]` whose form is another one does that.
    #[error(
        "nobody can be asked about `{tool}`: its input does not read back what a person is shown; give its fields \
         forms that are read as they are written"
    )]
    NotShowable {
        /// The tool.
        tool: String,
    },
    /// [`Idem::drain`](crate::Idem::drain) was called: no new claims.
    #[error("this process is draining and takes no new calls")]
    Draining,
    /// The store failed.
    #[error("{0}")]
    Store(#[source] Arc<RepositoryError>),
    /// The effect was made and its answer could not be stored. The key lapses; a later call takes it over in doubt.
    #[error("the effect was made, and its answer could not be stored: {0}")]
    AnswerLost(#[source] Arc<RepositoryError>),
    /// The policy itself failed, so nothing was allowed.
    #[error("the policy failed, so the call was not allowed: {0}")]
    Policy(#[source] Arc<dyn Error + Send + Sync>),
    /// A defect in Idem or in a policy: the call's task ended without an answer.
    #[error("the call's task ended without an answer")]
    TaskEnded,
}

impl CallError {
    /// How long to wait before the next attempt, where that is known.
    #[must_use]
    pub fn retry_after(&self) -> Option<Duration> {
        match self {
            Self::ClaimInFlight { retry_after, .. } => Some(*retry_after),
            Self::LeaseLost { .. } | Self::CardContended { .. } => Some(Duration::ZERO),
            _ => None,
        }
    }
}

impl From<RepositoryError> for CallError {
    fn from(error: RepositoryError) -> Self {
        Self::Store(Arc::new(error))
    }
}
