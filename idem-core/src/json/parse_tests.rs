//! What the reader accepts and refuses, and how it says so.

use super::{Json, JsonProblem, Limits};

fn text(json: &str) -> String {
    Json::parse(json, Limits::ARGUMENTS)
        .map(|value| value.to_text())
        .unwrap()
}

fn refusal(json: &str) -> String {
    Json::parse(json, Limits::ARGUMENTS)
        .map(|value| value.to_text())
        .unwrap_err()
        .to_string()
}

#[test]
fn every_kind_of_value_is_read() {
    assert_eq!(
        text(" \t\r\n[null, true,false ,1.50,\"a\",{},[]] "),
        r#"[null,true,false,1.5,"a",{},[]]"#
    );
    assert_eq!(
        text(r#"{"b":{"d":1,"c":2},"a":[]}"#),
        r#"{"a":[],"b":{"c":2,"d":1}}"#
    );
    assert_eq!(
        text(r#""\"\\\/\b\f\n\r\t\u00e9\uD83D\uDE00\u0000""#),
        "\"\\\"\\\\/\\b\\f\\n\\r\\té😀\\u0000\""
    );
    assert_eq!(text("\"\u{7f}\u{10ffff}\""), "\"\u{7f}\u{10ffff}\"");
}

#[test]
fn a_key_twice_is_refused_at_every_level() {
    let plain = r#"{"to":"ann@example.test","amount":1,"amount":9000}"#;
    let expected = "the key \"amount\" stands twice in one object at $.amount";
    assert_eq!(refusal(plain), format!("{expected} (line 1, column 37)"));
    let escaped = r#"{"amount":1,"\u0061mount":9000}"#;
    assert!(refusal(escaped).starts_with(expected));
    let nested = r#"{"items":[0,{"a b":1,"a b":2}]}"#;
    assert!(
        refusal(nested).contains("at $.items[1][\"a b\"]"),
        "{}",
        refusal(nested)
    );
}

#[test]
fn errors_say_where_and_what_was_expected() {
    assert_eq!(
        refusal(""),
        "expected a value, found the end of the text at $ (line 1, column 1)"
    );
    assert_eq!(
        refusal("{\"items\":[1,\n {\"é\": x}]}"),
        "expected a value, found 'x' at $.items[1][\"é\"] (line 2, column 8)"
    );
    assert!(refusal("[1 2]").starts_with("expected `,` or `]`, found '2' at $ "));
    assert!(refusal("{\"a\":1 \"b\"").starts_with("expected `,` or `}`"));
    assert!(refusal("{\"a\" 1}").starts_with("expected `:`, found '1' at $.a"));
    assert!(refusal("{a:1}").starts_with("expected a key in double quotes, found 'a'"));
    assert!(refusal("[1,]").starts_with("expected a value, found ']' at $[1]"));
    assert!(refusal("{\"a\":1,}").starts_with("expected a key in double quotes"));
    assert!(refusal("[").starts_with("expected a value, found the end of the text"));
    assert!(refusal("\"abc").starts_with("expected the end of the string"));
    assert!(refusal("{\"a\":1e400}").starts_with("a number is out of range"));
}

#[test]
fn what_is_not_strict_json_is_refused() {
    let lenient = [
        "NaN",
        "Infinity",
        "-Infinity",
        "nul",
        "True",
        "'a'",
        "01",
        "+1",
        "1.",
        ".5",
    ];
    let comments = [
        "[1]//",
        "/**/1",
        "[1] x",
        "1 2",
        "\u{feff}1",
        "\u{a0}1",
        "[1]]",
        "undefined",
    ];
    for json in lenient.iter().chain(&comments) {
        assert!(Json::parse(json, Limits::ARGUMENTS).is_err(), "{json}");
    }
}

#[test]
fn strings_are_strict() {
    for json in [
        r#""\ud800""#,
        r#""\ud800x""#,
        r#""\ud800\u0041""#,
        r#""\udc00\ud800""#,
        r#""\udc00""#,
    ] {
        assert!(refusal(json).contains("lone surrogate"), "{json}");
    }
    for json in ["\"a\nb\"", "\"\u{0}\"", "\"\u{1f}\""] {
        assert!(refusal(json).contains("raw control character"), "{json:?}");
    }
    for json in [
        r#""\x41""#,
        r#""\u12""#,
        r#""\u+123""#,
        r#""\u00g0""#,
        r#""\u12é""#,
    ] {
        assert!(refusal(json).contains("unknown escape"), "{json}");
    }
    assert!(refusal(r#"{"\ud800":1}"#).contains("lone surrogate"));
}

#[test]
fn bytes_must_be_utf8() {
    let error = Json::parse_bytes(b"[\"a\n\xff\"]", Limits::ARGUMENTS).unwrap_err();
    assert_eq!(
        (error.problem, error.line, error.column),
        (JsonProblem::NotUtf8, 2, 1)
    );
    assert_eq!(
        Json::parse_bytes("\"é\"".as_bytes(), Limits::ARGUMENTS),
        Ok(Json::from("é"))
    );
}

#[test]
fn depth_is_bounded() {
    let nested = |depth: usize| format!("{}{}", "[".repeat(depth), "]".repeat(depth));
    assert!(Json::parse(&nested(64), Limits::ARGUMENTS).is_ok());
    let error = Json::parse(&nested(65), Limits::ARGUMENTS).unwrap_err();
    assert_eq!(error.problem, JsonProblem::TooDeep { max: 64 });
    assert!(Json::parse(&nested(128), Limits::ANSWER).is_ok());
    assert!(Json::parse(&"[".repeat(200_000), Limits::ARGUMENTS).is_err());
    // Siblings do not add up.
    assert!(
        Json::parse(
            &format!("[{}]", vec!["[]"; 100].join(",")),
            Limits::ARGUMENTS
        )
        .is_ok()
    );
}

#[test]
fn size_is_bounded() {
    let max = Limits::ARGUMENTS.bytes;
    let string = |length: usize| format!("\"{}\"", "a".repeat(length - 2));
    assert!(Json::parse(&string(max), Limits::ARGUMENTS).is_ok());
    let error = Json::parse_bytes(string(max + 1).as_bytes(), Limits::ARGUMENTS).unwrap_err();
    assert_eq!(
        error.problem,
        JsonProblem::TooLarge {
            bytes: max + 1,
            max
        }
    );
}

#[test]
fn errors_never_show_a_value() {
    let secrets = [
        r#"{"card":"4111-secret\x"}"#,
        r#"{"card":"4111-secret" "x"}"#,
        "{\"card\":\"4111-secret\n\"}",
        r#"{"card":"4111-secret\ud800"}"#,
        r#"{"card":"4111-secret","card":"4111-secret"}"#,
    ];
    for json in secrets {
        assert!(!refusal(json).contains("4111"), "{}", refusal(json));
        assert!(refusal(json).contains("card") || refusal(json).contains("expected `,`"));
    }
    let long_key = format!("{{\"{0}\":1,\"{0}\":1}}", "k".repeat(10_000));
    assert!(refusal(&long_key).len() < 300);
}

#[test]
fn many_keys_in_the_worst_order_are_read_in_time() {
    // An object that was kept as a sorted list would move half of it for every key.
    let members: Vec<String> = (0..100_000)
        .rev()
        .map(|n| format!("\"{n:06}\":0"))
        .collect();
    let value = Json::parse(&format!("{{{}}}", members.join(",")), Limits::ANSWER).unwrap();
    assert_eq!(value.as_object().map(super::Map::len), Some(100_000));
}
