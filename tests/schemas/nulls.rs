//! C45: optional arguments in the schema and in the key.

use idem_tools::export::ToolForm;
use serde_json::json;

use crate::bench::{Bench, schema};

/// C45: left out, null and the default are one call, for an option however it is spelled, an alias and a default.
#[test]
fn every_spelling_of_absent_is_one_key() {
    let bench = Bench::new();
    let key = |arguments: &str| bench.key("optional", arguments);
    let absent = key(r#"{"a": "x"}"#);
    for same in [
        r#"{"a": "x", "b": null}"#,
        r#"{"a": "x", "c": null}"#,
        r#"{"a": "x", "d": null}"#,
        r#"{"a": "x", "e": null}"#,
        r#"{"a": "x", "e": false}"#,
        r#"{"a": "x", "f": null}"#,
        r#"{"a": "x", "f": 3}"#,
        r#"{"a": "x", "b": null, "c": null, "d": null, "e": null, "f": null}"#,
    ] {
        assert_eq!(key(same), absent, "{same}");
    }
    for other in [
        r#"{"a": "x", "b": ""}"#,
        r#"{"a": "x", "e": true}"#,
        r#"{"a": "x", "f": 0}"#,
    ] {
        assert_ne!(key(other), absent, "{other}");
    }
    let refusal = bench
        .refusal("optional", r#"{"a": null}"#)
        .expect("it is required");
    assert!(refusal.contains("$.a"), "{refusal}");
}

/// The same inside lists, maps, variants and types that hold themselves.
#[test]
fn null_says_nothing_at_any_depth() {
    let bench = Bench::new();
    for (tool, null, absent) in [
        (
            "nested",
            r#"{"from": {"street": "s", "country": null}, "over": [{"street": "t", "number": null, "country": null}]}"#,
            r#"{"from": {"street": "s"}, "over": [{"street": "t"}]}"#,
        ),
        (
            "maps",
            r#"{"counts": {}, "tags": null, "places": {"a": {"street": "s", "country": null}}}"#,
            r#"{"counts": {}, "places": {"a": {"street": "s"}}}"#,
        ),
        (
            "tagged",
            r#"{"action": {"move": {"by": 1, "fast": null}}, "list": [{"move": {"by": 2, "fast": null}}]}"#,
            r#"{"action": {"move": {"by": 1}}, "list": [{"move": {"by": 2}}]}"#,
        ),
        (
            "adjacent",
            r#"{"filter": {"kind": "range", "value": {"low": 1, "high": null}}, "none_of": null}"#,
            r#"{"filter": {"kind": "range", "value": {"low": 1}}}"#,
        ),
        (
            "tree",
            r#"{"root": {"name": "a", "weight": null, "children": [{"name": "b", "children": null, "weight": null}]}}"#,
            r#"{"root": {"name": "a", "children": [{"name": "b"}]}}"#,
        ),
        (
            "defaults",
            r#"{"action": "stop", "settings": {"depth": null, "place": null}}"#,
            r#"{"action": "stop"}"#,
        ),
    ] {
        assert_eq!(bench.key(tool, null), bench.key(tool, absent), "{tool}");
    }
}

/// To a `Patch` null is a value, so it stays one, and the strict form does not offer the tool.
#[test]
fn where_null_is_a_value_it_stays_one() {
    let bench = Bench::new();
    let key = |arguments: &str| bench.key("patched", arguments);
    let keep = key(r#"{"folder": "a"}"#);
    let clear = key(r#"{"folder": "a", "note": null}"#);
    assert_ne!(keep, clear);
    let plain = schema(ToolForm::OpenAi, "patched");
    assert_eq!(
        plain["properties"]["note"],
        json!({"type": ["string", "null"]})
    );
}

/// C45: the plain and the strict schema of optional arguments.
#[test]
fn optional_arguments_in_the_plain_and_the_strict_schema() {
    let types = json!({
        "a": "string", "b": ["string", "null"], "c": ["integer", "null"], "d": ["boolean", "null"],
        "e": ["boolean", "null"], "f": ["integer", "null"]
    });
    for (form, required) in [
        (ToolForm::OpenAi, json!(["a"])),
        (
            ToolForm::OpenAiStrict,
            json!(["a", "b", "c", "d", "e", "f"]),
        ),
    ] {
        let schema = schema(form, "optional");
        assert_eq!(schema["required"], required, "{form}");
        assert_eq!(schema["additionalProperties"], json!(false), "{form}");
        for (name, kind) in types.as_object().unwrap() {
            assert_eq!(schema["properties"][name]["type"], *kind, "{form} {name}");
        }
    }
}

/// A bound that the model is told is kept, also where the type does not ask for it.
#[test]
fn a_bound_that_is_told_is_kept() {
    let bench = Bench::new();
    let fits =
        json!({"people": 1, "code": "é😀ab", "bags": [1, 2], "shift": 0.5, "airport": "abc"});
    assert_eq!(bench.refusal("bounds", &fits.to_string()), None);
    for (field, value, says) in [
        ("people", json!(0), "$.people: 0 is not at least 1"),
        ("people", json!(11), "$.people: 11 is not at most 10"),
        (
            "code",
            json!(""),
            "$.code: it has 0 characters, and at least 1 are taken",
        ),
        (
            "code",
            json!("abcde"),
            "$.code: it has 5 characters, and at most 4 are taken",
        ),
        (
            "bags",
            json!([1, 2, 3]),
            "$.bags: it has 3 elements, and at most 2 are taken",
        ),
        ("shift", json!(0.51), "$.shift: 0.51 is not at most 0.5"),
        ("minutes", json!(4), "$.minutes: 4 is not at least 5"),
    ] {
        let mut arguments = fits.clone();
        arguments[field] = value;
        let refusal = bench
            .refusal("bounds", &arguments.to_string())
            .expect("it is out of bounds");
        assert!(refusal.starts_with(says), "{refusal}");
    }
}
