//! Policies that need no file.

use crate::Effect;
use crate::policy::{Asking, Checkpoint, Decision, Policy, PolicyError};
use crate::policy_check::{KnownTool, Misfit};
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
}

/// A policy under which nobody was ever asked, nor under the one before it: an allowed call looks for no card, which
/// saves a statement (R80). See [`Policy::asks`] for what it costs where that is not so.
///
/// ```
/// # use idem_tools::{Checkpoint, Decision, Idem, NeverAsks};
/// # async fn ready() -> Result<(), Box<dyn std::error::Error>> {
/// let no_mail = |call: &Checkpoint<'_>| match call.tool {
///     "send_email" => Decision::deny("no mail from here"),
///     _ => Decision::Allow,
/// };
/// let idem = Idem::open("sqlite://agent.db").await?.policy(NeverAsks(no_mail));
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Copy, Debug)]
pub struct NeverAsks<P>(pub P);

#[async_trait]
impl<P: Policy> Policy for NeverAsks<P> {
    async fn decide(&self, checkpoint: &Checkpoint<'_>) -> Result<Decision, PolicyError> {
        self.0.decide(checkpoint).await
    }

    fn asks(&self) -> bool {
        false
    }

    fn check(&self, tools: &[KnownTool]) -> Result<(), Misfit> {
        self.0.check(tools)
    }
}
