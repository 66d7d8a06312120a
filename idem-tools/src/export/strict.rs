//! The tree in the subset that OpenAI holds a model to (`strict: true`): every field is required, and nothing else is
//! taken. A field that may be left out is null instead, which says the same.

use super::plain::{kind_of, nullable, reference, typed, values};
use super::source::{Fault, Field, Node, Others, Shape, Source};
use super::told::Told;
use idem_core::json::{Json, Map};

/// The formats of text that it knows.
pub(super) const FORMATS: [&str; 9] = [
    "date",
    "date-time",
    "duration",
    "email",
    "hostname",
    "ipv4",
    "ipv6",
    "time",
    "uuid",
];

/// The schema of the arguments.
pub(super) fn schema(source: &Source) -> Result<Map, Fault> {
    let mut schema = node(&source.root, "$")?;
    let mut definitions = Map::new();
    for (name, definition) in &source.recursive {
        let definition = node(definition, &format!("${name}"))?;
        definitions.insert(name.as_str(), Json::Object(definition));
    }
    if !definitions.is_empty() {
        schema.insert("$defs", Json::Object(definitions));
    }
    Ok(schema)
}

fn node(node: &Node, path: &str) -> Result<Map, Fault> {
    if let Some((word, _)) = node.rest.iter().next() {
        return Err(Fault::new(
            path,
            format!("`{word}` is no word of the strict form"),
            "use the plain form, or a type that needs no such word",
        ));
    }
    if node.null_is_a_value {
        return Err(Fault::new(
            path,
            "null and nothing are two values here, and a strict call leaves nothing out",
            "use the plain form, or an enum that says `keep`, `clear` or `set`",
        ));
    }
    let mut told = Told::of(node);
    let mut out = shape(&node.shape, path, &mut told)?;
    if let Some(default) = &node.default {
        told.word("default", default);
    }
    if node.nullable {
        out = nullable(out);
    }
    if let Some(text) = told.text() {
        // Nothing may stand beside a reference.
        if out.contains_key("$ref") {
            let only = Json::from(vec![Json::Object(std::mem::take(&mut out))]);
            out.insert("anyOf", only);
        }
        out.insert("description", Json::from(text));
    }
    Ok(out)
}

fn shape(shape: &Shape, path: &str, told: &mut Told) -> Result<Map, Fault> {
    Ok(match shape {
        Shape::Null => typed("null", Map::new()),
        Shape::Bool => typed("boolean", Map::new()),
        Shape::Text(rules) => typed(
            "string",
            told.keep(rules, |word, value| match word {
                "format" => value.as_str().is_some_and(|name| FORMATS.contains(&name)),
                word => word == "pattern",
            }),
        ),
        Shape::Integer(rules) => typed("integer", told.keep(rules, |word, _| word != "format")),
        Shape::Number(rules) => typed("number", told.keep(rules, |word, _| word != "format")),
        Shape::Array { items, bounds } => {
            let mut out = told.keep(bounds, |word, _| word != "uniqueItems");
            let items = node(items, &format!("{path}[]"))?;
            out.insert("items", Json::Object(items));
            typed("array", out)
        }
        Shape::Object { fields, others } => object(fields, others, path)?,
        Shape::Values {
            values: all,
            constant,
        } => {
            if kind_of(all).is_none_or(|kind| matches!(kind, "array" | "object")) {
                return Err(Fault::new(
                    path,
                    "the listed values are not of one simple type",
                    "use an enum whose variants are names",
                ));
            }
            values(all, *constant)
        }
        Shape::Choice(choices) => {
            let choices = choices
                .iter()
                .map(|choice| node(choice, path).map(Json::Object));
            let choices: Vec<Json> = choices.collect::<Result<_, _>>()?;
            let mut out = Map::new();
            out.insert("anyOf", Json::from(choices));
            out
        }
        Shape::Reference(name) => {
            let mut out = Map::new();
            out.insert("$ref", reference(name));
            out
        }
        Shape::Any => {
            let instead = "name its fields, or take a `String` that holds JSON";
            return Err(Fault::new(path, "it takes any JSON", instead));
        }
        Shape::Map { .. } => {
            let what = "its entries have names that it does not list";
            return Err(Fault::new(path, what, LISTED));
        }
        Shape::Tuple(_) => {
            let instead = "take a struct with a field for each place";
            return Err(Fault::new(
                path,
                "its places are of different sorts",
                instead,
            ));
        }
    })
}

/// Every field is required, and there are no others.
fn object(fields: &[Field], others: &Others, path: &str) -> Result<Map, Fault> {
    if !matches!(others, Others::None) {
        return Err(Fault::new(
            path,
            "it takes names that it does not list",
            LISTED,
        ));
    }
    let (mut properties, mut required) = (Map::new(), Vec::new());
    for field in fields {
        let property = node(&field.node, &format!("{path}.{}", field.name))?;
        properties.insert(field.name.as_str(), Json::Object(property));
        required.push(Json::from(field.name.as_str()));
    }
    let mut out = Map::new();
    out.insert("properties", Json::Object(properties));
    out.insert("required", Json::from(required));
    out.insert("additionalProperties", Json::Bool(false));
    Ok(typed("object", out))
}

const LISTED: &str = "take a list of entries, `Vec<Entry>`, with a name and a value each";
