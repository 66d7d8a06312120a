//! Keys: always text, read as a number or a boolean where the map's type asks for one.

use serde::de::{self, EnumAccess, Unexpected, Visitor};
use serde::forward_to_deserialize_any;

use crate::json::Number;

use super::{DeError, number};

/// Reads one key.
pub(super) struct KeyDeserializer<'de> {
    key: &'de str,
}

impl<'de> KeyDeserializer<'de> {
    pub(super) fn new(key: &'de str) -> Self {
        Self { key }
    }

    /// The key as a number, when it is spelled the one way: `1` and `01` would otherwise be two
    /// keys of the object and one of the map.
    fn number(&self, expected: &dyn de::Expected) -> Result<Number, DeError> {
        Number::parse(self.key)
            .ok()
            .filter(|number| number.as_str() == self.key)
            .ok_or_else(|| de::Error::invalid_type(Unexpected::Other("another key"), expected))
            .map_err(|error: DeError| error.under_key(self.key))
    }
}

macro_rules! number_keys {
    ($($method:ident => $visit:path;)*) => {$(
        fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, DeError> {
            $visit(&self.number(&visitor)?, visitor).map_err(|error| error.under_key(self.key))
        }
    )*};
}

impl<'de> de::Deserializer<'de> for KeyDeserializer<'de> {
    type Error = DeError;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, DeError> {
        visitor.visit_borrowed_str(self.key)
    }

    number_keys! {
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

    fn deserialize_bool<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, DeError> {
        match self.key {
            "true" => visitor.visit_bool(true),
            "false" => visitor.visit_bool(false),
            key => {
                let found = Unexpected::Other("another key");
                let error: DeError = de::Error::invalid_type(found, &visitor);
                Err(error.under_key(key))
            }
        }
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, DeError> {
        visitor.visit_some(self)
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        _name: &'static str,
        visitor: V,
    ) -> Result<V::Value, DeError> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _name: &'static str,
        _variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, DeError> {
        visitor.visit_enum(self)
    }

    forward_to_deserialize_any! {
        char str string bytes byte_buf unit unit_struct seq tuple tuple_struct map struct
        identifier ignored_any
    }
}

impl<'de> EnumAccess<'de> for KeyDeserializer<'de> {
    type Error = DeError;
    type Variant = super::access::Variant<'de>;

    fn variant_seed<V: de::DeserializeSeed<'de>>(
        self,
        seed: V,
    ) -> Result<(V::Value, Self::Variant), DeError> {
        super::access::Variant {
            name: self.key,
            value: None,
        }
        .variant_seed(seed)
    }
}
