//! Why a value has no canonical form, and where.

use crate::json::Path;

/// Why a value could not be written canonically, and where in it.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{path} {problem}")]
#[non_exhaustive]
pub struct CanonicalError {
    /// What is wrong.
    pub problem: CanonicalProblem,
    /// The value it is wrong with.
    pub path: Path,
}

impl CanonicalError {
    /// An error of a form that is not ours; `message` must not hold the value itself.
    #[must_use]
    pub fn custom(message: impl Into<String>) -> Self {
        CanonicalProblem::Custom(message.into()).into()
    }

    pub(super) fn under_key(mut self, key: &str) -> Self {
        self.path.under_key(key);
        self
    }

    pub(super) fn under_index(mut self, index: usize) -> Self {
        self.path.under_index(index);
        self
    }
}

impl From<CanonicalProblem> for CanonicalError {
    fn from(problem: CanonicalProblem) -> Self {
        Self {
            problem,
            path: Path::default(),
        }
    }
}

/// What is wrong with a value that should be written canonically.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum CanonicalProblem {
    /// A float that JSON cannot hold.
    #[error("is {0}: JSON cannot hold it")]
    NotFinite(&'static str),
    /// Nested beyond the limit.
    #[error("is nested deeper than {max} levels")]
    TooDeep {
        /// The limit.
        max: usize,
    },
    /// Longer than the limit.
    #[error("is longer than {max} bytes")]
    TooLarge {
        /// The limit in bytes.
        max: usize,
    },
    /// A name that the object already has.
    #[error("has the name \"{name}\" twice")]
    NameTwice {
        /// The name, shortened.
        name: String,
    },
    /// An implementation that wrote nothing.
    #[error("wrote no value: `Canonical::write` writes exactly one")]
    NoValue,
    /// An implementation that went on after its value.
    #[error("wrote a second value: `Canonical::write` writes exactly one")]
    SecondValue,
    /// A missing value in a place that has no way to leave it out.
    #[error("is missing, and only a named field can be left out")]
    Missing,
    /// An option that holds null: its text would be that of `None`.
    #[error("is an option that holds null: use `Patch` to tell null from nothing")]
    NullInOption,
    /// The report of a form that is not ours.
    #[error("has no canonical form: {0}")]
    Custom(String),
}
