//! Arrays and objects while they are written.

use serde::ser::{self, Serialize};

use crate::json::path::excerpt;
use crate::json::value_serde::SERDE_JSON_NUMBER;
use crate::json::{Json, Map};

use super::{SerError, SerProblem, Serializer};

/// An array, or a variant that holds one.
pub(super) struct Elements<'c> {
    outer: Serializer<'c>,
    inner: Serializer<'c>,
    variant: Option<&'static str>,
    items: Vec<Json>,
}

impl<'c> Elements<'c> {
    pub(super) fn new(
        outer: Serializer<'c>,
        inner: Serializer<'c>,
        variant: Option<&'static str>,
    ) -> Self {
        Self {
            outer,
            inner,
            variant,
            items: Vec::new(),
        }
    }

    fn push<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), SerError> {
        let index = self.items.len();
        self.inner.spend(usize::from(index > 0))?;
        let item = value.serialize(self.inner).map_err(|error| {
            let error = error.under_index(index);
            if let Some(variant) = self.variant {
                error.under_key(variant)
            } else {
                error
            }
        })?;
        self.items.push(item);
        Ok(())
    }

    fn finish(self) -> Result<Json, SerError> {
        let array = Json::Array(self.items);
        match self.variant {
            Some(variant) => self.outer.variant(variant, array),
            None => Ok(array),
        }
    }
}

macro_rules! elements {
    ($($trait:ident $method:ident;)*) => {$(
        impl ser::$trait for Elements<'_> {
            type Ok = Json;
            type Error = SerError;

            fn $method<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), SerError> {
                self.push(value)
            }

            fn end(self) -> Result<Json, SerError> {
                self.finish()
            }
        }
    )*};
}

elements! {
    SerializeSeq serialize_element;
    SerializeTuple serialize_element;
    SerializeTupleStruct serialize_field;
    SerializeTupleVariant serialize_field;
}

/// An object, or a variant that holds one.
pub(super) struct Members<'c> {
    outer: Serializer<'c>,
    inner: Serializer<'c>,
    variant: Option<&'static str>,
    members: Map,
    /// The key whose value comes next.
    key: Option<String>,
}

impl<'c> Members<'c> {
    pub(super) fn new(
        outer: Serializer<'c>,
        inner: Serializer<'c>,
        variant: Option<&'static str>,
    ) -> Self {
        Self {
            outer,
            inner,
            variant,
            members: Map::new(),
            key: None,
        }
    }

    fn push<T: Serialize + ?Sized>(&mut self, key: String, value: &T) -> Result<(), SerError> {
        let written = self
            .write(&key, value)
            .map_err(|error| match self.variant {
                Some(variant) => error.under_key(variant),
                None => error,
            })?;
        self.members.insert(key, written);
        Ok(())
    }

    fn write<T: Serialize + ?Sized>(&self, key: &str, value: &T) -> Result<Json, SerError> {
        if self.members.contains_key(key) {
            return Err(SerProblem::DuplicateKey { key: excerpt(key) }.into());
        }
        self.inner
            .spend(usize::from(!self.members.is_empty()) + 1)?;
        value
            .serialize(self.inner)
            .map_err(|error| error.under_key(key))
    }

    fn finish(self) -> Result<Json, SerError> {
        let object = Json::Object(self.members);
        match self.variant {
            Some(variant) => self.outer.variant(variant, object),
            None => Ok(object),
        }
    }
}

impl ser::SerializeMap for Members<'_> {
    type Ok = Json;
    type Error = SerError;

    /// A key is written as a value first: text, a number and a boolean have a text, nothing else.
    fn serialize_key<T: Serialize + ?Sized>(&mut self, key: &T) -> Result<(), SerError> {
        self.key = match key.serialize(self.inner)? {
            Json::String(text) => Some(text),
            scalar @ (Json::Number(_) | Json::Bool(_)) => {
                // The quotes; a string has counted its own.
                self.inner.spend(2)?;
                Some(scalar.to_text())
            }
            Json::Null | Json::Array(_) | Json::Object(_) => {
                return Err(SerProblem::KeyNotText.into());
            }
        };
        Ok(())
    }

    fn serialize_value<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), SerError> {
        match self.key.take() {
            Some(key) => self.push(key, value),
            None => Err(ser::Error::custom("a value has no key")),
        }
    }

    fn end(self) -> Result<Json, SerError> {
        self.finish()
    }
}

impl ser::SerializeStructVariant for Members<'_> {
    type Ok = Json;
    type Error = SerError;

    fn serialize_field<T: Serialize + ?Sized>(
        &mut self,
        name: &'static str,
        value: &T,
    ) -> Result<(), SerError> {
        self.inner.spend(name.len() + 2)?;
        self.push(name.to_owned(), value)
    }

    fn end(self) -> Result<Json, SerError> {
        self.finish()
    }
}

/// A struct. serde_json hides two things in structs with private names, whenever another crate of
/// the build turns on its features: a number's text and a raw text of JSON.
pub(super) enum Struct<'c> {
    Plain(Members<'c>),
    Number(Serializer<'c>, Option<Json>),
    Raw(Serializer<'c>, Option<Json>),
}

impl<'c> Struct<'c> {
    pub(super) fn new(serializer: Serializer<'c>, name: &str) -> Result<Self, SerError> {
        match name {
            SERDE_JSON_NUMBER => Ok(Self::Number(serializer, None)),
            "$serde_json::private::RawValue" => Ok(Self::Raw(serializer, None)),
            _ => serializer.members(None).map(Self::Plain),
        }
    }
}

impl ser::SerializeStruct for Struct<'_> {
    type Ok = Json;
    type Error = SerError;

    fn serialize_field<T: Serialize + ?Sized>(
        &mut self,
        name: &'static str,
        value: &T,
    ) -> Result<(), SerError> {
        match self {
            Self::Plain(members) => {
                ser::SerializeStructVariant::serialize_field(members, name, value)?;
            }
            Self::Number(serializer, written) => *written = Some(serializer.hidden_number(value)?),
            Self::Raw(serializer, written) => *written = Some(serializer.hidden_json(value)?),
        }
        Ok(())
    }

    fn end(self) -> Result<Json, SerError> {
        match self {
            Self::Plain(members) => members.finish(),
            Self::Number(_, written) | Self::Raw(_, written) => {
                written.ok_or_else(|| ser::Error::custom("a private wrapper holds nothing"))
            }
        }
    }
}
