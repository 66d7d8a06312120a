//! Values of a TOML text with their places. Reading goes on after a fault, so that a reader mends all in one go.

use super::error::{Fault, PolicyFileError};
use idem_core::approval::REASON_BYTES_MAX;
use toml::Spanned;
use toml::de::{DeString, DeTable, DeValue};

pub(super) type Key<'t> = Spanned<DeString<'t>>;
pub(super) type Value<'t> = Spanned<DeValue<'t>>;

/// The text, and the faults that were found in it.
pub(super) struct Reader<'t> {
    text: &'t str,
    faults: Vec<(usize, Fault)>,
}

impl<'t> Reader<'t> {
    pub(super) fn new(text: &'t str) -> Self {
        Self {
            text,
            faults: Vec::new(),
        }
    }

    /// The text as a table; `None` where it is no TOML, which is a fault.
    pub(super) fn table(&mut self) -> Option<DeTable<'t>> {
        let most = super::POLICY_BYTES_MAX;
        if self.text.len() > most {
            self.fault(0, format!("a policy has at most {most} bytes"));
            return None;
        }
        match DeTable::parse(self.text) {
            Ok(table) => Some(table.into_inner()),
            Err(error) => {
                let at = error.span().map_or(self.text.len(), |span| span.start);
                self.fault(at, format!("this is not TOML: {}", error.message()));
                None
            }
        }
    }

    /// Notes a fault at a byte of the text.
    pub(super) fn fault(&mut self, at: usize, message: impl Into<String>) {
        let mut end = at.min(self.text.len());
        while !self.text.is_char_boundary(end) {
            end -= 1;
        }
        let before = &self.text[..end];
        let line_start = before.rfind('\n').map_or(0, |newline| newline + 1);
        let fault = Fault {
            line: before.matches('\n').count() + 1,
            column: before[line_start..].chars().count() + 1,
            message: message.into(),
        };
        self.faults.push((at, fault));
    }

    pub(super) fn faults(&self) -> usize {
        self.faults.len()
    }

    /// The line of a byte, for a message that points at another place.
    pub(super) fn line(&self, at: usize) -> usize {
        let before = self.text.get(..at).unwrap_or(self.text);
        before.matches('\n').count() + 1
    }

    /// What was read, unless there is a fault.
    pub(super) fn finish<T>(mut self, read: Option<T>) -> Result<T, PolicyFileError> {
        match read {
            Some(read) if self.faults.is_empty() => Ok(read),
            _ => {
                self.faults.sort_by_key(|(at, _)| *at);
                let faults = self.faults.into_iter().map(|(_, fault)| fault).collect();
                Err(PolicyFileError::Refused { path: None, faults })
            }
        }
    }

    /// Refuses keys that mean nothing here.
    pub(super) fn only(&mut self, table: &DeTable<'_>, known: &[&str], what: &str) {
        for (key, _) in table {
            let name: &str = key.get_ref();
            if !known.contains(&name) {
                let known = known.join("`, `");
                let message = format!("{what} has no `{name}`: it has `{known}`");
                self.fault(key.span().start, message);
            }
        }
    }

    /// A value of another kind than is accepted.
    pub(super) fn wrong(&mut self, value: &Value<'_>, accepted: &str) {
        let kind = value.get_ref().type_str();
        self.fault(
            value.span().start,
            format!("this is of type {kind}: write {accepted}"),
        );
    }

    /// One line of text for a person or a model.
    pub(super) fn line_of_text(&mut self, value: &Value<'_>, accepted: &str) -> Option<String> {
        let text = self.string(value, accepted)?;
        let fits = !text.trim().is_empty() && text.len() <= REASON_BYTES_MAX;
        if fits && !text.contains(char::is_control) {
            return Some(text.to_owned());
        }
        let message =
            format!("a text is one line of at most {REASON_BYTES_MAX} bytes: write {accepted}");
        self.fault(value.span().start, message);
        None
    }

    pub(super) fn string<'v>(&mut self, value: &'v Value<'_>, accepted: &str) -> Option<&'v str> {
        let text = value.get_ref().as_str();
        if text.is_none() {
            self.wrong(value, accepted);
        }
        text
    }

    pub(super) fn boolean(&mut self, value: &Value<'_>, accepted: &str) -> Option<bool> {
        let truth = value.get_ref().as_bool();
        if truth.is_none() {
            self.wrong(value, accepted);
        }
        truth
    }

    /// One value or a list of them, each read by `read`.
    pub(super) fn one_or_many<T>(
        &mut self,
        value: &Value<'t>,
        accepted: &str,
        read: impl Fn(&mut Self, &Value<'t>) -> Option<T>,
    ) -> Option<Vec<T>> {
        let DeValue::Array(items) = value.get_ref() else {
            return read(self, value).map(|one| vec![one]);
        };
        if items.is_empty() {
            let message = format!("an empty list matches nothing: write {accepted}");
            self.fault(value.span().start, message);
            return None;
        }
        let before = self.faults();
        let read: Vec<T> = items.iter().filter_map(|item| read(self, item)).collect();
        (self.faults() == before).then_some(read)
    }

    /// Notes a fault where a value was not understood.
    pub(super) fn noted<T>(
        &mut self,
        value: &Value<'_>,
        read: Option<T>,
        why: &str,
        accepted: &str,
    ) -> Option<T> {
        if read.is_none() {
            self.fault(value.span().start, format!("{why}: write {accepted}"));
        }
        read
    }
}
