//! How a segment leaves its run.

use super::error::HarnessError;
use super::limits::Met;
use super::model::ModelError;
use super::segment::{Log, Segment};
use crate::call::Waiting;
use crate::call_error::CallError;
use idem_core::insist;
use idem_core::runs::{EndRun, LeaveAs, RunStatus};
use std::time::Duration;

/// The shortest rest of a run whose call is in flight elsewhere.
const REST_MIN: Duration = Duration::from_millis(50);

/// How long a run rests that a draining process gave back: another process is to take it.
const DRAINING_REST: Duration = Duration::from_secs(1);

/// What became of a run, at the end of a segment.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum SegmentOutcome {
    /// It waits for these people's decisions. Nothing is held: the process may end (R46).
    Suspended(Vec<Waiting>),
    /// It waits for the next message. These were the model's last words.
    Idle(Option<String>),
    /// It is done. These were the model's last words.
    Completed(Option<String>),
    /// It ended before it was done; this says why.
    Failed(String),
    /// Somebody ended it.
    Cancelled(String),
}

impl SegmentOutcome {
    /// The outcome in a word.
    #[must_use]
    pub fn word(&self) -> &'static str {
        match self {
            Self::Suspended(_) => "suspended",
            Self::Idle(_) => "idle",
            Self::Completed(_) => "completed",
            Self::Failed(_) => "failed",
            Self::Cancelled(_) => "cancelled",
        }
    }

    /// Whether the run has ended.
    #[must_use]
    pub fn has_ended(&self) -> bool {
        matches!(
            self,
            Self::Completed(_) | Self::Failed(_) | Self::Cancelled(_)
        )
    }
}

/// How the work of a segment ended.
pub(crate) enum Next {
    Suspended(Vec<Waiting>),
    Idle,
    Completed {
        /// The place of the last message that a turn answered.
        answered_upto: u32,
    },
    Failed(String),
    Cancelled(String),
}

impl Next {
    pub(crate) fn limit(met: Met) -> Self {
        Self::Failed(met.to_string())
    }
}

/// Writes down how the run goes on.
pub(crate) async fn write_down(
    segment: &Segment<'_>,
    worked: Result<(Next, Log), HarnessError>,
) -> Result<SegmentOutcome, HarnessError> {
    let (next, log) = match (worked, segment.owned.cancelled_by()) {
        (Ok(worked), _) => worked,
        (Err(error), None) => return segment.failed(error).await,
        (Err(_), Some(by)) => (Next::Cancelled(by.to_owned()), Log::default()),
    };
    match next {
        Next::Suspended(waits) => {
            let cards = waits.iter().map(|waiting| waiting.card.id).collect();
            let left = segment.leave(&LeaveAs::Waiting { cards }).await?;
            Ok(left.unwrap_or(SegmentOutcome::Suspended(waits)))
        }
        Next::Idle => {
            let left = segment.leave(&LeaveAs::Idle).await?;
            Ok(left.unwrap_or(SegmentOutcome::Idle(log.last_text)))
        }
        Next::Completed { answered_upto } => {
            let done = SegmentOutcome::Completed(log.last_text.clone());
            match segment.end(done, Some(answered_upto)).await? {
                Some(outcome) => Ok(outcome),
                // A message came at the last moment: the next segment answers it.
                None => {
                    let left = segment.leave(&LeaveAs::Idle).await?;
                    Ok(left.unwrap_or(SegmentOutcome::Idle(log.last_text)))
                }
            }
        }
        Next::Failed(why) => segment.end_anyhow(SegmentOutcome::Failed(why)).await,
        Next::Cancelled(by) => segment.end_anyhow(SegmentOutcome::Cancelled(by)).await,
    }
}

impl Segment<'_> {
    /// A segment that came to no end is tried again, a bounded number of times; a failure that stays ends the run.
    async fn failed(&self, error: HarnessError) -> Result<SegmentOutcome, HarnessError> {
        if self.owned.lost.is_cancelled() || matches!(error, HarnessError::SegmentLost(_)) {
            return Err(HarnessError::SegmentLost(self.owned.run.clone()));
        }
        let failures = self.failures();
        // What another worker has in flight, and a process that drains, are no failures of this run.
        let rest = match &error {
            HarnessError::Call(CallError::Draining) => Some(DRAINING_REST),
            HarnessError::Call(error) => error.retry_after().map(|after| after.max(REST_MIN)),
            _ => None,
        };
        let how = match rest {
            Some(after) => LeaveAs::Ready { after, failures },
            None => {
                let failures = failures + 1;
                let wait = self.harness.segment_retries.wait_before(failures + 1);
                let Some(wait) = wait.filter(|_| error.is_transient()) else {
                    let why = format!("{}: {error}", code_of(&error));
                    return self.end_anyhow(SegmentOutcome::Failed(why)).await;
                };
                let after = error.retry_after().map_or(wait, |asked| asked.max(wait));
                LeaveAs::Ready { after, failures }
            }
        };
        match self.leave(&how).await? {
            Some(cancelled) => Ok(cancelled),
            None => Err(error),
        }
    }

    /// Gives the run back. Where somebody asked it to end meanwhile, it ends: `Some`.
    async fn leave(&self, how: &LeaveAs) -> Result<Option<SegmentOutcome>, HarnessError> {
        let (runs, token) = (&self.harness.runs, self.owned.token);
        let (organization, run) = (self.owned.organization, &self.owned.run);
        let left = insist(|| runs.store().leave_segment(organization, run, token, how)).await?;
        let Some(left) = left else {
            return Err(HarnessError::SegmentLost(run.clone()));
        };
        match left.cancel_requested_by {
            Some(by) => {
                // Whoever asked found it owned. It is nobody's now.
                runs.cancel(organization, run, &by).await?;
                Ok(Some(SegmentOutcome::Cancelled(by)))
            }
            None => Ok(None),
        }
    }

    async fn end_anyhow(&self, outcome: SegmentOutcome) -> Result<SegmentOutcome, HarnessError> {
        let ended = self.end(outcome, None).await?;
        ended.ok_or_else(|| HarnessError::SegmentLost(self.owned.run.clone()))
    }

    /// Ends the run. `None`: a message came that is not answered, or the run is another's.
    async fn end(
        &self,
        outcome: SegmentOutcome,
        answered_upto: Option<u32>,
    ) -> Result<Option<SegmentOutcome>, HarnessError> {
        let (status, reason) = match &outcome {
            SegmentOutcome::Failed(why) => (RunStatus::Failed, Some(why.clone())),
            SegmentOutcome::Cancelled(by) => {
                (RunStatus::Cancelled, Some(format!("cancelled by {by}")))
            }
            _ => (RunStatus::Completed, None),
        };
        let how = EndRun {
            status,
            reason,
            answered_upto,
        };
        let (organization, run) = (self.owned.organization, &self.owned.run);
        let ended = self
            .harness
            .runs
            .end(organization, run, Some(self.owned.token), &how)
            .await?;
        match ended {
            Some(record) if record.status == status => Ok(Some(outcome)),
            Some(_) => Err(HarnessError::SegmentLost(run.clone())),
            None => Ok(None),
        }
    }
}

fn code_of(error: &HarnessError) -> &'static str {
    match error {
        HarnessError::Model(error) => match &**error {
            ModelError::Refused(_) => "model_refused",
            _ => "model_failed",
        },
        HarnessError::StepTooLarge(_) => "step_too_large",
        HarnessError::Call(_) => "call_failed",
        _ => "store_failed",
    }
}
