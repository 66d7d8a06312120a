//! The canonical form: the one text that a call's content has.
//!
//! A type writes its own form, field by field, through [`Canonical`]; how it serializes is not
//! asked, so an attribute of another crate can hide nothing. The text is RFC 8785 JSON with one
//! difference: integers are exact at any size.
//!
//! | Rust | text |
//! | --- | --- |
//! | `bool`, integers, `NonZero` | `true`, `42` |
//! | `f32`, `f64` | the shortest digits; `-0.0` is `0`; NaN and infinities are refused |
//! | `Decimal` (feature `decimal`) | the number, whatever its trailing zeros; a string where a JSON number would lose digits |
//! | `char`, `str`, `String`, `Uuid`, addresses, `url::Url` (feature `url`) | a string |
//! | `Option`, `()`, `PhantomData` | the value or `null` |
//! | `Vec`, arrays, tuples, `BTreeSet` | an array in its order |
//! | `HashSet` | an array sorted by the text of its elements |
//! | `BTreeMap`, `HashMap` | an object with sorted keys |
//! | `std::time::Duration`, `time::Duration` | `{"nanos":0,"secs":1}` |
//! | `Date`, `Time`, `DateTime`, `time`'s own | RFC 3339, with only the fraction digits that are needed |
//! | [`Json`](crate::json::Json) | itself |

mod collections;
mod composite;
#[cfg(feature = "decimal")]
mod decimal;
mod error;
mod key_paths;
mod patch;
pub mod policy;
mod shown;
mod std_types;
mod time_types;
mod writer;

#[cfg(test)]
mod policy_tests;
#[cfg(test)]
mod role_tests;
#[cfg(test)]
mod tests;
#[cfg(test)]
mod type_tests;

pub use collections::CanonicalKey;
pub use composite::{ObjectWriter, SequenceWriter, WriteForm};
pub use error::{CanonicalError, CanonicalProblem};
pub use key_paths::{KeyFault, KeyPaths, identity_of, intent_fault, key_fault};
pub use patch::Patch;
#[cfg(feature = "decimal")]
pub use rust_decimal::Decimal;
pub use shown::{FieldPath, Shown, shown};
pub(crate) use time_types::text_of_time;
#[cfg(feature = "url")]
pub use url::Url;
pub use writer::Writer;

/// What sort of value a type writes. The macros read it in constant assertions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
#[repr(u8)]
pub enum Kind {
    /// Only `null`.
    Null,
    /// `true` or `false`.
    Bool,
    /// An integer of any size.
    Integer,
    /// A floating point number.
    Float,
    /// Text.
    Text,
    /// Bytes.
    Bytes,
    /// A date, a time, an offset or a duration.
    Time,
    /// Elements in an order that means something.
    Sequence,
    /// Elements without an order.
    UnorderedSequence,
    /// Entries in an order that the type keeps.
    Map,
    /// Entries without an order.
    UnorderedMap,
    /// Named fields.
    Struct,
    /// One of several variants.
    Enum,
    /// Free-form JSON.
    Json,
    /// Something that says nothing about itself.
    Opaque,
    /// A decimal number: exact, unlike a float.
    Decimal,
}

/// What an argument is for: whether it tells one effect from another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
#[repr(u8)]
pub enum Role {
    /// In the key and in the request hash.
    Identity,
    /// In the request hash only: another value under the same key is a conflict.
    Checked,
    /// In neither: a reworded repeat is the same call.
    Prose,
}

/// One field of a type, as its derive describes it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Field {
    /// The name in the canonical form.
    pub name: &'static str,
    /// What its type writes.
    pub kind: Kind,
    /// What it is for.
    pub role: Role,
    /// Whether it may be left out of the arguments.
    pub has_default: bool,
    /// The fields of its type, when that is a struct.
    pub fields: &'static [Field],
}

/// Which of the three texts of a value is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Form {
    /// For the key: identity fields only, defaults left out.
    Key,
    /// For the request hash: identity and checked fields, defaults left out.
    Hash,
    /// For people: every field, defaults included.
    Shown,
}

impl Form {
    /// Whether a field of this role is written.
    #[must_use]
    pub fn holds(self, role: Role) -> bool {
        match self {
            Self::Key => role == Role::Identity,
            Self::Hash => role != Role::Prose,
            Self::Shown => true,
        }
    }

    /// Whether a field that equals its declared default is written.
    #[must_use]
    pub fn holds_defaults(self) -> bool {
        self == Self::Shown
    }
}

/// A type that writes its own canonical form.
///
/// Two values that a function can tell apart must have different texts; two values that it cannot
/// must have the same one.
///
/// `FIELDS` is not passed on by `Option`, `Box`, `Vec` and the other wrappers: a type that holds
/// itself through one of them would make a constant that needs itself.
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no canonical form, so a call that carries it has no identity",
    label = "no canonical form",
    note = "your own type: put `#[tool_input]` on it",
    note = "free-form JSON: use `idem_tools::Json`; `serde_json::Value` may merge two numbers",
    note = "a type of another crate: wrap it in a type of your own with `#[tool_input]`, or take its text"
)]
pub trait Canonical {
    /// What sort of value this is.
    const KIND: Kind;

    /// The fields, when this is a struct.
    const FIELDS: &'static [Field] = &[];

    /// Whether a field of this type may be missing without a declared default, as an `Option` may.
    const HAS_IMPLIED_DEFAULT: bool = false;

    /// Writes exactly one value.
    ///
    /// # Errors
    /// When the value has no canonical form (NaN, an infinity) or exceeds the bounds.
    fn write(&self, out: &mut Writer) -> Result<(), CanonicalError>;

    /// Writes every text inside of this by the policies that its fields declare (R23). Decoding calls
    /// it once, before anything else sees the value.
    ///
    /// # Errors
    /// When a policy refuses a text, with its path.
    fn normalize(&mut self) -> Result<(), CanonicalError> {
        Ok(())
    }

    /// Whether there is nothing to write. A field whose value is absent is left out of every form.
    fn is_absent(&self) -> bool {
        false
    }

    /// Whether this is what a missing field becomes where no default is declared. Such a field is
    /// left out of the key and hash forms, whatever alias its type is written under.
    fn is_implied_default(&self) -> bool {
        false
    }
}

/// The canonical text of a value in one form.
///
/// # Errors
/// When the value has no canonical form, is nested deeper than 64 levels or is longer than
/// 256 KiB.
pub fn text_of<T: Canonical + ?Sized>(value: &T, form: Form) -> Result<String, CanonicalError> {
    let mut writer = Writer::new(form);
    writer.value(value)?;
    Ok(writer.finish())
}
