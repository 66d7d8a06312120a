//! The calls of one response: side by side under a bound, each settled alone, all joined before anything is said (R48).

use super::events::Happened;
use super::proposal::Proposal;
use super::segment::Segment;
use crate::call::{Settled, ToolFailure};
use crate::call_error::CallError;
use crate::turn::Turn;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::Semaphore;
use tokio::task::JoinSet;
use tokio::time::sleep;
use tokio_util::sync::CancellationToken;
use tracing::Instrument;

/// How often a call is made again that another worker took over, or whose card others keep changing.
const CONTENDED_MAX: u32 = 20;

/// The first and the longest wait for a call that is in flight elsewhere: its owner may end long before its lease does.
const LOOK_AGAIN: (Duration, Duration) = (Duration::from_millis(20), Duration::from_secs(2));

impl Segment<'_> {
    /// Settles every call, in its own task, and joins them all. The results stand in the order of the calls; a call that
    /// was not begun, since the run was cancelled or lost before its turn came, has none.
    pub(crate) async fn settle_all(
        &self,
        turn: &Turn,
        calls: &[Proposal],
    ) -> Vec<Option<Result<Settled, CallError>>> {
        let places = Arc::new(Semaphore::new(self.harness.limits.parallel_calls.max(1)));
        let mut results: Vec<_> = calls
            .iter()
            .map(|_| Some(Err(CallError::TaskEnded)))
            .collect();
        let mut tasks = JoinSet::new();
        for (at, proposal) in calls.iter().enumerate() {
            let (places, turn, proposal) = (places.clone(), turn.clone(), proposal.clone());
            let attempts = self.attempts();
            let task = async move {
                // The semaphore is never closed; were it, the call would run unbounded.
                let _place = places.acquire_owned().await;
                if attempts.halt.is_cancelled() {
                    return (at, None);
                }
                (at, Some(attempts.settle(&turn, &proposal).await))
            };
            tasks.spawn(task.in_current_span());
        }
        while let Some(joined) = tasks.join_next().await {
            if let Ok((at, result)) = joined {
                if let Some(result) = &result {
                    self.tell_settled(&calls[at], result);
                }
                results[at] = result;
            }
        }
        results
    }

    fn tell_settled(&self, proposal: &Proposal, result: &Result<Settled, CallError>) {
        let (call_id, tool) = (
            proposal.call.id().map(str::to_owned),
            proposal.call.tool().to_owned(),
        );
        match result {
            Ok(Settled::Answer(answer)) => self.tell(Happened::CallAnswered {
                call_id,
                tool,
                failure: Happened::code(answer.failure()),
                replayed: answer.replayed,
            }),
            Ok(Settled::Waiting(waiting)) => self.tell(Happened::CallWaits {
                call_id,
                tool,
                card: waiting.card.id,
            }),
            Err(_) => {}
        }
    }
}

/// How one call is made until it settles.
pub(crate) struct Attempts {
    pub(crate) retries: super::limits::Retries,
    /// How long a call that is in flight elsewhere is waited out in all.
    pub(crate) patience: Duration,
    pub(crate) tell: Arc<dyn Fn(Happened) + Send + Sync>,
    /// Fires when the run is cancelled or lost: nothing is tried again.
    pub(crate) halt: CancellationToken,
}

impl Attempts {
    /// Makes a call until it settles, or until trying again makes no sense. A failure that may be tried again is; what
    /// is in flight is waited out, and costs no attempt (R31).
    async fn settle(&self, turn: &Turn, proposal: &Proposal) -> Result<Settled, CallError> {
        let (mut attempt, mut contended, mut waited) = (1, 0, Duration::ZERO);
        let (mut look_again, longest) = LOOK_AGAIN;
        loop {
            let settled = proposal.settle(turn).await;
            let wait = match &settled {
                Ok(Settled::Answer(answer)) => {
                    attempt += 1;
                    let failure = answer.failure().filter(|failure| failure.retryable);
                    failure.and_then(|failure| self.wait_for(failure, attempt))
                }
                Err(CallError::ClaimInFlight { retry_after, .. }) => {
                    let wait = look_again.min(*retry_after);
                    look_again = (2 * look_again).min(longest);
                    waited += wait;
                    (waited <= self.patience).then_some(wait)
                }
                Err(CallError::LeaseLost { .. } | CallError::CardContended { .. }) => {
                    contended += 1;
                    (contended < CONTENDED_MAX).then_some(Duration::from_millis(10))
                }
                Ok(Settled::Waiting(_)) | Err(_) => None,
            };
            let Some(wait) = wait else { return settled };
            let tool = proposal.call.tool().to_owned();
            (self.tell)(Happened::CallTriedAgain { tool, after: wait });
            if self.halt.run_until_cancelled(sleep(wait)).await.is_none() {
                return settled;
            }
        }
    }

    /// A vendor that asks for more patience than there is gets none: the model is told, and when to come back.
    fn wait_for(&self, failure: &ToolFailure, attempt: u32) -> Option<Duration> {
        self.retries.wait_as_asked(attempt, failure.retry_after)
    }
}
