//! The bounds that a model is told are kept: a type's own reading does not ask for those of `#[schemars(range(…))]`.

use super::lenience::{looks_like, referred};
use super::source::{Node, Others, Shape, Source};
use idem_core::json::{Json, Map, Number};
use std::cmp::Ordering;

const SIZES: [&str; 4] = ["minItems", "maxItems", "minLength", "maxLength"];
const LIMITS: [&str; 4] = ["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"];

/// Whether a place has bounds.
pub(super) fn has(node: &Node) -> bool {
    match &node.shape {
        Shape::Text(words)
        | Shape::Integer(words)
        | Shape::Number(words)
        | Shape::Array { bounds: words, .. } => {
            let mut words = words.iter();
            words.any(|(word, _)| SIZES.contains(&word) || LIMITS.contains(&word))
        }
        _ => false,
    }
}

/// The first bound that is not kept, as a sentence. A value of another sort is left to the decoding.
pub(super) fn broken(json: &Json, node: &Node, source: &Source, path: &str) -> Option<String> {
    match (&node.shape, json) {
        (Shape::Text(words), Json::String(text)) => {
            size(words, text.chars().count(), "Length", path)
        }
        (Shape::Integer(words) | Shape::Number(words), Json::Number(number)) => {
            limit(words, number, path)
        }
        (Shape::Array { items, bounds }, Json::Array(elements)) => {
            size(bounds, elements.len(), "Items", path).or_else(|| {
                let mut elements = elements.iter().enumerate();
                elements.find_map(|(at, element)| {
                    broken(element, items, source, &format!("{path}[{at}]"))
                })
            })
        }
        (Shape::Tuple(places), Json::Array(elements)) => {
            let mut pairs = elements.iter().zip(places).enumerate();
            pairs.find_map(|(at, (element, place))| {
                broken(element, place, source, &format!("{path}[{at}]"))
            })
        }
        (Shape::Object { fields, others }, Json::Object(members)) => {
            members.iter().find_map(|(name, value)| {
                let field = fields.iter().find(|field| field.name == name);
                let node = match (field, others) {
                    (Some(field), _) => &field.node,
                    (None, Others::Of(others)) => others,
                    (None, _) => return None,
                };
                broken(value, node, source, &format!("{path}.{name}"))
            })
        }
        (Shape::Map { values, .. }, Json::Object(members)) => {
            let mut members = members.iter();
            members
                .find_map(|(name, value)| broken(value, values, source, &format!("{path}.{name}")))
        }
        (Shape::Choice(choices), Json::Object(_)) => {
            let chosen = choices.iter().find(|choice| looks_like(json, choice));
            chosen.and_then(|chosen| broken(json, chosen, source, path))
        }
        // Where several sorts are taken, the bounds of one that fits are enough.
        (Shape::Choice(choices), json) => {
            let mut faults = choices
                .iter()
                .map(|choice| broken(json, choice, source, path));
            let first = faults.next().flatten();
            first.filter(|_| faults.all(|fault| fault.is_some()))
        }
        (Shape::Reference(name), json) => broken(json, referred(name, source)?, source, path),
        _ => None,
    }
}

fn size(words: &Map, size: usize, of: &str, path: &str) -> Option<String> {
    let bound = |word: &str| words.get(&format!("{word}{of}")).and_then(Json::as_u64);
    let size = u64::try_from(size).unwrap_or(u64::MAX);
    let unit = if of == "Items" {
        "elements"
    } else {
        "characters"
    };
    let least = bound("min").filter(|least| size < *least);
    let most = bound("max").filter(|most| size > *most);
    let least =
        least.map(|least| format!("{path}: it has {size} {unit}, and at least {least} are taken"));
    least.or_else(|| {
        most.map(|most| format!("{path}: it has {size} {unit}, and at most {most} are taken"))
    })
}

fn limit(words: &Map, number: &Number, path: &str) -> Option<String> {
    LIMITS.iter().find_map(|word| {
        let limit = words.get(word).and_then(Json::as_number)?;
        let order = compare(number, limit)?;
        let (broken, says) = match *word {
            "minimum" => (order.is_lt(), "at least"),
            "maximum" => (order.is_gt(), "at most"),
            "exclusiveMinimum" => (order.is_le(), "more than"),
            _ => (order.is_ge(), "less than"),
        };
        broken.then(|| {
            format!(
                "{path}: {} is not {says} {}",
                number.as_str(),
                limit.as_str()
            )
        })
    })
}

/// Two integers are compared exactly, and anything else as doubles.
fn compare(left: &Number, right: &Number) -> Option<Ordering> {
    match (left.as_i128(), right.as_i128()) {
        (Some(left), Some(right)) => Some(left.cmp(&right)),
        _ => left.as_f64()?.partial_cmp(&right.as_f64()?),
    }
}
