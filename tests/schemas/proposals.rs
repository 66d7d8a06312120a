//! Arguments as a model might write them: drawn from a schema, and here and there not quite.

use std::sync::Arc;

use proptest::collection::vec;
use proptest::prelude::{Just, Strategy, any};
use proptest::strategy::{BoxedStrategy, Union};
use serde_json::{Map, Value, json};

/// How far a type that holds itself is followed.
const DEPTH_MAX: usize = 5;

/// Values of any sort that stand where others are asked for: what models write, and what readers trip over.
fn odd() -> BoxedStrategy<Value> {
    let values = json!([
        null, true, 0, 1, -1, 1.0, 0.5, -0.0, 1e2, 127, 128, 255, 256, 65535, 65536, 4294967295_u64, 4294967296_u64,
        9223372036854775807_u64, 18446744073709551615_u64, 1e30, "", "a", "ab", "abcde", "1", "-1", "1.5", "+1", ".5",
        "1_000", "1e5", "1e-5", "NaN", "null", "true", "ä", "2024-05-31", "2024-13-41", "2024-05-31T10:00:00Z",
        "10.0.0.1", "ABC", "de", "now", "stop", "all", [], [1], ["a", "a"], [null], [1, 2, 3], ["a", 1], {}, {"a": 1},
        {"kind": "all"}, {"kind": "all", "value": null}, {"kind": "name"}, {"stop": null}, {"say": "a"},
        {"say": "a", "stop": null}, {"count": 1}, {"secs": 1, "nanos": 0}, {"de": null}
    ]);
    let values = values.as_array().expect("a list").clone();
    proptest::sample::select(values).boxed()
}

/// Values that the schema describes, each place now and then taken by one that is not meant for it.
pub(crate) fn near(schema: &Value, odds: u32) -> BoxedStrategy<Value> {
    place(&Arc::new(schema.clone()), schema, odds, 0)
}

fn place(root: &Arc<Value>, schema: &Value, odds: u32, depth: usize) -> BoxedStrategy<Value> {
    let meant = meant(root, schema, odds, depth);
    match odds {
        0 => meant,
        // The input itself stays an object.
        _ if depth == 0 => meant,
        odds => Union::new_weighted(vec![(40, meant), (odds, odd())]).boxed(),
    }
}

fn meant(root: &Arc<Value>, schema: &Value, odds: u32, depth: usize) -> BoxedStrategy<Value> {
    if let Some(reference) = schema.get("$ref").and_then(Value::as_str) {
        let found = root
            .pointer(reference.trim_start_matches('#'))
            .expect("it leads somewhere");
        return place(root, &found.clone(), odds, depth + 1);
    }
    if let Some(value) = schema.get("const") {
        return Just(value.clone()).boxed();
    }
    if let Some(values) = schema.get("enum").and_then(Value::as_array) {
        return proptest::sample::select(values.clone()).boxed();
    }
    if let Some(choices) = schema.get("anyOf").and_then(Value::as_array) {
        // A type that holds itself ends where it may be null.
        let null = |choice: &&Value| choice["type"] == "null";
        let ends = depth > DEPTH_MAX && choices.iter().any(|choice| null(&choice));
        let choices = choices.iter().filter(|choice| !ends || null(choice));
        return Union::new(choices.map(|choice| place(root, choice, odds, depth + 1))).boxed();
    }
    match schema.get("type") {
        Some(Value::Array(kinds)) => {
            let one = |kind: &Value| {
                let mut schema = schema.clone();
                schema["type"] = kind.clone();
                meant(root, &schema, odds, depth)
            };
            Union::new(kinds.iter().map(one)).boxed()
        }
        Some(Value::String(kind)) => of_kind(kind, root, schema, odds, depth),
        _ => odd(),
    }
}

fn of_kind(
    kind: &str,
    root: &Arc<Value>,
    schema: &Value,
    odds: u32,
    depth: usize,
) -> BoxedStrategy<Value> {
    match kind {
        "null" => Just(Value::Null).boxed(),
        "boolean" => any::<bool>().prop_map(Value::from).boxed(),
        "integer" => {
            let least = schema["minimum"].as_i64().unwrap_or(-5);
            let most = schema["maximum"]
                .as_i64()
                .unwrap_or(least.saturating_add(1000));
            (least..=most).prop_map(Value::from).boxed()
        }
        "number" => {
            let bound = |word: &str, other: f64| schema[word].as_f64().unwrap_or(other);
            (bound("minimum", -100.0)..=bound("maximum", 100.0))
                .prop_map(Value::from)
                .boxed()
        }
        "string" => text(schema),
        "array" => array(root, schema, odds, depth),
        "object" => object(root, schema, odds, depth),
        other => panic!("there is no type {other}"),
    }
}

fn text(schema: &Value) -> BoxedStrategy<Value> {
    let pattern = match schema["format"].as_str() {
        Some("date") => "20[0-9]{2}-0[1-9]-[0-3][0-9]",
        Some("date-time") => "20[0-9]{2}-0[1-9]-1[0-9]T1[0-9]:00:00(Z|\\+02:00)",
        Some("ipv4") => "[0-9]{1,2}\\.[0-9]{1,2}\\.1\\.[0-9]{1,3}",
        _ => match schema["pattern"].as_str() {
            Some(pattern) if pattern.contains("\\d+(") => "-?[0-9]{1,4}(\\.[0-9]{1,3})?",
            Some(_) => "[A-Z]{3}",
            None if schema["description"]
                .as_str()
                .is_some_and(|text| text.contains("in digits")) =>
            {
                "[-+]?[0-9]{0,4}(_[0-9])?(\\.[0-9]{0,3})?([eE]-?[0-9]{1,2})?"
            }
            None => {
                let least = schema["minLength"].as_u64().unwrap_or(0);
                let most = schema["maxLength"].as_u64().unwrap_or(least + 4);
                let pattern = format!("[a-zA-Z0-9é😀]{{{least},{most}}}");
                return proptest::string::string_regex(&pattern)
                    .unwrap()
                    .prop_map(Value::from)
                    .boxed();
            }
        },
    };
    proptest::string::string_regex(pattern)
        .unwrap()
        .prop_map(Value::from)
        .boxed()
}

fn array(root: &Arc<Value>, schema: &Value, odds: u32, depth: usize) -> BoxedStrategy<Value> {
    if let Some(places) = schema.get("prefixItems").and_then(Value::as_array) {
        let places: Vec<_> = places
            .iter()
            .map(|inner| place(root, inner, odds, depth + 1))
            .collect();
        return places.prop_map(Value::from).boxed();
    }
    let bound = |word: &str| {
        schema[word]
            .as_u64()
            .and_then(|bound| usize::try_from(bound).ok())
    };
    let least = bound("minItems").unwrap_or(0);
    let most = bound("maxItems").unwrap_or(least + 2);
    if depth > DEPTH_MAX && least == 0 {
        return Just(json!([])).boxed();
    }
    let items = place(root, &schema["items"], odds, depth + 1);
    vec(items, least..=most).prop_map(Value::from).boxed()
}

fn object(root: &Arc<Value>, schema: &Value, odds: u32, depth: usize) -> BoxedStrategy<Value> {
    let required = schema["required"].as_array().cloned().unwrap_or_default();
    let mut fields = Vec::new();
    for (name, property) in schema["properties"].as_object().into_iter().flatten() {
        let value = place(root, property, odds, depth + 1).prop_map(Some);
        // What is required is left out only where something is to be wrong.
        let absent = if required.iter().any(|field| field == name) {
            odds / 2
        } else {
            20
        };
        let value = match absent {
            0 => value.boxed(),
            absent => {
                Union::new_weighted(vec![(40, value.boxed()), (absent, Just(None).boxed())]).boxed()
            }
        };
        fields.push((Just(name.clone()), value).boxed());
    }
    let mut extra = vec![(40, Just(Vec::new()).boxed())];
    if odds > 0 {
        extra.push((
            1,
            ("[a-z]{1,3}", odd()).prop_map(|entry| vec![entry]).boxed(),
        ));
    }
    let entries = entries(schema);
    if let Some((names, values)) = entries {
        let values = place(root, values, odds, depth + 1);
        extra = vec![(1, vec((names, values), 0..3).boxed())];
    }
    (fields, Union::new_weighted(extra))
        .prop_map(|(fields, extra)| {
            let fields = fields
                .into_iter()
                .filter_map(|(name, value)| Some((name, value?)));
            Value::from(extra.into_iter().chain(fields).collect::<Map<_, _>>())
        })
        .boxed()
}

/// The names and the schema of a map's entries.
fn entries(schema: &Value) -> Option<(&'static str, &Value)> {
    if let Some(patterns) = schema.get("patternProperties").and_then(Value::as_object) {
        return Some(("(0|[1-9][0-9]{0,5}|00|-1)", patterns.values().next()?));
    }
    let values = schema.get("additionalProperties")?;
    (*values != json!(false)).then_some(("[a-z0-9]{1,3}", values))
}
