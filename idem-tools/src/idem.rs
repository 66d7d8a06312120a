//! The way in: a store, state, tools and a policy.

use crate::flights::Flights;
use crate::policy::Policy;
use crate::policy_check::KnownTool;
use crate::runtime::Core;
use crate::state::StateMap;
use crate::tool_set::{SetupError, ToolDefinition, ToolSet};
use crate::turn::Tenant;
use crate::{OnRepeat, RetryPlan, RetryPlanError, Tool, Tools};
use idem_core::approval::{ApprovalDesk, ApprovalRepository};
use idem_core::coalesce::Coalesced;
use idem_core::{
    IdempotencyRepository, IdempotencyService, OpenMode, OrganizationId, RepositoryError, Store,
};
use std::sync::Arc;
use std::time::Duration;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

/// How much longer than a tool's timeout its lease is: more than the waits for a lock and for a connection together,
/// so that a late statement still finds its lease (R10).
pub const LEASE_MARGIN: Duration = Duration::from_secs(10);

/// Tool calls that happen once, over one store. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Idem {
    pub(crate) core: Arc<Core>,
}

/// What an [`Idem`] is made of.
#[must_use = "call `.build()`"]
pub struct IdemBuilder {
    store: Arc<dyn Store>,
    state: StateMap,
    tools: ToolSet,
    policy: Option<Arc<dyn Policy>>,
    pub(crate) margin: Duration,
    share: bool,
    coalesce: bool,
    journals_proposals: bool,
    fault: Option<SetupError>,
    #[cfg(feature = "testing")]
    pub(crate) stop: Option<crate::testing::Stop>,
}

impl Idem {
    /// Opens a store by URL, `sqlite://agent.db` or `postgres://user@host/database`: brings its schema up to this
    /// build and asks whether it can be trusted.
    ///
    /// # Errors
    ///
    /// [`RepositoryError`] says what is wrong and what to do: unreachable, read-only, of a newer schema, not durable.
    pub async fn open(url: &str) -> Result<IdemBuilder, RepositoryError> {
        Ok(Self::over(idem_core::open(url, OpenMode::Migrate).await?))
    }

    /// As [`open`](Self::open), and changes nothing: for a role that may not alter tables.
    ///
    /// # Errors
    ///
    /// As [`open`](Self::open), and a schema that is not this build's.
    pub async fn open_as_is(url: &str) -> Result<IdemBuilder, RepositoryError> {
        Ok(Self::over(idem_core::open(url, OpenMode::AsIs).await?))
    }

    /// Uses a store that the application made, over its own pool for instance, after asking whether it can be trusted.
    ///
    /// # Errors
    ///
    /// [`RepositoryError`] says what is wrong and what to do.
    pub async fn with_store(store: Arc<dyn Store>) -> Result<IdemBuilder, RepositoryError> {
        store.probe().await?;
        Ok(Self::over(store))
    }

    fn over(store: Arc<dyn Store>) -> IdemBuilder {
        IdemBuilder {
            store,
            state: StateMap::default(),
            tools: ToolSet::default(),
            policy: None,
            margin: LEASE_MARGIN,
            share: true,
            coalesce: false,
            journals_proposals: false,
            fault: None,
            #[cfg(feature = "testing")]
            stop: None,
        }
    }

    /// Names the tenant on whose data the calls act.
    #[must_use]
    pub fn organization(&self, organization: OrganizationId) -> Tenant {
        Tenant {
            core: self.core.clone(),
            organization,
        }
    }

    /// What a model is told about the tools, in the order of their names.
    #[must_use]
    pub fn definitions(&self) -> Vec<ToolDefinition> {
        self.core
            .tools
            .iter()
            .map(|tool| ToolDefinition::of(&**tool))
            .collect()
    }

    /// Where the people of an organization decide.
    #[must_use]
    pub fn approvals(&self, organization: OrganizationId) -> ApprovalDesk {
        let store: Arc<dyn ApprovalRepository> = self.core.store.clone();
        ApprovalDesk::new(store, organization)
    }

    /// The plane below the tools.
    #[must_use]
    pub fn service(&self) -> &IdempotencyService {
        &self.core.service
    }

    /// The longest lease that any of the tools holds: its timeout, the look-up before it, and the margin.
    #[must_use]
    pub fn longest_lease(&self) -> Duration {
        let work = self
            .core
            .tools
            .iter()
            .map(|tool| tool.spec().longest_work());
        work.max().unwrap_or_default() + self.core.margin
    }

    /// Checks, at start-up, that an orchestrator's last attempt comes after the longest lease has passed: a worker that
    /// dies in any attempt would otherwise end the run (R31).
    ///
    /// # Errors
    ///
    /// [`RetryPlanError`] names the gap and the lease.
    pub fn check_retries(&self, plan: &RetryPlan) -> Result<(), RetryPlanError> {
        plan.check(self.longest_lease())
    }

    /// Takes no new calls and waits until those under way have ended, or until the deadline has passed. Answers how
    /// many are still under way; their claims lapse with the process.
    ///
    /// # Cancel safety
    ///
    /// Safe: the drain stays begun.
    pub async fn drain(&self, deadline: Duration) -> usize {
        self.core.draining.cancel();
        self.core.tasks.close();
        // A passed deadline is not an error: the count says it.
        let _ = tokio::time::timeout(deadline, self.core.tasks.wait()).await;
        self.core.tasks.len()
    }
}

impl IdemBuilder {
    /// Gives the tools a value: [`ToolContext::state`](crate::ToolContext::state) finds it by its type.
    pub fn state<T: Send + Sync + 'static>(mut self, value: T) -> Self {
        self.state.put(value);
        self
    }

    /// Gives the tools of a block their value, and adds each of them: `.tools(Mailer::new())` for `#[tools] impl Mailer`.
    pub fn tools<T: Tools>(self, value: T) -> Self {
        T::add_to(self.state(value))
    }

    /// Adds a tool by its function's name: `.tool::<send_email>()`.
    pub fn tool<T: Tool>(mut self) -> Self {
        if let Err(fault) = self.tools.add::<T>() {
            self.fault.get_or_insert(fault);
        }
        self
    }

    /// Asks a policy before each call that is not answered by the journal.
    pub fn policy(mut self, policy: impl Policy) -> Self {
        self.policy = Some(Arc::new(policy));
        self
    }

    /// Whether equal calls inside this process share one execution; they do unless this says no. The promise does not
    /// depend on it: without, the second caller is told [`ClaimInFlight`](crate::CallError::ClaimInFlight).
    pub fn share_equal_calls(mut self, share: bool) -> Self {
        self.share = share;
        self
    }

    /// Whether calls that wait for the store go out together, many rows in one statement and one commit (R81); off unless
    /// this says so. The promise, the durability and the answers are the same. It pays where many calls are under way at
    /// once; a lone call goes straight through.
    pub fn coalesce(mut self, coalesce: bool) -> Self {
        self.coalesce = coalesce;
        self
    }

    /// Says that every proposal is journaled before the first of its response runs, so that a call's place among its
    /// equals is the same on every attempt at the turn (R26).
    #[allow(dead_code, reason = "an agent harness over the tools says it")]
    pub(crate) fn journaled(mut self) -> Self {
        self.journals_proposals = true;
        self
    }

    /// Puts the parts together.
    ///
    /// # Errors
    ///
    /// [`SetupError`]: no tool, two tools of one name, a value that a tool takes and nobody gave, a transactional tool of another store, a tool that counts its calls
    /// where proposals are not journaled, a rule of the policy that fits none of the tools, or a hand-written tool that
    /// declares what is not accepted.
    pub fn build(self) -> Result<Idem, SetupError> {
        if let Some(fault) = self.fault {
            return Err(fault);
        }
        if self.tools.is_empty() {
            return Err(SetupError::NoTools);
        }
        for tool in self.tools.iter() {
            tool.check_store(&*self.store)?;
            if let Some(need) = self.state.missing(tool.state()) {
                return Err(SetupError::MissingState {
                    tool: tool.spec().name().to_owned(),
                    state: need.type_name(),
                });
            }
            if tool.spec().repeats() == OnRepeat::Count && !self.journals_proposals {
                let tool = tool.spec().name().to_owned();
                return Err(SetupError::ProposalsNotJournaled { tool });
            }
        }
        if let Some(policy) = &self.policy {
            let known: Vec<_> = self
                .tools
                .iter()
                .map(|tool| KnownTool::of(&**tool))
                .collect();
            policy.check(&known)?;
        }
        let store: Arc<dyn Store> = if self.coalesce {
            Arc::new(Coalesced::over(self.store))
        } else {
            self.store
        };
        let repository: Arc<dyn IdempotencyRepository> = store.clone();
        let core = Core {
            service: IdempotencyService::new(repository),
            store,
            tools: self.tools,
            policy: self.policy,
            state: Arc::new(self.state),
            margin: self.margin,
            flights: self.share.then(Flights::default),
            tasks: TaskTracker::new(),
            draining: CancellationToken::new(),
            #[cfg(feature = "testing")]
            stop: self.stop,
        };
        Ok(Idem {
            core: Arc::new(core),
        })
    }
}

impl std::fmt::Debug for IdemBuilder {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("IdemBuilder")
            .field("store", &self.store)
            .field("tools", &self.tools.names())
            .finish_non_exhaustive()
    }
}
