//! Gemini's function declarations with `parameters`, a subset of OpenAPI.

use super::Found;
use idem_core::json::{Json, Map};

/// The fields of `Schema`.
const WORDS: [&str; 22] = [
    "anyOf",
    "default",
    "description",
    "enum",
    "example",
    "format",
    "items",
    "maxItems",
    "maxLength",
    "maxProperties",
    "maximum",
    "minItems",
    "minLength",
    "minProperties",
    "minimum",
    "nullable",
    "pattern",
    "properties",
    "propertyOrdering",
    "required",
    "title",
    "type",
];

pub(super) fn tool(tool: &Json, found: &mut Found) {
    found.name("$.name", tool.get("name"), "_:.-", 64);
    let first = tool
        .get("name")
        .and_then(Json::as_str)
        .and_then(|name| name.chars().next());
    if !first.is_some_and(|first| first.is_ascii_alphabetic() || first == '_') {
        found.add("$.name", "a name begins with a letter or `_`");
    }
    found.description("$", tool);
    if let Some(parameters) = tool.get("parameters") {
        found.object("$.parameters", Some(parameters), &[]);
        schema(parameters, "$.parameters", found);
    }
}

fn schema(value: &Json, path: &str, found: &mut Found) {
    let Some(words) = value.as_object() else {
        found.add(path, "a schema is an object");
        return;
    };
    for (word, _) in words.iter().filter(|(word, _)| !WORDS.contains(word)) {
        found.add(path, format!("Gemini does not know `{word}`"));
    }
    if let Some(choices) = words.get("anyOf") {
        if words.len() > 1 {
            found.add(path, "nothing stands beside `anyOf`");
        }
        let choices = choices.as_array().unwrap_or_default();
        if choices.is_empty() {
            found.add(path, "a choice has something to choose from");
        }
        for (at, choice) in choices.iter().enumerate() {
            schema(choice, &format!("{path}.anyOf[{at}]"), found);
        }
        return;
    }
    match words.get("type").and_then(Json::as_str) {
        Some("object") => object(words, path, found),
        Some("array") => match words.get("items") {
            Some(items) => schema(items, &format!("{path}.items"), found),
            None => found.add(path, "an array says what its items are"),
        },
        Some("string" | "number" | "integer" | "boolean") => {}
        _ => found.add(
            path,
            "every value has one type: string, number, integer, boolean, array or object",
        ),
    }
    scalar(words, path, found);
}

fn object(words: &Map, path: &str, found: &mut Found) {
    let properties = words.get("properties").and_then(Json::as_object);
    if properties.is_none_or(Map::is_empty) {
        found.add(path, "an object has properties");
    }
    for (name, property) in properties.into_iter().flatten() {
        schema(property, &format!("{path}.properties.{name}"), found);
    }
    for name in words
        .get("required")
        .and_then(Json::as_array)
        .unwrap_or_default()
    {
        let listed = |name| properties.is_some_and(|properties| properties.contains_key(name));
        if !name.as_str().is_some_and(listed) {
            found.add(
                path,
                format!("{} is required and no property", name.to_text()),
            );
        }
    }
}

fn scalar(words: &Map, path: &str, found: &mut Found) {
    let kind = words.get("type").and_then(Json::as_str).unwrap_or_default();
    if let Some(format) = words.get("format") {
        let known: &[&str] = match kind {
            "string" => &["date-time", "enum"],
            "number" => &["float", "double"],
            "integer" => &["int32", "int64"],
            _ => &[],
        };
        if !format.as_str().is_some_and(|name| known.contains(&name)) {
            found.add(
                path,
                format!("the format {} is not taken for a {kind}", format.to_text()),
            );
        }
    }
    if let Some(values) = words.get("enum") {
        let listed = |value: &Json| value.as_str().is_some_and(|text| !text.is_empty());
        let values = values.as_array().unwrap_or_default();
        if kind != "string" || values.is_empty() || !values.iter().all(listed) {
            found.add(path, "only texts are listed, and none of them is empty");
        }
    }
    if words
        .get("nullable")
        .is_some_and(|nullable| nullable.as_bool().is_none())
    {
        found.add(path, "`nullable` is true or false");
    }
}
