//! Why tools cannot be exported.

use super::ToolForm;
use super::check::Breach;
use super::source::Fault;
use crate::SetupError;
use std::fmt;

/// What a form cannot say about one tool.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ToolFault {
    /// The tool.
    pub tool: String,
    /// Where in its arguments, `$.filters[].name`; where in the exported tool, for a restriction that it breaks.
    pub path: String,
    /// Why it cannot be said.
    pub what: String,
    /// What to write instead.
    pub instead: &'static str,
}

impl ToolFault {
    pub(super) fn new(tool: &str, fault: Fault) -> Self {
        Self {
            tool: tool.to_owned(),
            path: fault.path,
            what: fault.what,
            instead: fault.instead,
        }
    }

    pub(super) fn of_breach(tool: &str, breach: Breach) -> Self {
        Self {
            tool: tool.to_owned(),
            path: breach.path,
            what: breach.what,
            instead: "another name (`#[serde(rename = \"…\")]`, `#[tool(name = \"…\")]`) or a smaller input",
        }
    }
}

impl fmt::Display for ToolFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            tool,
            path,
            what,
            instead,
        } = self;
        write!(f, "the tool `{tool}`, {path}: {what}. Instead: {instead}")
    }
}

/// Why tools cannot be exported.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ExportError {
    /// The tools are no set that [`Idem`](crate::Idem) would take.
    #[error(transparent)]
    Setup(#[from] SetupError),
    /// The form cannot express some of the tools.
    #[error("it cannot be exported for {form}: {}", lines(faults))]
    Tools {
        /// The form.
        form: ToolForm,
        /// Every reason.
        faults: Vec<ToolFault>,
    },
}

fn lines(faults: &[ToolFault]) -> String {
    let faults: Vec<String> = faults.iter().map(ToString::to_string).collect();
    faults.join("\n")
}
