//! Runs a body in a task of its own, until its deadline (R34).

use crate::ToolContext;
use crate::commit_gate::Held;
use crate::context::Dispatch;
use crate::tool_set::{Body, BodyResult, Found};
use std::future::{pending, poll_fn};
use std::pin::{Pin, pin};
use std::task::Poll;
use tokio::sync::watch;
use tokio::time::{Instant, timeout_at};
use tokio_util::sync::CancellationToken;
use tracing::Instrument;

/// How a body ended.
pub(crate) enum Ran {
    /// It came to its end.
    Finished(BodyResult),
    /// Its time was over; it was cancelled and stopped.
    TimedOut,
    /// It held its transaction for too long; it was cancelled and stopped.
    HeldTooLong,
    /// Its run was cancelled; it heard it and was stopped.
    Cancelled,
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
            Self::HeldTooLong => "the tool held its transaction for longer than it may",
            Self::Cancelled => "the run was cancelled while the tool was at work",
            Self::Panicked => "the tool panicked",
            Self::Stopped => "the tool was stopped",
        }
    }
}

/// Runs a body. A dropped caller does not cancel it and a panic stays inside.
pub(crate) async fn execute(body: Body, context: ToolContext) -> Ran {
    let deadline = Instant::from_std(context.deadline);
    let cancellation = context.cancellation.clone();
    let held = match &context.dispatch {
        Dispatch::AtCommit(gate) => Some(gate.watch()),
        _ => None,
    };
    let mut task = tokio::spawn(body.run(context).in_current_span());
    let mut stop = pin!(stopped(&cancellation, deadline, held));
    let ended = poll_fn(|cx| match Pin::new(&mut task).poll(cx) {
        Poll::Ready(ended) => Poll::Ready(Ok(ended)),
        Poll::Pending => stop.as_mut().poll(cx).map(Err),
    });
    let stopped = match ended.await {
        Ok(Ok(result)) => return Ran::Finished(result),
        Ok(Err(error)) if error.is_panic() => return Ran::Panicked,
        Ok(Err(_)) => return Ran::Stopped,
        Err(stopped) => stopped,
    };
    // The token first: work that was handed to a thread of its own hears it, and an abort does not reach it.
    cancellation.cancel();
    task.abort();
    stopped
}

/// Asks a body's tool what became of an earlier attempt, and gives the body back. `None`: it came to no end in time.
pub(crate) async fn look_up(body: Body, context: ToolContext) -> Option<(Found, Body)> {
    let deadline = Instant::from_std(context.deadline);
    let cancellation = context.cancellation.clone();
    let mut task = tokio::spawn(body.look_up(context).in_current_span());
    if let Ok(ended) = timeout_at(deadline, &mut task).await {
        return ended.ok();
    }
    cancellation.cancel();
    task.abort();
    None
}

/// Comes to an end when the body is to be stopped: its run was cancelled, or its time is over.
async fn stopped(
    cancellation: &CancellationToken,
    deadline: Instant,
    held: Option<watch::Receiver<Held>>,
) -> Ran {
    match cancellation
        .run_until_cancelled(too_long(deadline, held))
        .await
    {
        Some(ran) => ran,
        None => Ran::Cancelled,
    }
}

/// Comes to an end when the body's time is over, or that of its transaction.
async fn too_long(deadline: Instant, held: Option<watch::Receiver<Held>>) -> Ran {
    match timeout_at(deadline, held_too_long(held)).await {
        Ok(()) => Ran::HeldTooLong,
        Err(_) => Ran::TimedOut,
    }
}

/// Comes to an end when the body holds a transaction whose time is over.
async fn held_too_long(watched: Option<watch::Receiver<Held>>) {
    let Some(mut watched) = watched else {
        return pending().await;
    };
    loop {
        let held = *watched.borrow_and_update();
        let changed = match held {
            Held::Until(until) => {
                match timeout_at(Instant::from_std(until), watched.changed()).await {
                    Ok(changed) => changed,
                    Err(_) => return,
                }
            }
            Held::No | Held::Opening => watched.changed().await,
        };
        if changed.is_err() {
            return pending().await;
        }
    }
}
