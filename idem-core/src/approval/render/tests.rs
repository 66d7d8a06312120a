use super::{arguments, changes, text};

fn shown(given: &str) -> String {
    text(given).text
}

#[test]
fn ordinary_text_stays_as_it_is() {
    for given in [
        "Pay 100 € to ann@example.test by 2026-03-05, “urgent” – don’t wait…",
        "Grüße aus Zürich, Łódź, Kılıç, smørrebrød, naïve façade, œuvre",
        "Привет, мир! Оплатите счёт № 7, роса и оса",
        "файл.txt и почта@example.test",
        "Γειά σου Κόσμε, η τιμή είναι 5 €",
        "Δt = 5 µm",
        "שלום עולם",
        "مرحبا بالعالم",
        "می‌خواهم بروم",
        "नमस्ते दुनिया, क्‍ष",
        "東京でTシャツを買う、ＣＴスキャン　予約",
        "你好，世界：iPhone的价格",
        "서울에서 만나요",
        "สวัสดีชาวโลก",
        "👍 👩‍💻 👨‍👩‍👧‍👦 ❤️ 🏳️‍🌈 🇩🇪 1️⃣ 👋🏽",
    ] {
        assert_eq!(shown(given), given);
        assert!(!text(given).is_marked());
    }
}

#[test]
fn trojan_source_is_seen() {
    let given = "if access != \"user\u{202e} \u{2066}// admin\u{2069} \u{2066}\"";
    let seen = text(given);
    assert_eq!(
        seen.text,
        "if access != \"user⟨U+202E⟩ ⟨U+2066⟩// admin⟨U+2069⟩ ⟨U+2066⟩\""
    );
    assert_eq!((seen.hidden, seen.imitating), (4, 0));
}

#[test]
fn zero_widths_spaces_fillers_selectors_and_tags_are_seen() {
    let cases = [
        ("pay\u{200b}pal", "pay⟨U+200B⟩pal"),
        ("pay\u{200d}pal", "pay⟨U+200D⟩pal"),
        ("pay\u{200c}pal", "pay⟨U+200C⟩pal"),
        ("ann\u{2060}@example.test", "ann⟨U+2060⟩@example.test"),
        ("\u{feff}ann", "⟨U+FEFF⟩ann"),
        ("so\u{ad}ft", "so⟨U+00AD⟩ft"),
        ("a\u{a0}b\u{2003}c", "a⟨U+00A0⟩b⟨U+2003⟩c"),
        ("a\u{2028}b", "a⟨U+2028⟩b"),
        ("a\u{3164}b\u{115f}\u{2800}", "a⟨U+3164⟩b⟨U+115F⟩⟨U+2800⟩"),
        ("a\u{fe00}b\u{e0101}", "a⟨U+FE00⟩b⟨U+E0101⟩"),
        ("👍\u{fe0f}\u{fe0f}", "👍\u{fe0f}⟨U+FE0F⟩"),
        ("ok\u{e0068}\u{e0069}", "ok⟨U+E0068⟩⟨U+E0069⟩"),
        ("👍\u{200d}x", "👍⟨U+200D⟩x"),
        ("د\u{200c}ر", "د⟨U+200C⟩ر"),
        ("\u{338}a", "⟨U+0338⟩a"),
        ("a \u{20d2}b", "a ⟨U+20D2⟩b"),
        ("\u{e000}\u{378}", "⟨U+E000⟩⟨U+0378⟩"),
    ];
    for (given, wanted) in cases {
        assert_eq!(shown(given), wanted, "{given:?}");
    }
    let heap = format!("a{}", "\u{301}".repeat(9));
    assert_eq!(text(&heap).hidden, 5);
}

#[test]
fn letters_that_imitate_are_seen() {
    let cases = [
        ("p\u{430}ypal.com", "p⟨U+0430 а⟩ypal.com"),
        ("Ив\u{61}н", "Ив⟨U+0061 a⟩н"),
        ("p\u{200b}\u{430}ypal", "p⟨U+200B⟩⟨U+0430 а⟩ypal"),
        ("g\u{3bf}\u{3bf}gle", "g⟨U+03BF ο⟩⟨U+03BF ο⟩gle"),
        ("\u{ff27}oogle", "\u{ff27}oogle"),
        ("p\u{251}ypal", "p⟨U+0251 ɑ⟩ypal"),
        ("\u{1d429}aypal", "⟨U+1D429 𝐩⟩aypal"),
        ("example.com\u{2215}pay", "example.com⟨U+2215 ∕⟩pay"),
        ("example\u{2024}com", "example⟨U+2024 ․⟩com"),
        ("1\u{966}0", "1⟨U+0966 ०⟩0"),
        ("⟨U+202E⟩", "⟨U+27E8 ⟨⟩U+202E⟨U+27E9 ⟩⟩"),
    ];
    for (given, wanted) in cases {
        assert_eq!(shown(given), wanted, "{given:?}");
    }
}

/// The domain of 2017: every letter is Cyrillic, so that no word mixes scripts.
#[test]
fn a_word_of_look_alikes_alone_is_seen_unless_its_text_gives_it_away() {
    let domain = text("https://аррӏе.com/login");
    assert_eq!(domain.imitating, 5);
    assert!(domain.text.starts_with("https://⟨U+0430 а⟩⟨U+0440 р⟩"));
    assert_eq!(text("сосо").imitating, 4);
    assert_eq!(text("роса на траве").imitating, 0);
    assert_eq!(text("роса на траве, аррӏе.com").imitating, 5);
}

#[test]
fn nothing_that_moves_a_terminal_passes() {
    for given in [
        "\u{1b}[2J\u{1b}[H",
        "\u{1b}]0;title\u{7}",
        "\u{9b}31m",
        "\u{90}q\u{9c}",
        "a\rb\nc\td\u{8}\u{7f}",
    ] {
        for seen in [text(given).text, arguments(given).text] {
            assert!(
                !seen.contains(|c: char| c.is_control() && c != '\n'),
                "{seen:?}"
            );
        }
        assert!(!shown(given).contains('\n'));
    }
}

#[test]
fn arguments_are_laid_out_and_otherwise_the_text_that_is_hashed() {
    let canonical = r#"{"a":[1,2.50,[],{}],"b":{"c":"x, {y}: \"z\"\n\u001b[2J"},"to":"pаypal"}"#;
    let seen = arguments(canonical);
    let wanted = r#"{
  "a": [
    1,
    2.50,
    [],
    {}
  ],
  "b": {
    "c": "x, {y}: \"z\"\n\u001b[2J"
  },
  "to": "p⟨U+0430 а⟩ypal"
}"#;
    assert_eq!(seen.text, wanted);
    assert_eq!((seen.hidden, seen.imitating), (0, 1));
}

#[test]
fn a_text_that_is_no_json_is_shown_as_well() {
    for given in [
        "",
        "\"open",
        "{{",
        "}}",
        "\\",
        "\"\\",
        "\"\\u12",
        "\"\\é",
        "{\u{202e}}",
    ] {
        let seen = arguments(given).text;
        assert!(!seen.contains('\u{202e}'), "{given:?}");
    }
}

#[test]
fn an_escape_is_a_letter_of_its_text() {
    assert_eq!(
        arguments("\"роса\\nоса на траве\"").text,
        "\"роса\\nоса на траве\""
    );
    assert_eq!(arguments("\"\\nаpple\"").text, "\"\\n⟨U+0430 а⟩pple\"");
}

#[test]
fn a_difference_is_named_by_its_path() {
    let found = changes(
        r#"{"amount":100,"lines":[1,2],"note":"a","to":"ann"}"#,
        r#"{"amount":90,"cc":null,"lines":[1],"to":"аnn"}"#,
    );
    let lines: Vec<_> = found
        .iter()
        .map(|change| {
            let side = |side: &Option<super::Rendered>| {
                side.as_ref().map_or("-".into(), |r| r.text.clone())
            };
            format!(
                "{} {} {}",
                change.path.text,
                side(&change.before),
                side(&change.after)
            )
        })
        .collect();
    assert_eq!(
        lines,
        [
            "/amount 100 90",
            "/lines/1 2 -",
            "/note \"a\" -",
            "/to \"ann\" \"⟨U+0430 а⟩nn\"",
            "/cc - null",
        ]
    );
    assert!(changes("{}", "{}").is_empty());
    assert_eq!(changes("{", "{}").len(), 1);
}
