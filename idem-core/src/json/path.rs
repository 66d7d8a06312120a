//! Where in a JSON value something is.

use std::fmt;

use super::text::push_string;

/// How many characters of a key an error shows.
const KEY_CHARS_MAX: usize = 40;

/// How many characters of a path an error shows.
const PATH_CHARS_MAX: usize = 200;

/// The place of a value inside another, written `$.items[2].amount`.
///
/// A path is built from the inside out while an error travels up, so a value that is in order
/// pays nothing for it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Path {
    /// Innermost first.
    steps: Vec<Step>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Step {
    Key(String),
    Index(usize),
}

impl Path {
    /// Whether this is the whole value, `$`.
    #[must_use]
    pub fn is_root(&self) -> bool {
        self.steps.is_empty()
    }

    /// Says that what this path starts from is the member `key` of an object.
    pub(crate) fn under_key(&mut self, key: &str) {
        self.steps.push(Step::Key(excerpt(key)));
    }

    /// Says that what this path starts from is the element `index` of an array.
    pub(crate) fn under_index(&mut self, index: usize) {
        self.steps.push(Step::Index(index));
    }
}

impl fmt::Display for Path {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut text = String::from("$");
        for step in self.steps.iter().rev() {
            match step {
                Step::Key(key) => text.push_str(&member_path(key, false)),
                Step::Index(index) => text.push_str(&format!("[{index}]")),
            }
        }
        f.write_str(&cut(&text, PATH_CHARS_MAX))
    }
}

/// How a path goes on to a member: `.amount` or `["odd key"]`; the first of a path has no dot.
pub(crate) fn member_path(key: &str, first: bool) -> String {
    if is_word(key) {
        return format!("{}{key}", if first { "" } else { "." });
    }
    let mut text = String::from("[");
    push_string(&mut text, key);
    text.push(']');
    text
}

/// The start of a key, short enough for an error. Keys are shown, values never are.
pub(crate) fn excerpt(key: &str) -> String {
    cut(key, KEY_CHARS_MAX)
}

/// The first `chars` characters of `text`, with a mark where something was left out.
pub(crate) fn cut(text: &str, chars: usize) -> String {
    match text.char_indices().nth(chars) {
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or_default()),
        None => text.to_owned(),
    }
}

fn is_word(key: &str) -> bool {
    let starts_well = key.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
    starts_well
        && key
            .chars()
            .all(|c| c.is_ascii_alphanumeric() || c == '_' || c == '…')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_reads_from_the_outside_in() {
        let mut path = Path::default();
        assert_eq!(path.to_string(), "$");
        assert!(path.is_root());
        path.under_key("amount");
        path.under_index(2);
        path.under_key("odd key\n");
        assert_eq!(path.to_string(), "$[\"odd key\\n\"][2].amount");
    }

    #[test]
    fn long_keys_and_long_paths_are_cut() {
        let mut path = Path::default();
        path.under_key(&"k".repeat(1_000));
        assert_eq!(path.to_string(), format!("$.{}…", "k".repeat(40)));
        for _ in 0..100 {
            path.under_index(1_000);
        }
        assert_eq!(path.to_string().chars().count(), 201);
    }
}
