//! What a person is shown of a call: the very text that is hashed, laid out, with every character that hides or
//! imitates another one made visible (feature `render`).
//!
//! A mark is `⟨U+202E⟩` for a character that cannot be seen and `⟨U+0430 а⟩` for one that looks like another. The
//! brackets themselves are marked where the text holds them, so that no text can imitate a mark. Nothing that this
//! module gives back moves a terminal's cursor, sets its title or changes its colour.

mod changes;
mod characters;
mod emoji;
mod signs;
mod words;

#[cfg(test)]
mod look_alikes_tests;
#[cfg(test)]
mod tests;

pub use changes::{Change, changes};
pub use characters::is_hidden;

/// A text made for a person's eyes, and how many of its characters had to be marked.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Rendered {
    /// The text.
    pub text: String,
    /// Characters that cannot be seen: controls, bidirectional overrides, zero widths, unusual spaces.
    pub hidden: usize,
    /// Characters that look like others: а for a, ⁄ for /.
    pub imitating: usize,
}

/// Why a character is marked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Mark {
    Hidden,
    Imitates,
}

/// Two spaces for each level.
const INDENT: &str = "  ";

/// Renders one text: a name, a reason, a rule. A line break in it is marked like any control.
#[must_use]
pub fn text(text: &str) -> Rendered {
    let units: Vec<Unit<'_>> = text.chars().map(Unit::plain).collect();
    let mut out = Rendered::default();
    out.push_units(&units);
    out
}

/// Lays canonical JSON text out, one member a line. Strings keep their JSON escapes and numbers their digits: what is
/// read is what is hashed, and nothing is parsed and printed anew.
#[must_use]
pub fn arguments(canonical: &str) -> Rendered {
    let mut out = Rendered::default();
    let (mut rest, mut depth) = (canonical, 0_usize);
    while let Some(first) = rest.chars().next() {
        let mut length = first.len_utf8();
        match first {
            '"' => {
                length = literal(rest);
                out.push_literal(&rest[..length]);
            }
            '{' | '[' => match rest[1..].chars().next() {
                Some(close @ ('}' | ']')) => {
                    out.text.extend([first, close]);
                    length = 2;
                }
                _ => {
                    depth += 1;
                    out.text.push(first);
                    out.new_line(depth);
                }
            },
            '}' | ']' => {
                depth = depth.saturating_sub(1);
                out.new_line(depth);
                out.text.push(first);
            }
            ',' => {
                out.text.push(',');
                out.new_line(depth);
            }
            ':' => out.text.push_str(": "),
            _ => {
                let structural = |c: char| matches!(c, '"' | '{' | '[' | '}' | ']' | ',' | ':');
                length = rest.find(structural).unwrap_or(rest.len());
                // A canonical text has no space between its tokens; an edit as it was written may have.
                let space = |c: char| matches!(c, ' ' | '\t' | '\n' | '\r');
                out.push(&text(rest[..length].trim_matches(space)));
            }
        }
        rest = &rest[length..];
    }
    out
}

/// The length of the string literal at the start, its quotes included; to the end where it is not closed.
fn literal(text: &str) -> usize {
    let mut escaped = false;
    let end = text[1..].find(|c| {
        let closes = c == '"' && !escaped;
        escaped = c == '\\' && !escaped;
        closes
    });
    end.map_or(text.len(), |inside| inside + 2)
}

/// One character of a string, and how the JSON text spells it where that is an escape.
struct Unit<'a> {
    character: char,
    escape: Option<&'a str>,
}

impl<'a> Unit<'a> {
    fn plain(character: char) -> Self {
        Self {
            character,
            escape: None,
        }
    }

    /// The first unit of a literal's inside, and its length.
    fn first(inside: &'a str) -> Option<(Self, usize)> {
        let mut characters = inside.chars();
        let first = characters.next()?;
        let (Some(after), true) = (characters.next(), first == '\\') else {
            return Some((Self::plain(first), first.len_utf8()));
        };
        let (character, length) = match after {
            'n' => ('\n', 2),
            't' => ('\t', 2),
            'r' => ('\r', 2),
            'b' => ('\u{8}', 2),
            'f' => ('\u{c}', 2),
            '"' | '\\' | '/' => (after, 2),
            'u' => match inside.get(2..6).map(|hex| u32::from_str_radix(hex, 16)) {
                Some(Ok(code)) => (char::from_u32(code).unwrap_or('\u{fffd}'), 6),
                _ => return Some((Self::plain(first), 1)),
            },
            _ => return Some((Self::plain(first), 1)),
        };
        let escape = Some(&inside[..length]);
        Some((Self { character, escape }, length))
    }
}

impl Rendered {
    /// Whether anything had to be marked.
    #[must_use]
    pub fn is_marked(&self) -> bool {
        self.hidden + self.imitating > 0
    }

    fn push(&mut self, other: &Self) {
        self.text.push_str(&other.text);
        self.hidden += other.hidden;
        self.imitating += other.imitating;
    }

    fn new_line(&mut self, depth: usize) {
        self.text.push('\n');
        self.text.extend(std::iter::repeat_n(INDENT, depth));
    }

    /// A JSON string with its quotes.
    fn push_literal(&mut self, literal: &str) {
        let inside = &literal[1..];
        let closed = inside.strip_suffix('"');
        let mut rest = closed.unwrap_or(inside);
        let mut units = Vec::new();
        while let Some((unit, length)) = Unit::first(rest) {
            units.push(unit);
            rest = &rest[length..];
        }
        self.text.push('"');
        self.push_units(&units);
        if closed.is_some() {
            self.text.push('"');
        }
    }

    fn push_units(&mut self, units: &[Unit<'_>]) {
        let characters: Vec<char> = units.iter().map(|unit| unit.character).collect();
        let mut marks = characters::hidden(&characters);
        words::mark_imitations(&characters, &mut marks);
        for (unit, mark) in units.iter().zip(marks) {
            let character = unit.character;
            let code = u32::from(character);
            match (unit.escape, mark) {
                // An escape shows itself; a character above U+007F that is spelled by one hides nothing.
                (Some(escape), _) => self.text.push_str(escape),
                (None, None) => self.text.push(character),
                (None, Some(Mark::Hidden)) => {
                    self.hidden += 1;
                    self.text.push_str(&format!("⟨U+{code:04X}⟩"));
                }
                (None, Some(Mark::Imitates)) => {
                    self.imitating += 1;
                    self.text.push_str(&format!("⟨U+{code:04X} {character}⟩"));
                }
            }
        }
    }
}
