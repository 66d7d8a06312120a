//! Policies that need no file.

use crate::Effect;
use crate::policy::{Asking, Checkpoint, Decision, Policy, PolicyError};
use async_trait::async_trait;
use idem_core::approval::Approvers;

/// A ready policy that asks a person.
///
/// ```
/// # use idem_tools::{Ask, Idem};
/// # async fn ready() -> Result<(), Box<dyn std::error::Error>> {
/// let idem = Idem::open("sqlite://agent.db").await?.policy(Ask::writes());
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug)]
pub struct Ask {
    how: Asking,
}

impl Ask {
    /// Allows reads, and asks about every other call: whatever its class, it may change something.
    #[must_use]
    pub fn writes() -> Self {
        Self {
            how: Asking::because("every call that may change something is asked about"),
        }
    }

    /// The same with other approvers than anybody of the organization but the requester.
    #[must_use]
    pub fn of(mut self, approvers: Approvers) -> Self {
        self.how.approvers = approvers;
        self
    }
}

#[async_trait]
impl Policy for Ask {
    async fn decide(&self, checkpoint: &Checkpoint<'_>) -> Result<Decision, PolicyError> {
        Ok(match checkpoint.effect {
            Effect::Read => Decision::Allow,
            _ => Decision::Ask(self.how.clone()),
        })
    }

    fn asks(&self) -> bool {
        true
    }
}
