//! The tree in the subset of OpenAPI that Gemini takes for `parameters`. It refuses a request for a word that it does not
//! know. What it has no word for is told in the description, and what it cannot be told is refused.

use super::plain::{kind_of, typed};
use super::source::{Fault, Field, Node, Others, Shape, Source};
use super::told::Told;
use super::words::said;
use idem_core::json::{Json, Map};

const LISTED: &str = "take a list of entries, `Vec<Entry>`, with a name and a value each";

/// The schema of the arguments; nothing for a tool without any, since an object without properties is refused.
pub(super) fn schema(source: &Source) -> Result<Option<Map>, Fault> {
    if let Shape::Object { fields, .. } = &source.root.shape
        && fields.is_empty()
    {
        return Ok(None);
    }
    let mut root = source.root.clone();
    // An input is described by itself, as its tool is.
    root.default = None;
    node(&root, "$").map(Some)
}

fn node(node: &Node, path: &str) -> Result<Map, Fault> {
    if let Some((word, _)) = node.rest.iter().next() {
        let what = format!("Gemini has no word for `{word}`");
        return Err(Fault::new(path, what, "use a type that needs no such word"));
    }
    let mut told = Told::of(node);
    let mut out = shape(&node.shape, path, &mut told)?;
    if let Some(default) = &node.default {
        told.word("default", default);
    }
    around(&mut out, node.nullable, told.text());
    Ok(out)
}

/// Adds what stands around a schema. Nothing may stand beside `anyOf`, so each choice gets it.
fn around(out: &mut Map, nullable: bool, text: Option<String>) {
    if let Some(Json::Array(choices)) = out.remove("anyOf") {
        let choices = choices.into_iter().map(|choice| {
            let mut choice = choice.as_object().cloned().unwrap_or_default();
            let own = choice.get("description").and_then(Json::as_str);
            let text = match (&text, own) {
                (Some(text), Some(own)) => Some(format!("{text} {own}")),
                (text, own) => text.clone().or(own.map(str::to_owned)),
            };
            around(&mut choice, nullable, text);
            Json::Object(choice)
        });
        out.insert("anyOf", choices.collect::<Vec<_>>().into());
        return;
    }
    if nullable {
        out.insert("nullable", Json::Bool(true));
    }
    if let Some(text) = text {
        out.insert("description", Json::from(text));
    }
}

fn shape(shape: &Shape, path: &str, told: &mut Told) -> Result<Map, Fault> {
    let refused = |what: &str, instead| Err(Fault::new(path, what, instead));
    Ok(match shape {
        Shape::Bool => typed("boolean", Map::new()),
        Shape::Text(rules) => typed(
            "string",
            told.keep(rules, |word, value| {
                word != "format" || value.as_str() == Some("date-time")
            }),
        ),
        Shape::Integer(rules) => typed("integer", number(rules, ["int32", "int64"], told)),
        Shape::Number(rules) => typed("number", number(rules, ["float", "double"], told)),
        Shape::Array { items, bounds } => {
            let mut out = told.keep(bounds, |word, _| word != "uniqueItems");
            let items = node(items, &format!("{path}[]"))?;
            out.insert("items", Json::Object(items));
            typed("array", out)
        }
        Shape::Tuple(places) => tuple(places, path, told)?,
        Shape::Object { fields, others } => object(fields, others, path)?,
        Shape::Values { values, .. } => listed(values, path, told)?,
        Shape::Choice(choices) => choice(choices, path)?,
        Shape::Any => {
            return refused(
                "Gemini takes no value without a type",
                "name its fields, or take a `String` that holds JSON",
            );
        }
        Shape::Null => {
            return refused(
                "Gemini takes no value that is only null",
                "leave the field out",
            );
        }
        Shape::Map { .. } => {
            return refused("its entries have names that it does not list", LISTED);
        }
        Shape::Reference(name) => {
            let what = format!("`{name}` holds itself, and Gemini has no references");
            return Err(Fault::new(
                path,
                what,
                "take a list of nodes that name their parents",
            ));
        }
    })
}

fn number(rules: &Map, formats: [&str; 2], told: &mut Told) -> Map {
    told.keep(rules, |word, value| match word {
        "format" => value.as_str().is_some_and(|name| formats.contains(&name)),
        word => matches!(word, "minimum" | "maximum"),
    })
}

/// An array has items of one schema: the places become a choice, and their order is told.
fn tuple(places: &[Node], path: &str, told: &mut Told) -> Result<Map, Fault> {
    let count = u64::try_from(places.len()).unwrap_or(u64::MAX);
    let (mut sorts, mut names) = (Vec::new(), Vec::new());
    for place in places {
        let sort = Json::Object(node(place, &format!("{path}[]"))?);
        names.push(
            sort.get("type")
                .and_then(Json::as_str)
                .unwrap_or("one of several")
                .to_owned(),
        );
        if !sorts.contains(&sort) {
            sorts.push(sort);
        }
    }
    told.say(format!("In this order: {}.", names.join(", ")));
    let mut out = Map::new();
    out.insert("items", one_of(sorts));
    out.insert("minItems", Json::from(count));
    out.insert("maxItems", Json::from(count));
    Ok(typed("array", out))
}

fn object(fields: &[Field], others: &Others, path: &str) -> Result<Map, Fault> {
    if fields.is_empty() {
        return Err(Fault::new(
            path,
            "Gemini takes no object without fields",
            "leave it out, or take a `bool` or a unit variant",
        ));
    }
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
        if field.required {
            required.push(Json::from(field.name.as_str()));
        }
    }
    let mut out = Map::new();
    out.insert("properties", Json::Object(properties));
    if !required.is_empty() {
        out.insert("required", Json::from(required));
    }
    Ok(typed("object", out))
}

/// The values, where they are texts that it can list. Others are told.
fn listed(values: &[Json], path: &str, told: &mut Told) -> Result<Map, Fault> {
    let kind =
        kind_of(values).filter(|kind| matches!(*kind, "string" | "integer" | "number" | "boolean"));
    let Some(kind) = kind else {
        return Err(Fault::new(
            path,
            "the listed values are not of one simple type",
            "use an enum whose variants are names",
        ));
    };
    let mut out = typed(kind, Map::new());
    if kind == "string" && !values.iter().any(|value| value.as_str() == Some("")) {
        out.insert("format", Json::from("enum"));
        out.insert("enum", Json::from(values.to_vec()));
    } else {
        let values: Vec<String> = values.iter().map(said).collect();
        told.say(format!("One of: {}.", values.join(", ")));
    }
    Ok(out)
}

fn choice(choices: &[Node], path: &str) -> Result<Map, Fault> {
    let mut sorts = Vec::new();
    for choice in choices {
        let sort = node(choice, path)?;
        // A choice of choices is one choice.
        let inner = match sort.get("anyOf") {
            Some(Json::Array(inner)) => inner.clone(),
            _ => vec![Json::Object(sort)],
        };
        for sort in inner {
            if !sorts.contains(&sort) {
                sorts.push(sort);
            }
        }
    }
    Ok(one_of(sorts).as_object().cloned().unwrap_or_default())
}

fn one_of(mut sorts: Vec<Json>) -> Json {
    match sorts.pop() {
        Some(only) if sorts.is_empty() => only,
        last => {
            sorts.extend(last);
            let mut out = Map::new();
            out.insert("anyOf", Json::from(sorts));
            Json::Object(out)
        }
    }
}
