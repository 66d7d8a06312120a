//! Why a policy was refused: every fault with its place.

use std::fmt::{self, Write};
use std::io;

/// Why there is no policy.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PolicyFileError {
    /// The file cannot be read.
    #[error("the policy {path} cannot be read: {source}")]
    Unreadable {
        /// The file.
        path: String,
        /// Why.
        source: io::Error,
    },
    /// What is written there is not a policy.
    #[error("{}", listed(.path.as_deref(), .faults))]
    Refused {
        /// The file, where it was one.
        path: Option<String>,
        /// Every fault, in the order of the text; at least one.
        faults: Vec<Fault>,
    },
}

/// One fault of a policy.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// The line, from 1.
    pub line: usize,
    /// The column in characters, from 1.
    pub column: usize,
    /// What is wrong, and what is accepted.
    pub message: String,
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            line,
            column,
            message,
        } = self;
        write!(f, "{line}:{column}: {message}")
    }
}

impl PolicyFileError {
    /// The faults; none where the file could not be read.
    #[must_use]
    pub fn faults(&self) -> &[Fault] {
        match self {
            Self::Unreadable { .. } => &[],
            Self::Refused { faults, .. } => faults,
        }
    }

    /// The same, of this file.
    pub(super) fn of(self, path: String) -> Self {
        match self {
            Self::Refused { faults, .. } => Self::Refused {
                path: Some(path),
                faults,
            },
            other @ Self::Unreadable { .. } => other,
        }
    }
}

/// One line a fault, as compilers write them, so that editors find the place.
fn listed(path: Option<&str>, faults: &[Fault]) -> String {
    let path = path.unwrap_or("policy");
    let mut text = "the policy is refused:".to_owned();
    for fault in faults {
        // Writing to a string does not fail.
        let _ = write!(text, "\n{path}:{fault}");
    }
    text
}
