//! What can be wrong with a JSON text or a number, and where.

use super::path::Path;

/// Why a JSON text was refused, and where.
///
/// The message shows keys, shortened, and never a value: arguments hold personal data.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{problem} at {path} (line {line}, column {column})")]
#[non_exhaustive]
pub struct JsonError {
    /// What is wrong.
    pub problem: JsonProblem,
    /// The value it is wrong with.
    pub path: Path,
    /// The line in the text, from 1.
    pub line: usize,
    /// The character in the line, from 1.
    pub column: usize,
}

impl JsonError {
    pub(super) fn new(problem: JsonProblem, text_before: &str) -> Self {
        let line = text_before.matches('\n').count() + 1;
        let last_line = text_before.rsplit('\n').next().unwrap_or_default();
        Self {
            problem,
            path: Path::default(),
            line,
            column: last_line.chars().count() + 1,
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

/// What is wrong with a JSON text.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum JsonProblem {
    /// Something else stands where the grammar asks for one thing.
    #[error("expected {expected}, found {found}")]
    Unexpected {
        /// What would have been read.
        expected: &'static str,
        /// What is there: one character, or the end.
        found: String,
    },
    /// A number that is not one, or that cannot be kept.
    #[error("{0}")]
    Number(#[from] NumberError),
    /// A key that the object already has, compared after its escapes are read.
    #[error("the key \"{key}\" stands twice in one object")]
    DuplicateKey {
        /// The key, shortened.
        key: String,
    },
    /// Half of a UTF-16 surrogate pair, which is no character.
    #[error("a string holds a lone surrogate: write \\ud800 to \\udfff in pairs only")]
    LoneSurrogate,
    /// A raw control character inside a string.
    #[error("a string holds the raw control character U+{code:04X}: write it as an escape")]
    ControlCharacter {
        /// Its code point.
        code: u32,
    },
    /// A backslash that starts no escape.
    #[error("a string holds an unknown escape: JSON has \\\" \\\\ \\/ \\b \\f \\n \\r \\t \\uXXXX")]
    UnknownEscape,
    /// Bytes that are no UTF-8.
    #[error("the text is not UTF-8")]
    NotUtf8,
    /// Something after the value.
    #[error("the text goes on after its value")]
    TrailingText,
    /// Arrays and objects nested beyond the limit.
    #[error("nested deeper than {max} levels")]
    TooDeep {
        /// The limit.
        max: usize,
    },
    /// A text longer than the limit.
    #[error("the text has {bytes} bytes; at most {max} are read")]
    TooLarge {
        /// Its length.
        bytes: usize,
        /// The limit.
        max: usize,
    },
}

/// Why a number was refused.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum NumberError {
    /// The token is not a number of JSON's grammar.
    #[error("not a JSON number: expected {expected}")]
    Malformed {
        /// What would have been read.
        expected: &'static str,
    },
    /// An integer that starts with a zero it does not need.
    #[error("a number has a leading zero")]
    LeadingZero,
    /// Larger than the largest double.
    #[error("a number is out of range: its size is above 1.7976931348623157e308")]
    OutOfRange,
    /// An integer longer than any identifier.
    #[error("an integer has more than {max} digits")]
    TooManyDigits {
        /// The limit.
        max: usize,
    },
    /// NaN or an infinity.
    #[error("NaN and the infinities are no JSON numbers")]
    NotFinite,
}
