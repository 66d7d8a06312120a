//! Numbers, by the size of the value and by what the target asks for.

use serde::de::{self, Unexpected, Visitor};
use serde::forward_to_deserialize_any;

use crate::json::Number;

use super::DeError;

/// Gives the number as the smallest of serde's integers that holds it, or as a double.
pub(super) fn visit_any<'de, V: Visitor<'de>>(
    number: &Number,
    visitor: V,
) -> Result<V::Value, DeError> {
    if let Some(value) = number.as_u64() {
        visitor.visit_u64(value)
    } else if let Some(value) = number.as_i64() {
        visitor.visit_i64(value)
    } else if let Some(value) = number.as_i128() {
        visitor.visit_i128(value)
    } else if let Some(value) = number.as_u128() {
        visitor.visit_u128(value)
    } else {
        visit_f64(number, visitor)
    }
}

/// For an integer target: an integer that no type holds is refused, never rounded.
pub(super) fn visit_integer<'de, V: Visitor<'de>>(
    number: &Number,
    visitor: V,
) -> Result<V::Value, DeError> {
    let fits = number.as_i128().is_some() || number.as_u128().is_some();
    if number.is_integer() && !fits {
        return Err(de::Error::invalid_value(unexpected(number), &visitor));
    }
    visit_any(number, visitor)
}

/// For a double target. A number above the largest double is refused.
pub(super) fn visit_f64<'de, V: Visitor<'de>>(
    number: &Number,
    visitor: V,
) -> Result<V::Value, DeError> {
    match number.as_f64() {
        Some(value) => visitor.visit_f64(value),
        None => Err(DeError::new(
            "the number is larger than a 64-bit float can be",
        )),
    }
}

/// For a single target. Rounding a double once more would make an infinity of 1e39.
pub(super) fn visit_f32<'de, V: Visitor<'de>>(
    number: &Number,
    visitor: V,
) -> Result<V::Value, DeError> {
    match number.as_f32() {
        Some(value) => visitor.visit_f32(value),
        None => Err(DeError::new(
            "the number is larger than a 32-bit float can be",
        )),
    }
}

/// The number as serde names it in an error.
pub(super) fn unexpected(number: &Number) -> Unexpected<'static> {
    if let Some(value) = number.as_u64() {
        Unexpected::Unsigned(value)
    } else if let Some(value) = number.as_i64() {
        Unexpected::Signed(value)
    } else if number.is_integer() {
        Unexpected::Other("an integer beyond 64 bits")
    } else {
        Unexpected::Other("a number with a fraction")
    }
}

/// Gives a number to a [`Json`](crate::json::Json) as the bytes of its text. Nothing else is ever
/// given as bytes, so it cannot be taken for something that was sent.
pub(super) struct Exact<'de>(pub(super) &'de Number);

impl<'de> de::Deserializer<'de> for Exact<'de> {
    type Error = DeError;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, DeError> {
        visitor.visit_borrowed_bytes(self.0.as_str().as_bytes())
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf option
        unit unit_struct newtype_struct seq tuple tuple_struct map struct enum identifier
        ignored_any
    }
}
