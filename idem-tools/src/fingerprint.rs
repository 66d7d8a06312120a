//! What a tool looks like to an approver, field by field: prose aside, since a better description changes nothing that
//! runs (R44).

use crate::Effect;
use idem_core::identity::digest_hex;
use idem_core::json::ser::to_json;
use idem_core::json::{Json, Limits, Map};
use std::collections::BTreeMap;

/// Keywords that say something to a reader and nothing to a validator.
const PROSE: [&str; 7] = [
    "title",
    "description",
    "examples",
    "$comment",
    "$schema",
    "deprecated",
    // What idem-core says of a `Patch`: the type says it, too.
    "x-idem-null-is-a-value",
];

/// A tool's name, effect class and fields.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Fingerprint {
    tool: String,
    effect: String,
    fields: BTreeMap<String, Field>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Field {
    shape: String,
    has_default: bool,
}

impl Fingerprint {
    /// The fingerprint of a tool with this input schema.
    pub(crate) fn of(tool: &str, effect: Effect, schema: &schemars::Schema) -> Self {
        let schema = to_json(schema).unwrap_or(Json::Null);
        let required: Vec<&str> = match schema.get("required") {
            Some(Json::Array(names)) => names.iter().filter_map(Json::as_str).collect(),
            _ => Vec::new(),
        };
        let mut fields = BTreeMap::new();
        if let Some(Json::Object(properties)) = schema.get("properties") {
            for (name, property) in properties {
                let mut text = without_prose(property).to_text();
                for (name, definition) in reached(property, &schema) {
                    text.push_str(&name);
                    text.push_str(&without_prose(definition).to_text());
                }
                let has_default = !required.contains(&name);
                let field = Field {
                    shape: digest_hex(text.as_bytes()),
                    has_default,
                };
                fields.insert(name.to_owned(), field);
            }
        }
        Self {
            tool: tool.to_owned(),
            effect: effect.word().to_owned(),
            fields,
        }
    }

    /// The text that a card keeps.
    pub(crate) fn to_text(&self) -> String {
        let mut fields = Map::new();
        for (name, field) in &self.fields {
            let mut entry = Map::new();
            entry.insert("shape", Json::from(field.shape.as_str()));
            entry.insert("default", Json::from(field.has_default));
            fields.insert(name.as_str(), Json::Object(entry));
        }
        let mut outer = Map::new();
        outer.insert("tool", Json::from(self.tool.as_str()));
        outer.insert("effect", Json::from(self.effect.as_str()));
        outer.insert("fields", Json::Object(fields));
        Json::Object(outer).to_text()
    }

    /// Reads a card's text. An unreadable one covers nothing.
    pub(crate) fn parse(text: &str) -> Result<Self, String> {
        let unreadable = || "the tool's fingerprint on the card cannot be read".to_owned();
        let json = Json::parse(text, Limits::ANSWER).map_err(|_| unreadable())?;
        let word = |name: &str| json.get(name).and_then(Json::as_str).map(str::to_owned);
        let Some(Json::Object(entries)) = json.get("fields") else {
            return Err(unreadable());
        };
        let mut fields = BTreeMap::new();
        for (name, entry) in entries {
            let shape = entry
                .get("shape")
                .and_then(Json::as_str)
                .ok_or_else(unreadable)?;
            let has_default = entry.get("default") == Some(&Json::Bool(true));
            fields.insert(
                name.to_owned(),
                Field {
                    shape: shape.to_owned(),
                    has_default,
                },
            );
        }
        Ok(Self {
            tool: word("tool").ok_or_else(unreadable)?,
            effect: word("effect").ok_or_else(unreadable)?,
            fields,
        })
    }

    /// Whether a yes to this covers the tool as it is now: the arguments that it got since, each with a default; or
    /// why it does not.
    pub(crate) fn covered_by(&self, now: &Self) -> Result<Vec<String>, String> {
        if self.tool != now.tool || self.effect != now.effect {
            return Err("the tool's name or effect class changed since it was approved".to_owned());
        }
        for (name, field) in &self.fields {
            if now
                .fields
                .get(name)
                .is_none_or(|current| current.shape != field.shape)
            {
                return Err(format!(
                    "the tool's argument `{name}` changed since it was approved"
                ));
            }
        }
        let mut added = Vec::new();
        for (name, field) in &now.fields {
            if self.fields.contains_key(name) {
                continue;
            }
            if !field.has_default {
                return Err(format!("the tool takes `{name}` since it was approved"));
            }
            added.push(name.clone());
        }
        Ok(added)
    }
}

/// The definitions that a field refers to, and those that they refer to, by name: another field's types are none of
/// its own.
fn reached<'a>(property: &Json, schema: &'a Json) -> BTreeMap<String, &'a Json> {
    let mut found = BTreeMap::new();
    let mut names = referred(property);
    while let Some(name) = names.pop() {
        let definition = schema.get("$defs").and_then(|all| all.get(&name));
        if let Some(definition) = definition
            && found.insert(name, definition).is_none()
        {
            names.extend(referred(definition));
        }
    }
    found
}

fn referred(json: &Json) -> Vec<String> {
    match json {
        Json::Object(map) => map
            .into_iter()
            .flat_map(|(name, value)| match (name, value) {
                ("$ref", Json::String(path)) => path
                    .rsplit('/')
                    .next()
                    .map(str::to_owned)
                    .into_iter()
                    .collect(),
                (_, value) => referred(value),
            })
            .collect(),
        Json::Array(items) => items.iter().flat_map(referred).collect(),
        _ => Vec::new(),
    }
}

/// A schema without what it says to a reader.
pub(crate) fn without_prose(json: &Json) -> Json {
    match json {
        Json::Object(map) => {
            let mut kept = Map::new();
            for (name, value) in map {
                // A property may be called `title`: names of properties are kept, keywords are not.
                let value = match (name, value) {
                    ("properties" | "$defs" | "patternProperties", Json::Object(named)) => {
                        let mut inner = Map::new();
                        for (name, value) in named {
                            inner.insert(name, without_prose(value));
                        }
                        Json::Object(inner)
                    }
                    ("enum" | "const" | "default", value) => value.clone(),
                    (name, _) if PROSE.contains(&name) => continue,
                    (_, value) => without_prose(value),
                };
                kept.insert(name, value);
            }
            Json::Object(kept)
        }
        Json::Array(items) => Json::Array(items.iter().map(without_prose).collect()),
        other => other.clone(),
    }
}
