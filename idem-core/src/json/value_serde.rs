//! `Json` itself as a serde type: exact between our own reader and writer, and as exact as the
//! format allows with any other.

use std::fmt;

use serde::de::{self, Deserialize, DeserializeSeed, Deserializer, MapAccess, SeqAccess, Visitor};
use serde::ser::{self, Serialize, Serializer};

use super::path::excerpt;
use super::{Json, Map, Number};

/// The newtype name by which our reader and writer know that a `Json` is on the other side. It is
/// a type name and not a key, so no text that someone sends can pretend to be it.
pub(super) const EXACT: &str = "$idem::private::Exact";

/// What serde_json calls a number's text when another crate turns on `arbitrary_precision`.
pub(super) const SERDE_JSON_NUMBER: &str = "$serde_json::private::Number";

impl Serialize for Json {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Null => serializer.serialize_unit(),
            Self::Bool(value) => serializer.serialize_bool(*value),
            Self::Number(number) => number.serialize(serializer),
            Self::String(text) => serializer.serialize_str(text),
            Self::Array(items) => serializer.collect_seq(items),
            Self::Object(members) => serializer.collect_map(members),
        }
    }
}

/// An integer that no Rust type holds becomes the nearest double in a text format, and its digits
/// in a binary one; our own writer keeps it.
impl Serialize for Number {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if let Some(value) = self.as_u64() {
            serializer.serialize_u64(value)
        } else if let Some(value) = self.as_i64() {
            serializer.serialize_i64(value)
        } else if let Some(value) = self.as_i128() {
            serializer.serialize_i128(value)
        } else if let Some(value) = self.as_u128() {
            serializer.serialize_u128(value)
        } else if self.is_integer() {
            serializer.serialize_newtype_struct(EXACT, &Digits(self))
        } else {
            Double(self).serialize(serializer)
        }
    }
}

/// An integer beyond 128 bits. Our writer asks for its digits by calling itself not readable.
struct Digits<'n>(&'n Number);

impl Serialize for Digits<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if serializer.is_human_readable() {
            Double(self.0).serialize(serializer)
        } else {
            serializer.serialize_str(self.0.as_str())
        }
    }
}

struct Double<'n>(&'n Number);

impl Serialize for Double<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let value = self.0.as_f64();
        let value =
            value.ok_or_else(|| ser::Error::custom("an integer is larger than a double"))?;
        serializer.serialize_f64(value)
    }
}

impl<'de> Deserialize<'de> for Json {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_newtype_struct(EXACT, JsonVisitor)
    }
}

struct JsonVisitor;

impl<'de> Visitor<'de> for JsonVisitor {
    type Value = Json;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("any JSON value")
    }

    fn visit_newtype_struct<D: Deserializer<'de>>(self, value: D) -> Result<Json, D::Error> {
        value.deserialize_any(self)
    }

    fn visit_unit<E>(self) -> Result<Json, E> {
        Ok(Json::Null)
    }

    fn visit_none<E>(self) -> Result<Json, E> {
        Ok(Json::Null)
    }

    fn visit_some<D: Deserializer<'de>>(self, value: D) -> Result<Json, D::Error> {
        Json::deserialize(value)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Json, E> {
        Ok(Json::Bool(value))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Json, E> {
        Ok(Json::from(value))
    }

    fn visit_u64<E>(self, value: u64) -> Result<Json, E> {
        Ok(Json::from(value))
    }

    fn visit_i128<E>(self, value: i128) -> Result<Json, E> {
        Ok(Json::Number(value.into()))
    }

    fn visit_u128<E>(self, value: u128) -> Result<Json, E> {
        Ok(Json::Number(value.into()))
    }

    fn visit_f64<E: de::Error>(self, value: f64) -> Result<Json, E> {
        Json::from_f64(value).map_err(E::custom)
    }

    fn visit_str<E>(self, text: &str) -> Result<Json, E> {
        Ok(Json::from(text))
    }

    fn visit_string<E>(self, text: String) -> Result<Json, E> {
        Ok(Json::String(text))
    }

    /// Our own reader gives a number as the bytes of its text.
    fn visit_borrowed_bytes<E: de::Error>(self, text: &'de [u8]) -> Result<Json, E> {
        let text = std::str::from_utf8(text).map_err(E::custom)?;
        Number::parse(text).map(Json::Number).map_err(E::custom)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut elements: A) -> Result<Json, A::Error> {
        let mut items = Vec::new();
        while let Some(item) = elements.next_element()? {
            items.push(item);
        }
        Ok(Json::Array(items))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Json, A::Error> {
        let mut members = Map::new();
        while let Some(key) = entries.next_key::<String>()? {
            let value = if key == SERDE_JSON_NUMBER && members.is_empty() {
                match entries.next_value_seed(NumberOrMember)? {
                    Found::Number(number) => return Ok(Json::Number(number)),
                    Found::Member(value) => value,
                }
            } else {
                entries.next_value()?
            };
            members.insert_new(key, value).map_err(|key| {
                let key = excerpt(&key);
                de::Error::custom(format_args!("the key \"{key}\" stands twice in one object"))
            })?;
        }
        Ok(Json::Object(members))
    }
}

/// Tells a number that serde_json hides in an object of one member from an object that was really
/// sent with that key: the reader of a hidden text knows no newtypes and gives the text at once.
struct NumberOrMember;

enum Found {
    Number(Number),
    Member(Json),
}

impl<'de> DeserializeSeed<'de> for NumberOrMember {
    type Value = Found;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Found, D::Error> {
        deserializer.deserialize_newtype_struct(EXACT, self)
    }
}

impl<'de> Visitor<'de> for NumberOrMember {
    type Value = Found;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("any JSON value")
    }

    fn visit_str<E: de::Error>(self, text: &str) -> Result<Found, E> {
        Number::parse(text).map(Found::Number).map_err(E::custom)
    }

    fn visit_newtype_struct<D: Deserializer<'de>>(self, value: D) -> Result<Found, D::Error> {
        JsonVisitor.visit_newtype_struct(value).map(Found::Member)
    }
}
