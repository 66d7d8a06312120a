//! The identity arguments that a tool names: `key(to, template.id)` (R24, R37).

use super::{Canonical, CanonicalError, Field, Form, Kind, Role, Writer};

/// Identity arguments, each as the names that lead to it.
pub type KeyPaths = &'static [&'static [&'static str]];

const NO_SUCH: &str = "the input has no such field: `key` takes the names as the model writes them, a part of a plain \
                       struct behind a dot, as in `key(to, template.id)`";
const NO_PATH: &str = "a path in `key` leads through plain structs only, not through an option, a list, a map or an \
                       enum: name the field that holds it, as in `key(to)`";
const PROSE: &str = "this field is prose, which tells no effect from another: take it out of `key`, as in \
                     `key(to)`, or take `#[arg(prose)]` off the field";
const FLOAT: &str = "a float does not identify an effect, since two spellings of one amount may differ by a hair: \
                     take it out of `key`, as in `key(to)`, where it is still checked";
const UNORDERED: &str = "a map without an order does not identify an effect: take it out of `key`, as in `key(to)`, \
                         where it is still checked, or make it a `BTreeMap`";

/// What is wrong with a path in `key`, and with which of its words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KeyFault {
    /// The place of the word in the path.
    pub word: usize,
    /// What is wrong, with the accepted form.
    pub what: &'static str,
}

/// What is wrong with a path as an identity argument of an input with these fields; `None` where nothing is.
#[must_use]
pub const fn key_fault(fields: &[Field], path: &[&str]) -> Option<KeyFault> {
    let (mut fields, mut word) = (fields, 0);
    while word < path.len() {
        let Some(field) = field_of(fields, path[word]) else {
            return Some(KeyFault {
                word,
                what: NO_SUCH,
            });
        };
        let fault = if matches!(field.role, Role::Prose) {
            Some(PROSE)
        } else if word + 1 == path.len() {
            kind_fault(field)
        } else if matches!(field.kind, Kind::Struct) && !field.fields.is_empty() {
            None
        } else {
            Some(NO_PATH)
        };
        if let Some(what) = fault {
            return Some(KeyFault { word, what });
        }
        fields = field.fields;
        word += 1;
    }
    None
}

/// What is wrong with a field as the place of an intent; `None` where nothing is.
#[must_use]
pub const fn intent_fault(fields: &[Field], name: &str) -> Option<&'static str> {
    let Some(field) = field_of(fields, name) else {
        return Some(
            "the input has no such field: `intent = occasion` names a field as the model writes it, such as \
             `occasion: Option<String>`",
        );
    };
    if matches!(field.role, Role::Prose) {
        return Some(
            "this field is prose, and an intent tells one effect from another: take `#[arg(prose)]` off the field",
        );
    }
    if !matches!(field.kind, Kind::Text) {
        return Some(
            "an intent is text: `intent = occasion` names a field such as `occasion: Option<String>`",
        );
    }
    None
}

/// What a field that is identity as a whole holds: prose in it stays out of the key by itself.
const fn kind_fault(field: &Field) -> Option<&'static str> {
    if matches!(field.role, Role::Prose) {
        return None;
    }
    match field.kind {
        Kind::Float => return Some(FLOAT),
        Kind::UnorderedMap => return Some(UNORDERED),
        _ => {}
    }
    let mut at = 0;
    while at < field.fields.len() {
        if let Some(fault) = kind_fault(&field.fields[at]) {
            return Some(fault);
        }
        at += 1;
    }
    None
}

const fn field_of<'f>(fields: &'f [Field], name: &str) -> Option<&'f Field> {
    let mut at = 0;
    while at < fields.len() {
        if same(fields[at].name, name) {
            return Some(&fields[at]);
        }
        at += 1;
    }
    None
}

const fn same(left: &str, right: &str) -> bool {
    let (left, right) = (left.as_bytes(), right.as_bytes());
    if left.len() != right.len() {
        return false;
    }
    let mut at = 0;
    while at < left.len() {
        if left[at] != right[at] {
            return false;
        }
        at += 1;
    }
    true
}

/// What of an object is written: everything, or what these paths lead to.
#[derive(Clone, Debug, Default)]
pub(super) struct Kept(Option<Vec<&'static [&'static str]>>);

impl Kept {
    pub(super) fn only(paths: KeyPaths) -> Self {
        Self(Some(paths.to_vec()))
    }

    /// What is kept of a field: `None` where no path leads into it.
    pub(super) fn within(&self, name: &str) -> Option<Self> {
        let Some(paths) = &self.0 else {
            return Some(Self(None));
        };
        let rests = paths.iter().filter_map(|path| {
            let (first, rest) = path.split_first()?;
            (*first == name).then_some(rest)
        });
        let rests: Vec<_> = rests.collect();
        if rests.is_empty() {
            return None;
        }
        let whole = rests.iter().any(|rest| rest.is_empty());
        Some(Self((!whole).then_some(rests)))
    }
}

/// The canonical text that the key is made of: all the identity fields, or only those that are named.
///
/// # Errors
/// As [`text_of`](super::text_of).
pub fn identity_of<T: Canonical + ?Sized>(
    value: &T,
    named: Option<KeyPaths>,
) -> Result<String, CanonicalError> {
    let mut writer = Writer::new(Form::Key);
    if let Some(paths) = named {
        writer.kept = Kept::only(paths);
    }
    writer.value(value)?;
    Ok(writer.finish())
}
