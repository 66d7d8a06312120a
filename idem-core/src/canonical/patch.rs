//! A field that tells "leave it" from "clear it" from "set it".

use serde::de::{Deserialize, Deserializer};
use serde::ser::{Error, Serialize, Serializer};

use super::{Canonical, CanonicalError, CanonicalProblem, Kind, Writer};

/// Missing, null or a value: three things that an `Option` folds into two.
///
/// The field needs `#[serde(default, skip_serializing_if = "Patch::is_missing")]`.
///
/// [`Patch::Missing`] is never written as a value: a field that is missing is left out of every
/// canonical form, the shown one too, and so never equals one that is null. Anywhere else (in a
/// sequence, say) a missing value is an error.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Patch<T> {
    /// The field was not given: leave what is there.
    #[default]
    Missing,
    /// The field was `null`: clear what is there.
    Null,
    /// The field was given.
    Value(T),
}

impl<T> Patch<T> {
    /// Whether the field was not given.
    #[must_use]
    pub fn is_missing(&self) -> bool {
        matches!(self, Self::Missing)
    }

    /// Whether the field was `null`.
    #[must_use]
    pub fn is_null(&self) -> bool {
        matches!(self, Self::Null)
    }

    /// The value, if one was given.
    #[must_use]
    pub fn value(&self) -> Option<&T> {
        if let Self::Value(value) = self {
            Some(value)
        } else {
            None
        }
    }

    /// What the patched field becomes when it was `before`.
    #[must_use]
    pub fn apply(self, before: Option<T>) -> Option<T> {
        match self {
            Self::Missing => before,
            Self::Null => None,
            Self::Value(value) => Some(value),
        }
    }
}

impl<T: Canonical> Canonical for Patch<T> {
    const KIND: Kind = T::KIND;

    fn normalize(&mut self) -> Result<(), CanonicalError> {
        match self {
            Self::Missing | Self::Null => Ok(()),
            Self::Value(value) => value.normalize(),
        }
    }

    fn write(&self, out: &mut Writer) -> Result<(), CanonicalError> {
        match self {
            Self::Missing => Err(CanonicalProblem::Missing.into()),
            Self::Null => out.null(),
            Self::Value(value) => value.write(out),
        }
    }

    fn is_absent(&self) -> bool {
        self.is_missing()
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Patch<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let given = Option::deserialize(deserializer)?;
        Ok(given.map_or(Self::Null, Self::Value))
    }
}

impl<T: Serialize> Serialize for Patch<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            // Writing null here would turn "leave it" into "clear it" on the way back.
            Self::Missing => Err(S::Error::custom(
                "a missing value cannot be written; the field needs \
                 `#[serde(default, skip_serializing_if = \"Patch::is_missing\")]`",
            )),
            Self::Null => serializer.serialize_none(),
            Self::Value(value) => serializer.serialize_some(value),
        }
    }
}
