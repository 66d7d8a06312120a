//! A worker: a driver over the store, in a process that can be killed at any moment.

use idem_tools::OrganizationId;
use idem_tools::agent::{AgentHarness, Happened, HarnessError, RunError, RunEvent};
use idem_tools::plane::identity::RunId;
#[cfg(feature = "planted-bugs")]
use idem_tools::planted;
use std::time::Duration;
use tokio::sync::broadcast::Receiver;
use tokio::sync::broadcast::error::RecvError;
use tokio::sync::mpsc::{UnboundedReceiver, unbounded_channel};
use tokio_util::sync::CancellationToken;

use super::agent;
use super::protocol::{Errand, Order, Said, say};
use crate::Outcome;

/// How often a worker looks for runs that can go on.
const POLL: Duration = Duration::from_millis(100);

/// Works until its standard input closes.
pub(crate) async fn work() -> Outcome<()> {
    let mut lines = lines();
    let order = lines.recv().await.ok_or("a worker needs an order")?;
    let order: Order = serde_json::from_str(&order)?;
    #[cfg(feature = "planted-bugs")]
    if let Some(bug) = &order.planted_bug {
        planted::plant(planted::Bug::named(bug).ok_or("there is no such bug")?);
    }
    let organization: OrganizationId = order.organization.parse()?;
    let harness = agent::open(&order).await?;
    tokio::spawn(tell(harness.events()));
    tokio::spawn(run_errands(lines, harness.clone(), organization));
    say(&Said::Ready);
    let driver = harness.driver().of(organization).poll(POLL);
    // It has no end of its own: `run_errands` ends the process.
    driver.until(&CancellationToken::new()).await;
    Ok(())
}

/// The lines of standard input.
fn lines() -> UnboundedReceiver<String> {
    let (to, lines) = unbounded_channel();
    // A thread and not a task: the runtime would wait for a task's blocked read when it shuts down.
    std::thread::spawn(move || {
        for line in std::io::stdin().lines().map_while(Result::ok) {
            if to.send(line).is_err() {
                return;
            }
        }
    });
    lines
}

/// Tells the director what happens. A worker that falls behind tells less.
async fn tell(mut events: Receiver<RunEvent>) {
    loop {
        match events.recv().await {
            Ok(event) => tell_one(&event),
            Err(RecvError::Lagged(_)) => {}
            Err(RecvError::Closed) => return,
        }
    }
}

fn tell_one(event: &RunEvent) {
    let run = event.run.as_ref().to_owned();
    match &event.what {
        Happened::TurnOver => say(&Said::TurnOver {
            run,
            turn: event.turn,
        }),
        Happened::CallAnswered { replayed, .. } => say(&Said::Answered {
            run,
            turn: event.turn,
            replayed: *replayed,
        }),
        _ => {}
    }
}

/// Carries out what the director asks for, and ends the process when the director is gone, or done.
async fn run_errands(
    mut lines: UnboundedReceiver<String>,
    harness: AgentHarness,
    organization: OrganizationId,
) {
    while let Some(line) = lines.recv().await {
        let Ok(Errand::Drive { run }) = serde_json::from_str(&line) else {
            continue;
        };
        let Ok(run) = RunId::new(run) else { continue };
        let harness = harness.clone();
        tokio::spawn(async move {
            let driven = harness.segment(organization, &run).await;
            if let Err(HarnessError::Run(error)) = driven
                && matches!(*error, RunError::SegmentInFlight { .. })
            {
                say(&Said::TurnedAway);
            }
        });
    }
    std::process::exit(0);
}
