//! Writes any type that serde can write as a [`Json`].
//!
//! NaN and the infinities are refused, where serde_json writes null; so is a key that repeats.
//! Negative zero becomes zero. `f32` is written by its own shortest digits.

mod compound;
mod error;

#[cfg(test)]
mod tests;

use std::cell::Cell;

use serde::ser::{self, Serialize};

use super::text::{double_text, not_finite_word, single_text};
use super::value_serde::EXACT;
use super::{Json, Limits, Map, Number};
use compound::{Elements, Members, Struct};

pub use error::{SerError, SerProblem};

/// Writes `value` as JSON, within [`Limits::ANSWER`].
///
/// # Errors
/// When JSON cannot hold the value, with the path to the part that it cannot.
pub fn to_json<T: Serialize + ?Sized>(value: &T) -> Result<Json, SerError> {
    to_json_within(value, Limits::ANSWER)
}

/// Writes `value` as JSON within other limits. The bytes are those of the text without the
/// backslashes of its escapes.
///
/// # Errors
/// As [`to_json`].
pub fn to_json_within<T: Serialize + ?Sized>(value: &T, limits: Limits) -> Result<Json, SerError> {
    let written = Cell::new(0);
    value.serialize(Serializer {
        limits,
        written: &written,
        depth: 0,
        readable: true,
    })
}

/// Writes one value. All writers of one call share the count of bytes.
#[derive(Clone, Copy)]
struct Serializer<'c> {
    limits: Limits,
    written: &'c Cell<usize>,
    depth: usize,
    /// False where the digits of an integer beyond 128 bits are asked for.
    readable: bool,
}

impl<'c> Serializer<'c> {
    /// Counts bytes of the text before the value that has them is made.
    fn spend(self, bytes: usize) -> Result<(), SerError> {
        let written = self.written.get().saturating_add(bytes);
        if written > self.limits.bytes {
            return Err(SerProblem::TooLarge {
                max: self.limits.bytes,
            }
            .into());
        }
        self.written.set(written);
        Ok(())
    }

    /// The writer of what an array or object holds.
    fn inner(self) -> Result<Self, SerError> {
        if self.depth >= self.limits.depth {
            return Err(SerProblem::TooDeep {
                max: self.limits.depth,
            }
            .into());
        }
        self.spend(2)?;
        Ok(Self {
            depth: self.depth + 1,
            ..self
        })
    }

    fn number(self, number: impl Into<Number>) -> Result<Json, SerError> {
        let number = number.into();
        self.spend(number.as_str().len())?;
        Ok(Json::Number(number))
    }

    fn string(self, text: &str) -> Result<Json, SerError> {
        self.spend(text.len().saturating_add(2))?;
        Ok(Json::from(text))
    }

    /// Puts what a variant holds under its name.
    fn variant(self, name: &str, value: Json) -> Result<Json, SerError> {
        self.spend(name.len() + 3)?;
        let mut members = Map::new();
        members.insert(name, value);
        Ok(Json::Object(members))
    }

    /// The text that a private wrapper of ours or of serde_json hides in itself.
    fn hidden_text<T: Serialize + ?Sized>(self, value: &T) -> Result<String, SerError> {
        match value.serialize(Self {
            readable: false,
            ..self
        })? {
            Json::String(text) => Ok(text),
            _ => Err(ser::Error::custom("a private wrapper does not hold a text")),
        }
    }

    fn hidden_number<T: Serialize + ?Sized>(self, value: &T) -> Result<Json, SerError> {
        let text = self.hidden_text(value)?;
        Number::parse(&text)
            .map(Json::Number)
            .map_err(ser::Error::custom)
    }

    /// A text of JSON that is taken as the value it spells.
    fn hidden_json<T: Serialize + ?Sized>(self, value: &T) -> Result<Json, SerError> {
        let text = self.hidden_text(value)?;
        let depth = self.limits.depth.saturating_sub(self.depth);
        let limits = Limits {
            depth,
            bytes: self.limits.bytes,
        };
        Json::parse(&text, limits).map_err(ser::Error::custom)
    }

    fn elements(self, variant: Option<&'static str>) -> Result<Elements<'c>, SerError> {
        // A variant is an object around its content.
        let outer = if variant.is_some() {
            self.inner()?
        } else {
            self
        };
        Ok(Elements::new(outer, outer.inner()?, variant))
    }

    fn members(self, variant: Option<&'static str>) -> Result<Members<'c>, SerError> {
        let outer = if variant.is_some() {
            self.inner()?
        } else {
            self
        };
        Ok(Members::new(outer, outer.inner()?, variant))
    }
}

macro_rules! integers {
    ($($method:ident $type:ty;)*) => {$(
        fn $method(self, value: $type) -> Result<Json, SerError> {
            self.number(value)
        }
    )*};
}

impl<'c> ser::Serializer for Serializer<'c> {
    type Ok = Json;
    type Error = SerError;
    type SerializeSeq = Elements<'c>;
    type SerializeTuple = Elements<'c>;
    type SerializeTupleStruct = Elements<'c>;
    type SerializeTupleVariant = Elements<'c>;
    type SerializeMap = Members<'c>;
    type SerializeStruct = Struct<'c>;
    type SerializeStructVariant = Members<'c>;

    fn is_human_readable(&self) -> bool {
        self.readable
    }

    integers! {
        serialize_i8 i8;
        serialize_i16 i16;
        serialize_i32 i32;
        serialize_i64 i64;
        serialize_i128 i128;
        serialize_u8 u8;
        serialize_u16 u16;
        serialize_u32 u32;
        serialize_u64 u64;
        serialize_u128 u128;
    }

    fn serialize_bool(self, value: bool) -> Result<Json, SerError> {
        self.spend(if value { 4 } else { 5 })?;
        Ok(Json::Bool(value))
    }

    fn serialize_f32(self, value: f32) -> Result<Json, SerError> {
        let word = not_finite_word(value.is_nan(), value.is_sign_negative());
        let text = single_text(value).ok_or(SerProblem::NotFinite(word))?;
        self.number(Number::from_text(text))
    }

    fn serialize_f64(self, value: f64) -> Result<Json, SerError> {
        let word = not_finite_word(value.is_nan(), value.is_sign_negative());
        let text = double_text(value).ok_or(SerProblem::NotFinite(word))?;
        self.number(Number::from_text(text))
    }

    fn serialize_char(self, value: char) -> Result<Json, SerError> {
        self.string(value.encode_utf8(&mut [0; 4]))
    }

    fn serialize_str(self, text: &str) -> Result<Json, SerError> {
        self.string(text)
    }

    fn serialize_bytes(self, bytes: &[u8]) -> Result<Json, SerError> {
        self.collect_seq(bytes)
    }

    fn serialize_none(self) -> Result<Json, SerError> {
        self.serialize_unit()
    }

    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Result<Json, SerError> {
        value.serialize(self)
    }

    fn serialize_unit(self) -> Result<Json, SerError> {
        self.spend(4)?;
        Ok(Json::Null)
    }

    fn serialize_unit_struct(self, _name: &'static str) -> Result<Json, SerError> {
        self.serialize_unit()
    }

    fn serialize_unit_variant(
        self,
        _name: &'static str,
        _index: u32,
        variant: &'static str,
    ) -> Result<Json, SerError> {
        self.string(variant)
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(
        self,
        name: &'static str,
        value: &T,
    ) -> Result<Json, SerError> {
        if name == EXACT {
            self.hidden_number(value)
        } else {
            value.serialize(self)
        }
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _name: &'static str,
        _index: u32,
        variant: &'static str,
        value: &T,
    ) -> Result<Json, SerError> {
        let written = value
            .serialize(self.inner()?)
            .map_err(|error| error.under_key(variant))?;
        self.variant(variant, written)
    }

    fn serialize_seq(self, _length: Option<usize>) -> Result<Elements<'c>, SerError> {
        self.elements(None)
    }

    fn serialize_tuple(self, _length: usize) -> Result<Elements<'c>, SerError> {
        self.elements(None)
    }

    fn serialize_tuple_struct(
        self,
        _name: &'static str,
        _length: usize,
    ) -> Result<Elements<'c>, SerError> {
        self.elements(None)
    }

    fn serialize_tuple_variant(
        self,
        _name: &'static str,
        _index: u32,
        variant: &'static str,
        _length: usize,
    ) -> Result<Elements<'c>, SerError> {
        self.elements(Some(variant))
    }

    fn serialize_map(self, _length: Option<usize>) -> Result<Members<'c>, SerError> {
        self.members(None)
    }

    fn serialize_struct(self, name: &'static str, _length: usize) -> Result<Struct<'c>, SerError> {
        Struct::new(self, name)
    }

    fn serialize_struct_variant(
        self,
        _name: &'static str,
        _index: u32,
        variant: &'static str,
        _length: usize,
    ) -> Result<Members<'c>, SerError> {
        self.members(Some(variant))
    }
}
