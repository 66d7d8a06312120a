//! One reminder, one e-mail that needs a yes: the same story of lost replies and killed workers, with Idem and without.

mod agent;
mod approver;
mod book;
mod conversation;
mod director;
#[path = "../shared/line.rs"]
mod line;
mod plain;
mod process;
mod protocol;
mod stops;
mod story;
mod table;
mod tools;
mod trace;
mod vendor;
mod wire;
mod worker;

use std::process::ExitCode;

use clap::{Parser, Subcommand};
use tokio::signal::unix::{SignalKind, signal};

use crate::director::Verdict;
use crate::trace::Trace;

type Failure = Box<dyn std::error::Error + Send + Sync>;
type Outcome<T> = Result<T, Failure>;

/// The story did not come to its end.
const EXIT_NOT_PLAYED: u8 = 2;
/// What a shell makes of an interrupt.
const EXIT_INTERRUPTED: u8 = 130;

/// A user asks for one reminder and one e-mail; replies get lost and workers are killed. What happens how often?
///
/// A mail service (a small HTTP server), eight workers and an approver run as processes of their own. Workers are
/// killed with SIGKILL at named points, and each turn is run again by the next one, as an agent's job queue would. The
/// reminder is a row of the application's own table; the e-mail waits for a person. The last line counts the rows and
/// what the mail service did. The exit code is 0 only if each effect happened once.
#[derive(Debug, Parser)]
#[command(name = "reminder", after_help = EXAMPLES)]
struct Args {
    /// Where Idem keeps its claims and answers, and the application its table [default: SQLite in a temporary folder, removed at the end].
    #[arg(long, value_name = "URL")]
    store: Option<String>,

    /// The same story and the same faults with plain statements and plain HTTP calls; nobody is asked.
    #[arg(long, conflicts_with = "store")]
    without_idem: bool,

    #[command(subcommand)]
    role: Option<Role>,
}

const EXAMPLES: &str = "\
Examples:
  cargo run -p idem-examples --bin reminder
  cargo run -p idem-examples --bin reminder -- --without-idem
  cargo run -p idem-examples --bin reminder -- --store postgres://localhost/idem";

/// What this program is when it is started by itself.
#[derive(Clone, Copy, Debug, Subcommand)]
#[command(disable_help_subcommand = true)]
enum Role {
    #[command(hide = true)]
    Vendor,
    #[command(hide = true)]
    Worker,
    #[command(hide = true)]
    Approver,
}

#[tokio::main]
async fn main() -> ExitCode {
    let args = Args::parse();
    let played = match args.role {
        Some(Role::Vendor) => {
            end_with_parent();
            vendor::serve().await.map(|()| ExitCode::SUCCESS)
        }
        Some(Role::Worker) => match protocol::read_order() {
            Ok(order) => {
                end_with_parent();
                return worker::run(order).await;
            }
            Err(error) => Err(error),
        },
        Some(Role::Approver) => match protocol::read_order() {
            Ok(order) => {
                end_with_parent();
                return approver::run(&order).await;
            }
            Err(error) => Err(error),
        },
        None => tokio::select! {
            played = play(args) => played,
            // The loser of the race is dropped: children are killed and the folder is removed.
            interrupted = interrupted() => interrupted.map(|()| ExitCode::from(EXIT_INTERRUPTED)),
        },
    };
    played.unwrap_or_else(|error| {
        eprintln!("reminder: {error}");
        ExitCode::from(EXIT_NOT_PLAYED)
    })
}

async fn play(args: Args) -> Outcome<ExitCode> {
    let mut trace = Trace::new();
    let verdict = if args.without_idem {
        director::without_idem(&mut trace).await?
    } else {
        director::with_idem(args.store, &mut trace).await?
    };
    trace.ending(&verdict, !args.without_idem);
    Ok(if is_once(&verdict) {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    })
}

/// Each effect happened once, and everything else is as expected.
fn is_once(verdict: &Verdict) -> bool {
    let (reminders, emails) = (verdict.reminders, verdict.book.effects);
    verdict.differences.is_empty() && reminders == 1 && emails == 1
}

/// Ends this process when the parent's end of standard input closes: no orphan outlives a killed director.
fn end_with_parent() {
    // A thread and not a task: the runtime would wait for a task's blocked read when it shuts down.
    std::thread::spawn(|| {
        let _ = std::io::copy(&mut std::io::stdin(), &mut std::io::sink());
        std::process::exit(0);
    });
}

async fn interrupted() -> Outcome<()> {
    let mut terminated = signal(SignalKind::terminate())?;
    tokio::select! {
        interrupt = tokio::signal::ctrl_c() => interrupt?,
        _ = terminated.recv() => {}
    }
    Ok(())
}
