//! `airline run`: recorded and made-up conversations as runs of the harness, first undisturbed and then under faults, and
//! a judge who compares the two with each other and with the airline's book.

mod agent;
mod approver;
mod dice;
mod faults;
mod made_up;
mod model;
mod oracle;
mod pass;
mod process;
mod progress;
mod protocol;
mod report;
mod reword;
mod team;
mod told;
mod users;
pub(crate) mod worker;

use std::path::{Path, PathBuf};

use clap::Args;
#[cfg(feature = "planted-bugs")]
use idem_tools::planted::Bug;
use tempfile::TempDir;

use self::faults::{Plan, Room};
use self::oracle::{Against, judge};
use self::pass::{Stage, play};
use self::progress::Progress;
use self::report::Report;
use self::users::follow_ups;
use crate::Outcome;
use crate::recording;

/// What is run, and how.
#[derive(Clone, Debug, Args)]
pub(crate) struct RunArgs {
    /// The recorded conversations; nothing where made-up ones are enough.
    #[arg(required_unless_present = "generated")]
    path: Option<PathBuf>,
    /// The store, `sqlite://FILE` or `postgres://…`; a temporary SQLite file where it is left out. Each pass is an
    /// organization of its own.
    #[arg(long, value_name = "URL")]
    store: Option<String>,
    /// Whatever changes a booking or sends a certificate waits for a second person's yes.
    #[arg(long)]
    approve_writes: bool,
    /// The workers send what waits for the store together: many rows in one statement and one commit.
    #[arg(long)]
    coalesce: bool,
    /// How many faults are planned: workers killed, replies lost, runs driven twice, decisions late and contradicted,
    /// messages in the middle of a turn.
    /// With any, the conversations run twice, first without.
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = clap::value_parser!(u32).range(..=100_000))]
    chaos: u32,
    /// How many made-up conversations run beside the recorded ones.
    #[arg(long, value_name = "M", default_value_t = 0, value_parser = clap::value_parser!(u32).range(..=10_000))]
    generated: u32,
    /// Chooses the faults and the made-up conversations.
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,
    /// How many worker processes share the store.
    #[arg(long, value_name = "W", default_value = "2", value_parser = workers)]
    workers: usize,
    /// What a lease has beyond its tool's timeout: shorter than is safe, so that a killed worker is soon replaced.
    #[arg(long, value_name = "MS", default_value_t = 500)]
    lease_ms: u64,
    /// How long a pass may take; conversations that are open then are stuck.
    #[arg(long, value_name = "S", default_value_t = 900)]
    within_s: u64,
    /// One JSON document for a program, in place of the table.
    #[arg(long)]
    json: bool,
    /// Plants a known bug in every worker: the run has to find it.
    #[cfg(feature = "planted-bugs")]
    #[arg(long, value_name = "NAME", value_parser = bug)]
    planted_bug: Option<Bug>,
}

/// A worker holds up to 10 connections, and PostgreSQL has 100 as a rule.
fn workers(text: &str) -> Result<usize, String> {
    match text.parse() {
        Ok(workers @ 1..=8) => Ok(workers),
        _ => Err("from 1 to 8".to_owned()),
    }
}

#[cfg(feature = "planted-bugs")]
fn bug(name: &str) -> Result<Bug, String> {
    Bug::named(name).ok_or_else(|| format!("the bugs are: {}", Bug::ALL.map(Bug::name).join(", ")))
}

/// Runs it all and prints the report. Says whether everything is as it must be.
pub(crate) async fn run(args: &RunArgs) -> Outcome<bool> {
    // Dropped, and so removed, after the last process that uses it has ended: it is made first.
    let folder = TempDir::with_prefix("idem-airline-")?;
    let store = match &args.store {
        Some(url) => url.clone(),
        None => format!("sqlite://{}", text(&folder.path().join("airline.db"))?),
    };
    let recordings = folder.path().join("conversations.jsonl");
    let recorded = args.path.as_deref().map_or(Ok(String::new()), |path| {
        std::fs::read_to_string(path)
            .map_err(|error| format!("{} cannot be read: {error}", path.display()))
    })?;
    let made_up = made_up::conversations(args.seed, args.generated)?;
    std::fs::write(&recordings, format!("{recorded}\n{made_up}"))?;
    let conversations = recording::read(&recordings)?;
    let stage = Stage {
        args,
        store: &store,
        recordings: &recordings,
        conversations: &conversations,
    };
    let report = play_all(&stage).await?;
    match args.json {
        true => println!("{}", serde_json::to_string_pretty(&report)?),
        false => println!("{}", report.to_table()),
    }
    Ok(report.is_right())
}

async fn play_all(stage: &Stage<'_>) -> Outcome<Report> {
    let (all, is_watched) = (stage.conversations.len(), !stage.args.json);
    let mut report = Report::default();
    let mut progress = Progress::new("undisturbed", all, is_watched);
    let calm = play(stage, &Plan::default(), &mut progress).await?;
    progress.end();
    let (judgement, undisturbed) = judge(&calm, Against::Recordings(stage.conversations))?;
    let faults = stage.args.chaos;
    let room = Room {
        calls: calm.book.requests.into(),
        cards: u64::try_from(calm.cards.len())?,
        follow_ups: follow_ups(stage.conversations),
    };
    report.add(&calm, judgement);
    if faults > 0 {
        let plan = Plan::new(stage.args.seed, faults, room);
        let mut progress = Progress::new("chaos", all, is_watched);
        let chaotic = play(stage, &plan, &mut progress).await?;
        progress.end();
        let (judgement, _) = judge(&chaotic, Against::Pass(&undisturbed))?;
        report.add(&chaotic, judgement);
    }
    Ok(report)
}

fn text(path: &Path) -> Outcome<&str> {
    Ok(path.to_str().ok_or("the temporary folder is not UTF-8")?)
}
