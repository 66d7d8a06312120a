//! Reads one quoted string.

use super::error::JsonProblem;

/// Why a string could not be read.
pub(super) enum StringProblem {
    /// The text ends inside it.
    Unfinished,
    Other(JsonProblem),
}

/// A problem and its distance in bytes from the opening quote.
type At = (StringProblem, usize);

/// Reads the string that `text` starts with; gives it without its escapes, and its length in the
/// text. `text` starts with a double quote.
pub(super) fn read(text: &str) -> Result<(String, usize), At> {
    let bytes = text.as_bytes();
    let mut out = String::new();
    let mut at = 1;
    loop {
        let start = at;
        while let Some(0x20..=0x21 | 0x23..=0x5b | 0x5d..) = bytes.get(at) {
            at += 1;
        }
        // Both ends stand at ASCII characters, so this is always a whole slice.
        out.push_str(text.get(start..at).unwrap_or_default());
        match bytes.get(at) {
            Some(b'"') => return Ok((out, at + 1)),
            Some(b'\\') => {
                let (character, length) = escape(text, at)?;
                out.push(character);
                at += length;
            }
            Some(&control) => {
                let problem = JsonProblem::ControlCharacter {
                    code: u32::from(control),
                };
                return Err((StringProblem::Other(problem), at));
            }
            None => return Err((StringProblem::Unfinished, at)),
        }
    }
}

/// Reads the escape whose backslash is at `at`.
fn escape(text: &str, at: usize) -> Result<(char, usize), At> {
    let character = match text.as_bytes().get(at + 1) {
        Some(b'"') => '"',
        Some(b'\\') => '\\',
        Some(b'/') => '/',
        Some(b'b') => '\u{8}',
        Some(b'f') => '\u{c}',
        Some(b'n') => '\n',
        Some(b'r') => '\r',
        Some(b't') => '\t',
        Some(b'u') => return unicode_escape(text, at),
        Some(_) => return Err((StringProblem::Other(JsonProblem::UnknownEscape), at)),
        None => return Err((StringProblem::Unfinished, text.len())),
    };
    Ok((character, 2))
}

/// Reads `\uXXXX`, or the two of them that spell one character above U+FFFF.
fn unicode_escape(text: &str, at: usize) -> Result<(char, usize), At> {
    let first =
        code_unit(text, at).ok_or((StringProblem::Other(JsonProblem::UnknownEscape), at))?;
    // A high surrogate needs its other half; whatever follows any other unit is not looked at.
    let second = (0xd800..0xdc00)
        .contains(&first)
        .then(|| code_unit(text, at + 6))
        .flatten();
    let mut decoded = char::decode_utf16(std::iter::once(first).chain(second));
    match decoded.next() {
        Some(Ok(character)) => Ok((character, if second.is_some() { 12 } else { 6 })),
        _ => Err((StringProblem::Other(JsonProblem::LoneSurrogate), at)),
    }
}

fn code_unit(text: &str, at: usize) -> Option<u16> {
    let digits = text.get(at..at + 6)?.strip_prefix("\\u")?;
    let all_hex = digits.bytes().all(|byte| byte.is_ascii_hexdigit());
    u16::from_str_radix(digits, 16).ok().filter(|_| all_hex)
}
