//! The strict reader: RFC 8259, nothing more lenient, with bounds on depth and size.

use super::error::{JsonError, JsonProblem};
use super::path::excerpt;
use super::string::{self, StringProblem};
use super::{Json, Map, Number};

/// How deep and how long a JSON text may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Levels of arrays and objects inside each other.
    pub depth: usize,
    /// Bytes of text.
    pub bytes: usize,
}

impl Limits {
    /// For the arguments of a tool call, which a model writes: 64 levels, 256 KiB.
    pub const ARGUMENTS: Self = Self {
        depth: 64,
        bytes: 256 * 1024,
    };
    /// For an answer, which a tool writes: 128 levels, 8 MiB.
    pub const ANSWER: Self = Self {
        depth: 128,
        bytes: 8 * 1024 * 1024,
    };
}

/// Reads one JSON text to its end.
pub(super) fn parse(text: &str, limits: Limits) -> Result<Json, JsonError> {
    check_size(text.len(), limits)?;
    let mut parser = Parser {
        text,
        at: 0,
        depth: 0,
        limits,
    };
    parser.skip_space();
    let value = parser.value()?;
    parser.skip_space();
    match parser.peek() {
        None => Ok(value),
        Some(_) => Err(parser.problem(JsonProblem::TrailingText)),
    }
}

/// Reads bytes that should be UTF-8.
pub(super) fn parse_bytes(bytes: &[u8], limits: Limits) -> Result<Json, JsonError> {
    check_size(bytes.len(), limits)?;
    match std::str::from_utf8(bytes) {
        Ok(text) => parse(text, limits),
        Err(error) => {
            let valid = bytes.get(..error.valid_up_to()).unwrap_or_default();
            let before = std::str::from_utf8(valid).unwrap_or_default();
            Err(JsonError::new(JsonProblem::NotUtf8, before))
        }
    }
}

fn check_size(bytes: usize, limits: Limits) -> Result<(), JsonError> {
    if bytes > limits.bytes {
        let problem = JsonProblem::TooLarge {
            bytes,
            max: limits.bytes,
        };
        return Err(JsonError::new(problem, ""));
    }
    Ok(())
}

struct Parser<'t> {
    text: &'t str,
    /// The byte that is read next; always on a character boundary.
    at: usize,
    depth: usize,
    limits: Limits,
}

impl Parser<'_> {
    fn value(&mut self) -> Result<Json, JsonError> {
        match self.peek() {
            Some(b'{') => self.nested(Self::object),
            Some(b'[') => self.nested(Self::array),
            Some(b'"') => self.string().map(Json::String),
            Some(b'-' | b'0'..=b'9') => self.number(),
            Some(b'n') => self.word("null", Json::Null),
            Some(b't') => self.word("true", Json::Bool(true)),
            Some(b'f') => self.word("false", Json::Bool(false)),
            _ => Err(self.unexpected("a value")),
        }
    }

    fn nested(
        &mut self,
        read: fn(&mut Self) -> Result<Json, JsonError>,
    ) -> Result<Json, JsonError> {
        if self.depth == self.limits.depth {
            return Err(self.problem(JsonProblem::TooDeep {
                max: self.limits.depth,
            }));
        }
        self.depth += 1;
        self.at += 1;
        let value = read(self);
        self.depth -= 1;
        value
    }

    fn array(&mut self) -> Result<Json, JsonError> {
        let mut items = Vec::new();
        self.skip_space();
        if self.take(b']') {
            return Ok(Json::Array(items));
        }
        loop {
            self.skip_space();
            let index = items.len();
            items.push(self.value().map_err(|error| error.under_index(index))?);
            self.skip_space();
            if self.take(b']') {
                return Ok(Json::Array(items));
            }
            if !self.take(b',') {
                return Err(self.unexpected("`,` or `]`"));
            }
        }
    }

    fn object(&mut self) -> Result<Json, JsonError> {
        let mut members = Map::new();
        self.skip_space();
        if self.take(b'}') {
            return Ok(Json::Object(members));
        }
        loop {
            self.skip_space();
            self.member(&mut members)?;
            self.skip_space();
            if self.take(b'}') {
                return Ok(Json::Object(members));
            }
            if !self.take(b',') {
                return Err(self.unexpected("`,` or `}`"));
            }
        }
    }

    fn member(&mut self, members: &mut Map) -> Result<(), JsonError> {
        if self.peek() != Some(b'"') {
            return Err(self.unexpected("a key in double quotes"));
        }
        let key_at = self.at;
        let key = self.string()?;
        if members.contains_key(&key) {
            self.at = key_at;
            let problem = JsonProblem::DuplicateKey { key: excerpt(&key) };
            return Err(self.problem(problem).under_key(&key));
        }
        self.skip_space();
        if !self.take(b':') {
            return Err(self.unexpected("`:`").under_key(&key));
        }
        self.skip_space();
        match self.value() {
            Ok(value) => members.insert(key, value),
            Err(error) => return Err(error.under_key(&key)),
        };
        Ok(())
    }

    fn string(&mut self) -> Result<String, JsonError> {
        match string::read(self.rest()) {
            Ok((text, length)) => {
                self.at += length;
                Ok(text)
            }
            Err((problem, offset)) => {
                self.at += offset;
                Err(match problem {
                    StringProblem::Unfinished => self.unexpected("the end of the string"),
                    StringProblem::Other(problem) => self.problem(problem),
                })
            }
        }
    }

    fn number(&mut self) -> Result<Json, JsonError> {
        match Number::take(self.rest()) {
            Ok((number, length)) => {
                self.at += length;
                Ok(Json::Number(number))
            }
            Err(error) => Err(self.problem(error.into())),
        }
    }

    fn word(&mut self, word: &str, value: Json) -> Result<Json, JsonError> {
        if !self.rest().starts_with(word) {
            return Err(self.unexpected("a value"));
        }
        self.at += word.len();
        Ok(value)
    }

    fn rest(&self) -> &str {
        self.text.get(self.at..).unwrap_or_default()
    }

    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    fn take(&mut self, byte: u8) -> bool {
        let found = self.peek() == Some(byte);
        self.at += usize::from(found);
        found
    }

    fn skip_space(&mut self) {
        while let Some(b' ' | b'\t' | b'\n' | b'\r') = self.peek() {
            self.at += 1;
        }
    }

    fn unexpected(&self, expected: &'static str) -> JsonError {
        let found = match self.rest().chars().next() {
            None => "the end of the text".to_owned(),
            Some(character) => format!("{character:?}"),
        };
        self.problem(JsonProblem::Unexpected { expected, found })
    }

    fn problem(&self, problem: JsonProblem) -> JsonError {
        JsonError::new(problem, self.text.get(..self.at).unwrap_or_default())
    }
}
