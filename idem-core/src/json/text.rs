//! The text form of RFC 8785: key order, string escapes, the spelling of doubles.

use std::cmp::Ordering;

use super::Json;

/// Orders two keys by their UTF-16 code units, as RFC 8785 section 3.2.3 asks.
///
/// The order of UTF-8 bytes is the same but for one thing: characters above U+FFFF (lead byte from
/// 0xF0) are surrogates in UTF-16 and stand before U+E000 to U+FFFF (lead byte 0xEE or 0xEF).
pub(crate) fn compare_utf16(left: &str, right: &str) -> Ordering {
    match left
        .bytes()
        .zip(right.bytes())
        .find(|(left, right)| left != right)
    {
        None => left.len().cmp(&right.len()),
        Some((left, right)) if left.min(right) >= 0xee && (left >= 0xf0) != (right >= 0xf0) => {
            right.cmp(&left)
        }
        Some((left, right)) => left.cmp(&right),
    }
}

/// Appends `value` as compact JSON.
pub(crate) fn push_value(out: &mut String, value: &Json) {
    match value {
        Json::Null => out.push_str("null"),
        Json::Bool(true) => out.push_str("true"),
        Json::Bool(false) => out.push_str("false"),
        Json::Number(number) => out.push_str(number.as_str()),
        Json::String(text) => push_string(out, text),
        Json::Array(items) => {
            out.push('[');
            for (index, item) in items.iter().enumerate() {
                if index > 0 {
                    out.push(',');
                }
                push_value(out, item);
            }
            out.push(']');
        }
        Json::Object(members) => {
            out.push('{');
            for (index, (key, member)) in members.iter().enumerate() {
                if index > 0 {
                    out.push(',');
                }
                push_string(out, key);
                out.push(':');
                push_value(out, member);
            }
            out.push('}');
        }
    }
}

/// Appends `text` as a JSON string with no escape that RFC 8785 does not ask for.
pub(crate) fn push_string(out: &mut String, text: &str) {
    out.reserve(text.len() + 2);
    out.push('"');
    for character in text.chars() {
        match character {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\u{8}' => out.push_str("\\b"),
            '\t' => out.push_str("\\t"),
            '\n' => out.push_str("\\n"),
            '\u{c}' => out.push_str("\\f"),
            '\r' => out.push_str("\\r"),
            control @ '\0'..='\u{1f}' => {
                out.push_str(&format!("\\u{:04x}", u32::from(control)));
            }
            other => out.push(other),
        }
    }
    out.push('"');
}

/// The ECMAScript spelling of a double; nothing for NaN and the infinities. Negative zero is `0`.
pub(crate) fn double_text(value: f64) -> Option<String> {
    value
        .is_finite()
        .then(|| ryu_js::Buffer::new().format_finite(value).to_owned())
}

/// The same for a single: the shortest digits that name this `f32`, so that 0.1 stays `0.1`.
pub(crate) fn single_text(value: f32) -> Option<String> {
    value
        .is_finite()
        .then(|| ryu_js::Buffer::new().format_finite(value).to_owned())
}

/// The word for a float that JSON cannot hold.
pub(crate) fn not_finite_word(is_nan: bool, is_negative: bool) -> &'static str {
    match (is_nan, is_negative) {
        (true, _) => "NaN",
        (false, true) => "-infinity",
        (false, false) => "infinity",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn string(text: &str) -> String {
        let mut out = String::new();
        push_string(&mut out, text);
        out
    }

    #[test]
    fn only_the_escapes_of_the_rfc_are_written() {
        assert_eq!(string("\u{8}\t\n\u{c}\r\"\\"), r#""\b\t\n\f\r\"\\""#);
        assert_eq!(string("\0\u{b}\u{1f}"), r#""\u0000\u000b\u001f""#);
        assert_eq!(
            string("/\u{7f}\u{2028}é\u{1f600}"),
            "\"/\u{7f}\u{2028}é\u{1f600}\""
        );
    }

    #[test]
    fn keys_are_compared_as_utf16_would_be() {
        let characters = [
            "",
            "a",
            "b",
            "\u{7f}",
            "\u{80}",
            "\u{7ff}",
            "\u{800}",
            "\u{d7ff}",
            "\u{e000}",
            "\u{efff}",
            "\u{f000}",
            "\u{ffff}",
            "\u{10000}",
            "\u{1f600}",
            "\u{10ffff}",
        ];
        let pairs = || {
            characters
                .iter()
                .flat_map(|a| characters.iter().map(move |b| (a, b)))
        };
        let texts: Vec<String> = pairs()
            .map(|(first, second)| format!("{first}{second}"))
            .collect();
        for left in &texts {
            for right in &texts {
                let expected = left.encode_utf16().cmp(right.encode_utf16());
                assert_eq!(compare_utf16(left, right), expected, "{left:?} {right:?}");
            }
        }
    }

    #[test]
    fn doubles_are_spelled_as_ecmascript_spells_them() {
        let cases = [
            (1.0, "1"),
            (-0.0, "0"),
            (0.1, "0.1"),
            (1e20, "100000000000000000000"),
            (1e21, "1e+21"),
            (1e-6, "0.000001"),
            (1e-7, "1e-7"),
            (5e-324, "5e-324"),
            (f64::MAX, "1.7976931348623157e+308"),
            (333_333_333.333_333_3, "333333333.3333333"),
        ];
        for (value, text) in cases {
            assert_eq!(double_text(value).as_deref(), Some(text));
        }
        assert_eq!(double_text(f64::NAN), None);
        assert_eq!(double_text(f64::NEG_INFINITY), None);
        assert_eq!(single_text(0.1).as_deref(), Some("0.1"));
        assert_eq!(single_text(-0.0).as_deref(), Some("0"));
        assert_eq!(single_text(f32::INFINITY), None);
    }
}
