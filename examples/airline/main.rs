//! An airline's agent: 14 typed tools, and recorded conversations to try them on.

mod client;
mod decode;
#[path = "../shared/line.rs"]
mod line;
mod place;
mod recording;
mod run;
mod tools;
mod vendor;

use std::ffi::OsString;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use clap::{Args, Parser, Subcommand};

use crate::vendor::chaos::Chaos;
use crate::vendor::{Terms, Vendor};

type Failure = Box<dyn std::error::Error + Send + Sync>;
type Outcome<T> = Result<T, Failure>;

/// The recordings cannot be read, or the arguments are wrong.
const EXIT_UNREADABLE: u8 = 2;
/// `run` found something that must not be.
const EXIT_WRONG: u8 = 1;

/// Recorded conversations of an airline's agent, and the 14 tools that it had.
///
/// PATH is a file of conversations, one JSON object a line: `id`, and `messages` in the OpenAI chat form.
#[derive(Debug, Parser)]
#[command(name = "airline", after_help = EXAMPLES)]
struct Line {
    #[command(subcommand)]
    command: Command,
}

const EXAMPLES: &str = "\
Examples:
  cargo run -p idem-examples --bin airline -- decode airline.jsonl
  cargo run -p idem-examples --bin airline -- decode airline.jsonl --json
  cargo run -p idem-examples --bin airline -- tools export --for openai-strict";

#[derive(Debug, Subcommand)]
enum Command {
    /// Reads the recorded calls as the tools would, and says which they refuse, with the reason of each.
    ///
    /// The exit code is 0 also where calls are refused: the report says so. It is 2 where the file cannot be read.
    Decode {
        /// The recorded conversations.
        path: PathBuf,
        /// One JSON document for a program, in place of the table.
        #[arg(long)]
        json: bool,
    },
    /// Serves the airline on a free loopback port, whose number is the first line of the output, until standard input
    /// closes. `GET /book` shows what it did.
    Vendor {
        /// The recorded conversations.
        path: PathBuf,
        #[command(flatten)]
        faults: Faults,
    },
    /// Runs every conversation through the agent harness, in worker processes that share a store, and judges by the
    /// airline's book.
    ///
    /// The exit code is 0 where everything is as it must be, 1 where it is not, and 2 where it could not be run.
    Run(run::RunArgs),
    /// Shows the 14 tools as a provider is told about them: `airline tools export --for gemini`.
    #[command(disable_help_flag = true)]
    Tools {
        /// What follows: `--help` says it.
        #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
        arguments: Vec<OsString>,
    },
    /// One worker of `run`; its order is the first line of standard input.
    #[command(hide = true)]
    Worker,
}

/// What the vendor breaks. A request with the header `x-airline-fault: NAME` is broken in that way in any case.
#[derive(Clone, Copy, Debug, Args)]
struct Faults {
    /// How many of a thousand requests break: replies dropped after or before the work, late ones, 429, and 502 with
    /// and without the work.
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = clap::value_parser!(u16).range(..=1000))]
    chaos: u16,
    /// Chooses which: the same seed breaks the same requests in the same way.
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// How long a late reply takes.
    #[arg(long, value_name = "MS", default_value_t = 3000)]
    late_ms: u64,
}

#[tokio::main]
async fn main() -> ExitCode {
    let done = match Line::parse().command {
        Command::Decode { path, json } => decode(&path, json),
        Command::Vendor { path, faults } => vendor(&path, faults).await,
        Command::Tools { arguments } => {
            let program = OsString::from("airline tools");
            let line = std::iter::once(program).chain(arguments);
            return idem_tools::cli::tools(&tools::exported(), line);
        }
        Command::Worker => run::worker::work().await,
        Command::Run(args) => match run::run(&args).await {
            Ok(true) => Ok(()),
            Ok(false) => return ExitCode::from(EXIT_WRONG),
            Err(error) => Err(error),
        },
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("airline: {error}");
            ExitCode::from(EXIT_UNREADABLE)
        }
    }
}

fn decode(path: &std::path::Path, json: bool) -> Outcome<()> {
    let report = decode::report(&recording::read(path)?)?;
    match json {
        true => println!("{}", serde_json::to_string_pretty(&report)?),
        false => println!("{}", report.to_table()),
    }
    Ok(())
}

async fn vendor(path: &std::path::Path, faults: Faults) -> Outcome<()> {
    let conversations = recording::read(path)?;
    end_with_parent();
    let chaos = Chaos {
        seed: faults.seed,
        per_mille: faults.chaos,
    };
    let late = Duration::from_millis(faults.late_ms);
    let vendor = Vendor::bind(&conversations, Terms { chaos, late }).await?;
    println!("{}", vendor.port()?);
    vendor.serve().await
}

/// Ends this process when the parent's end of standard input closes: no orphan outlives who started it.
fn end_with_parent() {
    // A thread and not a task: the runtime would wait for a task's blocked read when it shuts down.
    std::thread::spawn(|| {
        let _ = std::io::copy(&mut std::io::stdin(), &mut std::io::sink());
        std::process::exit(0);
    });
}
