//! How a segment leaves its run.

use super::error::HarnessError;
use super::harness::HarnessCore;
use super::limits::Met;
use super::model::ModelError;
use super::owned::Owned;
use super::segment::Log;
use crate::call::Waiting;
use idem_core::insist;
use idem_core::runs::{EndRun, LeaveAs, RunRecord, RunStatus};
use std::time::Duration;

/// The shortest rest of a run whose call is in flight elsewhere.
const REST_MIN: Duration = Duration::from_millis(50);

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
    Completed,
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
    harness: &HarnessCore,
    owned: &Owned,
    record: &RunRecord,
    worked: Result<(Next, Log), HarnessError>,
) -> Result<SegmentOutcome, HarnessError> {
    match worked {
        Ok((next, log)) => {
            let outcome = match next {
                Next::Suspended(waits) => {
                    let cards = waits.iter().map(|waiting| waiting.card.id).collect();
                    leave(harness, owned, &LeaveAs::Waiting { cards }).await?;
                    return Ok(SegmentOutcome::Suspended(waits));
                }
                Next::Idle => {
                    leave(harness, owned, &LeaveAs::Idle).await?;
                    return Ok(SegmentOutcome::Idle(log.last_text));
                }
                Next::Completed => SegmentOutcome::Completed(log.last_text),
                Next::Failed(why) => SegmentOutcome::Failed(why),
                Next::Cancelled(by) => SegmentOutcome::Cancelled(by),
            };
            end(harness, owned, outcome).await
        }
        Err(error) => failed(harness, owned, record, error).await,
    }
}

/// A segment that came to no end is tried again, a bounded number of times; a failure that stays ends the run.
async fn failed(
    harness: &HarnessCore,
    owned: &Owned,
    record: &RunRecord,
    error: HarnessError,
) -> Result<SegmentOutcome, HarnessError> {
    if owned.lost.is_cancelled() || matches!(error, HarnessError::SegmentLost(_)) {
        return Err(HarnessError::SegmentLost(owned.run.clone()));
    }
    let failures = record.failures + 1;
    let wait = harness.segment_retries.wait_before(failures + 1);
    let in_flight = matches!(&error, HarnessError::Call(error) if error.retry_after().is_some());
    match wait.filter(|_| error.is_transient()) {
        // What another worker has in flight is no failure of this run.
        _ if in_flight => {
            let after = error.retry_after().unwrap_or_default().max(REST_MIN);
            leave(harness, owned, &LeaveAs::Ready { after }).await?;
            Err(error)
        }
        Some(wait) => {
            let after = error.retry_after().map_or(wait, |asked| asked.max(wait));
            leave(harness, owned, &LeaveAs::Failed { after }).await?;
            Err(error)
        }
        None => {
            let code = match &error {
                HarnessError::Model(error) => match &**error {
                    ModelError::Refused(_) => "model_refused",
                    _ => "model_failed",
                },
                HarnessError::StepTooLarge(_) => "step_too_large",
                HarnessError::Call(_) => "call_failed",
                _ => "store_failed",
            };
            end(
                harness,
                owned,
                SegmentOutcome::Failed(format!("{code}: {error}")),
            )
            .await
        }
    }
}

async fn leave(harness: &HarnessCore, owned: &Owned, how: &LeaveAs) -> Result<(), HarnessError> {
    let (store, token) = (harness.runs.store(), owned.token);
    let (organization, run) = (owned.organization, &owned.run);
    let left = insist(|| store.leave_segment(organization, run, token, how)).await?;
    if left.is_some() {
        return Ok(());
    }
    // A reply that was lost: the row says what this very owner wrote.
    let (row, (status, _, _)) = (harness.runs.get(organization, run).await?, how.parts());
    if row.token == Some(token) && !row.live && row.status == status {
        return Ok(());
    }
    Err(HarnessError::SegmentLost(owned.run.clone()))
}

async fn end(
    harness: &HarnessCore,
    owned: &Owned,
    outcome: SegmentOutcome,
) -> Result<SegmentOutcome, HarnessError> {
    let (status, reason) = match &outcome {
        SegmentOutcome::Failed(why) => (RunStatus::Failed, Some(why.clone())),
        SegmentOutcome::Cancelled(by) => (RunStatus::Cancelled, Some(format!("cancelled by {by}"))),
        _ => (RunStatus::Completed, None),
    };
    let (organization, run) = (owned.organization, &owned.run);
    let how = EndRun { status, reason };
    let ended = harness.runs.end(organization, run, Some(owned.token), &how);
    match ended.await? {
        Some(record) if record.status == status => Ok(outcome),
        _ => Err(HarnessError::SegmentLost(owned.run.clone())),
    }
}
