//! The words of JSON Schema, sorted by what they say.

use idem_core::json::{Json, Map};

/// Words for a reader: kept where whole JSON Schema is taken.
pub(super) const REMARKS: [&str; 2] = ["examples", "deprecated"];

/// Words that a validator obeys. Any other is left out.
pub(super) const ASSERTIONS: [&str; 40] = [
    "$dynamicRef",
    "additionalProperties",
    "allOf",
    "anyOf",
    "const",
    "contains",
    "dependentRequired",
    "dependentSchemas",
    "else",
    "enum",
    "exclusiveMaximum",
    "exclusiveMinimum",
    "format",
    "if",
    "items",
    "maxContains",
    "maxItems",
    "maxLength",
    "maxProperties",
    "maximum",
    "minContains",
    "minItems",
    "minLength",
    "minProperties",
    "minimum",
    "multipleOf",
    "not",
    "oneOf",
    "pattern",
    "patternProperties",
    "prefixItems",
    "properties",
    "propertyNames",
    "required",
    "then",
    "type",
    "unevaluatedItems",
    "unevaluatedProperties",
    "uniqueItems",
    "$ref",
];

pub(super) const OF_TEXT: [&str; 4] = ["format", "pattern", "minLength", "maxLength"];
pub(super) const OF_NUMBERS: [&str; 6] = [
    "format",
    "minimum",
    "maximum",
    "exclusiveMinimum",
    "exclusiveMaximum",
    "multipleOf",
];
pub(super) const OF_ARRAYS: [&str; 3] = ["minItems", "maxItems", "uniqueItems"];

/// The formats that JSON Schema 2020-12 defines. Any other is a word of one generator, on which some clients fail.
pub(super) const FORMATS: [&str; 19] = [
    "date",
    "date-time",
    "duration",
    "email",
    "hostname",
    "idn-email",
    "idn-hostname",
    "ipv4",
    "ipv6",
    "iri",
    "iri-reference",
    "json-pointer",
    "regex",
    "relative-json-pointer",
    "time",
    "uri",
    "uri-reference",
    "uri-template",
    "uuid",
];

/// The widths of Rust's integers that a double holds exactly, with their bounds.
const WIDTHS: [(&str, i64, i64); 6] = [
    ("int8", i8::MIN as i64, i8::MAX as i64),
    ("int16", i16::MIN as i64, i16::MAX as i64),
    ("int32", i32::MIN as i64, i32::MAX as i64),
    ("uint8", 0, u8::MAX as i64),
    ("uint16", 0, u16::MAX as i64),
    ("uint32", 0, u32::MAX as i64),
];

/// Takes a word out, read as what it has to be.
pub(super) fn take<T: ?Sized + ToOwned>(
    words: &mut Map,
    word: &str,
    read: impl Fn(&Json) -> Option<&T>,
) -> Option<T::Owned> {
    let value = words.remove(word)?;
    read(&value).map(ToOwned::to_owned)
}

/// Takes these words out.
pub(super) fn taken(words: &mut Map, names: &[&str]) -> Map {
    let mut taken = Map::new();
    for name in names {
        if let Some(value) = words.remove(name) {
            taken.insert(*name, value);
        }
    }
    taken
}

/// An integer's bounds where only its width was said: the width is a word of one generator, the bounds are not. Those
/// of 64 bits and more are left out, since many readers hold them in a double and round them.
pub(super) fn bounded(mut words: Map) -> Map {
    let width = words.get("format").and_then(Json::as_str);
    let width = WIDTHS.iter().find(|(name, ..)| Some(*name) == width);
    if let Some((_, low, high)) = width {
        for (bound, word, other) in [
            (*low, "minimum", "exclusiveMinimum"),
            (*high, "maximum", "exclusiveMaximum"),
        ] {
            if !words.contains_key(word) && !words.contains_key(other) {
                words.insert(word, Json::from(bound));
            }
        }
    }
    words
}

/// Whether a reference stands anywhere inside.
pub(super) fn refers(json: &Json) -> bool {
    match json {
        Json::Object(map) => {
            map.contains_key("$ref") || map.into_iter().any(|(_, value)| refers(value))
        }
        Json::Array(items) => items.iter().any(refers),
        _ => false,
    }
}

/// A word's value for a reader.
pub(super) fn said(value: &Json) -> String {
    value
        .as_str()
        .map_or_else(|| value.to_text(), |text| format!("\"{text}\""))
}
