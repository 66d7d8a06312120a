//! How things are written down for a person and for a program.

use idem_core::approval::render;
use idem_core::json::{Json, Map};
use std::fmt::Write as _;
use std::time::Duration;
use time::OffsetDateTime;
use time::format_description::well_known::Rfc3339;
use time::macros::format_description;

const MINUTE: u64 = 60;
const HOUR: u64 = 60 * MINUTE;
const DAY: u64 = 24 * HOUR;

/// A text from elsewhere, safe on a terminal.
pub(super) fn safe(text: &str) -> String {
    render::text(text).text
}

/// An instant for a person, to the second.
pub(super) fn instant(at: OffsetDateTime) -> String {
    let form = format_description!("[year]-[month]-[day] [hour]:[minute]:[second] UTC");
    at.to_offset(time::UtcOffset::UTC)
        .format(form)
        .unwrap_or_else(|_| at.unix_timestamp().to_string())
}

/// An instant for a program, RFC 3339.
pub(super) fn json_instant(at: OffsetDateTime) -> Json {
    let text = at.to_offset(time::UtcOffset::UTC).format(&Rfc3339);
    text.map_or(Json::Null, Json::from)
}

/// How long it is from one instant to another, in the largest unit that says something; nothing where it is over.
pub(super) fn span(from: OffsetDateTime, to: OffsetDateTime) -> String {
    length(Duration::try_from(to - from).unwrap_or_default())
}

/// A length of time in its two largest units.
pub(super) fn length(duration: Duration) -> String {
    let seconds = duration.as_secs();
    let (large, small) = match seconds {
        0..MINUTE => return format!("{seconds} s"),
        MINUTE..HOUR => return format!("{} min", seconds / MINUTE),
        HOUR..DAY => (
            format!("{} h", seconds / HOUR),
            (seconds % HOUR / MINUTE, "min"),
        ),
        _ => (format!("{} d", seconds / DAY), (seconds % DAY / HOUR, "h")),
    };
    match small {
        (0, _) => large,
        (small, unit) => format!("{large} {small} {unit}"),
    }
}

/// Reads an age: a number and s, m, h or d.
pub(super) fn duration(text: &str) -> Result<Duration, String> {
    let wrong = || format!("`{text}` is no age: write 90s, 15m, 1h or 2d");
    let digits = text.len() - text.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let number: u64 = text[..digits].parse().map_err(|_| wrong())?;
    let unit = match &text[digits..] {
        "s" => 1,
        "m" => MINUTE,
        "h" => HOUR,
        "d" => DAY,
        _ => return Err(wrong()),
    };
    number
        .checked_mul(unit)
        // Instants reach some thousand years back.
        .filter(|seconds| *seconds <= 1000 * 365 * DAY)
        .map(Duration::from_secs)
        .ok_or_else(wrong)
}

/// Rows in columns under a head; the last column is not padded. Cells are safe already.
pub(super) fn table(head: &[&str], rows: &[Vec<String>]) -> String {
    let head: Vec<String> = head.iter().map(|&title| title.to_owned()).collect();
    let mut widths: Vec<usize> = head.iter().map(|cell| cell.chars().count()).collect();
    for row in rows {
        for (width, cell) in widths.iter_mut().zip(row) {
            *width = (*width).max(cell.chars().count());
        }
    }
    let mut out = String::new();
    for row in std::iter::once(&head).chain(rows) {
        let mut line = String::new();
        for (cell, width) in row.iter().zip(&widths) {
            let _ = write!(line, "{cell:<width$}  ");
        }
        out.push_str(line.trim_end());
        out.push('\n');
    }
    out
}

/// Named facts, one a line, indented.
pub(super) fn facts(facts: &[(&str, String)]) -> String {
    let width = facts.iter().map(|(name, _)| name.len()).max().unwrap_or(0);
    let mut out = String::new();
    for (name, value) in facts {
        let _ = writeln!(out, "  {name:<width$}  {value}");
    }
    out
}

/// A text with each line indented.
pub(super) fn indented(text: &str) -> String {
    text.lines().map(|line| format!("    {line}\n")).collect()
}

/// An object of named members.
pub(super) fn object<const N: usize>(members: [(&str, Json); N]) -> Json {
    let mut map = Map::new();
    for (name, value) in members {
        map.insert(name, value);
    }
    Json::Object(map)
}

/// A value or null.
pub(super) fn maybe<T: Into<Json>>(value: Option<T>) -> Json {
    value.map_or(Json::Null, Into::into)
}

/// One document for a program. Characters that cannot be seen are written as escapes, which a reader of JSON takes for
/// the same text and a terminal does not obey.
pub(super) fn document(json: &Json) -> String {
    let mut out = String::new();
    for character in json.to_text().chars() {
        if render::is_hidden(character) {
            let mut units = [0; 2];
            for unit in character.encode_utf16(&mut units) {
                let _ = write!(out, "\\u{unit:04x}");
            }
        } else {
            out.push(character);
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_age_is_a_number_and_a_unit() {
        assert_eq!(duration("90s"), Ok(Duration::from_secs(90)));
        assert_eq!(duration("2d"), Ok(Duration::from_secs(2 * DAY)));
        for text in [
            "",
            "h",
            "1",
            "-1h",
            "1 h",
            "1y",
            "99999999999999999999s",
            "9999999999d",
        ] {
            assert!(duration(text).is_err(), "{text}");
        }
    }

    #[test]
    fn a_length_is_said_in_its_largest_units() {
        let said = |seconds| length(Duration::from_secs(seconds));
        assert_eq!(said(59), "59 s");
        assert_eq!(said(61), "1 min");
        assert_eq!(said(HOUR + 61), "1 h 1 min");
        assert_eq!(said(7 * DAY), "7 d");
    }

    #[test]
    fn a_document_holds_no_escape_sequence_and_the_same_text() {
        let given = object([("a", Json::from("\u{1b}[2J\u{9b}31m\u{202e}\u{e0041}é"))]);
        let text = document(&given);
        assert!(text.chars().all(|c| !render::is_hidden(c)), "{text:?}");
        assert_eq!(text.parse::<Json>().unwrap(), given);
    }
}
