//! Elements, members and variants, each with its place in the error.

use serde::de::{self, DeserializeSeed, Deserializer as _, MapAccess, SeqAccess, Visitor};
use serde::de::{EnumAccess, IntoDeserializer, VariantAccess};

use crate::json::{Json, Map};

use super::key::KeyDeserializer;
use super::{DeError, Deserializer};

/// Gives all elements of an array; one that the visitor leaves is an error.
pub(super) fn visit_array<'de, V: Visitor<'de>>(
    items: &'de [Json],
    visitor: V,
) -> Result<V::Value, DeError> {
    let mut elements = Elements {
        items: items.iter(),
        index: 0,
    };
    let value = visitor.visit_seq(&mut elements)?;
    match elements.items.len() {
        0 => Ok(value),
        _ => Err(de::Error::invalid_length(items.len(), &"fewer elements")),
    }
}

/// Gives all members of an object; one that the visitor leaves is an error.
pub(super) fn visit_object<'de, V: Visitor<'de>>(
    members: &'de Map,
    visitor: V,
) -> Result<V::Value, DeError> {
    visit_members(members.iter(), visitor)
}

/// Gives the members that a type declares in the order in which it declares them, then the others. Serde buffers an
/// enum's content that comes before its tag, and its buffer knows neither exact numbers nor unknown fields.
pub(super) fn visit_fields<'de, V: Visitor<'de>>(
    members: &'de Map,
    fields: &[&str],
    visitor: V,
) -> Result<V::Value, DeError> {
    let place = |name: &str| fields.iter().position(|field| *field == name);
    let mut ordered: Vec<_> = members.iter().collect();
    ordered.sort_by_key(|(name, _)| place(name).unwrap_or(usize::MAX));
    visit_members(ordered.into_iter(), visitor)
}

fn visit_members<'de, I, V>(members: I, visitor: V) -> Result<V::Value, DeError>
where
    I: ExactSizeIterator<Item = (&'de str, &'de Json)>,
    V: Visitor<'de>,
{
    let count = members.len();
    let mut entries = Members {
        members,
        value: None,
    };
    let value = visitor.visit_map(&mut entries)?;
    match entries.members.len() {
        0 => Ok(value),
        _ => Err(de::Error::invalid_length(count, &"fewer members")),
    }
}

struct Elements<'de> {
    items: std::slice::Iter<'de, Json>,
    index: usize,
}

impl<'de> SeqAccess<'de> for Elements<'de> {
    type Error = DeError;

    fn next_element_seed<T: DeserializeSeed<'de>>(
        &mut self,
        seed: T,
    ) -> Result<Option<T::Value>, DeError> {
        let Some(item) = self.items.next() else {
            return Ok(None);
        };
        let index = self.index;
        self.index += 1;
        let read = seed.deserialize(Deserializer::new(item));
        read.map(Some).map_err(|error| error.under_index(index))
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.items.len())
    }
}

struct Members<'de, I> {
    members: I,
    /// The value whose key was read last.
    value: Option<(&'de str, &'de Json)>,
}

impl<'de, I> MapAccess<'de> for Members<'de, I>
where
    I: ExactSizeIterator<Item = (&'de str, &'de Json)>,
{
    type Error = DeError;

    fn next_key_seed<K: DeserializeSeed<'de>>(
        &mut self,
        seed: K,
    ) -> Result<Option<K::Value>, DeError> {
        let Some((key, value)) = self.members.next() else {
            return Ok(None);
        };
        self.value = Some((key, value));
        seed.deserialize(KeyDeserializer::new(key)).map(Some)
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value, DeError> {
        let (key, value) = self
            .value
            .take()
            .ok_or_else(|| DeError::new("a value has no key"))?;
        seed.deserialize(Deserializer::new(value))
            .map_err(|error| error.under_key(key))
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.members.len())
    }
}

/// A variant by its name alone, or with what it holds.
pub(super) struct Variant<'de> {
    pub(super) name: &'de str,
    pub(super) value: Option<&'de Json>,
}

impl<'de> EnumAccess<'de> for Variant<'de> {
    type Error = DeError;
    type Variant = Self;

    fn variant_seed<V: DeserializeSeed<'de>>(self, seed: V) -> Result<(V::Value, Self), DeError> {
        let name: de::value::BorrowedStrDeserializer<'de, DeError> =
            de::value::BorrowedStrDeserializer::new(self.name);
        Ok((seed.deserialize(name)?, self))
    }
}

impl<'de> Variant<'de> {
    fn content(&self) -> Result<Deserializer<'de>, DeError> {
        let value = self.value.ok_or_else(|| {
            DeError::new("this variant holds a value: expected an object with its name as key")
        })?;
        Ok(value.into_deserializer())
    }

    fn read<T>(
        self,
        read: impl FnOnce(Deserializer<'de>) -> Result<T, DeError>,
    ) -> Result<T, DeError> {
        read(self.content()?).map_err(|error| error.under_key(self.name))
    }
}

impl<'de> VariantAccess<'de> for Variant<'de> {
    type Error = DeError;

    fn unit_variant(self) -> Result<(), DeError> {
        match self.value {
            None => Ok(()),
            Some(_) => Err(
                DeError::new("this variant holds no value: expected its name alone")
                    .under_key(self.name),
            ),
        }
    }

    fn newtype_variant_seed<T: DeserializeSeed<'de>>(self, seed: T) -> Result<T::Value, DeError> {
        self.read(|content| seed.deserialize(content))
    }

    fn tuple_variant<V: Visitor<'de>>(
        self,
        _length: usize,
        visitor: V,
    ) -> Result<V::Value, DeError> {
        self.read(|content| content.deserialize_seq(visitor))
    }

    fn struct_variant<V: Visitor<'de>>(
        self,
        _fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, DeError> {
        self.read(|content| content.deserialize_map(visitor))
    }
}
