//! Exact JSON: what was written is what is kept.
//!
//! A value read here holds integers of any size, no key twice and no number twice spelled. Its
//! text is the canonical form of RFC 8785 with one difference: integers are written exactly, where
//! the RFC writes every number as a double and two long ids may become one.

pub mod de;
mod error;
mod map;
mod number;
mod parse;
mod path;
pub mod ser;
mod string;
pub(crate) mod text;
mod value_serde;

#[cfg(test)]
mod number_tests;
#[cfg(test)]
mod parse_tests;
#[cfg(test)]
mod round_trip_tests;

use std::fmt;
use std::str::FromStr;

pub use error::{JsonError, JsonProblem, NumberError};
pub use map::{Iter, Map};
pub use number::Number;
pub use parse::Limits;
pub use path::Path;
pub(crate) use path::{excerpt, member_path};

/// A JSON value.
///
/// Its `Display` form and [`Json::to_text`] are compact JSON with object keys in canonical order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Json {
    /// `null`
    #[default]
    Null,
    /// `true` or `false`
    Bool(bool),
    /// A number, held as its canonical text.
    Number(Number),
    /// A string of Unicode characters.
    String(String),
    /// An ordered sequence.
    Array(Vec<Json>),
    /// Members under distinct keys.
    Object(Map),
}

impl Json {
    /// Reads one JSON text to its end, strictly.
    ///
    /// # Errors
    /// When the text is not RFC 8259 JSON, has a key twice in one object (compared after their
    /// escapes are read), a lone surrogate, a number that cannot be kept, or exceeds `limits`.
    pub fn parse(text: &str, limits: Limits) -> Result<Self, JsonError> {
        parse::parse(text, limits)
    }

    /// Reads one JSON text from bytes.
    ///
    /// # Errors
    /// As [`Json::parse`], and when the bytes are not UTF-8.
    pub fn parse_bytes(bytes: &[u8], limits: Limits) -> Result<Self, JsonError> {
        parse::parse_bytes(bytes, limits)
    }

    /// The value as compact JSON, object keys in canonical order.
    #[must_use]
    pub fn to_text(&self) -> String {
        let mut out = String::new();
        text::push_value(&mut out, self);
        out
    }

    /// A number from a double; negative zero becomes zero.
    ///
    /// # Errors
    /// NaN and the infinities, which JSON cannot hold.
    pub fn from_f64(value: f64) -> Result<Self, NumberError> {
        Number::from_f64(value).map(Self::Number)
    }

    /// Whether this is `null`.
    #[must_use]
    pub fn is_null(&self) -> bool {
        matches!(self, Self::Null)
    }

    /// The boolean, if this is one.
    #[must_use]
    pub fn as_bool(&self) -> Option<bool> {
        if let Self::Bool(value) = self {
            Some(*value)
        } else {
            None
        }
    }

    /// The number, if this is one.
    #[must_use]
    pub fn as_number(&self) -> Option<&Number> {
        if let Self::Number(number) = self {
            Some(number)
        } else {
            None
        }
    }

    /// The integer, if this is a number that an `i64` holds.
    #[must_use]
    pub fn as_i64(&self) -> Option<i64> {
        self.as_number().and_then(Number::as_i64)
    }

    /// The integer, if this is a number that a `u64` holds.
    #[must_use]
    pub fn as_u64(&self) -> Option<u64> {
        self.as_number().and_then(Number::as_u64)
    }

    /// The nearest double, if this is a number that has one.
    #[must_use]
    pub fn as_f64(&self) -> Option<f64> {
        self.as_number().and_then(Number::as_f64)
    }

    /// The string, if this is one.
    #[must_use]
    pub fn as_str(&self) -> Option<&str> {
        if let Self::String(text) = self {
            Some(text)
        } else {
            None
        }
    }

    /// The elements, if this is an array.
    #[must_use]
    pub fn as_array(&self) -> Option<&[Json]> {
        if let Self::Array(items) = self {
            Some(items)
        } else {
            None
        }
    }

    /// The members, if this is an object.
    #[must_use]
    pub fn as_object(&self) -> Option<&Map> {
        if let Self::Object(members) = self {
            Some(members)
        } else {
            None
        }
    }

    /// The member `key`, if this is an object that has it.
    #[must_use]
    pub fn get(&self, key: &str) -> Option<&Json> {
        self.as_object().and_then(|members| members.get(key))
    }
}

impl fmt::Display for Json {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.to_text())
    }
}

/// Reads a text within [`Limits::ARGUMENTS`].
impl FromStr for Json {
    type Err = JsonError;

    fn from_str(text: &str) -> Result<Self, JsonError> {
        Self::parse(text, Limits::ARGUMENTS)
    }
}

impl From<bool> for Json {
    fn from(value: bool) -> Self {
        Self::Bool(value)
    }
}

impl From<&str> for Json {
    fn from(text: &str) -> Self {
        Self::String(text.to_owned())
    }
}

impl From<String> for Json {
    fn from(text: String) -> Self {
        Self::String(text)
    }
}

impl From<i64> for Json {
    fn from(value: i64) -> Self {
        Self::Number(value.into())
    }
}

impl From<u64> for Json {
    fn from(value: u64) -> Self {
        Self::Number(value.into())
    }
}

impl From<Number> for Json {
    fn from(number: Number) -> Self {
        Self::Number(number)
    }
}

impl From<Vec<Json>> for Json {
    fn from(items: Vec<Json>) -> Self {
        Self::Array(items)
    }
}

impl From<Map> for Json {
    fn from(members: Map) -> Self {
        Self::Object(members)
    }
}
