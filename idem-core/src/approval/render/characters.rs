//! Which characters cannot be seen, and where one of them belongs to ordinary writing or to an emoji.

use super::Mark;
use super::emoji::{are_joined, takes_a_style};
use unicode_properties::{
    GeneralCategory, GeneralCategoryGroup, UnicodeEmoji, UnicodeGeneralCategory,
};
use unicode_script::{Script, UnicodeScript};

const NON_JOINER: char = '\u{200c}';
const JOINER: char = '\u{200d}';
const EMOJI_STYLE: char = '\u{fe0f}';
const TEXT_STYLE: char = '\u{fe0e}';

/// More marks than any language sets on one letter; a heap of them covers its neighbours.
const MARKS_ON_A_LETTER_MAX: usize = 4;

/// Letters, marks and symbols that show nothing although their category does not say so.
const BLANK: [(char, char); 10] = [
    ('\u{34f}', '\u{34f}'),     // combining grapheme joiner
    ('\u{115f}', '\u{1160}'),   // Hangul fillers
    ('\u{17b4}', '\u{17b5}'),   // Khmer inherent vowels
    ('\u{180b}', '\u{180f}'),   // Mongolian variation selectors
    ('\u{2800}', '\u{2800}'),   // Braille blank
    ('\u{3164}', '\u{3164}'),   // Hangul filler
    ('\u{fe00}', '\u{fe0f}'),   // variation selectors
    ('\u{ffa0}', '\u{ffa0}'),   // halfwidth Hangul filler
    ('\u{1d159}', '\u{1d159}'), // musical symbol null notehead
    ('\u{e0100}', '\u{e01ef}'), // variation selectors supplement
];

/// Format characters that are drawn: signs that stand before Arabic and Syriac numbers.
const DRAWN: [char; 11] = [
    '\u{600}', '\u{601}', '\u{602}', '\u{603}', '\u{604}', '\u{605}', '\u{6dd}', '\u{70f}',
    '\u{890}', '\u{891}', '\u{8e2}',
];

/// Marks that silence a vowel in the scripts of India; a joiner after one chooses the letter's form.
const VIRAMAS: [char; 10] = [
    '\u{94d}', '\u{9cd}', '\u{a4d}', '\u{acd}', '\u{b4d}', '\u{bcd}', '\u{c4d}', '\u{ccd}',
    '\u{d4d}', '\u{dca}',
];

/// Arabic letters that join nothing on their left: a non-joiner after one of them changes nothing that is seen.
const ENDS_A_JOIN: [(char, char); 12] = [
    ('\u{621}', '\u{625}'),
    ('\u{627}', '\u{627}'),
    ('\u{629}', '\u{629}'),
    ('\u{62f}', '\u{632}'),
    ('\u{648}', '\u{648}'),
    ('\u{671}', '\u{677}'),
    ('\u{688}', '\u{699}'),
    ('\u{6c0}', '\u{6c0}'),
    ('\u{6c3}', '\u{6cb}'),
    ('\u{6cd}', '\u{6cf}'),
    ('\u{6d2}', '\u{6d5}'),
    ('\u{6ee}', '\u{6ef}'),
];

/// Whether a character cannot be seen, or is no character of this Unicode version, wherever it stands. A line break
/// and a tab are; the space is not.
#[must_use]
pub fn is_hidden(character: char) -> bool {
    if character.is_ascii() {
        return character.is_ascii_control();
    }
    if is_in(&BLANK, character) {
        return true;
    }
    match character.general_category_group() {
        GeneralCategoryGroup::Separator => true,
        GeneralCategoryGroup::Other => !DRAWN.contains(&character),
        _ => false,
    }
}

/// Marks what cannot be seen in its place. What an emoji or a language needs to be written stays.
pub(super) fn hidden(text: &[char]) -> Vec<Option<Mark>> {
    let mut marks_in_a_row = 0;
    (0..text.len())
        .map(|at| {
            let character = text[at];
            let combines = is_combining(character);
            marks_in_a_row = if combines { marks_in_a_row + 1 } else { 0 };
            let heaped = marks_in_a_row > MARKS_ON_A_LETTER_MAX;
            let baseless = combines && (at == 0 || !carries_a_mark(text[at - 1]));
            let unseen = is_hidden(character) && !belongs(text, at);
            (unseen || heaped || baseless).then_some(Mark::Hidden)
        })
        .collect()
}

fn belongs(text: &[char], at: usize) -> bool {
    let before = at.checked_sub(1).map(|before| text[before]);
    let after = text.get(at + 1).copied();
    let Some(before) = before else {
        return false;
    };
    match text[at] {
        EMOJI_STYLE | TEXT_STYLE => takes_a_style(before, after),
        JOINER => are_joined(&text[..at], after) || VIRAMAS.contains(&before),
        NON_JOINER => VIRAMAS.contains(&before) || parts_arabic(before, after),
        // As wide as an ideograph, and the space of texts that are made of them.
        '\u{3000}' => matches!(
            before.script(),
            Script::Han | Script::Hiragana | Script::Katakana
        ),
        _ => false,
    }
}

/// Persian writes a word's parts unjoined; between letters that would join, the eye sees it.
fn parts_arabic(before: char, after: Option<char>) -> bool {
    let joins = |c: char| c.is_alphabetic() && c.script() == Script::Arabic;
    joins(before) && !is_in(&ENDS_A_JOIN, before) && after.is_some_and(joins)
}

fn is_combining(character: char) -> bool {
    !character.is_ascii()
        && !is_hidden(character)
        && matches!(
            character.general_category(),
            GeneralCategory::NonspacingMark | GeneralCategory::EnclosingMark
        )
}

/// A mark on a space, a quote or nothing is drawn over whatever stands there.
fn carries_a_mark(before: char) -> bool {
    let of_an_emoji = before == EMOJI_STYLE || before.is_emoji_char();
    let group = before.general_category_group();
    let carries = matches!(
        group,
        GeneralCategoryGroup::Letter | GeneralCategoryGroup::Mark | GeneralCategoryGroup::Number
    );
    of_an_emoji || carries || matches!(before, NON_JOINER | JOINER | '\u{25cc}')
}

fn is_in(ranges: &[(char, char)], character: char) -> bool {
    ranges
        .iter()
        .any(|(first, last)| (*first..=*last).contains(&character))
}
