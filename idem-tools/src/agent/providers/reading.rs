//! Reading a form: one value at a time, each refusal with its place.

use super::error::{ConversationError, Place};
use crate::agent::Usage;
use idem_core::json::{Json, Map};

/// How many characters of a form's own word are shown.
const WORD_CHARS_MAX: usize = 40;

/// A place while reading. It is a chain on the stack, so a conversation that is in order pays nothing for it.
#[derive(Clone, Copy)]
pub(super) struct At<'a> {
    up: Option<&'a At<'a>>,
    step: Step<'a>,
}

#[derive(Clone, Copy)]
enum Step<'a> {
    Root,
    Key(&'a str),
    Index(usize),
    Message(usize),
}

impl<'a> At<'a> {
    pub(super) const ROOT: At<'static> = At {
        up: None,
        step: Step::Root,
    };

    /// The member of this name.
    pub(super) fn key(&'a self, key: &'a str) -> Self {
        self.then(Step::Key(key))
    }

    /// The element of this number.
    pub(super) fn index(&'a self, index: usize) -> Self {
        self.then(Step::Index(index))
    }

    /// The message of this number.
    pub(super) fn message(&'a self, index: usize) -> Self {
        self.then(Step::Message(index))
    }

    fn then(&'a self, step: Step<'a>) -> Self {
        Self {
            up: Some(self),
            step,
        }
    }

    /// The place as an error carries it.
    pub(super) fn place(&self) -> Place {
        let mut place = match self.up {
            Some(up) => up.place(),
            None => Place {
                message: None,
                path: "$".to_owned(),
            },
        };
        match self.step {
            Step::Root => {}
            Step::Key(key) => place.path.push_str(&format!(".{}", word(key))),
            Step::Index(index) => place.path.push_str(&format!("[{index}]")),
            Step::Message(index) => {
                place.path.push_str(&format!("[{index}]"));
                place.message = Some(index);
            }
        }
        place
    }

    /// Another value than this form has here.
    pub(super) fn expected(&self, expected: &'static str, found: &Json) -> ConversationError {
        ConversationError::Unexpected {
            at: self.place(),
            expected,
            found: kind(found),
        }
    }

    /// A part that is not carried.
    pub(super) fn unsupported(&self, what: impl Into<String>) -> ConversationError {
        ConversationError::Unsupported {
            at: self.place(),
            what: what.into(),
        }
    }
}

/// A word of a form, short enough for an error.
pub(super) fn word(text: &str) -> String {
    match text.char_indices().nth(WORD_CHARS_MAX) {
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or_default()),
        None => text.to_owned(),
    }
}

fn kind(json: &Json) -> &'static str {
    match json {
        Json::Null => "nothing",
        Json::Bool(_) => "a truth value",
        Json::Number(_) => "a number",
        Json::String(text) if text.is_empty() => "an empty string",
        Json::String(_) => "a string",
        Json::Array(_) => "an array",
        Json::Object(_) => "an object",
    }
}

pub(super) fn object<'j>(json: &'j Json, at: &At<'_>) -> Result<&'j Map, ConversationError> {
    json.as_object()
        .ok_or_else(|| at.expected("an object", json))
}

pub(super) fn list<'j>(json: &'j Json, at: &At<'_>) -> Result<&'j [Json], ConversationError> {
    json.as_array().ok_or_else(|| at.expected("an array", json))
}

/// The text under a key, which has to be there.
pub(super) fn text<'j>(
    json: &'j Json,
    key: &str,
    at: &At<'_>,
) -> Result<&'j str, ConversationError> {
    let value = json.get(key).unwrap_or(&Json::Null);
    value
        .as_str()
        .ok_or_else(|| at.key(key).expected("a string", value))
}

/// The value under a key. `null` is nothing: every provider writes it for what is not there.
pub(super) fn present<'j>(json: &'j Json, key: &str) -> Option<&'j Json> {
    json.get(key).filter(|value| !value.is_null())
}

/// The same under one of two spellings: Gemini takes both.
pub(super) fn either<'j>(json: &'j Json, camel: &str, snake: &str) -> Option<&'j Json> {
    present(json, camel).or_else(|| present(json, snake))
}

/// The name of a called tool: whatever it is, but something.
pub(super) fn name(json: &Json, at: &At<'_>) -> Result<String, ConversationError> {
    let value = json.get("name").unwrap_or(&Json::Null);
    match value.as_str() {
        Some(name) if !name.is_empty() => Ok(name.to_owned()),
        _ => Err(at.key("name").expected("the name of a tool", value)),
    }
}

/// A call id. Absent, `null` and empty are all no id.
pub(super) fn id(json: &Json, key: &str, at: &At<'_>) -> Result<Option<String>, ConversationError> {
    let Some(value) = present(json, key) else {
        return Ok(None);
    };
    match value.as_str() {
        Some("") => Ok(None),
        Some(id) if id.len() <= super::CALL_ID_BYTES_MAX => Ok(Some(id.to_owned())),
        Some(_) => Err(at
            .key(key)
            .expected("a call id of at most 256 bytes", value)),
        None => Err(at.key(key).expected("a call id as a string", value)),
    }
}

/// The sum of these counters, 0 where the provider did not say.
pub(super) fn tokens(usage: Option<&Json>, input: &[&str], output: &[&str]) -> Usage {
    let sum = |keys: &[&str]| {
        let counts = keys.iter().filter_map(|key| {
            usage
                .and_then(|usage| usage.get(key))
                .and_then(Json::as_u64)
        });
        counts.fold(0, u64::saturating_add)
    };
    Usage {
        input_tokens: sum(input),
        output_tokens: sum(output),
    }
}

/// An error in place of a response, where there is one: its word, never its message.
pub(super) fn failed(json: &Json, keys: &[&str]) -> Option<ConversationError> {
    let error = present(json, "error")?;
    let code = keys.iter().find_map(|key| match present(error, key) {
        Some(Json::String(text)) => Some(word(text)),
        Some(Json::Number(number)) => Some(word(number.as_str())),
        _ => None,
    });
    Some(ConversationError::Failed {
        code: code.unwrap_or_else(|| "without a code".to_owned()),
    })
}

/// No text is no text, however it is spelled.
pub(super) fn some(text: String) -> Option<String> {
    Some(text).filter(|text| !text.is_empty())
}
