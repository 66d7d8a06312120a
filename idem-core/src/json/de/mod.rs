//! Reads a [`Json`] as any type that serde can read.
//!
//! A struct is read from an object only, an enum from an object with one key, or from a string where
//! its variant holds no value, an option's `None` from `null`. A whole number is an integer however
//! it was spelled. Strings are lent, so a type may borrow from the value.

mod access;
mod error;
mod key;
mod number;

#[cfg(test)]
mod tests;

use serde::de::{self, Deserialize, IntoDeserializer, Unexpected, Visitor};

use super::value_serde::EXACT;
use super::{Json, Map};

pub use error::DeError;

/// Reads `value` as a `T`.
///
/// # Errors
/// When the value is not of the type, with the path to what is wrong.
pub fn from_json<'de, T: Deserialize<'de>>(value: &'de Json) -> Result<T, DeError> {
    T::deserialize(Deserializer::new(value))
}

/// A serde deserializer over a [`Json`].
#[derive(Clone, Copy, Debug)]
pub struct Deserializer<'de> {
    value: &'de Json,
}

impl<'de> Deserializer<'de> {
    /// A deserializer that reads `value`.
    #[must_use]
    pub fn new(value: &'de Json) -> Self {
        Self { value }
    }

    fn wrong_type(self, expected: &dyn de::Expected) -> DeError {
        let found = match self.value {
            Json::Null => Unexpected::Unit,
            Json::Bool(value) => Unexpected::Bool(*value),
            Json::Number(number) => number::unexpected(number),
            Json::String(text) => Unexpected::Str(text),
            Json::Array(_) => Unexpected::Seq,
            Json::Object(_) => Unexpected::Map,
        };
        de::Error::invalid_type(found, expected)
    }
}

impl<'de> IntoDeserializer<'de, DeError> for &'de Json {
    type Deserializer = Deserializer<'de>;

    fn into_deserializer(self) -> Deserializer<'de> {
        Deserializer::new(self)
    }
}

macro_rules! numbers {
    ($($method:ident => $visit:path;)*) => {$(
        fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, DeError> {
            match self.value {
                Json::Number(number) => $visit(number, visitor),
                _ => Err(self.wrong_type(&visitor)),
            }
        }
    )*};
}

macro_rules! strings {
    ($($method:ident)*) => {$(
        fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, DeError> {
            match self.value {
                Json::String(text) => visitor.visit_borrowed_str(text),
                _ => Err(self.wrong_type(&visitor)),
            }
        }
    )*};
}

impl<'de> de::Deserializer<'de> for Deserializer<'de> {
    type Error = DeError;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, DeError> {
        match self.value {
            Json::Null => visitor.visit_unit(),
            Json::Bool(value) => visitor.visit_bool(*value),
            Json::Number(number) => number::visit_any(number, visitor),
            Json::String(text) => visitor.visit_borrowed_str(text),
            Json::Array(items) => access::visit_array(items, visitor),
            Json::Object(members) => access::visit_object(members, visitor),
        }
    }

    numbers! {
        deserialize_i8 => number::visit_integer;
        deserialize_i16 => number::visit_integer;
        deserialize_i32 => number::visit_integer;
        deserialize_i64 => number::visit_integer;
        deserialize_i128 => number::visit_integer;
        deserialize_u8 => number::visit_integer;
        deserialize_u16 => number::visit_integer;
        deserialize_u32 => number::visit_integer;
        deserialize_u64 => number::visit_integer;
        deserialize_u128 => number::visit_integer;
        deserialize_f32 => number::visit_f32;
        deserialize_f64 => number::visit_f64;
    }

    strings!(deserialize_char deserialize_str deserialize_string deserialize_identifier);

    fn deserialize_bool<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, DeError> {
        match self.value {
            Json::Bool(value) => visitor.visit_bool(*value),
            _ => Err(self.wrong_type(&visitor)),
        }
    }

    /// Bytes are an array of numbers; which encoding a string would have is not ours to guess.
    fn deserialize_bytes<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, DeError> {
        self.deserialize_seq(visitor)
    }

    fn deserialize_byte_buf<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, DeError> {
        self.deserialize_seq(visitor)
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, DeError> {
        match self.value {
            Json::Null => visitor.visit_none(),
            _ => visitor.visit_some(self),
        }
    }

    fn deserialize_unit<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, DeError> {
        match self.value {
            Json::Null => visitor.visit_unit(),
            _ => Err(self.wrong_type(&visitor)),
        }
    }

    fn deserialize_unit_struct<V: Visitor<'de>>(
        self,
        _name: &'static str,
        visitor: V,
    ) -> Result<V::Value, DeError> {
        self.deserialize_unit(visitor)
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        visitor: V,
    ) -> Result<V::Value, DeError> {
        match self.value {
            Json::Number(number) if name == EXACT => {
                visitor.visit_newtype_struct(number::Exact(number))
            }
            _ => visitor.visit_newtype_struct(self),
        }
    }

    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, DeError> {
        match self.value {
            Json::Array(items) => access::visit_array(items, visitor),
            _ => Err(self.wrong_type(&visitor)),
        }
    }

    fn deserialize_tuple<V: Visitor<'de>>(
        self,
        _length: usize,
        visitor: V,
    ) -> Result<V::Value, DeError> {
        self.deserialize_seq(visitor)
    }

    fn deserialize_tuple_struct<V: Visitor<'de>>(
        self,
        _name: &'static str,
        _length: usize,
        visitor: V,
    ) -> Result<V::Value, DeError> {
        self.deserialize_seq(visitor)
    }

    fn deserialize_map<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, DeError> {
        match self.value {
            Json::Object(members) => access::visit_object(members, visitor),
            _ => Err(self.wrong_type(&visitor)),
        }
    }

    /// From an object only: by position, an array would fill fields that it does not name.
    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _name: &'static str,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, DeError> {
        match self.value {
            Json::Object(members) => access::visit_fields(members, fields, visitor),
            _ => self.deserialize_map(visitor),
        }
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _name: &'static str,
        _variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, DeError> {
        match self.value {
            Json::String(name) => visitor.visit_enum(access::Variant { name, value: None }),
            Json::Object(members) => match only_member(members) {
                Some((name, value)) => {
                    let variant = access::Variant {
                        name,
                        value: Some(value),
                    };
                    visitor.visit_enum(variant)
                }
                None => Err(DeError::new(
                    "expected an object with one key, the variant's name",
                )),
            },
            _ => Err(self.wrong_type(&"a variant: its name, or an object with its name as key")),
        }
    }

    fn deserialize_ignored_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, DeError> {
        visitor.visit_unit()
    }
}

fn only_member(members: &Map) -> Option<(&str, &Json)> {
    if members.len() == 1 {
        members.iter().next()
    } else {
        None
    }
}
