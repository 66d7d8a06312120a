//! Runs a body in a task of its own, until its deadline (R34).

use crate::ToolContext;
use crate::tool_set::{Body, BodyResult};
use tokio::time::{Instant, timeout_at};
use tracing::Instrument;

/// How a body ended.
pub(crate) enum Ran {
    /// It came to its end.
    Finished(BodyResult),
    /// Its time was over; it was cancelled and stopped.
    TimedOut,
    /// It panicked.
    Panicked,
    /// Its task was stopped from outside, as when the runtime shuts down.
    Stopped,
}

impl Ran {
    /// Why nobody knows what a body did that did not come to its end.
    pub(crate) fn why(&self) -> &'static str {
        match self {
            Self::Finished(_) => "the tool came to its end",
            Self::TimedOut => "the tool did not come to its end in time",
            Self::Panicked => "the tool panicked",
            Self::Stopped => "the tool was stopped",
        }
    }
}

/// Runs a body. A dropped caller does not cancel it and a panic stays inside.
pub(crate) async fn execute(body: Body, context: ToolContext) -> Ran {
    let deadline = Instant::from_std(context.deadline);
    let cancellation = context.cancellation.clone();
    let mut task = tokio::spawn(async move { body(context).await }.in_current_span());
    match timeout_at(deadline, &mut task).await {
        Ok(Ok(result)) => Ran::Finished(result),
        Ok(Err(error)) if error.is_panic() => Ran::Panicked,
        Ok(Err(_)) => Ran::Stopped,
        Err(_) => {
            // The token first: work that was handed to a thread of its own hears it, and an abort does not reach it.
            cancellation.cancel();
            task.abort();
            Ran::TimedOut
        }
    }
}
