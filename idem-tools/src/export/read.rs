//! Reads a JSON Schema, as schemars writes one for a type, into the tree that every form is printed from.
//!
//! A reference is written out where it stands, so that no two types of one name can meet; only a type that holds itself
//! stays a reference. A word that is not known is a remark. A word that is known and has no place in the tree is kept
//! aside, and where it cannot be kept the schema is refused: nothing that a schema asserts is lost on the way.

use super::references::{References, described};
use super::source::{Fault, Node, Others, ROOT, Shape, Source};
use super::words::{self, take};
use idem_core::json::{Json, Map};
use std::collections::BTreeMap;

/// How deep a schema may be.
const DEPTH_MAX: usize = 32;

/// How many places a schema may have once its references are written out: types that share types grow fast.
const PLACES_MAX: usize = 20_000;

/// The word of idem-core's own schema for a `Patch`: `null` is another value than none.
const NULL_IS_A_VALUE: &str = "x-idem-null-is-a-value";

const SMALLER: &str = "take a smaller input";

/// Reads the schema of a tool's input.
pub(crate) fn source(schema: &Json) -> Result<Source, Fault> {
    let references = References::of(schema);
    let mut reader = Reader {
        references: &references,
        places: 0,
    };
    let mut root = reader.node(schema, "$", 0)?;
    // A type without fields may have a schema that says less. Whatever it says, the arguments are an object.
    if matches!(root.shape, Shape::Any) {
        root.shape = Shape::Object {
            fields: Vec::new(),
            others: Others::Anything,
        };
    }
    if !matches!(root.shape, Shape::Object { .. } | Shape::Map { .. }) || root.nullable {
        return Err(Fault::new(
            "$",
            "the arguments are no object",
            "take a struct with named fields",
        ));
    }
    let mut recursive = BTreeMap::new();
    for (name, definition) in references.recursive() {
        if name != ROOT {
            recursive.insert(
                name.clone(),
                reader.node(definition, &format!("${name}"), 0)?,
            );
        }
    }
    Ok(Source { root, recursive })
}

pub(super) struct Reader<'s> {
    references: &'s References<'s>,
    places: usize,
}

impl Reader<'_> {
    pub(super) fn node(&mut self, schema: &Json, path: &str, depth: usize) -> Result<Node, Fault> {
        self.places += 1;
        if depth > DEPTH_MAX {
            return Err(Fault::new(
                path,
                format!("it is deeper than {DEPTH_MAX} levels"),
                SMALLER,
            ));
        }
        if self.places > PLACES_MAX {
            return Err(Fault::new(
                path,
                format!("it has more than {PLACES_MAX} places"),
                SMALLER,
            ));
        }
        let mut words = match schema {
            Json::Object(words) => words.clone(),
            Json::Bool(true) => Map::new(),
            _ => {
                return Err(Fault::new(
                    path,
                    "it takes no value at all",
                    "leave the field out",
                ));
            }
        };
        if let Some(Json::String(reference)) = words.remove("$ref") {
            return self.referred(&reference, &words, path, depth);
        }
        let mut node = Node::of(Shape::Any);
        node.description = take(&mut words, "description", Json::as_str);
        node.default = words.remove("default");
        node.null_is_a_value = words.remove(NULL_IS_A_VALUE).is_some();
        for word in words::REMARKS {
            if let Some(value) = words.remove(word) {
                node.remarks.insert(word, value);
            }
        }
        self.shape(&mut node, &mut words, path, depth)?;
        for (word, value) in &words {
            if words::ASSERTIONS.contains(&word) {
                if words::refers(value) {
                    return Err(Fault::new(
                        path,
                        format!("`{word}` refers to another type in a way that is not followed"),
                        "describe the type with a struct or an enum",
                    ));
                }
                node.rest.insert(word, value.clone());
            }
        }
        Ok(node)
    }

    /// Another type: written out, or by its name where it holds itself.
    fn referred(
        &mut self,
        reference: &str,
        beside: &Map,
        path: &str,
        depth: usize,
    ) -> Result<Node, Fault> {
        let Some(definition) = self.references.find(reference) else {
            let what = format!("`{reference}` leads nowhere");
            return Err(Fault::new(path, what, "describe the type where it stands"));
        };
        if let Some(name) = self.references.name(reference) {
            let mut node = Node::of(Shape::Reference(name.to_owned()));
            node.description = beside
                .get("description")
                .and_then(Json::as_str)
                .map(str::to_owned);
            node.default = beside.get("default").cloned();
            return Ok(node);
        }
        self.node(&described(definition, beside), path, depth + 1)
    }

    /// The sort of value, and whether it may be `null`. What is read is taken out of the words.
    fn shape(
        &mut self,
        node: &mut Node,
        words: &mut Map,
        path: &str,
        depth: usize,
    ) -> Result<(), Fault> {
        if let Some(Json::Array(values)) = words.get("enum").cloned() {
            words.remove("enum");
            words.remove("type");
            node.nullable = values.iter().any(Json::is_null);
            let values = values
                .into_iter()
                .filter(|value| !value.is_null())
                .collect();
            let constant = false;
            node.shape = Shape::Values { values, constant };
            return Ok(());
        }
        if let Some(value) = words.remove("const") {
            words.remove("type");
            node.shape = match value {
                Json::Null => Shape::Null,
                value => Shape::Values {
                    values: vec![value],
                    constant: true,
                },
            };
            return Ok(());
        }
        match words.remove("type") {
            Some(Json::String(kind)) => node.shape = self.kind(&kind, words, path, depth)?,
            Some(Json::Array(kinds)) => {
                let names: Vec<_> = kinds.iter().filter_map(Json::as_str).collect();
                node.nullable = names.contains(&"null");
                let mut shapes = Vec::new();
                let all = words.clone();
                for kind in names.iter().filter(|kind| **kind != "null") {
                    let mut own = all.clone();
                    shapes.push(Node::of(self.kind(kind, &mut own, path, depth)?));
                    // What one of the sorts read is no longer left over.
                    for (word, _) in &all {
                        if !own.contains_key(word) {
                            words.remove(word);
                        }
                    }
                }
                node.shape = one_or_several(shapes);
            }
            _ => self.choices(node, words, path, depth)?,
        }
        Ok(())
    }

    fn choices(
        &mut self,
        node: &mut Node,
        words: &mut Map,
        path: &str,
        depth: usize,
    ) -> Result<(), Fault> {
        for word in ["anyOf", "oneOf", "allOf"] {
            let others = words
                .iter()
                .filter(|(other, _)| words::ASSERTIONS.contains(other));
            let alone = others.count() == 1;
            let Some(Json::Array(choices)) = words.get(word).filter(|_| alone).cloned() else {
                continue;
            };
            if word == "allOf" && choices.len() != 1 {
                continue;
            }
            words.remove(word);
            let mut read = Vec::new();
            for choice in &choices {
                let choice = self.node(choice, path, depth + 1)?;
                match choice.shape {
                    Shape::Null => node.nullable = true,
                    _ => read.push(choice),
                }
            }
            match <[Node; 1]>::try_from(read) {
                Ok([only]) => take_over(node, only),
                Err(read) => node.shape = one_or_several(read),
            }
            break;
        }
        Ok(())
    }
}

/// The only choice stands for the whole, under the words that stood around it.
fn take_over(node: &mut Node, only: Node) {
    node.description = node.description.take().or(only.description);
    node.default = node.default.take().or(only.default);
    node.nullable |= only.nullable;
    node.null_is_a_value |= only.null_is_a_value;
    node.rest = only.rest;
    node.shape = only.shape;
}

fn one_or_several(mut nodes: Vec<Node>) -> Shape {
    match nodes.pop() {
        None => Shape::Null,
        Some(only) if nodes.is_empty() => only.shape,
        Some(last) => {
            nodes.push(last);
            Shape::Choice(nodes)
        }
    }
}
