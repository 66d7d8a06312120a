//! What a person is shown of a value, and where its prose stands in it.

use super::{Canonical, CanonicalError, Form, Writer};
use crate::json::{Json, member_path};
use std::fmt;

/// The place of one field inside a value, as the names and positions that lead to it.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct FieldPath {
    /// Innermost first: a path is built from the inside out.
    steps: Vec<Step>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Step {
    Key(String),
    Index(usize),
}

impl FieldPath {
    pub(super) fn under_key(&mut self, key: &str) {
        self.steps.push(Step::Key(key.to_owned()));
    }

    pub(super) fn under_index(&mut self, index: usize) {
        self.steps.push(Step::Index(index));
    }

    fn is_inside(&self, outer: &Self) -> bool {
        self.steps.ends_with(&outer.steps)
    }

    /// What stands at this place of a canonical text that was read back; `None` where nothing does.
    #[must_use]
    pub fn find<'j>(&self, json: &'j Json) -> Option<&'j Json> {
        self.steps
            .iter()
            .rev()
            .try_fold(json, |at, step| match step {
                Step::Key(key) => at.get(key),
                Step::Index(index) => at.as_array()?.get(*index),
            })
    }
}

/// `note`, `items[2].note`.
impl fmt::Display for FieldPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut text = String::new();
        for step in self.steps.iter().rev() {
            match step {
                Step::Key(key) => text.push_str(&member_path(key, text.is_empty())),
                Step::Index(index) => text.push_str(&format!("[{index}]")),
            }
        }
        f.pad(&text)
    }
}

/// The shown form of a value.
#[derive(Clone, PartialEq, Eq)]
pub struct Shown {
    /// The canonical text in [`Form::Shown`].
    pub text: String,
    /// Where the value may hold prose, whether it does or not.
    pub prose: Vec<FieldPath>,
}

impl fmt::Debug for Shown {
    /// Leaves the text out: it may hold personal data.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Shown")
            .field("bytes", &self.text.len())
            .field("prose", &self.prose)
            .finish()
    }
}

/// The canonical text of a value as a person is shown it, and the places of its prose.
///
/// # Errors
/// As [`text_of`](super::text_of).
pub fn shown<T: Canonical + ?Sized>(value: &T) -> Result<Shown, CanonicalError> {
    let mut writer = Writer::new(Form::Shown);
    writer.value(value)?;
    let mut prose = std::mem::take(&mut writer.prose);
    // Prose inside of prose says nothing more; it was noted just behind what it is inside of.
    prose.dedup_by(|inner, outer| inner.is_inside(outer));
    Ok(Shown {
        text: writer.finish(),
        prose,
    })
}
