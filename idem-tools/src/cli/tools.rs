//! `tools export`, for a program that links its tools: the program `idem` cannot know them.

use super::terminal::{complain, print};
use super::{Exit, Report};
use crate::export::{Catalogue, ToolForm};
use clap::{Args, Parser, Subcommand};
use idem_core::json::{Json, Map};
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

const AFTER_HELP: &str = "\
Exit codes: 0 done, 1 a tool cannot be exported or the file differs, 2 usage or an unreadable file.

Example:
  my-agent-tools export --for openai-strict > tools.json
  my-agent-tools export --for openai-strict --check tools.json";

/// Show the tools of this program as a provider is told about them.
#[derive(Debug, Parser)]
#[command(after_help = AFTER_HELP)]
struct Line {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Print the tools, or what tells them from others
    #[command(after_help = AFTER_HELP)]
    Export(Export),
}

#[derive(Debug, Args)]
struct Export {
    /// Whom the tools are for
    #[arg(long = "for", value_name = "FORM", value_parser = form, required_unless_present = "fingerprint",
        help = "Whom the tools are for: openai, openai-strict, anthropic, gemini or mcp")]
    form: Option<ToolForm>,
    /// Print nothing, and fail where FILE holds anything else than what would be printed
    #[arg(long, value_name = "FILE")]
    check: Option<PathBuf>,
    /// Print what tells this set of tools from another: a digest that better descriptions do not change
    #[arg(long, conflicts_with = "form")]
    fingerprint: bool,
}

fn form(word: &str) -> Result<ToolForm, String> {
    let found = ToolForm::ALL.into_iter().find(|form| form.word() == word);
    let words = ToolForm::ALL.map(ToolForm::word).join(", ");
    found.ok_or_else(|| format!("it is one of {words}"))
}

/// Carries out a command line on these tools, and prints what it has to say: the whole of a `main`.
///
/// ```no_run
/// use idem_tools::export::Catalogue;
/// # use idem_tools::{ToolContext, ToolError, tool, tool_input};
/// # #[tool_input] struct Nothing {}
/// # #[tool(scope = "tool.email.send", timeout_s = 60)]
/// # async fn send_email(_ctx: &ToolContext, _input: Nothing) -> Result<String, ToolError> { Ok(String::new()) }
///
/// fn main() -> std::process::ExitCode {
///     idem_tools::cli::tools(&Catalogue::new().tool::<send_email>(), std::env::args_os())
/// }
/// ```
///
/// `my-agent-tools export --for gemini` prints the tools for Gemini, `--check FILE` compares instead, `--fingerprint`
/// prints [`Catalogue::fingerprint`]. The first of the arguments is the program's name.
#[must_use]
pub fn tools<I>(catalogue: &Catalogue, arguments: I) -> ExitCode
where
    I: IntoIterator,
    I::Item: Into<OsString> + Clone,
{
    // A wrong command line ends here, with clap's own words and its exit code 2.
    let Command::Export(export) = match Line::try_parse_from(arguments) {
        Ok(line) => line.command,
        Err(error) => {
            let asked = !error.use_stderr();
            // Where nobody can be told, there is nobody to tell that.
            let _ = error.print();
            return ExitCode::from(if asked { Exit::Done } else { Exit::Usage } as u8);
        }
    };
    let report = match (export.form, export.check) {
        (Some(form), None) => export_tools(catalogue, form),
        (Some(form), Some(file)) => check_tools(catalogue, form, &file),
        (None, file) => fingerprint_tools(catalogue, file.as_deref()),
    };
    match report.exit {
        Exit::Done => match print(&report.text) {
            Ok(()) => ExitCode::SUCCESS,
            Err(_) => ExitCode::from(Exit::Usage as u8),
        },
        exit => {
            complain(&report.text);
            ExitCode::from(exit as u8)
        }
    }
}

/// The tools as a document for a provider.
#[must_use]
pub fn export_tools(catalogue: &Catalogue, form: ToolForm) -> Report {
    match (catalogue.document(form), catalogue.export(form)) {
        (Ok(text), Ok(json)) => Report {
            exit: Exit::Done,
            text,
            json,
        },
        (Err(error), _) | (_, Err(error)) => refused(Exit::Refused, &error.to_string()),
    }
}

/// Whether a file holds the document.
#[must_use]
pub fn check_tools(catalogue: &Catalogue, form: ToolForm, file: &Path) -> Report {
    match catalogue.document(form) {
        Ok(text) => compared(file, &text, &format!("--for {form}")),
        Err(error) => refused(Exit::Refused, &error.to_string()),
    }
}

/// The fingerprint of the tools; with a file, whether it holds that.
#[must_use]
pub fn fingerprint_tools(catalogue: &Catalogue, file: Option<&Path>) -> Report {
    match (catalogue.fingerprint(), file) {
        (Ok(digest), None) => Report {
            exit: Exit::Done,
            text: format!("{digest}\n"),
            json: Json::from(digest),
        },
        (Ok(digest), Some(file)) => compared(file, &format!("{digest}\n"), "--fingerprint"),
        (Err(error), _) => refused(Exit::Refused, &error.to_string()),
    }
}

fn compared(file: &Path, wanted: &str, words: &str) -> Report {
    let shown = file.display();
    let held = match std::fs::read_to_string(file) {
        Ok(held) => held,
        Err(error) => return refused(Exit::Usage, &format!("{shown} cannot be read: {error}")),
    };
    if held == wanted {
        return Report {
            exit: Exit::Done,
            text: String::new(),
            json: Json::Bool(true),
        };
    }
    let (mut own, mut other) = (wanted.lines(), held.lines());
    let same = std::iter::from_fn(|| Some((own.next()?, other.next()?)));
    let line = same.take_while(|(own, other)| own == other).count() + 1;
    refused(
        Exit::Refused,
        &format!(
            "{shown} does not hold these tools: line {line} differs. Write it anew with `export {words}`"
        ),
    )
}

fn refused(exit: Exit, why: &str) -> Report {
    let mut json = Map::new();
    json.insert("error", Json::from(why));
    Report {
        exit,
        text: format!("{why}\n"),
        json: Json::Object(json),
    }
}
