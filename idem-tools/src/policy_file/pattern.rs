//! Patterns of scopes: one scope, or everything below some words.

use std::fmt;

/// `tool.email.send`, or `tool.email.*` for every scope below `tool.email`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct ScopePattern {
    /// The words, with the dot behind the last where anything may follow.
    words: String,
    below: bool,
}

/// What a pattern looks like, for the refusals.
pub(super) const SCOPE_FORM: &str = "\"tool.email.send\", \"tool.email.*\" or \"tool.*\"";

impl ScopePattern {
    /// Reads a pattern. `None`: it has another form, or no tool's scope matches it.
    pub(super) fn parse(text: &str) -> Option<Self> {
        let (words, below) = match text.strip_suffix(".*") {
            Some(words) => (words, true),
            None => (text, false),
        };
        let least = if below { 1 } else { 3 };
        let formed = words.split('.').next() == Some("tool")
            && words.split('.').count() >= least
            && words.split('.').all(is_word);
        formed.then(|| Self {
            words: if below {
                format!("{words}.")
            } else {
                words.to_owned()
            },
            below,
        })
    }

    pub(super) fn matches(&self, scope: &str) -> bool {
        if self.below {
            scope.starts_with(&self.words)
        } else {
            scope == self.words
        }
    }

    /// Whether every scope that the other matches is matched by this one too.
    pub(super) fn covers(&self, other: &Self) -> bool {
        match (self.below, other.below) {
            (false, true) => false,
            _ => self.matches(&other.words),
        }
    }

    /// Whether it matches every tool.
    pub(super) fn is_everything(&self) -> bool {
        self.below && self.words == "tool."
    }
}

impl fmt::Display for ScopePattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.words, if self.below { "*" } else { "" })
    }
}

fn is_word(word: &str) -> bool {
    word.starts_with(|first: char| first.is_ascii_lowercase())
        && word
            .bytes()
            .all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'_')
}
