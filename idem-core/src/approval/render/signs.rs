//! Which signs look like the signs that addresses, numbers and JSON are made of: `;` for ;, ‐ for -, ∕ for /.

use super::words::{is_wide, prototype};
use super::{Mark, is_hidden};
use unicode_properties::{GeneralCategoryGroup, UnicodeEmoji, UnicodeGeneralCategory};
use unicode_script::{Script, UnicodeScript};

/// Marked wherever they stand: this module's brackets, and a letter of Lisu that is drawn as a full stop.
const ALWAYS: [char; 3] = ['\u{27e8}', '\u{27e9}', '\u{a4f8}'];

/// The quotes, the apostrophe and the dash of ordinary prose. They look like `'`, `"` and `-`, and everybody knows it.
const OF_PROSE: [char; 5] = ['‘', '’', '“', '”', '–'];

/// Opened before a word and closed after it; within a word one is a `,`, a `<` or a `>`.
const QUOTES: [char; 3] = ['‚', '‹', '›'];

/// Signs that are written before or beside a word by everybody, and look like a letter only within one.
const BESIDE_A_WORD: [char; 2] = ['¡', '×'];

/// What a sign could be taken for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Likeness {
    /// A sign of ASCII.
    Sign,
    /// A hyphen, which says something only where it joins.
    Hyphen,
    /// A letter or a digit of ASCII.
    Letter,
}

/// Marks the signs that imitate.
pub(super) fn mark_signs(text: &[char], marks: &mut [Option<Mark>]) {
    for (at, mark) in marks.iter_mut().enumerate() {
        if mark.is_none() && imitates(text, at) {
            *mark = Some(Mark::Imitates);
        }
    }
}

fn imitates(text: &[char], at: usize) -> bool {
    let sign = text[at];
    if sign.is_ascii() || is_wide(sign) || OF_PROSE.contains(&sign) {
        return false;
    }
    if ALWAYS.contains(&sign) {
        return true;
    }
    let Some(likeness) = likeness(sign) else {
        return false;
    };
    let before = at.checked_sub(1).map(|before| text[before]);
    let after = text.get(at + 1).copied();
    let touches = |of: fn(char) -> bool| [before, after].map(|c| c.is_some_and(of));
    if sign.is_alphabetic() {
        // What one of them is drawn like in a word of its own script, nobody asks.
        let of_no_script = matches!(
            sign.script(),
            Script::Latin | Script::Common | Script::Inherited
        );
        let among_ascii = touches(|c| c.is_ascii_alphanumeric()).contains(&true);
        return likeness == Likeness::Sign && (of_no_script || among_ascii);
    }
    let joins = touches(char::is_alphanumeric) == [true, true];
    let in_a_word = touches(char::is_alphabetic);
    match likeness {
        _ if is_of_the_script_around(text, at) => false,
        _ if QUOTES.contains(&sign) || sign.is_emoji_char() => joins,
        Likeness::Sign => true,
        Likeness::Hyphen => joins,
        Likeness::Letter if BESIDE_A_WORD.contains(&sign) => in_a_word == [true, true],
        Likeness::Letter => in_a_word.contains(&true),
    }
}

/// What Unicode's table says that a sign, or a letter that is drawn as a sign, looks like. The table writes `|` as `l`
/// and `"` as two of `'`.
fn likeness(character: char) -> Option<Likeness> {
    let (first, second) = prototype(character);
    let is_sign = match character.general_category_group() {
        GeneralCategoryGroup::Punctuation | GeneralCategoryGroup::Symbol => true,
        GeneralCategoryGroup::Letter => false,
        _ => return None,
    };
    match (first?, second) {
        ('\'', Some('\'')) => Some(Likeness::Sign),
        (_, Some(_)) => None,
        ('-', None) if is_sign => Some(Likeness::Hyphen),
        ('l', None) if is_sign => Some(Likeness::Sign),
        (like, None) if like.is_ascii_punctuation() => Some(Likeness::Sign),
        (like, None) if is_sign && like.is_ascii_alphanumeric() => Some(Likeness::Letter),
        _ => None,
    }
}

/// Whether a sign belongs to a script, and the text before it, else the text after it, is written in that one: the
/// Armenian full stop after an Armenian word.
fn is_of_the_script_around(text: &[char], at: usize) -> bool {
    let own = text[at].script_extension();
    if own.is_common() || own.is_inherited() {
        return false;
    }
    let says_a_script = |c: &&char| {
        let around = c.script_extension();
        c.is_alphanumeric() && !is_hidden(**c) && (c.is_ascii_alphabetic() || !around.is_common())
    };
    let before = text[..at].iter().rev().find(says_a_script);
    let around = before.or_else(|| text[at + 1..].iter().find(says_a_script));
    around.is_some_and(|c| !c.script_extension().intersection(own).is_empty())
}
