//! The command line.

use super::decide::SeenHash;
use super::paper;
use clap::{Args, Parser, Subcommand};
use idem_core::OrganizationId;
use idem_core::Principal;
use idem_core::approval::ApprovalId;
use idem_core::inspection::KeyPrefix;
use std::time::Duration;

const AFTER_HELP: &str = "\
Exit codes: 0 done, 1 refused or nothing to do, 2 usage, 3 the store is not there or not as it has to be.

Example:
  export IDEM_STORE=postgres://idem@db.example.test/agents IDEM_ORG=7f3c0d9e-4d0b-4b2a-9c55-0c5f4b1d2a10
  idem approvals list";

/// Decide, settle and look at the tool calls of AI agents that Idem makes happen once.
#[derive(Debug, Parser)]
#[command(name = "idem", version, after_help = AFTER_HELP)]
pub(super) struct Cli {
    #[command(flatten)]
    pub(super) place: Place,
    #[command(subcommand)]
    pub(super) command: Command,
}

#[derive(Debug, Args)]
pub(super) struct Place {
    /// The store, such as sqlite://agent.db or postgres://user@host/database
    #[arg(
        long,
        global = true,
        value_name = "URL",
        env = "IDEM_STORE",
        hide_env_values = true
    )]
    pub(super) store: Option<String>,
    /// The organization whose rows are meant
    #[arg(long = "org", global = true, value_name = "UUID", env = "IDEM_ORG")]
    pub(super) organization: Option<OrganizationId>,
    /// Print one JSON document in place of text
    #[arg(long, global = true)]
    pub(super) json: bool,
}

#[derive(Debug, Subcommand)]
pub(super) enum Command {
    /// List what waits for a person, show it, decide it
    #[command(subcommand)]
    Approvals(Approvals),
    /// Say what somebody found out about a call whose outcome nobody knew
    Settle(Settle),
    /// Show one key: its state, its attempts, its outcome
    Show(Show),
    /// Bring the store's schema up to this program; it only goes forward
    #[command(after_help = "Example:\n  idem migrate --store sqlite://agent.db")]
    Migrate,
}

impl Command {
    /// Whether it changes nothing, so that what it prints is all that it does.
    pub(super) fn only_looks(&self) -> bool {
        matches!(
            self,
            Self::Show(_) | Self::Approvals(Approvals::List { .. } | Approvals::Show { .. })
        )
    }
}

#[derive(Debug, Subcommand)]
pub(super) enum Approvals {
    /// List the open approvals, the oldest first
    #[command(
        after_help = "Example:\n  idem approvals list --scope tool.email.send --older-than 1h"
    )]
    List {
        /// Of this scope only
        #[arg(long)]
        scope: Option<String>,
        /// Asked at least this long ago: 90s, 15m, 1h, 2d
        #[arg(long, value_name = "AGE", value_parser = paper::duration)]
        older_than: Option<Duration>,
        /// Decided and closed ones too
        #[arg(long)]
        all: bool,
        /// At most this many
        #[arg(long, default_value_t = 100, value_name = "ROWS", value_parser = clap::value_parser!(u32).range(1..))]
        limit: u32,
    },
    /// Show what would run, why it was asked, and who may decide
    #[command(after_help = "Example:\n  idem approvals show 019c2f6e-4c4e-7d10-9b7c-0e8c4c1c7a55")]
    Show {
        /// The approval
        #[arg(value_parser = approval)]
        id: ApprovalId,
    },
    /// Say yes to what is shown
    #[command(after_help = "\
On a terminal it shows the call and asks. Elsewhere name the hash of what was seen, as `show` prints it.

Example:
  idem approvals approve 019c2f6e-4c4e-7d10-9b7c-0e8c4c1c7a55 --as bob --hash 5a0c1be7f2d4")]
    Approve(Decide),
    /// Say no, with a reason that the model is told
    #[command(after_help = "\
Example:
  idem approvals deny 019c2f6e-4c4e-7d10-9b7c-0e8c4c1c7a55 --as bob --hash 5a0c1be7f2d4 --reason 'wrong address'")]
    Deny {
        #[command(flatten)]
        decide: Decide,
        /// A sentence that the model is told
        #[arg(long)]
        reason: String,
    },
    /// Ask for other arguments
    #[command(after_help = "\
A worker that has the tool checks them when the call is made again; the approval then shows them, has another hash,
and has to be approved by that one.

Example:
  idem approvals edit 019c2f6e-4c4e-7d10-9b7c-0e8c4c1c7a55 --as bob --hash 5a0c1be7f2d4 --arguments @edited.json")]
    Edit {
        #[command(flatten)]
        decide: Decide,
        /// All the arguments, as JSON or as @file
        #[arg(long, value_name = "JSON|@FILE")]
        arguments: String,
    },
}

#[derive(Debug, Args)]
pub(super) struct Decide {
    /// The approval
    #[arg(value_parser = approval)]
    pub(super) id: ApprovalId,
    /// Who decides
    #[arg(long = "as", value_name = "NAME", value_parser = principal)]
    pub(super) by: Principal,
    /// The hash of what was seen, or its first 12 digits or more; asks nothing then
    #[arg(long)]
    pub(super) hash: Option<SeenHash>,
}

#[derive(Debug, Args)]
#[command(after_help = "\
Only what nobody knows can be settled: a claim that ended without an answer, or an answer `outcome_unknown`.

Example:
  idem settle 3f9a61c0d2e4 --scope tool.invoice.pay --happened --answer '{\"receipt\": \"R-17\"}' --as ann")]
pub(super) struct Settle {
    /// The key, or its first 12 digits or more
    pub(super) key: KeyPrefix,
    /// The scope of the key
    #[arg(long)]
    pub(super) scope: String,
    #[command(flatten)]
    pub(super) found: Found,
    /// What the tool would have answered, as JSON or as @file; null unless given
    #[arg(long, value_name = "JSON|@FILE", conflicts_with = "did_not_happen")]
    pub(super) answer: Option<String>,
    /// How it was found out, for the record: people see it, the model does not
    #[arg(long)]
    pub(super) note: Option<String>,
    /// Who says so
    #[arg(long = "as", value_name = "NAME", value_parser = principal)]
    pub(super) by: Principal,
}

/// One of the two.
#[derive(Debug, Args)]
#[group(required = true, multiple = false)]
pub(super) struct Found {
    /// The effect was made
    #[arg(long)]
    pub(super) happened: bool,
    /// The effect was not made
    #[arg(long)]
    pub(super) did_not_happen: bool,
}

#[derive(Debug, Args)]
#[command(after_help = "Example:\n  idem show 3f9a61c0d2e4 --scope tool.email.send --values")]
pub(super) struct Show {
    /// The key, or its first 12 digits or more
    pub(super) key: KeyPrefix,
    /// Of this scope only
    #[arg(long)]
    pub(super) scope: Option<String>,
    /// Print the arguments and the answer too, which may hold personal data
    #[arg(long)]
    pub(super) values: bool,
}

fn principal(name: &str) -> Result<Principal, idem_core::PrincipalError> {
    Principal::new(name)
}

fn approval(id: &str) -> Result<ApprovalId, &'static str> {
    id.parse()
        .map_err(|_| "an approval is named by a uuid, as `idem approvals list` prints it")
}
