//! Values of a TOML text with their places. Reading goes on after a fault, so that a reader mends all in one go.

use super::error::{Fault, PolicyFileError};
use idem_core::approval::{REASON_BYTES_MAX, render};
use toml::Spanned;
use toml::de::{DeString, DeTable, DeValue};

pub(super) type Key<'t> = Spanned<DeString<'t>>;
pub(super) type Value<'t> = Spanned<DeValue<'t>>;

/// The text, and the faults that were found in it.
pub(super) struct Reader<'t> {
    text: &'t str,
    /// Each with its byte; lines are counted once, at the end.
    faults: Vec<(usize, String)>,
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
        let mut at = at.min(self.text.len());
        while !self.text.is_char_boundary(at) {
            at -= 1;
        }
        self.faults.push((at, message.into()));
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
    pub(super) fn finish<T>(self, read: Option<T>) -> Result<T, PolicyFileError> {
        match read {
            Some(read) if self.faults.is_empty() => Ok(read),
            _ => {
                let faults = placed(self.text, self.faults);
                Err(PolicyFileError::Refused { path: None, faults })
            }
        }
    }

    /// Notes a fault where a text is not what it looks like: a name with a zero width in it, or with a blank behind it,
    /// is another name, and its rule guards nothing.
    pub(super) fn plain_to_see(&mut self, at: usize, text: &str) -> bool {
        let rendered = render::text(text);
        if rendered.hidden > 0 {
            let shown = rendered.text;
            self.fault(at, format!("this holds what nobody can see: {shown}"));
        } else if text.trim() != text {
            self.fault(at, "this begins or ends with a blank: remove it");
        } else {
            return true;
        }
        false
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
            let seen = self.plain_to_see(value.span().start, text);
            return seen.then(|| text.to_owned());
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

/// The faults in the order of the text, with their lines and columns.
fn placed(text: &str, mut faults: Vec<(usize, String)>) -> Vec<Fault> {
    faults.sort_by_key(|(at, _)| *at);
    let (mut line, mut line_start, mut seen) = (1, 0, 0);
    let mut place = |(at, message): (usize, String)| {
        for (newline, _) in text[seen..at].match_indices('\n') {
            (line, line_start) = (line + 1, seen + newline + 1);
        }
        seen = at;
        Fault {
            line,
            column: text[line_start..at].chars().count() + 1,
            message,
        }
    };
    faults.drain(..).map(&mut place).collect()
}
