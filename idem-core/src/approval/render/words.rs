//! Which letters and digits look like others. Scripts and look-alikes are those of Unicode's security report
//! (UTS 39); what is marked is what an approver's eye would take for something else.

use super::signs::mark_signs;
use super::{Mark, is_hidden};
use std::ops::Range;
use unicode_properties::{GeneralCategory, GeneralCategoryGroup, UnicodeGeneralCategory};
use unicode_script::{Script, UnicodeScript};
use unicode_security::mixed_script::AugmentedScriptSet;

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
    let betrayed = scripts_betrayed(text);
    for token in runs(text, |c| !c.is_whitespace()) {
        let around = Around {
            latin: text[token.clone()].iter().any(|c| is_latin(*c)),
            address: is_address(&text[token.clone()]),
            betrayed: &betrayed,
        };
        for word in runs(&text[token.clone()], is_of_a_word) {
            let word = token.start + word.start..token.start + word.end;
            mark_word(text, word, &around, marks);
        }
    }
    mark_signs(text, marks);
}

/// What stands around a word.
struct Around<'a> {
    /// A Latin letter in the same token.
    latin: bool,
    /// The token is an address.
    address: bool,
    /// Scripts that the text gives away.
    betrayed: &'a [Script],
}

/// Whether a token is an address: it holds an `@`, a `://` or a dot between letters.
fn is_address(token: &[char]) -> bool {
    let dotted =
        |three: &[char]| three[1] == '.' && three[0].is_alphabetic() && three[2].is_alphabetic();
    token.contains(&'@')
        || token
            .windows(3)
            .any(|three| dotted(three) || *three == [':', '/', '/'])
}

fn mark_word(text: &[char], word: Range<usize>, around: &Around<'_>, marks: &mut [Option<Mark>]) {
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
                || stands_in(character, around)
                || (is_foreign(script)
                    && looks_ascii(character)
                    && word_looks_ascii(&seen)
                    && (around.latin || !around.betrayed.contains(&script)))
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

/// A letter of no script or of Latin itself that is drawn like an ASCII one: 𝐚, ɑ, ⅼ. The dotless i is Turkish, and
/// in an address as good as never meant.
fn stands_in(character: char, around: &Around<'_>) -> bool {
    matches!(
        character.script(),
        Script::Latin | Script::Common | Script::Inherited
    ) && (character != 'ı' || around.address)
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
pub(super) fn is_wide(character: char) -> bool {
    ('\u{ff01}'..='\u{ff5e}').contains(&character)
}

/// Whether a letter that is none of ASCII's is drawn like one of them.
fn looks_ascii(character: char) -> bool {
    if character.is_ascii() {
        return false;
    }
    matches!(prototype(character), (Some(like), None) if like.is_ascii_alphanumeric())
}

/// The first two characters of what Unicode's table says that this one looks like.
pub(super) fn prototype(character: char) -> (Option<char>, Option<char>) {
    let mut buffer = [0; 4];
    let mut prototype =
        unicode_security::confusable_detection::skeleton(character.encode_utf8(&mut buffer));
    (prototype.next(), prototype.next())
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
