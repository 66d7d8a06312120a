//! Arguments as they are told, before they are decoded: null where it says nothing, and bounds that the types do not keep.
//!
//! An argument that may be left out may also be null, and says the same (R21): strict forms can say it in no other way,
//! and models write it unasked. `Option` takes null itself, and to `Patch` null is a value. What is left are fields with
//! a default whose type takes no null: there it is taken away.

use super::source::{Field, Node, Others, ROOT, Shape, Source};
use super::{bounds, read};
use idem_core::json::{Json, Map};

/// What a tool's schema says that its types do not.
#[derive(Debug)]
pub(crate) struct Lenience {
    source: Option<Source>,
    has_absent: bool,
    has_bounds: bool,
}

impl Lenience {
    /// Of a tool with this input schema. One that cannot be followed says nothing.
    pub(crate) fn of(schema: &Json) -> Self {
        let source = read::source(schema).ok();
        let any = |is: fn(&Node) -> bool| {
            source.as_ref().is_some_and(|source| {
                let mut nodes = std::iter::once(&source.root).chain(source.recursive.values());
                nodes.any(|node| anywhere(node, is))
            })
        };
        let (has_absent, has_bounds) = (any(has_absent), any(bounds::has));
        Self {
            source,
            has_absent,
            has_bounds,
        }
    }

    /// The arguments without the nulls that say nothing; `None` where there are none.
    pub(crate) fn left_out(&self, arguments: &Json) -> Option<Json> {
        let source = self.source.as_ref().filter(|_| self.has_absent)?;
        let left = without(arguments, &source.root, source);
        (left != *arguments).then_some(left)
    }

    /// The first bound that the arguments do not keep, with its place.
    pub(crate) fn broken_bound(&self, arguments: &Json) -> Option<String> {
        let source = self.source.as_ref().filter(|_| self.has_bounds)?;
        bounds::broken(arguments, &source.root, source, "$")
    }
}

fn has_absent(node: &Node) -> bool {
    matches!(&node.shape, Shape::Object { fields, .. } if fields.iter().any(|field| field.null_is_absent))
}

/// Whether it holds of a place anywhere inside.
fn anywhere(node: &Node, is: fn(&Node) -> bool) -> bool {
    is(node)
        || match &node.shape {
            Shape::Object { fields, others } => {
                let inside = |field: &Field| anywhere(&field.node, is);
                fields.iter().any(inside)
                    || matches!(others, Others::Of(others) if anywhere(others, is))
            }
            Shape::Array { items: inner, .. } | Shape::Map { values: inner, .. } => {
                anywhere(inner, is)
            }
            Shape::Tuple(nodes) | Shape::Choice(nodes) => {
                nodes.iter().any(|node| anywhere(node, is))
            }
            _ => false,
        }
}

fn without(json: &Json, node: &Node, source: &Source) -> Json {
    match (&node.shape, json) {
        (Shape::Object { fields, others }, Json::Object(members)) => {
            let mut left = Map::new();
            for (name, value) in members {
                let field = fields.iter().find(|field| field.name == name);
                let value = match (field, others) {
                    (Some(field), _) if field.null_is_absent && value.is_null() => continue,
                    (Some(field), _) => without(value, &field.node, source),
                    (None, Others::Of(others)) => without(value, others, source),
                    (None, _) => value.clone(),
                };
                left.insert(name, value);
            }
            Json::Object(left)
        }
        (Shape::Map { values, .. }, Json::Object(members)) => {
            let mut left = Map::new();
            for (name, value) in members {
                left.insert(name, without(value, values, source));
            }
            Json::Object(left)
        }
        (Shape::Array { items, .. }, Json::Array(elements)) => elements
            .iter()
            .map(|element| without(element, items, source))
            .collect::<Vec<_>>()
            .into(),
        (Shape::Tuple(places), Json::Array(elements)) if places.len() == elements.len() => {
            let pairs = elements.iter().zip(places);
            pairs
                .map(|(element, place)| without(element, place, source))
                .collect::<Vec<_>>()
                .into()
        }
        (Shape::Choice(choices), json) => {
            let chosen = choices.iter().find(|choice| looks_like(json, choice));
            chosen.map_or_else(|| json.clone(), |chosen| without(json, chosen, source))
        }
        (Shape::Reference(name), json) => {
            referred(name, source).map_or_else(|| json.clone(), |node| without(json, node, source))
        }
        (_, json) => json.clone(),
    }
}

/// A type that holds itself.
pub(super) fn referred<'s>(name: &str, source: &'s Source) -> Option<&'s Node> {
    match name {
        ROOT => Some(&source.root),
        name => source.recursive.get(name),
    }
}

/// Whether an object has what tells one variant from the others: the fields that it requires, and their constants.
pub(super) fn looks_like(json: &Json, choice: &Node) -> bool {
    let (Shape::Object { fields, .. }, Some(members)) = (&choice.shape, json.as_object()) else {
        return false;
    };
    fields.iter().filter(|field| field.required).all(|field| {
        members
            .get(&field.name)
            .is_some_and(|value| match &field.node.shape {
                Shape::Values { values, .. } => values.contains(value),
                _ => true,
            })
    })
}
