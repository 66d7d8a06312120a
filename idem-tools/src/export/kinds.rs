//! Reads the values of each type.

use super::read::Reader;
use super::source::{Fault, Field, Others, Shape};
use super::words;
use idem_core::json::{Json, Map};

impl Reader<'_> {
    /// A value of one type. What is read is taken out of the words.
    pub(super) fn kind(
        &mut self,
        kind: &str,
        words: &mut Map,
        path: &str,
        depth: usize,
    ) -> Result<Shape, Fault> {
        Ok(match kind {
            "null" => Shape::Null,
            "boolean" => Shape::Bool,
            "string" => Shape::Text(words::taken(words, &words::OF_TEXT)),
            "integer" => Shape::Integer(words::bounded(words::taken(words, &words::OF_NUMBERS))),
            "number" => Shape::Number(words::taken(words, &words::OF_NUMBERS)),
            "array" => self.array(words, path, depth)?,
            "object" => self.object(words, path, depth)?,
            other => {
                let what = format!("there is no type `{other}`");
                return Err(Fault::new(path, what, "use a type of JSON Schema"));
            }
        })
    }

    fn array(&mut self, words: &mut Map, path: &str, depth: usize) -> Result<Shape, Fault> {
        let path = format!("{path}[]");
        if let Some(Json::Array(places)) = words.remove("prefixItems") {
            let bound = |word: &str| words.get(word).and_then(Json::as_u64);
            let count = u64::try_from(places.len()).ok();
            if bound("minItems") == count && bound("maxItems") == count {
                for word in ["minItems", "maxItems", "items"] {
                    words.remove(word);
                }
                let places = places
                    .iter()
                    .map(|place| self.node(place, &path, depth + 1));
                return Ok(Shape::Tuple(places.collect::<Result<_, _>>()?));
            }
            return Err(Fault::new(
                &path,
                "places of their own, and others behind them",
                "take a struct, or a list of one sort",
            ));
        }
        let items = words.remove("items").unwrap_or(Json::Bool(true));
        Ok(Shape::Array {
            items: Box::new(self.node(&items, &path, depth + 1)?),
            bounds: words::taken(words, &words::OF_ARRAYS),
        })
    }

    fn object(&mut self, words: &mut Map, path: &str, depth: usize) -> Result<Shape, Fault> {
        let required = words.remove("required");
        let required = required
            .as_ref()
            .and_then(Json::as_array)
            .unwrap_or_default();
        let properties = words.remove("properties");
        let others = words.remove("additionalProperties");
        let mut fields = Vec::new();
        for (name, property) in properties.iter().filter_map(Json::as_object).flatten() {
            let mut node = self.node(property, &format!("{path}.{name}"), depth + 1)?;
            let required = required.iter().any(|field| field.as_str() == Some(name));
            // What may be left out may be null, and says the same: a strict form can say it in no other way.
            let null_is_absent = !required && !node.takes_null();
            node.nullable |= null_is_absent;
            fields.push(Field {
                name: name.to_owned(),
                required,
                null_is_absent,
                node,
            });
        }
        if fields.is_empty()
            && let Some(map) = self.map(words, others.as_ref(), path, depth)?
        {
            return Ok(map);
        }
        let others = match others {
            // Arguments that a type does not know are refused, so a type that lists its fields takes no others.
            None | Some(Json::Bool(false)) => Others::None,
            Some(Json::Bool(true)) => Others::Anything,
            Some(others) => Others::Of(Box::new(self.node(
                &others,
                &format!("{path}{{}}"),
                depth + 1,
            )?)),
        };
        Ok(Shape::Object { fields, others })
    }

    /// An object without fields of its own that takes others.
    fn map(
        &mut self,
        words: &mut Map,
        others: Option<&Json>,
        path: &str,
        depth: usize,
    ) -> Result<Option<Shape>, Fault> {
        let path = format!("{path}{{}}");
        let patterns = words
            .get("patternProperties")
            .and_then(Json::as_object)
            .cloned();
        let mut patterns = patterns.iter().flatten();
        let (pattern, values) = match (patterns.next(), patterns.next(), others) {
            (Some((pattern, values)), None, Some(Json::Bool(false))) => {
                (Some(pattern.to_owned()), values.clone())
            }
            (None, _, Some(others)) if *others != Json::Bool(false) => (None, others.clone()),
            _ => return Ok(None),
        };
        words.remove("patternProperties");
        let values = Box::new(self.node(&values, &path, depth + 1)?);
        Ok(Some(Shape::Map { values, pattern }))
    }
}
