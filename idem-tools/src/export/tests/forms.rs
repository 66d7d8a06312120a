//! What a schema becomes in each form.

use super::{ToolForm, becomes, json, schema_of, tool};
use crate::Effect;
use idem_core::json::Json;

#[track_caller]
fn is(form: ToolForm, property: &str, expected: &str) {
    assert_eq!(becomes(form, property), json(expected), "{form}");
}

/// C49: no word of one generator goes out, and a width becomes the bounds that it means.
#[test]
fn a_width_becomes_bounds_and_an_odd_format_goes() {
    let small =
        r#"{"type": "integer", "format": "uint32", "minimum": 0, "title": "N", "x-odd": 1}"#;
    let bounded = r#"{"type": "integer", "minimum": 0, "maximum": 4294967295}"#;
    for form in ToolForm::ALL {
        is(form, small, bounded);
    }
    let signed = r#"{"type": "integer", "format": "int8", "exclusiveMinimum": 0}"#;
    is(
        ToolForm::OpenAi,
        signed,
        r#"{"type": "integer", "exclusiveMinimum": 0, "maximum": 127}"#,
    );
    let large = r#"{"type": "integer", "format": "uint64", "minimum": 0}"#;
    is(
        ToolForm::Anthropic,
        large,
        r#"{"type": "integer", "minimum": 0}"#,
    );
    let wide = r#"{"type": "integer", "format": "int64"}"#;
    is(ToolForm::Gemini, wide, wide);
    is(ToolForm::Mcp, wide, r#"{"type": "integer"}"#);
}

/// What a form has no word for is told.
#[test]
fn what_has_no_word_joins_the_description() {
    let text = r#"{"type": "string", "format": "email", "minLength": 3, "maxLength": 9, "pattern": "@", "description": "Who."}"#;
    is(
        ToolForm::OpenAi,
        text,
        r#"{"type": "string", "format": "email", "minLength": 3, "maxLength": 9, "description": "Who. It matches \"@\"."}"#,
    );
    is(
        ToolForm::OpenAiStrict,
        text,
        r#"{"type": "string", "format": "email", "pattern": "@", "description": "Who. At most 9 characters. At least 3 characters."}"#,
    );
    is(
        ToolForm::Gemini,
        text,
        r#"{"type": "string", "minLength": 3, "maxLength": 9, "pattern": "@", "description": "Who. Format: email."}"#,
    );
    let at = r#"{"type": "string", "format": "date-time"}"#;
    is(ToolForm::Gemini, at, at);
    let number =
        r#"{"type": "number", "format": "double", "exclusiveMinimum": 0, "multipleOf": 0.5}"#;
    is(
        ToolForm::OpenAiStrict,
        number,
        r#"{"type": "number", "exclusiveMinimum": 0, "multipleOf": 0.5}"#,
    );
    is(
        ToolForm::Gemini,
        number,
        r#"{"type": "number", "format": "double", "description": "More than 0. A multiple of 0.5."}"#,
    );
}

/// C45: what may be left out may be null, in every form; in the strict one it is required and null.
#[test]
fn what_may_be_left_out_may_be_null() {
    let schema = r#"{"type": "object", "required": ["a"], "properties": {
        "a": {"type": "string"},
        "b": {"type": ["string", "null"]},
        "c": {"type": "integer", "default": 3},
        "d": {"type": "array", "items": {"type": "string"}, "default": []}}}"#;
    let exported = |form| schema_of(form, &tool(schema).export(form).unwrap());
    assert_eq!(
        exported(ToolForm::OpenAi),
        json(
            r#"{"type": "object", "required": ["a"], "additionalProperties": false, "properties": {
                "a": {"type": "string"},
                "b": {"type": ["string", "null"]},
                "c": {"type": ["integer", "null"], "default": 3},
                "d": {"anyOf": [{"type": "array", "items": {"type": "string"}}, {"type": "null"}], "default": []}}}"#
        )
    );
    assert_eq!(
        exported(ToolForm::OpenAiStrict),
        json(
            r#"{"type": "object", "required": ["a", "b", "c", "d"], "additionalProperties": false, "properties": {
                "a": {"type": "string"},
                "b": {"type": ["string", "null"]},
                "c": {"type": ["integer", "null"], "description": "Default: 3."},
                "d": {"anyOf": [{"type": "array", "items": {"type": "string"}}, {"type": "null"}], "description": "Default: []."}}}"#
        )
    );
    assert_eq!(
        exported(ToolForm::Gemini),
        json(
            r#"{"type": "object", "required": ["a"], "properties": {
                "a": {"type": "string"},
                "b": {"type": "string", "nullable": true},
                "c": {"type": "integer", "nullable": true, "description": "Default: 3."},
                "d": {"type": "array", "items": {"type": "string"}, "nullable": true, "description": "Default: []."}}}"#
        )
    );
}

#[test]
fn values_and_choices_keep_their_meaning() {
    let kind = r#"{"oneOf": [{"const": "a", "description": "First."}, {"type": "string", "enum": ["b", "c"]}], "description": "Which."}"#;
    let strict = r#"{"anyOf": [{"type": "string", "const": "a", "description": "First."}, {"type": "string", "enum": ["b", "c"]}],
        "description": "Which."}"#;
    is(ToolForm::OpenAi, kind, strict);
    is(ToolForm::OpenAiStrict, kind, strict);
    is(
        ToolForm::Gemini,
        kind,
        r#"{"anyOf": [{"type": "string", "format": "enum", "enum": ["a"], "description": "Which. First."},
            {"type": "string", "format": "enum", "enum": ["b", "c"], "description": "Which."}]}"#,
    );
    let level = r#"{"enum": [1, 2]}"#;
    is(
        ToolForm::OpenAiStrict,
        level,
        r#"{"type": "integer", "enum": [1, 2]}"#,
    );
    is(
        ToolForm::Gemini,
        level,
        r#"{"type": "integer", "description": "One of: 1, 2."}"#,
    );
    let maybe = r#"{"type": ["string", "null"], "enum": ["a", null]}"#;
    let either = r#"{"anyOf": [{"type": "string", "enum": ["a"]}, {"type": "null"}]}"#;
    is(ToolForm::OpenAiStrict, maybe, either);
    is(
        ToolForm::Gemini,
        maybe,
        r#"{"type": "string", "format": "enum", "enum": ["a"], "nullable": true}"#,
    );
    let amount = r#"{"type": ["string", "number"], "pattern": "^1"}"#;
    is(
        ToolForm::OpenAi,
        amount,
        r#"{"anyOf": [{"type": "string", "description": "It matches \"^1\"."}, {"type": "number"}]}"#,
    );
    is(
        ToolForm::OpenAiStrict,
        amount,
        r#"{"anyOf": [{"type": "string", "pattern": "^1"}, {"type": "number"}]}"#,
    );
}

/// C49: a reference is written out, so that two types of one name never meet; one that comes back stays, with its own
/// definition and no other.
#[test]
fn only_a_type_that_holds_itself_is_referred_to() {
    let schema = r##"{"type": "object", "required": ["a", "b", "root"], "properties": {
        "a": {"$ref": "#/$defs/Target", "description": "Mine."}, "b": {"$ref": "#/$defs/Target2"},
        "root": {"$ref": "#/$defs/Node", "description": "Top."}},
        "$defs": {"Target": {"type": "object", "description": "Any.", "properties": {"id": {"type": "string"}}, "required": ["id"]},
            "Target2": {"type": "object", "properties": {"email": {"type": "string"}}, "required": ["email"]},
            "Unused": {"type": "string"},
            "Node": {"type": "object", "required": ["next"], "properties": {"next": {"anyOf": [{"$ref": "#/$defs/Node"}, {"type": "null"}]}}}}}"##;
    let strict = tool(schema).export(ToolForm::OpenAiStrict).unwrap();
    let strict = schema_of(ToolForm::OpenAiStrict, &strict);
    let object = |name: &str| {
        format!(
            r#""type": "object", "properties": {{"{name}": {{"type": "string"}}}}, "required": ["{name}"], "additionalProperties": false"#
        )
    };
    assert_eq!(
        strict,
        json(&format!(
            r##"{{"type": "object", "required": ["a", "b", "root"], "additionalProperties": false, "properties": {{
                "a": {{{}, "description": "Mine."}}, "b": {{{}}},
                "root": {{"anyOf": [{{"$ref": "#/$defs/Node"}}], "description": "Top."}}}},
                "$defs": {{"Node": {{"type": "object", "additionalProperties": false, "required": ["next"],
                    "properties": {{"next": {{"anyOf": [{{"$ref": "#/$defs/Node"}}, {{"type": "null"}}]}}}}}}}}}}"##,
            object("id"),
            object("email")
        ))
    );
    let plain = tool(schema).export(ToolForm::Mcp).unwrap();
    let root = schema_of(ToolForm::Mcp, &plain)
        .get("properties")
        .unwrap()
        .get("root")
        .cloned();
    assert_eq!(
        root.unwrap(),
        json(r##"{"$ref": "#/$defs/Node", "description": "Top."}"##)
    );
}

#[test]
fn maps_and_places_stay_where_whole_json_schema_is_taken() {
    let map = r#"{"type": "object", "additionalProperties": {"type": "integer"}}"#;
    is(ToolForm::OpenAi, map, map);
    let numbered = r#"{"type": "object", "patternProperties": {"^\\d+$": {"type": "string"}}, "additionalProperties": false}"#;
    is(ToolForm::Anthropic, numbered, numbered);
    let pair = r#"{"type": "array", "prefixItems": [{"type": "string"}, {"type": "integer"}], "minItems": 2, "maxItems": 2}"#;
    is(
        ToolForm::OpenAi,
        pair,
        r#"{"type": "array", "prefixItems": [{"type": "string"}, {"type": "integer"}], "items": {}, "minItems": 2, "maxItems": 2}"#,
    );
    is(
        ToolForm::Gemini,
        pair,
        r#"{"type": "array", "items": {"anyOf": [{"type": "string"}, {"type": "integer"}]}, "minItems": 2, "maxItems": 2,
            "description": "In this order: string, integer."}"#,
    );
    let set =
        r#"{"type": "array", "items": {"type": "string"}, "uniqueItems": true, "maxItems": 3}"#;
    is(
        ToolForm::Mcp,
        set,
        r#"{"type": "array", "items": {"type": "string"}, "maxItems": 3, "description": "Each of them once."}"#,
    );
    let other = r#"{"not": {"const": 0}, "type": "integer"}"#;
    is(ToolForm::Mcp, other, other);
}

/// The hints follow from the class: only a read is read-only, and no write is idempotent across turns.
#[test]
fn the_hints_of_mcp_are_true_to_the_effect_class() {
    let hints = |effect| {
        let mut tool = tool("true");
        tool.effect = effect;
        tool.export(ToolForm::Mcp)
            .unwrap()
            .get("annotations")
            .unwrap()
            .clone()
    };
    let read = r#"{"readOnlyHint": true, "destructiveHint": false, "idempotentHint": true}"#;
    assert_eq!(hints(Effect::Read), json(read));
    let write: Json =
        json(r#"{"readOnlyHint": false, "destructiveHint": true, "idempotentHint": false}"#);
    let window = std::time::Duration::from_secs(60);
    for effect in [
        Effect::AtMostOnce,
        Effect::Keyed { window },
        Effect::Reconcile,
        Effect::Transactional,
    ] {
        assert_eq!(hints(effect), write, "{}", effect.word());
    }
}
