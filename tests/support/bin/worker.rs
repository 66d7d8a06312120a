//! A worker process for the tests: carries out the order on its standard input, tells what happens on
//! its standard output, and stands still where the test wants to kill it. It ends with its input.
#![allow(
    clippy::expect_used,
    reason = "a worker that cannot go on is the calling test's failure"
)]

#[path = "../../processes/order.rs"]
mod order;
#[path = "worker/store.rs"]
mod store;
#[path = "worker/tools.rs"]
mod tools;
#[path = "worker/writer.rs"]
mod writer;

use std::io::{BufRead, Write};
use std::sync::Arc;
use std::time::Duration;

use idem_core::{OpenMode, RepositoryError, open};
use idem_tools::{Answered, CallError, Idem, OrganizationId, ProposedCall, Turn};
use tokio::sync::mpsc;
use tokio::task::JoinSet;
use uuid::Uuid;

use order::{Event, Job, Order};

const ORGANIZATION: Uuid = Uuid::from_u128(0x3013);
/// Longer than any test waits.
const DRAIN_MAX: Duration = Duration::from_secs(600);

type Lines = mpsc::UnboundedReceiver<String>;

/// Tells the test something.
pub(crate) fn tell(event: &Event) {
    let line = serde_json::to_string(event).expect("an event is JSON");
    let mut output = std::io::stdout().lock();
    writeln!(output, "{line}").expect("the test listens");
    output.flush().expect("the test listens");
}

/// The lines of standard input. A thread and not a task, because the read blocks; at the end of the
/// input the test is gone, and so is this process.
fn listen() -> Lines {
    let (sender, lines) = mpsc::unbounded_channel();
    std::thread::spawn(move || {
        for line in std::io::stdin().lock().lines() {
            let Ok(line) = line else { break };
            if sender.send(line).is_err() {
                break;
            }
        }
        std::process::exit(0);
    });
    lines
}

#[tokio::main]
async fn main() {
    let mut lines = listen();
    let order = lines.recv().await.expect("an order");
    let order: Order = serde_json::from_str(&order).expect("an order");
    if let Err(error) = carry_out(&order, &mut lines).await {
        tell(&Event::Failed(error.to_string()));
    }
    // Standard input is still being read, and nothing is to be waited for.
    std::process::exit(0);
}

async fn carry_out(order: &Order, lines: &mut Lines) -> Result<(), RepositoryError> {
    match order.job {
        Job::Open => {
            ready(lines).await;
            open(&order.store, OpenMode::Migrate).await?;
            tell(&Event::Opened);
        }
        Job::Write => writer::write(&order.store, lines).await,
        Job::Call => {
            let idem = agent(order).await?;
            ready(lines).await;
            call_all(&idem, order).await;
        }
        Job::Drain => {
            let idem = agent(order).await?;
            ready(lines).await;
            let calling = (idem.clone(), order.clone());
            tokio::spawn(async move { call_all(&calling.0, &calling.1).await });
            lines.recv().await;
            let mut drained = std::pin::pin!(idem.drain(DRAIN_MAX));
            tokio::select! {
                biased;
                _ = &mut drained => {}
                // Ready at once: the drain was polled before it, and so has begun.
                () = std::future::ready(()) => {}
            }
            settle(turn(&idem), order, "call_late").await;
            drained.await;
        }
    }
    Ok(())
}

async fn ready(lines: &mut Lines) {
    tell(&Event::Ready);
    lines.recv().await;
}

/// The tools over the order's store, without the sharing of equal calls: the store alone decides.
async fn agent(order: &Order) -> Result<Idem, RepositoryError> {
    let opened = open(&order.store, OpenMode::Migrate).await?;
    let opened = Arc::new(store::Stopping::new(opened, order.stop_at));
    let builder = Idem::with_store(opened).await?.share_equal_calls(false);
    Ok(tools::register(builder, order)
        .build()
        .expect("four tools of different names"))
}

fn turn(idem: &Idem) -> Turn {
    let organization = OrganizationId::new(ORGANIZATION).expect("not nil");
    let actor = idem.organization(organization).principal("ann");
    let run = actor.expect("a principal").run("the-run");
    run.expect("a run").turn(1)
}

/// Every caller makes the one call, under an id of its own.
async fn call_all(idem: &Idem, order: &Order) {
    let mut callers = JoinSet::new();
    for caller in 0..order.callers {
        let (turn, order) = (turn(idem), order.clone());
        callers.spawn(async move { settle(turn, &order, &format!("call_{caller}")).await });
    }
    callers.join_all().await;
}

async fn settle(turn: Turn, order: &Order, id: &str) {
    let arguments = serde_json::json!({ "what": order.what }).to_string();
    let settled = turn
        .call(ProposedCall::new(id, &order.tool, arguments))
        .await;
    tell(&match settled.map(|settled| settled.answer()) {
        Ok(Some(answered)) => of_answer(&answered),
        Ok(None) => Event::Failed("nobody asks a person here".to_owned()),
        Err(CallError::ClaimInFlight { .. }) => Event::InFlight,
        Err(CallError::Draining) => Event::Draining,
        Err(error) => Event::Failed(error.to_string()),
    });
}

fn of_answer(answered: &Answered) -> Event {
    Event::Settled {
        text: answered.to_model_text(),
        code: answered.failure().map(|failure| failure.code.clone()),
        replayed: answered.replayed,
        attempt: answered.attempt,
    }
}
