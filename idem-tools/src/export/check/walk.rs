//! Every schema inside a schema, and what all that take JSON Schema ask of it.

use super::Found;
use crate::export::words;
use idem_core::json::{Json, Map};

/// Words that hold one schema.
const ONE: [&str; 11] = [
    "additionalProperties",
    "contains",
    "else",
    "if",
    "items",
    "not",
    "propertyNames",
    "then",
    "unevaluatedItems",
    "unevaluatedProperties",
    "contentSchema",
];
/// Words that hold a list of them.
const LISTS: [&str; 4] = ["allOf", "anyOf", "oneOf", "prefixItems"];
/// Words that hold them by name.
const NAMED: [&str; 5] = [
    "$defs",
    "definitions",
    "dependentSchemas",
    "patternProperties",
    "properties",
];
/// The other words of JSON Schema 2020-12.
const OTHERS: [&str; 34] = [
    "$anchor",
    "$comment",
    "$dynamicAnchor",
    "$dynamicRef",
    "$id",
    "$ref",
    "$schema",
    "$vocabulary",
    "const",
    "contentEncoding",
    "contentMediaType",
    "default",
    "dependentRequired",
    "deprecated",
    "description",
    "enum",
    "examples",
    "exclusiveMaximum",
    "exclusiveMinimum",
    "format",
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
    "pattern",
    "readOnly",
    "required",
];
const LAST: [&str; 4] = ["title", "type", "uniqueItems", "writeOnly"];
const TYPES: [&str; 7] = [
    "array", "boolean", "integer", "null", "number", "object", "string",
];

/// Visits a schema and every schema inside it, with its path and how many objects stand around it.
pub(super) fn each(
    schema: &Json,
    path: &str,
    level: usize,
    visit: &mut impl FnMut(&Json, &str, usize),
) {
    visit(schema, path, level);
    let Some(all) = schema.as_object() else {
        return;
    };
    let inner = level + usize::from(all.contains_key("properties"));
    for (word, value) in all {
        let path = format!("{path}.{word}");
        // What forbids is no schema of a value.
        if ONE.contains(&word) && *value != Json::Bool(false) {
            each(value, &path, inner, visit);
        } else if LISTS.contains(&word) {
            for (at, value) in value.as_array().unwrap_or_default().iter().enumerate() {
                each(value, &format!("{path}[{at}]"), inner, visit);
            }
        } else if NAMED.contains(&word) {
            // A definition is as deep as where it is used, which a schema that holds itself cannot say.
            let inner = if word == "$defs" { level } else { inner };
            for (name, value) in value.as_object().into_iter().flatten() {
                each(value, &format!("{path}.{name}"), inner, visit);
            }
        }
    }
}

/// What every reader of JSON Schema 2020-12 asks.
pub(super) fn json_schema(root: &Json, path: &str, found: &mut Found) {
    each(root, path, 0, &mut |schema, path, _| match schema {
        Json::Bool(_) => {}
        Json::Object(all) => {
            for (word, value) in all {
                word_is_well_formed(word, value, path, found);
            }
            reference(root, all, path, found);
            required(all, path, found);
        }
        _ => found.add(path, "a schema is an object, `true` or `false`"),
    });
}

fn word_is_well_formed(word: &str, value: &Json, path: &str, found: &mut Found) {
    let known = [&ONE[..], &LISTS, &NAMED, &OTHERS, &LAST]
        .iter()
        .any(|words| words.contains(&word));
    if !known {
        found.add(path, format!("`{word}` is no word of JSON Schema 2020-12"));
    }
    let fits = match word {
        "type" => kinds(value).is_some(),
        "format" => value
            .as_str()
            .is_some_and(|name| words::FORMATS.contains(&name)),
        "enum" | "anyOf" | "oneOf" | "allOf" | "prefixItems" => {
            value.as_array().is_some_and(|values| !values.is_empty())
        }
        "pattern" | "description" | "title" => value.as_str().is_some(),
        "minimum" | "maximum" | "exclusiveMinimum" | "exclusiveMaximum" | "multipleOf" => {
            value.as_number().is_some()
        }
        "minItems" | "maxItems" | "minLength" | "maxLength" | "minProperties" | "maxProperties" => {
            value.as_u64().is_some()
        }
        _ => true,
    };
    if !fits {
        found.add(path, format!("`{word}` cannot be {}", value.to_text()));
    }
}

/// The types that a schema names.
pub(super) fn kinds(value: &Json) -> Option<Vec<&str>> {
    let kinds: Vec<&str> = match value {
        Json::String(kind) => vec![kind],
        Json::Array(kinds) => kinds.iter().map(Json::as_str).collect::<Option<_>>()?,
        _ => return None,
    };
    let known = !kinds.is_empty() && kinds.iter().all(|kind| TYPES.contains(kind));
    known.then_some(kinds)
}

/// A reference leads somewhere inside the tool's own schema.
fn reference(root: &Json, schema: &Map, path: &str, found: &mut Found) {
    let Some(reference) = schema.get("$ref") else {
        return;
    };
    let target = reference
        .as_str()
        .and_then(|reference| reference.strip_prefix('#'))
        .and_then(|pointer| {
            let steps = pointer.split('/').skip(1);
            steps.into_iter().try_fold(root, |at, step| {
                at.get(&step.replace("~1", "/").replace("~0", "~"))
            })
        });
    if target.is_none() {
        found.add(
            path,
            format!("`$ref` {} leads nowhere", reference.to_text()),
        );
    }
}

/// What is required is one of the properties.
fn required(schema: &Map, path: &str, found: &mut Found) {
    for name in schema
        .get("required")
        .and_then(Json::as_array)
        .unwrap_or_default()
    {
        let listed = name.as_str().is_some_and(|name| {
            schema
                .get("properties")
                .is_some_and(|properties| properties.get(name).is_some())
        });
        if !listed {
            found.add(
                path,
                format!("{} is required and no property", name.to_text()),
            );
        }
    }
}
