//! The harness: runs are admitted, get messages, and are worked on by whichever process takes them.

use super::error::HarnessError;
use super::events::RunEvent;
use super::limits::{Retries, RunLimits};
use super::model::Model;
use super::outcome::SegmentOutcome;
use super::owned::Owned;
use super::segment;
use crate::idem::IdemBuilder;
use crate::tool_set::{SetupError, ToolDefinition};
use crate::{Idem, LEASE_MARGIN};
use idem_core::OrganizationId;
use idem_core::identity::RunId;
use idem_core::runs::{
    Admitted, NewMessage, NewRun, Posted, RUN_DURATION_MAX, RunDesk, RunRecord, RunRepository,
};
use std::fmt;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::broadcast;

/// How many events a watcher may be behind before it misses some.
const EVENTS_KEPT: usize = 1024;

/// What the segments of one harness share.
pub(crate) struct HarnessCore {
    pub(crate) idem: Idem,
    pub(crate) runs: RunDesk,
    pub(crate) model: Arc<dyn Model>,
    pub(crate) definitions: Vec<ToolDefinition>,
    pub(crate) instructions: Option<String>,
    pub(crate) limits: RunLimits,
    pub(crate) replay_model_turns: bool,
    pub(crate) model_timeout: Duration,
    pub(crate) model_retries: Retries,
    pub(crate) call_retries: Retries,
    pub(crate) segment_retries: Retries,
    /// How long a call that is in flight elsewhere is waited out inside a segment.
    pub(crate) patience: Duration,
    pub(crate) lease: Duration,
    pub(crate) events: broadcast::Sender<RunEvent>,
}

/// Model, tools, policy and store: runs that wait for days, replay, and repeat no effect. Cheap to clone.
#[derive(Clone)]
pub struct AgentHarness {
    pub(crate) core: Arc<HarnessCore>,
}

impl fmt::Debug for AgentHarness {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("AgentHarness")
            .field("idem", &self.core.idem)
            .field("model", &self.core.model.name())
            .field("limits", &self.core.limits)
            .finish_non_exhaustive()
    }
}

/// What a harness is made of.
#[must_use = "call `.build()`"]
pub struct AgentBuilder {
    idem: IdemBuilder,
    model: Arc<dyn Model>,
    instructions: Option<String>,
    limits: RunLimits,
    replay_model_turns: bool,
    model_timeout: Duration,
    model_retries: Retries,
    call_retries: Retries,
    segment_retries: Retries,
}

impl fmt::Debug for AgentBuilder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("AgentBuilder")
            .field("idem", &self.idem)
            .field("model", &self.model.name())
            .finish_non_exhaustive()
    }
}

impl IdemBuilder {
    /// Makes an agent of the tools: this model proposes the calls.
    pub fn agent(self, model: impl Model + 'static) -> AgentBuilder {
        AgentBuilder {
            idem: self,
            model: Arc::new(model),
            instructions: None,
            limits: RunLimits::default(),
            replay_model_turns: true,
            model_timeout: Duration::from_secs(120),
            model_retries: Retries::default(),
            call_retries: Retries::default(),
            segment_retries: Retries::default(),
        }
    }
}

impl AgentBuilder {
    /// What the model is told to be.
    pub fn instructions(mut self, text: impl Into<String>) -> Self {
        self.instructions = Some(text.into());
        self
    }

    /// The bounds of each run.
    pub fn limits(mut self, limits: RunLimits) -> Self {
        self.limits = limits;
        self
    }

    /// Whether a segment that goes on in a turn takes every recorded response as it stands; it does unless this says
    /// `false`.
    ///
    /// Off, last words that were recorded under `false` too, in a turn that nobody ended, are asked for again: the model
    /// is paid twice, and may propose calls this time. A response with calls is never asked for again, on or off: its
    /// proposals are stored before the first of them runs (R51).
    pub fn replay_model_turns(mut self, replay: bool) -> Self {
        self.replay_model_turns = replay;
        self
    }

    /// How long one response of the model may take; two minutes unless this says otherwise, and no longer than a run.
    pub fn model_timeout(mut self, timeout: Duration) -> Self {
        self.model_timeout = timeout;
        self
    }

    /// How often the model is asked for one response.
    pub fn model_retries(mut self, retries: Retries) -> Self {
        self.model_retries = retries;
        self
    }

    /// How often a call is made whose failure says that it may be.
    pub fn call_retries(mut self, retries: Retries) -> Self {
        self.call_retries = retries;
        self
    }

    /// How many segments in a row may fail, and how long the run rests between two.
    pub fn segment_retries(mut self, retries: Retries) -> Self {
        self.segment_retries = retries;
        self
    }

    /// Puts the parts together.
    ///
    /// # Errors
    ///
    /// [`SetupError`], as [`IdemBuilder::build`], and for a model's timeout that is longer than a run may last.
    pub fn build(self) -> Result<AgentHarness, SetupError> {
        if self.model_timeout > RUN_DURATION_MAX {
            let (asked, max) = (self.model_timeout, RUN_DURATION_MAX);
            return Err(SetupError::ModelTimeout { asked, max });
        }
        let margin = self.idem.margin;
        // Every proposal is written down before the first of its response runs (R51), so equal calls can be counted.
        let idem = self.idem.journaled().build()?;
        let runs: Arc<dyn RunRepository> = idem.core.store.clone();
        // As long as the longest thing that one step waits for (R51); a timer renews it.
        let longest = idem.longest_lease().max(self.model_timeout + margin);
        let core = HarnessCore {
            runs: RunDesk::new(runs),
            definitions: idem.definitions(),
            patience: idem.longest_lease() + LEASE_MARGIN,
            idem,
            model: self.model,
            instructions: self.instructions,
            limits: self.limits,
            replay_model_turns: self.replay_model_turns,
            model_timeout: self.model_timeout,
            model_retries: self.model_retries,
            call_retries: self.call_retries,
            segment_retries: self.segment_retries,
            lease: longest,
            events: broadcast::Sender::new(EVENTS_KEPT),
        };
        Ok(AgentHarness {
            core: Arc::new(core),
        })
    }
}

impl AgentHarness {
    /// Admits a run, or finds the one that this very start admitted before (R62).
    ///
    /// # Errors
    ///
    /// [`HarnessError::Run`].
    ///
    /// # Cancel safety
    ///
    /// It is admitted or it is not; a repeat tells.
    pub async fn admit(&self, new: &NewRun) -> Result<Admitted, HarnessError> {
        Ok(self.core.runs.admit(new).await?)
    }

    /// Gives a run a message, once for each message id. It begins the next turn when the one before is over.
    ///
    /// # Errors
    ///
    /// [`HarnessError::Run`]: the run is not there or has ended, or the message's id came with another content.
    ///
    /// # Cancel safety
    ///
    /// It is stored or it is not; a repeat tells.
    pub async fn post(
        &self,
        organization: OrganizationId,
        run: &RunId,
        message: &NewMessage,
    ) -> Result<Posted, HarnessError> {
        Ok(self.core.runs.post(organization, run, message).await?)
    }

    /// Works on a run until it waits or ends. What was said and done before is read back from the store.
    ///
    /// # Errors
    ///
    /// [`HarnessError`]: another process works on it, it has ended, or the model, the store or a call failed for now.
    /// The run is left so that another segment goes on.
    ///
    /// # Cancel safety
    ///
    /// Safe: calls that had begun come to their ends in tasks of their own; the run is taken up again once this
    /// segment's lease has ended.
    pub async fn segment(
        &self,
        organization: OrganizationId,
        run: &RunId,
    ) -> Result<SegmentOutcome, HarnessError> {
        let core = &self.core;
        let (owned, record) = Owned::take(&core.runs, (organization, run), core.lease).await?;
        segment::run(core, owned, record).await
    }

    /// Asks a run to end, and says where it stands. Where nobody works on it, it ends at once; otherwise its tools hear
    /// it within a third of the segment's lease, and what they had begun is an unknown outcome (R14). Its open cards
    /// are taken back.
    ///
    /// # Errors
    ///
    /// [`HarnessError::Run`].
    ///
    /// # Cancel safety
    ///
    /// Made again, it does what is left.
    pub async fn cancel(
        &self,
        organization: OrganizationId,
        run: &RunId,
        by: &str,
    ) -> Result<RunRecord, HarnessError> {
        Ok(self.core.runs.cancel(organization, run, by).await?)
    }

    /// Where a run stands.
    ///
    /// # Errors
    ///
    /// [`HarnessError::Run`].
    pub async fn run(
        &self,
        organization: OrganizationId,
        run: &RunId,
    ) -> Result<RunRecord, HarnessError> {
        Ok(self.core.runs.get(organization, run).await?)
    }

    /// What happens in this process's segments from now on, run by run.
    #[must_use]
    pub fn events(&self) -> broadcast::Receiver<RunEvent> {
        self.core.events.subscribe()
    }

    /// The tools, the approvals and the plane below.
    #[must_use]
    pub fn idem(&self) -> &Idem {
        &self.core.idem
    }
}
