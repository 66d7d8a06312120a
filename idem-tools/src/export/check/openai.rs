//! OpenAI's function tools, and the subset of JSON Schema for `strict: true`.

use super::Found;
use super::walk::{each, json_schema, kinds};
use crate::export::strict::FORMATS;
use idem_core::json::{Json, Map};

const PARAMETERS: &str = "$.function.parameters";
const NOT_AT_THE_TOP: [&str; 6] = ["allOf", "anyOf", "const", "enum", "not", "oneOf"];

const PROPERTIES_MAX: usize = 5_000;
const LEVELS_MAX: usize = 10;
const CHARACTERS_MAX: usize = 120_000;
const VALUES_MAX: usize = 1_000;
/// Above so many values of one property, their texts together are bounded.
const LONG_LIST: usize = 250;
const LONG_LIST_CHARACTERS_MAX: usize = 15_000;

/// The words of the strict subset.
const STRICT: [&str; 20] = [
    "$defs",
    "$ref",
    "additionalProperties",
    "anyOf",
    "const",
    "description",
    "enum",
    "exclusiveMaximum",
    "exclusiveMinimum",
    "format",
    "items",
    "maxItems",
    "maximum",
    "minItems",
    "minimum",
    "multipleOf",
    "pattern",
    "properties",
    "required",
    "type",
];

pub(super) fn plain(tool: &Json, found: &mut Found) {
    function(tool, found);
    let schema = parameters(tool);
    json_schema(schema, PARAMETERS, found);
    each(schema, PARAMETERS, 0, &mut |schema, path, _| {
        array_says_its_items(schema, path, found)
    });
}

pub(super) fn strict(tool: &Json, found: &mut Found) {
    plain(tool, found);
    if tool
        .get("function")
        .and_then(|function| function.get("strict"))
        != Some(&Json::Bool(true))
    {
        found.add("$.function", "`strict` is true");
    }
    let mut count = Count::default();
    each(
        parameters(tool),
        PARAMETERS,
        0,
        &mut |schema, path, level| {
            let Some(words) = schema.as_object().filter(|words| !words.is_empty()) else {
                found.add(path, "every value says its type");
                return;
            };
            subset(words, path, found);
            count.add(words, path, found);
            if words.contains_key("properties") && level + 1 > LEVELS_MAX {
                found.add(
                    path,
                    format!("it is nested in more than {LEVELS_MAX} levels"),
                );
            }
        },
    );
    count.total(found);
}

fn parameters(tool: &Json) -> &Json {
    let function = tool.get("function");
    function
        .and_then(|function| function.get("parameters"))
        .unwrap_or(&Json::Null)
}

fn function(tool: &Json, found: &mut Found) {
    if tool.get("type").and_then(Json::as_str) != Some("function") {
        found.add("$", "the type of a tool is `function`");
    }
    let function = tool.get("function").unwrap_or(&Json::Null);
    found.name("$.function.name", function.get("name"), "_-", 64);
    found.description("$.function", function);
    found.object(PARAMETERS, function.get("parameters"), &NOT_AT_THE_TOP);
}

fn array_says_its_items(schema: &Json, path: &str, found: &mut Found) {
    let kinds = schema.get("type").and_then(kinds).unwrap_or_default();
    if kinds.contains(&"array") && schema.get("items").is_none() {
        found.add(path, "an array says what its items are");
    }
}

fn subset(words: &Map, path: &str, found: &mut Found) {
    for (word, value) in words {
        let known = match word {
            "format" => value.as_str().is_some_and(|name| FORMATS.contains(&name)),
            word => STRICT.contains(&word),
        };
        if !known {
            found.add(
                path,
                format!("`{word}` {} is not in the strict subset", value.to_text()),
            );
        }
    }
    if words.contains_key("$ref") && words.len() > 1 {
        found.add(path, "nothing stands beside a `$ref`");
    }
    if !["type", "anyOf", "$ref", "enum", "const"]
        .iter()
        .any(|word| words.contains_key(word))
    {
        found.add(path, "every value says its type");
    }
    let kinds = words.get("type").and_then(kinds).unwrap_or_default();
    if kinds.contains(&"object") {
        if words.get("additionalProperties") != Some(&Json::Bool(false)) {
            found.add(path, "`additionalProperties` is false in every object");
        }
        let required = words
            .get("required")
            .and_then(Json::as_array)
            .unwrap_or_default();
        for (name, _) in words
            .get("properties")
            .and_then(Json::as_object)
            .into_iter()
            .flatten()
        {
            if !required.iter().any(|field| field.as_str() == Some(name)) {
                found.add(
                    path,
                    format!("`{name}` is not required, and every property has to be"),
                );
            }
        }
    }
}

/// What is bounded over a whole schema.
#[derive(Default)]
struct Count {
    properties: usize,
    characters: usize,
    values: usize,
}

impl Count {
    fn add(&mut self, words: &Map, path: &str, found: &mut Found) {
        for word in ["properties", "$defs"] {
            for (name, _) in words
                .get(word)
                .and_then(Json::as_object)
                .into_iter()
                .flatten()
            {
                self.properties += usize::from(word == "properties");
                self.characters += name.chars().count();
            }
        }
        let constant = words.get("const").map(std::slice::from_ref);
        self.characters += characters(constant.unwrap_or_default());
        let values = words
            .get("enum")
            .and_then(Json::as_array)
            .unwrap_or_default();
        self.values += values.len();
        let length = characters(values);
        self.characters += length;
        if values.len() > LONG_LIST && length > LONG_LIST_CHARACTERS_MAX {
            found.add(
                path,
                format!("more than {LONG_LIST} values have at most {LONG_LIST_CHARACTERS_MAX} characters together"),
            );
        }
    }

    fn total(&self, found: &mut Found) {
        for (count, most, what) in [
            (self.properties, PROPERTIES_MAX, "properties"),
            (
                self.characters,
                CHARACTERS_MAX,
                "characters in names and values",
            ),
            (self.values, VALUES_MAX, "listed values"),
        ] {
            if count > most {
                found.add(
                    PARAMETERS,
                    format!("it has {count} {what}, and at most {most} are taken"),
                );
            }
        }
    }
}

fn characters(values: &[Json]) -> usize {
    values
        .iter()
        .filter_map(Json::as_str)
        .map(|text| text.chars().count())
        .sum()
}
