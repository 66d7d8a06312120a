//! A call as a model would propose it again: the same in other letters.

use idem_tools::Json;
use idem_tools::plane::json::Limits;

/// A small generator of its own, so that a failure comes again.
pub(crate) struct Chance(u64);

impl Chance {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1)
    }

    fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 >> 20).unwrap_or(0) % bound
    }

    fn one<'t>(&mut self, options: &[&'t str]) -> &'t str {
        options[self.below(options.len())]
    }
}

/// The arguments of `trip.rs`, spelled anew: in key order, white space, escapes and the spelling of numbers; with defaults
/// that are written or left out; in whatever the policies make one; and with other prose.
pub(crate) fn respelled(arguments: &str, chance: &mut Chance) -> String {
    let json = Json::parse(arguments, Limits::ARGUMENTS).expect("arguments");
    let Json::Object(members) = &json else {
        panic!("arguments are an object")
    };
    let mut spelled = Vec::new();
    for (name, value) in members {
        let text = match (name, value) {
            ("copies" | "mode" | "link" | "opens" | "home", _) if is_default(name, value) => {
                continue;
            }
            ("note", _) => string("other words", chance),
            ("email" | "sku", Json::String(text)) => string(&padded(text, chance), chance),
            ("body", Json::String(text)) => {
                let end = chance.one(&["\n", "\r\n", "\r"]);
                string(&text.replace('\n', end), chance)
            }
            ("id", Json::String(text)) => string(&text.to_uppercase().replace('-', ""), chance),
            ("price", Json::String(text)) if text.contains('.') => {
                string(&format!("{text}00"), chance)
            }
            ("lines", Json::Array(lines)) => {
                let lines: Vec<String> = lines.iter().map(|line| line_of(line, chance)).collect();
                joined(&lines, ["[", "]"], chance)
            }
            _ => value_of(value, chance),
        };
        spelled.push((name.to_owned(), text));
    }
    for (name, default) in [
        ("copies", "0"),
        ("mode", "\"USUAL\\n\""),
        ("link", "null"),
        ("opens", "null"),
    ] {
        if chance.below(2) == 0 {
            spelled.push((name.to_owned(), default.to_owned()));
        }
    }
    object(spelled, chance)
}

fn is_default(name: &str, value: &Json) -> bool {
    match name {
        "copies" => value.as_u64() == Some(0),
        "mode" => value
            .as_str()
            .is_some_and(|mode| mode.trim().to_lowercase() == "usual"),
        _ => value.is_null(),
    }
}

/// A line of the trip: its count is its default, and its remark is prose.
fn line_of(line: &Json, chance: &mut Chance) -> String {
    let Json::Object(members) = line else {
        panic!("a line is an object")
    };
    let mut spelled = Vec::new();
    for (name, value) in members {
        match (name, value) {
            ("count" | "remark", _) => {}
            ("sku", Json::String(text)) => {
                spelled.push((name.to_owned(), string(&padded(text, chance), chance)))
            }
            _ => spelled.push((name.to_owned(), value_of(value, chance))),
        }
    }
    if chance.below(2) == 0 {
        spelled.push((
            "count".to_owned(),
            chance.one(&["1", "1.0", "10e-1"]).to_owned(),
        ));
    }
    if chance.below(3) > 0 {
        let remark = chance.one(&["null", "\"blue\"", "\"\""]);
        spelled.push(("remark".to_owned(), remark.to_owned()));
    }
    object(spelled, chance)
}

fn padded(text: &str, chance: &mut Chance) -> String {
    let blanks = ["", " ", "\t", "\r\n", "\u{a0}\u{3000}"];
    format!("{}{text}{}", chance.one(&blanks), chance.one(&blanks))
}

fn value_of(value: &Json, chance: &mut Chance) -> String {
    match value {
        Json::Null | Json::Bool(_) => value.to_text(),
        Json::Number(number) => number_of(number.as_str(), chance),
        Json::String(text) => string(text, chance),
        Json::Array(items) => {
            let items: Vec<String> = items.iter().map(|item| value_of(item, chance)).collect();
            joined(&items, ["[", "]"], chance)
        }
        Json::Object(members) => {
            let spelled = members
                .iter()
                .map(|(name, value)| (name.to_owned(), value_of(value, chance)));
            let spelled = spelled.collect();
            object(spelled, chance)
        }
    }
}

fn number_of(text: &str, chance: &mut Chance) -> String {
    let longest = 15;
    if text.len() > longest || text.contains('e') {
        return text.to_owned();
    }
    let end = match text.contains('.') {
        true => chance.one(&["", "0", "000", "e0", "0E+0"]),
        false if text == "0" => chance.one(&["", ".0", "e7", ".00E-9"]),
        false => chance.one(&["", ".0", "e0", ".000E-0", "0e-1", "00E-2"]),
    };
    format!("{text}{end}")
}

fn string(text: &str, chance: &mut Chance) -> String {
    let mut out = String::from("\"");
    for letter in text.chars() {
        let plain = !matches!(letter, '"' | '\\') && letter >= ' ';
        if plain && chance.below(4) > 0 {
            out.push(letter);
            continue;
        }
        for unit in letter.encode_utf16(&mut [0; 2]) {
            out.push_str(&match chance.below(2) {
                0 => format!("\\u{unit:04x}"),
                _ => format!("\\u{unit:04X}"),
            });
        }
    }
    out.push('"');
    out
}

fn object(mut members: Vec<(String, String)>, chance: &mut Chance) -> String {
    for at in (1..members.len()).rev() {
        members.swap(at, chance.below(at + 1));
    }
    let mut texts = Vec::new();
    for (name, text) in members {
        let (name, blank) = (string(&name, chance), chance.one(&["", " ", "\n"]));
        texts.push(format!("{name}{blank}:{blank}{text}"));
    }
    joined(&texts, ["{", "}"], chance)
}

fn joined(parts: &[String], [open, close]: [&str; 2], chance: &mut Chance) -> String {
    let comma = chance.one(&[",", ", ", " ,\n\t", "\r\n,"]);
    let blank = chance.one(&["", " ", "\n  "]);
    format!("{open}{blank}{}{blank}{close}", parts.join(comma))
}
