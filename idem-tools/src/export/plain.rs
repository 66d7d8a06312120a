//! The tree as JSON Schema 2020-12, for those who take all of it: OpenAI's plain form, Anthropic, MCP.
//!
//! It holds for everything that decoding accepts: what only a pattern or a set says, which decoding does not ask, is told
//! in the description. A word that another reader could choke on is not written: no format of one generator, no `title`,
//! no reference but to a type that holds itself.

use super::source::{Field, Node, Others, Shape, Source};
use super::told::Told;
use super::words;
use idem_core::json::{Json, Map};

/// The schema of the arguments.
pub(super) fn schema(source: &Source) -> Map {
    Printer {
        asked: |word| !UNASKED.contains(&word),
    }
    .document(source)
}

/// The same with every word of the types, for what tells two schemas apart.
pub(super) fn whole(source: &Source) -> Map {
    Printer { asked: |_| true }.document(source)
}

/// Words whose meaning decoding does not ask: a pattern stands for what the type itself reads, and a set takes an element
/// twice and holds it once.
const UNASKED: [&str; 3] = ["multipleOf", "pattern", "uniqueItems"];

struct Printer {
    /// Whether a word is written, or told.
    asked: fn(&str) -> bool,
}

/// Where a type that holds itself is defined.
pub(super) fn reference(name: &str) -> Json {
    match name {
        "#" => Json::from("#"),
        name => Json::from(format!("#/$defs/{name}")),
    }
}

impl Printer {
    fn document(&self, source: &Source) -> Map {
        let mut schema = self.node(&source.root);
        if !source.recursive.is_empty() {
            let mut definitions = Map::new();
            for (name, definition) in &source.recursive {
                definitions.insert(name.as_str(), Json::Object(self.node(definition)));
            }
            schema.insert("$defs", Json::Object(definitions));
        }
        schema
    }

    fn node(&self, node: &Node) -> Map {
        let mut told = Told::of(node);
        let mut out = self.shape(&node.shape, &mut told);
        for (word, value) in &node.rest {
            out.insert(word, value.clone());
        }
        if node.nullable {
            out = nullable(out);
        }
        for (word, value) in &node.remarks {
            out.insert(word, value.clone());
        }
        if let Some(default) = &node.default {
            out.insert("default", default.clone());
        }
        if let Some(text) = told.text() {
            out.insert("description", Json::from(text));
        }
        out
    }

    fn shape(&self, shape: &Shape, told: &mut Told) -> Map {
        match shape {
            Shape::Any => Map::new(),
            Shape::Null => typed("null", Map::new()),
            Shape::Bool => typed("boolean", Map::new()),
            Shape::Text(rules) => typed("string", self.rules(rules, told)),
            Shape::Integer(rules) => typed("integer", self.rules(rules, told)),
            Shape::Number(rules) => typed("number", self.rules(rules, told)),
            Shape::Array { items, bounds } => {
                let mut bounds = self.rules(bounds, told);
                bounds.insert("items", Json::Object(self.node(items)));
                typed("array", bounds)
            }
            Shape::Tuple(places) => {
                let count = u64::try_from(places.len()).unwrap_or(u64::MAX);
                let mut out = Map::new();
                out.insert("prefixItems", self.list(places));
                // An array that says nothing of its items is refused by OpenAI. There are none behind the places.
                out.insert("items", Json::Object(Map::new()));
                out.insert("minItems", Json::from(count));
                out.insert("maxItems", Json::from(count));
                typed("array", out)
            }
            Shape::Object { fields, others } => self.object(fields, others),
            Shape::Map { values, pattern } => {
                let mut out = Map::new();
                let values = Json::Object(self.node(values));
                match pattern {
                    None => out.insert("additionalProperties", values),
                    Some(pattern) => {
                        let mut patterns = Map::new();
                        patterns.insert(pattern.as_str(), values);
                        out.insert("additionalProperties", Json::Bool(false));
                        out.insert("patternProperties", Json::Object(patterns))
                    }
                };
                typed("object", out)
            }
            Shape::Values {
                values: all,
                constant,
            } => values(all, *constant),
            Shape::Choice(choices) => {
                let content = content_of(choices);
                let printed = choices.iter().map(|choice| {
                    let mut out = self.node(choice);
                    if let (Some(content), Shape::Object { fields, .. }) = (content, &choice.shape)
                        && fields.len() == 1
                    {
                        with_null(&mut out, content);
                    }
                    Json::Object(out)
                });
                let printed: Vec<Json> = printed.collect();
                let mut out = Map::new();
                out.insert("anyOf", Json::from(printed));
                out
            }
            Shape::Reference(name) => {
                let mut out = Map::new();
                out.insert("$ref", reference(name));
                out
            }
        }
    }

    fn object(&self, fields: &[Field], others: &Others) -> Map {
        let mut out = Map::new();
        if !fields.is_empty() {
            let mut properties = Map::new();
            for field in fields {
                properties.insert(field.name.as_str(), Json::Object(self.node(&field.node)));
            }
            out.insert("properties", Json::Object(properties));
        }
        let required: Vec<Json> = fields
            .iter()
            .filter(|field| field.required)
            .map(|field| Json::from(field.name.as_str()))
            .collect();
        if !required.is_empty() {
            out.insert("required", Json::from(required));
        }
        match others {
            Others::None => {
                out.insert("additionalProperties", Json::Bool(false));
            }
            Others::Anything => {}
            Others::Of(others) => {
                out.insert("additionalProperties", Json::Object(self.node(others)));
            }
        }
        typed("object", out)
    }

    fn list(&self, nodes: &[Node]) -> Json {
        let nodes = nodes.iter().map(|node| Json::Object(self.node(node)));
        nodes.collect::<Vec<_>>().into()
    }

    /// The words that are written. A format of one generator is told where it says anything.
    fn rules(&self, rules: &Map, told: &mut Told) -> Map {
        told.keep(rules, |word, value| match word {
            "format" => value
                .as_str()
                .is_some_and(|name| words::FORMATS.contains(&name)),
            word => (self.asked)(word),
        })
    }
}

/// The name under which the variants of an enum with `tag` and `content` have what they hold: each names itself in one
/// constant, and what else it has stands under one name.
fn content_of(choices: &[Node]) -> Option<&str> {
    let mut content = None;
    for choice in choices {
        let Shape::Object {
            fields,
            others: Others::None,
        } = &choice.shape
        else {
            return None;
        };
        let names_itself = |field: &&Field| {
            field.required
                && matches!(&field.node.shape, Shape::Values { values, .. } if values.len() == 1)
        };
        let (tags, held): (Vec<_>, Vec<_>) = fields.iter().partition(names_itself);
        match (tags.len(), held.as_slice()) {
            (1, []) => {}
            (1, [only]) if content.is_none_or(|content| content == only.name) => {
                content = Some(only.name.as_str());
            }
            _ => return None,
        }
    }
    content
}

/// A variant that holds nothing may say so.
fn with_null(variant: &mut Map, content: &str) {
    if let Some(Json::Object(mut properties)) = variant.remove("properties") {
        properties.insert(content, Json::Object(typed("null", Map::new())));
        variant.insert("properties", Json::Object(properties));
    }
}

/// The listed values, with their type where they have one.
pub(super) fn values(values: &[Json], constant: bool) -> Map {
    let mut out = Map::new();
    if let Some(kind) = kind_of(values) {
        out.insert("type", Json::from(kind));
    }
    match values {
        [only] if constant => out.insert("const", only.clone()),
        _ => out.insert("enum", Json::from(values.to_vec())),
    };
    out
}

/// The one type of all these values.
pub(super) fn kind_of(values: &[Json]) -> Option<&'static str> {
    let kind = |value: &Json| match value {
        Json::Null => "null",
        Json::Bool(_) => "boolean",
        Json::Number(number) if number.as_i64().is_some() || number.as_u64().is_some() => "integer",
        Json::Number(_) => "number",
        Json::String(_) => "string",
        Json::Array(_) => "array",
        Json::Object(_) => "object",
    };
    let first = kind(values.first()?);
    values
        .iter()
        .all(|value| kind(value) == first)
        .then_some(first)
}

/// A schema that takes `null` as well: beside the type where that is all it takes, and otherwise as another choice.
pub(super) fn nullable(mut schema: Map) -> Map {
    const SCALARS: [&str; 4] = ["boolean", "integer", "number", "string"];
    let listed = ["enum", "const", "not"]
        .iter()
        .any(|word| schema.contains_key(word));
    if let Some(Json::String(kind)) = schema.get("type")
        && !listed
        && SCALARS.contains(&kind.as_str())
    {
        let kinds = vec![Json::from(kind.as_str()), Json::from("null")];
        schema.insert("type", Json::from(kinds));
        return schema;
    }
    let null = Json::Object(typed("null", Map::new()));
    let choices = match schema.remove("anyOf") {
        Some(Json::Array(mut choices)) if schema.is_empty() => {
            choices.push(null);
            choices
        }
        Some(choices) => {
            schema.insert("anyOf", choices);
            vec![Json::Object(schema), null]
        }
        None => vec![Json::Object(schema), null],
    };
    let mut out = Map::new();
    out.insert("anyOf", Json::from(choices));
    out
}

pub(super) fn typed(kind: &str, mut words: Map) -> Map {
    words.insert("type", Json::from(kind));
    words
}
