//! Why a value is not of the type it should be, and where.

use std::fmt::{self, Display};

use serde::de::{self, Expected, Unexpected};

use crate::json::path::{Path, cut, excerpt};

/// How many characters of a message that is not ours an error keeps.
const MESSAGE_CHARS_MAX: usize = 300;

/// Why a JSON value could not be read as a type, and where in it.
///
/// The message shows keys, shortened, and never the text of a string: it may be personal data.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{path}: {message}")]
#[non_exhaustive]
pub struct DeError {
    /// What is wrong.
    pub message: String,
    /// The value it is wrong with.
    pub path: Path,
}

impl DeError {
    pub(super) fn new(message: impl Display) -> Self {
        let message = cut(&message.to_string(), MESSAGE_CHARS_MAX);
        Self {
            message,
            path: Path::default(),
        }
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

impl de::Error for DeError {
    fn custom<T: Display>(message: T) -> Self {
        Self::new(message)
    }

    fn invalid_type(found: Unexpected<'_>, expected: &dyn Expected) -> Self {
        Self::new(format_args!("expected {expected}, found {}", Found(found)))
    }

    fn invalid_value(found: Unexpected<'_>, expected: &dyn Expected) -> Self {
        Self::new(format_args!(
            "expected {expected}, found another value: {}",
            Found(found)
        ))
    }

    fn unknown_variant(_: &str, expected: &'static [&'static str]) -> Self {
        Self::new(format_args!(
            "unknown variant, expected {}",
            OneOf(expected)
        ))
    }

    fn unknown_field(field: &str, expected: &'static [&'static str]) -> Self {
        let field = excerpt(field);
        Self::new(format_args!(
            "unknown field `{field}`, expected {}",
            OneOf(expected)
        ))
    }
}

/// What was found, by its kind where serde would quote it.
struct Found<'a>(Unexpected<'a>);

impl Display for Found<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Unexpected::Str(_) | Unexpected::Char(_) => f.write_str("a string"),
            Unexpected::Bytes(_) => f.write_str("bytes"),
            Unexpected::Unit => f.write_str("null"),
            Unexpected::Seq => f.write_str("an array"),
            Unexpected::Map => f.write_str("an object"),
            ref other => write!(f, "{other}"),
        }
    }
}

struct OneOf(&'static [&'static str]);

impl Display for OneOf {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0.is_empty() {
            return f.write_str("none");
        }
        f.write_str("one of ")?;
        for (index, name) in self.0.iter().enumerate() {
            let comma = if index > 0 { ", " } else { "" };
            write!(f, "{comma}`{name}`")?;
        }
        Ok(())
    }
}
