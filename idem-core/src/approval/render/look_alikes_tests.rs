//! Signs that look like those of addresses and of JSON, and what joins emoji.

use super::{arguments, text};

fn shown(given: &str) -> String {
    text(given).text
}

#[test]
fn a_sign_that_looks_like_one_of_ascii_is_seen() {
    for sign in [
        '\u{37e}', '\u{1fef}', '\u{2010}', '\u{2011}', '\u{2212}', '\u{2216}', '\u{2223}',
        '\u{2217}', '\u{201a}', '\u{2bc}', '\u{1c3}', '\u{5f4}', '\u{589}', '\u{66b}', '\u{223c}',
        '\u{2024}', '\u{2044}', '\u{2215}', '\u{2236}', '\u{a4f8}', '\u{2039}', '\u{30ce}',
        '\u{2d0}', '\u{2ba}', '\u{2ee}', '\u{5c3}', '\u{2033}', '\u{201f}', '\u{a789}', '\u{27e8}',
        '\u{fe52}', '\u{29f8}', '\u{2571}', '\u{237a}', '\u{d7}', '\u{a1}', '\u{2796}',
    ] {
        let code = u32::from(sign);
        let wanted = format!("a⟨U+{code:04X} {sign}⟩b.example");
        assert_eq!(shown(&format!("a{sign}b.example")), wanted);
    }
    assert_eq!(shown("10\u{2212}5"), "10⟨U+2212 −⟩5");
    assert_eq!(shown("\u{237a}pple"), "⟨U+237A ⍺⟩pple");
}

#[test]
fn signs_of_prose_and_of_other_scripts_stay() {
    for given in [
        "“Don’t”, she said – ‘no’ – and left… „So?“ ‚so‘ «so» ‹so›",
        "¡Hola! ¿Qué tal? 3 × 4, 3×4, −5 °C, 10 − 5",
        "A ∪ B, p ∨ q, ⊤",
        "Բարեւ։ Երեւան։",
        "٣٫٥ كيلو؍",
        "צה״ל, ג׳ורג׳, בראשית׃",
        "नमस्ते। दुनिया।",
        "コノ本、〔注〕、１〜２、こと〜",
        "丶と丿",
        "一 十 ー",
        "➕ 👍 ➖",
    ] {
        assert_eq!(shown(given), given);
    }
}

/// The full stop of a script says nothing about the address before which it stands.
#[test]
fn a_sign_of_a_script_is_seen_beside_another_one() {
    assert_eq!(shown("Բարեւ http\u{589}//x"), "Բարեւ http⟨U+0589 ։⟩//x");
    assert_eq!(shown("https\u{5c3}//x"), "https⟨U+05C3 ׃⟩//x");
}

#[test]
fn a_dotless_i_is_seen_in_an_address_and_nowhere_else() {
    assert_eq!(
        shown("bılling@example.test"),
        "b⟨U+0131 ı⟩lling@example.test"
    );
    assert_eq!(shown("https://bılling"), "https://b⟨U+0131 ı⟩lling");
    assert_eq!(shown("example.tıld"), "example.t⟨U+0131 ı⟩ld");
    for prose in ["Kılıç", "yapıldı.", "3.5 kısım", "kısım: a/b"] {
        assert_eq!(shown(prose), prose);
    }
}

#[test]
fn a_note_head_that_draws_nothing_is_seen() {
    assert_eq!(shown("a\u{1d159}b"), "a⟨U+1D159⟩b");
}

/// Each is one emoji in Unicode's list of joined ones.
#[test]
fn joined_emoji_stay() {
    for given in [
        "👩‍💻 👨🏽‍🚀 🧑‍🎄 👨‍👩‍👧‍👦 👩‍❤️‍👨 👩‍❤️‍💋‍👨 🧑🏻‍🤝‍🧑🏿 🧑‍🧑‍🧒‍🧒 👨‍🦰 👩🏾‍🦽‍➡️",
        "🏳️‍🌈 🏳️‍⚧️ 🏴‍☠️ 👁️‍🗨️ 🐕‍🦺 🐈‍⬛ 🐦‍⬛ 🐦‍🔥 🐻‍❄️ 😶‍🌫️ 😵‍💫 😮‍💨 🙂‍↔️ 🍋‍🟩 🍄‍🟫 ⛓️‍💥 ❤️‍🔥 ❤️‍🩹",
        "🏃🏽‍♀️‍➡️ 🚶‍➡️ 🧎‍♂️ 👮🏿‍♀️ 👯‍♂️ 🧟‍♀️ 🤼‍♂️ 🕵️‍♀️ ⛹️‍♀️ 🏋🏽‍♂️ 👩‍⚕️ 👨‍✈️",
        "❤️ ☎︎ 1️⃣ #️⃣ ✔️",
    ] {
        assert_eq!(shown(given), given);
    }
}

#[test]
fn joiners_and_selectors_that_make_no_emoji_are_seen() {
    let cases = [
        ("🙂\u{200d}🙂", "🙂⟨U+200D⟩🙂"),
        ("©\u{200d}©", "©⟨U+200D⟩©"),
        ("👍\u{200d}👎", "👍⟨U+200D⟩👎"),
        ("👩\u{200d}", "👩⟨U+200D⟩"),
        ("👩\u{200d}\u{200d}💻", "👩⟨U+200D⟩⟨U+200D⟩💻"),
        ("a™\u{fe0f}b", "a™⟨U+FE0F⟩b"),
        ("‼\u{fe0e}", "‼⟨U+FE0E⟩"),
        ("a\u{fe0f}", "a⟨U+FE0F⟩"),
    ];
    for (given, wanted) in cases {
        assert_eq!(shown(given), wanted, "{given:?}");
    }
}

/// What a person wrote into a file, with its line breaks: they hide nothing.
#[test]
fn the_space_between_the_tokens_of_json_is_laid_out_anew() {
    let pretty = "{\n  \"a\": [\n\t1,\r\n    true ],\n  \"to\": \"x y\"\n}\n";
    let seen = arguments(pretty);
    assert_eq!(
        seen.text,
        "{\n  \"a\": [\n    1,\n    true\n  ],\n  \"to\": \"x y\"\n}"
    );
    assert!(!seen.is_marked());
    assert_eq!(
        arguments("{\"a\":\u{a0}1}").text,
        "{\n  \"a\": ⟨U+00A0⟩1\n}"
    );
}
