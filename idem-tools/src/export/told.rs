//! What a form has no word for and can be told in words: it joins the description, so that the model knows it.

use super::source::Node;
use super::words::said;
use idem_core::json::{Json, Map};

/// Formats that say how a number is held, and nothing to a model.
const WIDTHS: [&str; 14] = [
    "double", "float", "int", "int8", "int16", "int32", "int64", "int128", "uint", "uint8",
    "uint16", "uint32", "uint64", "uint128",
];

/// The pattern that schemars writes for a decimal number as text.
const DECIMAL: &str = r"^-?\d+(\.\d+)?([eE]\d+)?$";

/// Sentences that join a description.
pub(super) struct Told(Vec<String>);

impl Told {
    /// Starts with the description.
    pub(super) fn of(node: &Node) -> Self {
        Self(node.description.iter().cloned().collect())
    }

    pub(super) fn say(&mut self, sentence: impl Into<String>) {
        self.0.push(sentence.into());
    }

    /// A word with its value, as a sentence.
    pub(super) fn word(&mut self, word: &str, value: &Json) {
        let shown = said(value);
        let sentence = match word {
            "format" if value.as_str().is_some_and(|name| WIDTHS.contains(&name)) => return,
            "format" => format!("Format: {}.", value.as_str().unwrap_or(&shown)),
            "pattern" if value.as_str() == Some(DECIMAL) => "A number in digits.".to_owned(),
            "pattern" => format!("It matches {shown}."),
            "minLength" => format!("At least {shown} characters."),
            "maxLength" => format!("At most {shown} characters."),
            "minItems" => format!("At least {shown} of them."),
            "maxItems" => format!("At most {shown} of them."),
            "minimum" => format!("At least {shown}."),
            "maximum" => format!("At most {shown}."),
            "exclusiveMinimum" => format!("More than {shown}."),
            "exclusiveMaximum" => format!("Less than {shown}."),
            "multipleOf" => format!("A multiple of {shown}."),
            "uniqueItems" if *value == Json::Bool(true) => "Each of them once.".to_owned(),
            "uniqueItems" => return,
            "default" => format!("Default: {shown}."),
            word => format!("{word}: {shown}."),
        };
        self.say(sentence);
    }

    /// The words that the form takes stay, and the others are told.
    pub(super) fn keep(&mut self, words: &Map, taken: impl Fn(&str, &Json) -> bool) -> Map {
        let mut kept = Map::new();
        for (word, value) in words {
            if taken(word, value) {
                kept.insert(word, value.clone());
            } else {
                self.word(word, value);
            }
        }
        kept
    }

    /// All of it, if there is any.
    pub(super) fn text(self) -> Option<String> {
        (!self.0.is_empty()).then(|| self.0.join(" "))
    }
}
