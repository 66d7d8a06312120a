//! A policy that people keep in a TOML file (feature `policy-file`): an ordered list of rules, the first that matches
//! decides, and a default for what none matches. The form is in `docs/policy.md`.
//!
//! A file that is not understood to the last word is refused, with the line and the column of every fault: half a
//! policy is none.

mod argument;
mod decimal;
mod error;
mod fits;
mod pattern;
mod reach;
mod read;
mod read_argument;
mod read_outcome;
mod read_rule;
mod rule;
#[cfg(test)]
mod tests;

pub use error::{Fault, PolicyFileError};

use crate::policy::{Checkpoint, Decision, Policy, PolicyError};
use crate::policy_check::{KnownTool, Misfit};
use async_trait::async_trait;
use read::Reader;
use rule::{Outcome, Rule};
use std::fmt;
use std::fs::File;
use std::io::Read;
use std::path::Path;

/// The longest policy, in bytes (R75).
pub const POLICY_BYTES_MAX: usize = 1024 * 1024;

/// The most rules of a policy (R75). Each call passes them in their order, and each is compared with those above it.
pub const POLICY_RULES_MAX: usize = 1000;

/// A policy that was read from a file and understood.
///
/// There is no other way to make one, so a file with a fault allows nothing: the program does not start.
///
/// ```
/// # use idem_tools::{Idem, PolicyFile};
/// # async fn ready() -> Result<(), Box<dyn std::error::Error>> {
/// let idem = Idem::open("sqlite://agent.db").await?.policy(PolicyFile::load("policy.toml")?);
/// # Ok(())
/// # }
/// ```
pub struct PolicyFile {
    rules: Vec<Rule>,
    default: Outcome,
    /// Other programs have it too, with other tools.
    shared: bool,
}

impl PolicyFile {
    /// Reads a file. It is read once: a changed file needs a new policy.
    ///
    /// # Errors
    ///
    /// [`PolicyFileError`]: the file cannot be read, or it has faults, each with its line and column.
    pub fn load(path: impl AsRef<Path>) -> Result<Self, PolicyFileError> {
        let path = path.as_ref();
        let shown = path.display().to_string();
        let text = read(path).map_err(|source| PolicyFileError::Unreadable {
            path: shown.clone(),
            source,
        })?;
        Self::parse(&text).map_err(|error| error.of(shown))
    }

    /// Reads a policy from its text.
    ///
    /// # Errors
    ///
    /// [`PolicyFileError::Refused`] with every fault, its line and its column.
    pub fn parse(text: &str) -> Result<Self, PolicyFileError> {
        let mut reader = Reader::new(text);
        let policy = read_rule::policy(&mut reader);
        reader.finish(policy)
    }

    /// The file is shared with programs that have other tools: a rule that fits none of this program's is told to the
    /// log, as a warning, and not refused when the parts are put together. A misspelt name is a warning too then.
    #[must_use]
    pub fn shared(mut self) -> Self {
        self.shared = true;
        self
    }

    /// How many rules it has.
    #[must_use]
    pub fn rules(&self) -> usize {
        self.rules.len()
    }

    async fn outcome(&self, checkpoint: &Checkpoint<'_>) -> Result<&Outcome, PolicyError> {
        let mut used = None;
        for rule in &self.rules {
            if !rule.matches_the_call(checkpoint)? {
                continue;
            }
            if let Some(first) = rule.conditions.first_in_run {
                // The store is asked once, and only by a rule that everything else leads to.
                let used = match used {
                    Some(used) => used,
                    None => *used.insert(checkpoint.used_in_run().await?),
                };
                if first == used {
                    continue;
                }
            }
            tracing::debug!(rule = %rule.name, tool = checkpoint.tool, "a rule of the policy decides");
            return Ok(&rule.outcome);
        }
        Ok(&self.default)
    }
}

#[async_trait]
impl Policy for PolicyFile {
    async fn decide(&self, checkpoint: &Checkpoint<'_>) -> Result<Decision, PolicyError> {
        Ok(match self.outcome(checkpoint).await? {
            Outcome::Allow => Decision::Allow,
            Outcome::Deny(reason) => Decision::deny(reason.as_str()),
            Outcome::Ask(asking) => Decision::Ask(asking.clone()),
        })
    }

    /// Always: what this file says now tells nothing of the one that stood in its place.
    fn asks(&self) -> bool {
        true
    }

    fn check(&self, tools: &[KnownTool]) -> Result<(), Misfit> {
        let mut misfits = self
            .rules
            .iter()
            .filter_map(|rule| fits::misfit(rule, tools));
        if !self.shared {
            return misfits.next().map_or(Ok(()), Err);
        }
        for misfit in misfits {
            tracing::warn!(%misfit, "a rule of the shared policy says nothing about this program's tools");
        }
        Ok(())
    }
}

impl fmt::Debug for PolicyFile {
    /// Leaves the rules out: they name people.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PolicyFile")
            .field("rules", &self.rules.len())
            .finish_non_exhaustive()
    }
}

/// At most one byte more than a policy may have, so that a wrong path costs no memory.
fn read(path: &Path) -> std::io::Result<String> {
    let mut text = String::new();
    let most = u64::try_from(POLICY_BYTES_MAX).unwrap_or(u64::MAX);
    File::open(path)?.take(most + 1).read_to_string(&mut text)?;
    Ok(text)
}
