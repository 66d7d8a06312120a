//! Which letters, digits and signs look like others. Scripts and look-alikes are those of Unicode's security report
//! (UTS 39); what is marked is what an approver's eye would take for something else.

use super::{Mark, is_hidden};
use std::ops::Range;
use unicode_properties::{GeneralCategory, GeneralCategoryGroup, UnicodeGeneralCategory};
use unicode_script::{Script, UnicodeScript};
use unicode_security::mixed_script::AugmentedScriptSet;

/// Signs that are drawn like the `/`, `.`, `:` and `"` that addresses and JSON are made of, and this module's brackets.
const SIGNS: [char; 17] = [
    '\u{2044}', '\u{2215}', '\u{29f8}', '\u{2571}', '\u{2024}', '\u{a4f8}', '\u{fe52}', '\u{a789}',
    '\u{2236}', '\u{2d0}', '\u{5c3}', '\u{2ba}', '\u{2ee}', '\u{2033}', '\u{201f}', '\u{27e8}',
    '\u{27e9}',
];

/// Scripts that are written beside Latin in one word every day, and whose letters look like none of its.
const BESIDE_LATIN: [Script; 5] = [
    Script::Han,
    Script::Hiragana,
    Script::Katakana,
    Script::Bopomofo,
    Script::Hangul,
];

/// Marks what imitates. What is marked as hidden already is passed over, so that it parts no word.
pub(super) fn mark_imitations(text: &[char], marks: &mut [Option<Mark>]) {
    if text.iter().all(char::is_ascii) {
        return;
    }
    for (at, character) in text.iter().enumerate() {
        if SIGNS.contains(character) {
            marks[at] = Some(Mark::Imitates);
        }
    }
    let betrayed = scripts_betrayed(text);
    for token in runs(text, |c| !c.is_whitespace()) {
        let has_latin = text[token.clone()].iter().any(|c| is_latin(*c));
        for word in runs(&text[token.clone()], is_of_a_word) {
            let word = token.start + word.start..token.start + word.end;
            mark_word(text, word, has_latin, &betrayed, marks);
        }
    }
}

fn mark_word(
    text: &[char],
    word: Range<usize>,
    beside_latin: bool,
    betrayed: &[Script],
    marks: &mut [Option<Mark>],
) {
    let letters = &text[word.clone()];
    if letters.iter().all(char::is_ascii) {
        return;
    }
    let seen: String = letters.iter().filter(|c| !is_hidden(**c)).collect();
    let main = AugmentedScriptSet::for_str(&seen)
        .is_empty()
        .then(|| main_script(&seen));
    let ascii_digits = letters.iter().any(char::is_ascii_alphanumeric);
    for at in word {
        let character = text[at];
        let imitates = if character.is_alphabetic() {
            let script = character.script();
            main.is_some_and(|main| strays(character, main))
                || stands_in(character)
                || (is_foreign(script)
                    && looks_ascii(character)
                    && word_looks_ascii(&seen)
                    && (beside_latin || !betrayed.contains(&script)))
        } else {
            let digit = character.general_category() == GeneralCategory::DecimalNumber;
            digit && ascii_digits && !character.is_ascii() && !is_wide(character)
        };
        if imitates && marks[at].is_none() {
            marks[at] = Some(Mark::Imitates);
        }
    }
}

/// A letter of another script than its word's own. Greek letters that look like none of Latin's stay: Δt, μm.
fn strays(character: char, main: Script) -> bool {
    let script = character.script();
    let everyday = |script| script == Script::Latin || BESIDE_LATIN.contains(&script);
    match script {
        Script::Common | Script::Inherited => false,
        _ if script == main || (everyday(script) && everyday(main)) => false,
        Script::Greek => looks_ascii(character),
        _ => true,
    }
}

/// A letter of no script or of Latin itself that is drawn like an ASCII one: 𝐚, ɑ, ⅼ. The dotless i is Turkish.
fn stands_in(character: char) -> bool {
    matches!(
        character.script(),
        Script::Latin | Script::Common | Script::Inherited
    ) && character != 'ı'
        && !is_wide(character)
        && looks_ascii(character)
}

fn is_foreign(script: Script) -> bool {
    !matches!(script, Script::Latin | Script::Common | Script::Inherited)
}

fn is_latin(character: char) -> bool {
    character.is_alphabetic() && character.script() == Script::Latin
}

/// Full-width forms are twice as wide as what they resemble, and ordinary in Japanese.
fn is_wide(character: char) -> bool {
    ('\u{ff01}'..='\u{ff5e}').contains(&character)
}

/// Whether a letter that is none of ASCII's is drawn like one of them.
fn looks_ascii(character: char) -> bool {
    if character.is_ascii() {
        return false;
    }
    let mut buffer = [0; 4];
    let mut prototype =
        unicode_security::confusable_detection::skeleton(character.encode_utf8(&mut buffer));
    let first = prototype.next();
    prototype.next().is_none() && first.is_some_and(|c| c.is_ascii_alphanumeric())
}

fn word_looks_ascii(word: &str) -> bool {
    word.chars()
        .filter(|c| c.is_alphabetic())
        .all(|c| c.is_ascii() || looks_ascii(c))
}

/// Scripts of which the text holds a letter that looks like no ASCII one: a reader sees in which script it is written.
fn scripts_betrayed(text: &[char]) -> Vec<Script> {
    let mut betrayed = Vec::new();
    for character in text.iter().filter(|c| c.is_alphabetic()) {
        let script = character.script();
        if is_foreign(script) && !betrayed.contains(&script) && !looks_ascii(*character) {
            betrayed.push(script);
        }
    }
    betrayed
}

/// The script of most letters of a word, Latin where there are as many.
fn main_script(word: &str) -> Script {
    let mut counts: Vec<(Script, usize)> = vec![(Script::Latin, 0)];
    for character in word.chars().filter(|c| c.is_alphabetic()) {
        let script = character.script();
        match counts.iter_mut().find(|(known, _)| *known == script) {
            Some((_, count)) => *count += 1,
            None => counts.push((script, 1)),
        }
    }
    let mut main = (Script::Latin, 0);
    for (script, count) in counts {
        if count > main.1 && (is_foreign(script) || script == Script::Latin) {
            main = (script, count);
        }
    }
    main.0
}

fn is_of_a_word(character: char) -> bool {
    let unseen = is_hidden(character) && !character.is_whitespace();
    let mark = character.general_category_group() == GeneralCategoryGroup::Mark;
    character.is_alphanumeric() || mark || unseen
}

/// The runs of characters that are of a kind.
fn runs(text: &[char], of_it: impl Fn(char) -> bool) -> Vec<Range<usize>> {
    let mut runs: Vec<Range<usize>> = Vec::new();
    for at in (0..text.len()).filter(|at| of_it(text[*at])) {
        match runs.last_mut() {
            Some(run) if run.end == at => run.end = at + 1,
            _ => runs.push(at..at + 1),
        }
    }
    runs
}
