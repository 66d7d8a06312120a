//! Sequences and objects. Both collect their parts and write them when they are ended, so that a
//! writer that is dropped half way leaves nothing behind.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

use crate::json::excerpt;
use crate::json::text::{compare_utf16, push_string};

use super::key_paths::Kept;
use super::policy::written_default;
use super::{Canonical, CanonicalError, CanonicalProblem, FieldPath, Form, Role, Writer};

/// How a function writes the form of a type that does not know its own.
pub type WriteForm<T> = fn(&T, &mut Writer) -> Result<(), CanonicalError>;

/// Writes one value, as often as it is asked to.
type Write<'w> = dyn Fn(&mut Writer) -> Result<(), CanonicalError> + 'w;

/// Writes the elements of a sequence.
#[derive(Debug)]
#[must_use = "a sequence is written when it is ended"]
pub struct SequenceWriter<'w> {
    writer: &'w mut Writer,
    elements: Vec<String>,
    /// What the writer had collected before this sequence began.
    before: usize,
    /// How much prose it had noted.
    noted: usize,
}

impl<'w> SequenceWriter<'w> {
    pub(super) fn new(writer: &'w mut Writer) -> Self {
        let (before, noted) = (writer.collected, writer.prose.len());
        Self {
            writer,
            elements: Vec::new(),
            before,
            noted,
        }
    }

    /// Writes the next element.
    ///
    /// # Errors
    /// Those of the element, with its index, and the writer's bounds.
    pub fn element<T: Canonical + ?Sized>(&mut self, value: &T) -> Result<(), CanonicalError> {
        self.element_with(|writer| writer.value(value))
    }

    /// Writes the next element by a function.
    ///
    /// # Errors
    /// As [`SequenceWriter::element`].
    pub fn element_with(
        &mut self,
        write: impl FnOnce(&mut Writer) -> Result<(), CanonicalError>,
    ) -> Result<(), CanonicalError> {
        let index = self.elements.len();
        let noted = self.writer.prose.len();
        let text = self
            .writer
            .inner(Kept::default(), write)
            .map_err(|error| error.under_index(index))?;
        for path in &mut self.writer.prose[noted..] {
            path.under_index(index);
        }
        self.writer.collected += text.len() + 1;
        self.elements.push(text);
        Ok(())
    }

    /// Writes the sequence in the order of its elements.
    ///
    /// # Errors
    /// The writer's bounds, and when it already has a value.
    pub fn end(self) -> Result<(), CanonicalError> {
        self.writer.check_depth()?;
        self.writer.collected = self.before;
        self.writer.put(&format!("[{}]", self.elements.join(",")))
    }

    /// Writes the sequence sorted by the texts of its elements, for a type without an order.
    ///
    /// # Errors
    /// As [`SequenceWriter::end`].
    pub fn end_sorted(mut self) -> Result<(), CanonicalError> {
        self.elements
            .sort_unstable_by(|left, right| compare_utf16(left, right));
        // Other wording may stand at another place, so what is noted is the whole of it.
        if self.writer.prose.len() > self.noted {
            self.writer.prose.truncate(self.noted);
            self.writer.prose.push(FieldPath::default());
        }
        self.end()
    }
}

/// Writes the fields of an object: those the form holds, sorted by name.
#[derive(Debug)]
#[must_use = "an object is written when it is ended"]
pub struct ObjectWriter<'w> {
    writer: &'w mut Writer,
    /// Name to text. The order of the tree is not the canonical one; `end` sorts.
    fields: BTreeMap<String, String>,
    before: usize,
}

impl<'w> ObjectWriter<'w> {
    pub(super) fn new(writer: &'w mut Writer) -> Self {
        let before = writer.collected;
        Self {
            writer,
            fields: BTreeMap::new(),
            before,
        }
    }

    /// Writes a field that declares no default. It is left out when the form does not hold its
    /// role or its value is absent, and out of the key and hash forms when its value is the
    /// default that its type implies.
    ///
    /// # Errors
    /// Those of the value, with the name; a name that was written before; the writer's bounds.
    pub fn field<T: Canonical + ?Sized>(
        &mut self,
        name: &str,
        role: Role,
        value: &T,
    ) -> Result<(), CanonicalError> {
        let form = self.writer.form();
        self.note(name, role);
        if !form.holds(role) || (value.is_implied_default() && !form.holds_defaults()) {
            return Ok(());
        }
        self.entry(name, value)
    }

    /// Writes a field that has a declared default. Besides the rule of [`ObjectWriter::field`], it
    /// is left out of the key and hash forms when its text equals that of the default, written by the
    /// policies inside of it as the value was.
    ///
    /// # Errors
    /// As [`ObjectWriter::field`].
    pub fn field_or<T: Canonical>(
        &mut self,
        name: &str,
        role: Role,
        value: &T,
        default: impl Fn() -> T,
    ) -> Result<(), CanonicalError> {
        if value.is_absent() {
            self.note(name, role);
            return Ok(());
        }
        let default = |writer: &mut Writer| {
            let default = written_default(default(), T::normalize);
            if default.is_absent() {
                return Err(CanonicalProblem::Missing.into());
            }
            writer.value(&default)
        };
        self.write_or(name, role, &|writer| writer.value(value), &default)
    }

    /// Writes a field whose form a function names, `#[arg(with = path)]`.
    ///
    /// # Errors
    /// As [`ObjectWriter::field`].
    pub fn field_as<T: ?Sized>(
        &mut self,
        name: &str,
        role: Role,
        value: &T,
        write: WriteForm<T>,
    ) -> Result<(), CanonicalError> {
        self.field_with(name, role, |writer| write(value, writer))
    }

    /// The same of a field that has a declared default.
    ///
    /// # Errors
    /// As [`ObjectWriter::field`].
    pub fn field_as_or<T>(
        &mut self,
        name: &str,
        role: Role,
        value: (&T, WriteForm<T>),
        default: impl Fn() -> T,
    ) -> Result<(), CanonicalError> {
        let (value, write) = value;
        let default = |writer: &mut Writer| write(&default(), writer);
        self.write_or(name, role, &|writer| write(value, writer), &default)
    }

    /// Writes a field unless its text is the default's, in the forms that leave defaults out.
    fn write_or(
        &mut self,
        name: &str,
        role: Role,
        value: &Write<'_>,
        default: &Write<'_>,
    ) -> Result<(), CanonicalError> {
        let form = self.writer.form();
        self.note(name, role);
        if !form.holds(role) {
            return Ok(());
        }
        let Some(kept) = self.writer.kept.within(name) else {
            return Ok(());
        };
        let text = self.text(name, kept.clone(), value)?;
        if !form.holds_defaults() {
            if self.is_text_of(default, kept.clone(), &text) {
                return Ok(());
            }
            self.refuse_fleeting(name, kept, default)?;
        }
        self.push(name, text)
    }

    /// Notes a field of prose, whether it is written or not. Prose inside it needs no note of its own.
    fn note(&mut self, name: &str, role: Role) {
        if role == Role::Prose && self.writer.form() == Form::Shown {
            let mut path = FieldPath::default();
            path.under_key(name);
            self.writer.prose.push(path);
        }
    }

    /// A default that is another one at each call (a new id, the time of day) would give each repeat of a call another
    /// identity.
    fn refuse_fleeting(
        &mut self,
        name: &str,
        kept: Kept,
        default: &Write<'_>,
    ) -> Result<(), CanonicalError> {
        let Ok(first) = self.text(name, kept.clone(), default) else {
            return Ok(());
        };
        if self.is_text_of(default, kept, &first) {
            return Ok(());
        }
        let what = "the default is another value at each call, so a repeat would be another call: \
                    make it constant, or make the argument required";
        Err(CanonicalError::custom(what).under_key(name))
    }

    /// Writes a field by a function, for a type that does not know its own form.
    ///
    /// # Errors
    /// As [`ObjectWriter::field`].
    pub fn field_with(
        &mut self,
        name: &str,
        role: Role,
        write: impl FnOnce(&mut Writer) -> Result<(), CanonicalError>,
    ) -> Result<(), CanonicalError> {
        self.note(name, role);
        if !self.writer.form().holds(role) {
            return Ok(());
        }
        let Some(kept) = self.writer.kept.within(name) else {
            return Ok(());
        };
        let text = self.text(name, kept, write)?;
        self.push(name, text)
    }

    /// Writes an entry of a map, or a variant of an enum: it is in every form.
    ///
    /// # Errors
    /// As [`ObjectWriter::field`].
    pub fn entry<T: Canonical + ?Sized>(
        &mut self,
        name: &str,
        value: &T,
    ) -> Result<(), CanonicalError> {
        if value.is_absent() {
            return Ok(());
        }
        let Some(kept) = self.writer.kept.within(name) else {
            return Ok(());
        };
        let text = self.text(name, kept, |writer| writer.value(value))?;
        self.push(name, text)
    }

    /// Writes the object.
    ///
    /// # Errors
    /// The writer's bounds, and when it already has a value.
    pub fn end(self) -> Result<(), CanonicalError> {
        self.writer.check_depth()?;
        self.writer.collected = self.before;
        let mut fields: Vec<(String, String)> = self.fields.into_iter().collect();
        fields.sort_unstable_by(|left, right| compare_utf16(&left.0, &right.0));
        let mut out = String::from("{");
        for (index, (name, text)) in fields.iter().enumerate() {
            if index > 0 {
                out.push(',');
            }
            push_string(&mut out, name);
            out.push(':');
            out.push_str(text);
        }
        out.push('}');
        self.writer.put(&out)
    }

    fn text(
        &mut self,
        name: &str,
        kept: Kept,
        write: impl FnOnce(&mut Writer) -> Result<(), CanonicalError>,
    ) -> Result<String, CanonicalError> {
        let noted = self.writer.prose.len();
        let text = self
            .writer
            .inner(kept, write)
            .map_err(|error| error.under_key(name))?;
        for path in &mut self.writer.prose[noted..] {
            path.under_key(name);
        }
        Ok(text)
    }

    /// A default that has no form of its own equals nothing that has one.
    fn is_text_of(&mut self, default: &Write<'_>, kept: Kept, text: &str) -> bool {
        self.writer
            .inner(kept, default)
            .is_ok_and(|other| other == text)
    }

    fn push(&mut self, name: &str, text: String) -> Result<(), CanonicalError> {
        // Quotes, colon and comma.
        let length = name.len() + text.len() + 4;
        self.writer.check_size(length)?;
        match self.fields.entry(name.to_owned()) {
            Entry::Occupied(_) => Err(CanonicalProblem::NameTwice {
                name: excerpt(name),
            }
            .into()),
            Entry::Vacant(entry) => {
                entry.insert(text);
                self.writer.collected += length;
                Ok(())
            }
        }
    }
}
