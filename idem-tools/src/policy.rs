//! The checkpoint between the journal and the claim: where policy says whether a call may run.

use crate::Effect;
use crate::policy_check::{KnownTool, Misfit};
use async_trait::async_trait;
use idem_core::approval::{Approvers, EXPIRES_IN};
use idem_core::identity::{IdempotencyKey, LogicalTurn, RunId};
use idem_core::json::Json;
use idem_core::{Inspection, OrganizationId, Origin, Principal, Scope};
use std::error::Error;
use std::fmt;
use std::time::Duration;

/// A policy's failure. It fails closed: the call is not allowed, and the driver is told.
pub type PolicyError = Box<dyn Error + Send + Sync>;

/// What the policy is asked about.
#[non_exhaustive]
pub struct Checkpoint<'a> {
    /// The tenant.
    pub organization: OrganizationId,
    /// On whose behalf.
    pub principal: &'a Principal,
    /// The run.
    pub run: &'a RunId,
    /// The logical turn.
    pub turn: &'a LogicalTurn,
    /// The tool.
    pub tool: &'a str,
    /// What kind of effect it makes.
    pub scope: &'a Scope,
    /// What it promises.
    pub effect: Effect,
    /// The call's identity.
    pub key: IdempotencyKey,
    /// The arguments as they would run, defaults included.
    pub input: &'a Json,
    /// The answer is there already, and another run or another principal made it.
    pub made_by_another: Option<&'a Origin>,
    /// Where questions about the past go.
    pub(crate) past: &'a dyn Inspection,
}

impl Checkpoint<'_> {
    /// Whether a call of this scope has its answer in this run already: a success, a failure that is an answer, or an
    /// outcome that nobody knows. One statement; the answer is in the store, so a restart changes nothing.
    ///
    /// A call under way does not count. Of several calls side by side each is the first, until one has its answer.
    ///
    /// # Errors
    ///
    /// The store's. Handed on with `?`, it keeps the call from running, and the driver is told
    /// [`CallError::Store`](crate::CallError::Store).
    pub async fn used_in_run(&self) -> Result<bool, PolicyError> {
        let used = self
            .past
            .answered_in_run(self.organization, self.scope, self.run);
        Ok(used.await?)
    }
}

impl fmt::Debug for Checkpoint<'_> {
    /// Leaves the arguments out: they may hold personal data.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Checkpoint")
            .field("organization", &self.organization)
            .field("run", &self.run)
            .field("turn", &self.turn)
            .field("tool", &self.tool)
            .field("key", &self.key)
            .finish_non_exhaustive()
    }
}

/// What the policy says.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Decision {
    /// The call may run.
    Allow,
    /// A person is asked first. Nothing is held and nothing is claimed while they think.
    Ask(Asking),
    /// It may not; the model is told why. Nothing is claimed and nothing is stored.
    Deny {
        /// A sentence for the model.
        reason: String,
    },
}

/// How a person is asked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Asking {
    /// The rule that asks, in words for the approver.
    pub rule: String,
    /// Who may decide: anybody of the organization but the requester, unless it says otherwise.
    pub approvers: Approvers,
    /// How long the card stays open: 7 days unless it says otherwise, 30 at the most.
    pub expires_in: Duration,
}

impl Asking {
    /// Asks for this reason, with the defaults for the rest.
    #[must_use]
    pub fn because(rule: impl Into<String>) -> Self {
        Self {
            rule: rule.into(),
            approvers: Approvers::default(),
            expires_in: EXPIRES_IN,
        }
    }
}

impl Decision {
    /// Asks a person for this reason.
    #[must_use]
    pub fn ask(rule: impl Into<String>) -> Self {
        Self::Ask(Asking::because(rule))
    }

    /// A denial with its reason.
    #[must_use]
    pub fn deny(reason: impl Into<String>) -> Self {
        Self::Deny {
            reason: reason.into(),
        }
    }
}

/// Decides which calls may run. Asked after the journal and before the claim, so that nobody is asked about what is
/// done, and no key is taken for what is not allowed.
#[async_trait]
pub trait Policy: Send + Sync + 'static {
    /// Decides one call.
    ///
    /// # Errors
    ///
    /// Any failure keeps the call from running.
    ///
    /// # Cancel safety
    ///
    /// The call's task runs it to its end; a dropped caller does not cancel it.
    async fn decide(&self, checkpoint: &Checkpoint<'_>) -> Result<Decision, PolicyError>;

    /// Whether a person may have been asked about a call that it allows: by this policy, by the one that stood in its
    /// place before, or by a tool. Then an allowed call looks for its card, at the cost of one more statement: an open
    /// one is taken back, and what a person has decided about this very call stands (R41, R43, R45).
    ///
    /// `true` unless it says otherwise. Say `false` only where nobody was ever asked over this store: a no that a person
    /// gave is not heard then, and a call that ran edited is made a second time. For a function there is
    /// [`NeverAsks`](crate::NeverAsks).
    fn asks(&self) -> bool {
        true
    }

    /// Whether what it says fits the registered tools, asked once by `build`: a guard whose tool or argument is misspelt
    /// would guard nothing. A policy that names none has nothing to check.
    ///
    /// # Errors
    ///
    /// [`Misfit`] keeps the program from starting.
    fn check(&self, _tools: &[KnownTool]) -> Result<(), Misfit> {
        Ok(())
    }
}

/// A function is a policy.
#[async_trait]
impl<F> Policy for F
where
    F: Fn(&Checkpoint<'_>) -> Decision + Send + Sync + 'static,
{
    async fn decide(&self, checkpoint: &Checkpoint<'_>) -> Result<Decision, PolicyError> {
        Ok(self(checkpoint))
    }
}

/// A policy in a debug print.
pub(crate) struct Shown<'a>(pub(crate) Option<&'a dyn Policy>);

impl fmt::Debug for Shown<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.0.is_some() {
            "a policy"
        } else {
            "no policy"
        })
    }
}
