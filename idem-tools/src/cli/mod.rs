//! The program `idem`, and the functions behind it (feature `cli`).
//!
//! Each command is a function that takes a desk, a service or a store and gives back a [`Report`]: what it has to say
//! to a person and to a program, and how it ended. The program prints it. A service or an example that decides in
//! another way calls the same functions.
//!
//! Whoever may open the store may decide in anybody's name: `--as` says who decides, and the store's own access rights
//! say who may say so.

mod approvals;
mod args;
mod card;
mod card_json;
mod decide;
mod migrate;
mod paper;
mod run;
mod settle;
mod show;
mod show_json;
mod terminal;
mod tools;

pub use approvals::{list, show};
pub use decide::{Deciding, SeenHash, SeenHashError, approve, deny, edit};
pub use migrate::migrate;
pub use settle::{Finding, settle};
pub use show::show_key;
pub use tools::{check_tools, export_tools, fingerprint_tools, tools};

use idem_core::RepositoryError;
use idem_core::json::Json;
use std::process::ExitCode;

/// How a command ended; the number is the process's exit code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exit {
    /// It did what it was asked.
    Done = 0,
    /// It was refused, or there was nothing to do. Nothing was changed.
    Refused = 1,
    /// It was called in a way that it does not know.
    Usage = 2,
    /// The store is not there, or not as it has to be.
    Store = 3,
}

/// What a command has to say.
#[derive(Clone, Debug)]
pub struct Report {
    /// How it ended.
    pub exit: Exit,
    /// For a person. Everything that came from elsewhere is rendered, so that it is safe on a terminal.
    pub text: String,
    /// For a program.
    pub json: Json,
}

/// Why a command did not get to its work.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum CliError {
    /// It was called in a way that it does not know.
    #[error("{0}")]
    Usage(String),
    /// The store failed.
    #[error("{0}")]
    Store(#[from] RepositoryError),
    /// The terminal or a file failed.
    #[error("{0}")]
    Io(#[from] std::io::Error),
}

impl CliError {
    /// The exit code that says so.
    #[must_use]
    pub fn exit(&self) -> Exit {
        match self {
            Self::Usage(_) | Self::Io(_) => Exit::Usage,
            Self::Store(_) => Exit::Store,
        }
    }

    fn word(&self) -> &'static str {
        match self {
            Self::Usage(_) => "usage",
            Self::Store(_) => "store",
            Self::Io(_) => "io",
        }
    }
}

/// Runs the program on the process's own arguments.
#[must_use]
pub fn main() -> ExitCode {
    run::main()
}
