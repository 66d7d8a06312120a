//! Why a value could not be written as JSON, and where.

use std::fmt::Display;

use serde::ser;

use crate::json::path::{Path, cut};

/// How many characters of a message that is not ours an error keeps.
const MESSAGE_CHARS_MAX: usize = 300;

/// Why a value could not be written as JSON, and where in it.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{path} {problem}")]
#[non_exhaustive]
pub struct SerError {
    /// What is wrong.
    pub problem: SerProblem,
    /// The value it is wrong with.
    pub path: Path,
}

impl SerError {
    pub(super) fn under_key(mut self, key: &str) -> Self {
        self.path.under_key(key);
        self
    }

    pub(super) fn under_index(mut self, index: usize) -> Self {
        self.path.under_index(index);
        self
    }
}

impl From<SerProblem> for SerError {
    fn from(problem: SerProblem) -> Self {
        Self {
            problem,
            path: Path::default(),
        }
    }
}

impl ser::Error for SerError {
    fn custom<T: Display>(message: T) -> Self {
        SerProblem::Custom(cut(&message.to_string(), MESSAGE_CHARS_MAX)).into()
    }
}

/// What is wrong with a value that should be written as JSON.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SerProblem {
    /// A float that JSON cannot hold.
    #[error("is {0}: JSON cannot hold it")]
    NotFinite(&'static str),
    /// A map key that has no text.
    #[error("has a key that is no text, number or boolean")]
    KeyNotText,
    /// A key that the object already has.
    #[error("has the key \"{key}\" twice")]
    DuplicateKey {
        /// The key, shortened.
        key: String,
    },
    /// Nested beyond the limit.
    #[error("is nested deeper than {max} levels")]
    TooDeep {
        /// The limit.
        max: usize,
    },
    /// Longer than the limit.
    #[error("takes the whole beyond {max} bytes")]
    TooLarge {
        /// The limit in bytes.
        max: usize,
    },
    /// The report of the type itself.
    #[error("cannot be written: {0}")]
    Custom(String),
}
