//! Where a joiner or a selector makes an emoji. Anywhere else it is drawn as nothing, and can carry what nobody sees.

use unicode_properties::UnicodeEmoji;
use unicode_properties::emoji::EmojiStatus;

const EMOJI_STYLE: char = '\u{fe0f}';
const KEYCAP: char = '\u{20e3}';

/// Signs of ordinary text that Unicode counts among the emoji; nobody sees whether one has a selector.
const OF_TEXT: [char; 6] = ['©', '®', '™', '‼', '⁉', 'ℹ'];

/// Grown-ups, before what they do, have or love.
const PERSONS: &str = "👨👩🧑";
/// A family's members.
const FAMILY: &str = "👨👩👦👧🧑🧒";
/// Persons whose skin has no tone, and who are men or women all the same.
const TONELESS: &str = "👯🤼🧞🧟";
const MAN_OR_WOMAN: &str = "♀♂";
/// What a person can be joined with: an occupation, a thing, hair, another person, a heart.
const OF_A_PERSON: &str = "⚕⚖✈🌾🍳🍼🎄🎓🎤🎨🏫🏭💻💼🔧🔬🚀🚒🦯🦼🦽🦰🦱🦲🦳🩰🤝❤🐰🫯";
/// Those who go or are pushed to the right.
const GOES_RIGHT: &str = "♀♂🏃🚶🧎🦯🦼🦽";
/// The rest of the joined emoji, by what stands before the joiner and what may follow.
const PAIRS: [(&str, &str); 21] = [
    ("❤", "👨👩🧑💋🔥🩹"),
    ("💋🤝🐰🫯", PERSONS),
    ("🏳", "🌈⚧"),
    ("🏴", "☠"),
    ("👁", "🗨"),
    ("🐕", "🦺"),
    ("🐈", "⬛"),
    ("🐦", "⬛🔥"),
    ("🐻", "❄"),
    ("😶", "🌫"),
    ("😵", "💫"),
    ("😮", "💨"),
    ("🙂", "↔↕"),
    ("🍋", "🟩"),
    ("🍄", "🟫"),
    ("⛓", "💥"),
    ("👦👧🧒", "👦👧🧒"),
    (PERSONS, OF_A_PERSON),
    (PERSONS, FAMILY),
    (TONELESS, MAN_OR_WOMAN),
    (GOES_RIGHT, "➡"),
];

/// Whether a selector after `before` chooses an emoji's style. Runs of selectors are a known way to carry hidden text.
pub(super) fn takes_a_style(before: char, after: Option<char>) -> bool {
    let keycap = matches!(before, '0'..='9' | '#' | '*') && after == Some(KEYCAP);
    keycap || (is_emoji(before) && !OF_TEXT.contains(&before))
}

/// Whether a joiner between the two makes one emoji of them. What is `before` ends with the character before the joiner.
pub(super) fn are_joined(before: &[char], after: Option<char>) -> bool {
    let Some(after) = after else {
        return false;
    };
    let first = before.iter().rev().find(|c| !modifies(**c));
    let Some(first) = first.copied() else {
        return false;
    };
    let listed = PAIRS
        .iter()
        .any(|(firsts, seconds)| firsts.contains(first) && seconds.contains(after));
    listed || (has_a_tone(first) && MAN_OR_WOMAN.contains(after))
}

pub(super) fn is_emoji(character: char) -> bool {
    !character.is_ascii() && character.is_emoji_char()
}

/// A skin's tone, or the style.
fn modifies(character: char) -> bool {
    character == EMOJI_STYLE || ('\u{1f3fb}'..='\u{1f3ff}').contains(&character)
}

fn has_a_tone(character: char) -> bool {
    matches!(
        character.emoji_status(),
        EmojiStatus::EmojiModifierBase | EmojiStatus::EmojiPresentationAndModifierBase
    )
}
