//! A tool's JSON Schema in the subset that Gemini takes.
//!
//! Gemini refuses a request for a word that it does not know, such as `$schema` or `additionalProperties`. What it has
//! under another name is translated, and the rest is left out: the model is told less, and the runtime checks the same.

use super::error::ConversationError;
use crate::ToolDefinition;
use idem_core::json::{Json, Map};

/// How deep a schema is followed. Types that hold each other without an end are told apart from deep ones by their names.
const DEPTH_MAX: usize = 32;

/// The words that are taken as they are.
const KEPT: [&str; 10] = [
    "description",
    "required",
    "nullable",
    "pattern",
    "minItems",
    "maxItems",
    "minLength",
    "maxLength",
    "minimum",
    "maximum",
];

/// The formats that it knows; the others are remarks to it, and refused.
const FORMATS: [&str; 6] = ["date-time", "enum", "float", "double", "int32", "int64"];

/// The parameters of a tool; nothing for a tool without any, since an object without properties is refused.
pub(super) fn parameters(tool: &ToolDefinition) -> Result<Option<Json>, ConversationError> {
    let reader = Reader {
        root: &tool.input_schema,
    };
    let schema = reader.schema(&tool.input_schema, &mut Vec::new(), 0);
    let mut schema = schema.map_err(|what| ConversationError::Schema {
        tool: tool.name.clone(),
        what,
    })?;
    // An input is described by itself, as its tool is.
    schema.insert("type", Json::from("object"));
    let properties = schema.get("properties").and_then(Json::as_object);
    let empty = properties.is_none_or(Map::is_empty);
    Ok((!empty).then_some(Json::Object(schema)))
}

struct Reader<'s> {
    root: &'s Json,
}

impl<'s> Reader<'s> {
    fn schema(
        &self,
        schema: &'s Json,
        inside: &mut Vec<&'s str>,
        depth: usize,
    ) -> Result<Map, String> {
        if depth > DEPTH_MAX {
            return Err(format!("it is deeper than {DEPTH_MAX} levels"));
        }
        let mut out = Map::new();
        // `true` is any value, which is a schema without words.
        let Some(words) = schema.as_object() else {
            return Ok(out);
        };
        if let Some(name) = words.get("$ref").and_then(Json::as_str) {
            out = self.referred(name, inside, depth)?;
        }
        for key in KEPT {
            if let Some(value) = words.get(key) {
                out.insert(key, value.clone());
            }
        }
        kinds(words, &mut out);
        values(words, &mut out);
        if let Some(properties) = words.get("properties").and_then(Json::as_object) {
            let mut all = Map::new();
            for (name, property) in properties {
                let property = self.schema(property, inside, depth + 1)?;
                all.insert(name, Json::Object(property));
            }
            out.insert("properties", Json::Object(all));
        }
        self.items(words, &mut out, inside, depth)?;
        for key in ["anyOf", "oneOf"] {
            if let Some(choices) = words.get(key).and_then(Json::as_array) {
                self.choices(choices, &mut out, inside, depth)?;
            }
        }
        for part in words
            .get("allOf")
            .and_then(Json::as_array)
            .unwrap_or_default()
        {
            let part = self.schema(part, inside, depth + 1)?;
            merge(&mut out, &part);
        }
        Ok(out)
    }

    /// Another type, written in its place: there are no references. A type inside itself has no end.
    fn referred(
        &self,
        name: &'s str,
        inside: &mut Vec<&'s str>,
        depth: usize,
    ) -> Result<Map, String> {
        if inside.contains(&name) {
            return Err(format!(
                "`{name}` holds itself, and Gemini has no references"
            ));
        }
        let mut found = Some(self.root);
        for step in name.trim_start_matches('#').split('/').skip(1) {
            let step = step.replace("~1", "/").replace("~0", "~");
            found = found.and_then(|schema| schema.get(&step));
        }
        let found = found.ok_or_else(|| format!("`{name}` leads nowhere"))?;
        inside.push(name);
        let schema = self.schema(found, inside, depth + 1);
        inside.pop();
        schema
    }

    /// An array has items of one schema. The places of a tuple become a choice.
    fn items(
        &self,
        words: &'s Map,
        out: &mut Map,
        inside: &mut Vec<&'s str>,
        depth: usize,
    ) -> Result<(), String> {
        if let Some(places) = words.get("prefixItems").and_then(Json::as_array) {
            let mut items = Map::new();
            self.choices(places, &mut items, inside, depth)?;
            out.insert("items", Json::Object(items));
        } else if let Some(items) = words.get("items") {
            let items = self.schema(items, inside, depth + 1)?;
            out.insert("items", Json::Object(items));
        }
        Ok(())
    }

    /// One of several schemas. `null` among them is a mark of its own, and a single one is no choice.
    fn choices(
        &self,
        choices: &'s [Json],
        out: &mut Map,
        inside: &mut Vec<&'s str>,
        depth: usize,
    ) -> Result<(), String> {
        let mut left: Vec<Json> = Vec::new();
        for choice in choices {
            if choice.get("type").and_then(Json::as_str) == Some("null") {
                out.insert("nullable", Json::Bool(true));
                continue;
            }
            let choice = Json::Object(self.schema(choice, inside, depth + 1)?);
            if !left.contains(&choice) {
                left.push(choice);
            }
        }
        match left.as_slice() {
            [Json::Object(only)] => merge(out, only),
            [] => {}
            _ => {
                out.insert("anyOf", Json::from(left));
            }
        }
        Ok(())
    }
}

/// The type, and the format where it is a known one. `null` beside another type is a mark of its own.
fn kinds(words: &Map, out: &mut Map) {
    match words.get("type") {
        Some(Json::Array(kinds)) => {
            let null = Json::from("null");
            if kinds.contains(&null) {
                out.insert("nullable", Json::Bool(true));
            }
            let kinds: Vec<&Json> = kinds.iter().filter(|kind| **kind != null).collect();
            if let [only] = kinds.as_slice() {
                out.insert("type", (*only).clone());
            } else {
                let choice = |kind: &&Json| super::steps::object([("type", (*kind).clone())]);
                out.insert("anyOf", kinds.iter().map(choice).collect::<Vec<_>>().into());
            }
        }
        Some(kind) => {
            out.insert("type", kind.clone());
        }
        None => {}
    }
    if let Some(format) = words.get("format")
        && format
            .as_str()
            .is_some_and(|format| FORMATS.contains(&format))
    {
        out.insert("format", format.clone());
    }
}

/// The values, where they are texts: others it cannot list.
fn values(words: &Map, out: &mut Map) {
    let constant = words.get("const").map(std::slice::from_ref);
    let Some(values) = words.get("enum").and_then(Json::as_array).or(constant) else {
        return;
    };
    if values.iter().any(Json::is_null) {
        out.insert("nullable", Json::Bool(true));
    }
    let values: Vec<Json> = values
        .iter()
        .filter(|value| !value.is_null())
        .cloned()
        .collect();
    if !values.is_empty() && values.iter().all(|value| value.as_str().is_some()) {
        out.insert("type", Json::from("string"));
        out.insert("enum", Json::from(values));
    }
}

/// Adds what is not said yet.
fn merge(out: &mut Map, more: &Map) {
    for (key, value) in more {
        if !out.contains_key(key) {
            out.insert(key, value.clone());
        }
    }
}
