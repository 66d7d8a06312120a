//! The logical turn: one unit of user intent in a run.

use std::collections::BTreeSet;
use std::fmt;

use super::hash::{hex, sha256};
use super::{IdentityError, MessageId, RunId};

/// One unit of user intent. A turn that is retried, resumed or replayed keeps its text.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct LogicalTurn(String);

impl LogicalTurn {
    /// The turn with a number inside its run.
    #[must_use]
    pub fn numbered(run: &RunId, number: u32) -> Self {
        // The number holds no colon, so the last one ends the run whatever the run holds.
        Self(format!("r:{run}:{number}"))
    }

    /// The turn that a set of messages makes, whatever run works on it. Order and repeats do not
    /// matter.
    ///
    /// # Errors
    /// When there is no message.
    pub fn of_messages(ids: &[MessageId]) -> Result<Self, IdentityError> {
        if ids.is_empty() {
            return Err(IdentityError::NoMessages);
        }
        let ids: BTreeSet<&str> = ids.iter().map(AsRef::as_ref).collect();
        let lines: Vec<&str> = ids.into_iter().collect();
        Ok(Self(format!("m:{}", hex(&sha256(&lines.join("\n"))))))
    }
}

#[cfg(any(feature = "sqlite", feature = "postgres"))]
impl LogicalTurn {
    /// The turn that a row names.
    pub(crate) fn stored(text: String) -> Self {
        Self(text)
    }
}

impl AsRef<str> for LogicalTurn {
    fn as_ref(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for LogicalTurn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.0)
    }
}
