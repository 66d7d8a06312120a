//! The writer of one canonical text.

use crate::json::Json;
use crate::json::text::{double_text, not_finite_word, push_string, single_text};

use super::composite::{ObjectWriter, SequenceWriter};
use super::key_paths::Kept;
use super::{Canonical, CanonicalError, CanonicalProblem, FieldPath, Form};

/// Levels of sequences and objects inside each other; the same as arguments may have.
pub(super) const DEPTH_MAX: usize = 64;

/// Bytes of a canonical text; the same as arguments may have.
const BYTES_MAX: usize = 256 * 1024;

/// Writes exactly one value in one [`Form`].
///
/// A value is one call: a scalar, [`Writer::json`], or [`Writer::sequence`] or [`Writer::object`]
/// up to their `end`.
#[derive(Debug)]
pub struct Writer {
    form: Form,
    /// The text of the value that is being written: empty, or complete.
    out: String,
    /// Sequences and objects that are open around it.
    pub(super) depth: usize,
    /// Bytes that those have collected.
    pub(super) collected: usize,
    /// What of the value that is being written is kept.
    pub(super) kept: Kept,
    /// Where the values that were written hold prose; noted in the shown form only.
    pub(super) prose: Vec<FieldPath>,
}

impl Writer {
    /// A writer that has written nothing.
    #[must_use]
    pub fn new(form: Form) -> Self {
        Self {
            form,
            out: String::new(),
            depth: 0,
            collected: 0,
            kept: Kept::default(),
            prose: Vec::new(),
        }
    }

    /// The form that is written, for a type whose text depends on it.
    #[must_use]
    pub fn form(&self) -> Form {
        self.form
    }

    /// The text of the value that was written; empty when none was.
    #[must_use]
    pub fn finish(self) -> String {
        self.out
    }

    /// Writes `value` in place of this one, and checks that it writes itself.
    ///
    /// # Errors
    /// Those of `value`, and when it wrote nothing.
    pub fn value<T: Canonical + ?Sized>(&mut self, value: &T) -> Result<(), CanonicalError> {
        value.write(self)?;
        if self.out.is_empty() {
            return Err(CanonicalProblem::NoValue.into());
        }
        Ok(())
    }

    /// Writes `null`.
    ///
    /// # Errors
    /// When a value is already written, or the text grows beyond 256 KiB.
    pub fn null(&mut self) -> Result<(), CanonicalError> {
        self.put("null")
    }

    /// Writes a boolean.
    ///
    /// # Errors
    /// As [`Writer::null`].
    pub fn bool(&mut self, value: bool) -> Result<(), CanonicalError> {
        self.put(if value { "true" } else { "false" })
    }

    /// Writes an integer, exactly.
    ///
    /// # Errors
    /// As [`Writer::null`].
    pub fn i128(&mut self, value: i128) -> Result<(), CanonicalError> {
        self.put(&value.to_string())
    }

    /// Writes an integer, exactly.
    ///
    /// # Errors
    /// As [`Writer::null`].
    pub fn u128(&mut self, value: u128) -> Result<(), CanonicalError> {
        self.put(&value.to_string())
    }

    /// Writes a double; negative zero is `0`.
    ///
    /// # Errors
    /// As [`Writer::null`], and for NaN and the infinities.
    pub fn f64(&mut self, value: f64) -> Result<(), CanonicalError> {
        let word = not_finite_word(value.is_nan(), value.is_sign_negative());
        self.put(&double_text(value).ok_or(CanonicalProblem::NotFinite(word))?)
    }

    /// Writes a single by its own shortest digits, so that `0.1_f32` is `0.1`; negative zero is
    /// `0`.
    ///
    /// # Errors
    /// As [`Writer::f64`].
    pub fn f32(&mut self, value: f32) -> Result<(), CanonicalError> {
        let word = not_finite_word(value.is_nan(), value.is_sign_negative());
        self.put(&single_text(value).ok_or(CanonicalProblem::NotFinite(word))?)
    }

    /// Writes a string.
    ///
    /// # Errors
    /// As [`Writer::null`].
    pub fn str(&mut self, text: &str) -> Result<(), CanonicalError> {
        // The quoted text is never shorter, so a text that is too long is not copied first.
        self.check_size(text.len())?;
        let mut quoted = String::new();
        push_string(&mut quoted, text);
        self.put(&quoted)
    }

    /// Writes free-form JSON. All its members are written in every form.
    ///
    /// # Errors
    /// As [`Writer::null`], and when it is nested deeper than 64 levels.
    pub fn json(&mut self, value: &Json) -> Result<(), CanonicalError> {
        match value {
            Json::Null => self.null(),
            Json::Bool(value) => self.bool(*value),
            Json::Number(number) => self.put(number.as_str()),
            Json::String(text) => self.str(text),
            Json::Array(items) => {
                let mut sequence = self.sequence();
                for item in items {
                    sequence.element(item)?;
                }
                sequence.end()
            }
            Json::Object(members) => {
                let mut object = self.object();
                for (key, member) in members {
                    object.entry(key, member)?;
                }
                object.end()
            }
        }
    }

    /// Starts a sequence; the value is written when it is ended.
    pub fn sequence(&mut self) -> SequenceWriter<'_> {
        SequenceWriter::new(self)
    }

    /// Starts an object; the value is written when it is ended.
    pub fn object(&mut self) -> ObjectWriter<'_> {
        ObjectWriter::new(self)
    }

    /// Writes a value inside an open sequence or object and takes its text: what is kept of it.
    pub(super) fn inner(
        &mut self,
        kept: Kept,
        write: impl FnOnce(&mut Self) -> Result<(), CanonicalError>,
    ) -> Result<String, CanonicalError> {
        self.check_depth()?;
        let outer = std::mem::take(&mut self.out);
        let collected = self.collected;
        let around = std::mem::replace(&mut self.kept, kept);
        self.depth += 1;
        let written = write(self);
        self.depth -= 1;
        self.kept = around;
        // A composite that was left open has collected without ending; that no longer counts.
        self.collected = collected;
        let text = std::mem::replace(&mut self.out, outer);
        written?;
        if text.is_empty() {
            return Err(CanonicalProblem::NoValue.into());
        }
        Ok(text)
    }

    /// Puts the whole text of the value.
    pub(super) fn put(&mut self, text: &str) -> Result<(), CanonicalError> {
        if !self.out.is_empty() {
            return Err(CanonicalProblem::SecondValue.into());
        }
        self.check_size(text.len())?;
        self.out.push_str(text);
        Ok(())
    }

    /// For an option that holds something: its text must not be that of one that holds nothing.
    pub(super) fn refuse_null(&self) -> Result<(), CanonicalError> {
        if self.out == "null" {
            return Err(CanonicalProblem::NullInOption.into());
        }
        Ok(())
    }

    pub(super) fn check_depth(&self) -> Result<(), CanonicalError> {
        if self.depth >= DEPTH_MAX {
            return Err(CanonicalProblem::TooDeep { max: DEPTH_MAX }.into());
        }
        Ok(())
    }

    pub(super) fn check_size(&self, more: usize) -> Result<(), CanonicalError> {
        if self.collected.saturating_add(more) > BYTES_MAX {
            return Err(CanonicalProblem::TooLarge { max: BYTES_MAX }.into());
        }
        Ok(())
    }
}
