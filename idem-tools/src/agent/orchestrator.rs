//! What an orchestrator needs of a segment: one step that it may run as often as it likes (R31).

use super::error::HarnessError;
use super::harness::AgentHarness;
use super::model::Message;
use super::outcome::SegmentOutcome;
use crate::{RetryPlan, RetryPlanError};
use idem_core::OrganizationId;
use idem_core::approval::ApprovalId;
use idem_core::identity::RunId;
use idem_core::runs::{RunError, RunStatus};
use std::sync::Arc;
use std::time::Duration;

/// An orchestrator, as far as Idem has to know it: how it spaces the attempts of one step.
pub trait Orchestrator {
    /// The waits between the attempts of a step.
    fn retry_plan(&self) -> RetryPlan;
}

impl Orchestrator for RetryPlan {
    fn retry_plan(&self) -> RetryPlan {
        self.clone()
    }
}

/// One step of an orchestrator: a segment of a run.
#[derive(Clone, Debug)]
pub struct SegmentStep {
    harness: AgentHarness,
}

/// What the orchestrator does next.
#[derive(Debug)]
#[non_exhaustive]
pub enum StepReport {
    /// The run waits or has ended: the step is done.
    Done(SegmentOutcome),
    /// The run waits for a decision about these: sleep until there is one, and make the step again.
    Sleep(Vec<ApprovalId>),
    /// Make the step again after that long. It need not cost an attempt: somebody else is at work.
    Again(Duration),
    /// Make the step again as the retry plan says.
    Retry(HarnessError),
    /// No attempt will help.
    Fail(HarnessError),
}

impl AgentHarness {
    /// A step for an orchestrator, once its retries are seen to outlast the longest lease: a worker that dies in any
    /// attempt would otherwise end the run.
    ///
    /// # Errors
    ///
    /// [`RetryPlanError`] names the gap and the lease.
    pub fn step_for(
        &self,
        orchestrator: &impl Orchestrator,
    ) -> Result<SegmentStep, RetryPlanError> {
        let plan = orchestrator.retry_plan();
        plan.check(self.core.lease.max(self.core.idem.longest_lease()))?;
        let harness = self.clone();
        Ok(SegmentStep { harness })
    }
}

impl SegmentStep {
    /// Runs one segment.
    ///
    /// # Cancel safety
    ///
    /// As [`AgentHarness::segment`].
    pub async fn run(&self, organization: OrganizationId, run: &RunId) -> StepReport {
        match self.harness.segment(organization, run).await {
            Ok(SegmentOutcome::Suspended(waits)) => {
                StepReport::Sleep(waits.iter().map(|waiting| waiting.card.id).collect())
            }
            Ok(outcome) => StepReport::Done(outcome),
            Err(HarnessError::Run(error)) if matches!(*error, RunError::Ended(_)) => {
                self.ended(organization, run, &error).await
            }
            Err(error) if !error.is_transient() => StepReport::Fail(error),
            Err(error) => match (&error, error.retry_after()) {
                (HarnessError::SegmentLost(_), _) => StepReport::Again(Duration::ZERO),
                (HarnessError::Run(_) | HarnessError::Call(_), Some(after)) => {
                    StepReport::Again(after)
                }
                _ => StepReport::Retry(error),
            },
        }
    }

    /// The run ended before: the step was made, and whoever made it could not say so.
    async fn ended(
        &self,
        organization: OrganizationId,
        run: &RunId,
        error: &Arc<RunError>,
    ) -> StepReport {
        let RunError::Ended(record) = &**error else {
            return StepReport::Fail(HarnessError::Run(error.clone()));
        };
        let reason = || record.reason.clone().unwrap_or_default();
        StepReport::Done(match record.status {
            RunStatus::Cancelled => SegmentOutcome::Cancelled(reason()),
            RunStatus::Failed => SegmentOutcome::Failed(reason()),
            _ => match self.harness.conversation(organization, run).await {
                Ok(said) => SegmentOutcome::Completed(last_words(&said)),
                Err(error) => return StepReport::Retry(error),
            },
        })
    }
}

fn last_words(said: &[Message]) -> Option<String> {
    match said.last() {
        Some(Message::Assistant { text, .. }) => text.clone(),
        _ => None,
    }
}
