//! Tools as each provider is told about them.

use super::{Form, Json, json, tool};
use crate::ToolDefinition;
use crate::agent::Prompt;
use crate::agent::providers::ConversationError;

fn declared(form: Form, tool: ToolDefinition) -> Result<Json, ConversationError> {
    let tools = [tool];
    let body = form.write(&Prompt::new(&[]).with_tools(&tools))?;
    Ok(body.get("tools").unwrap().clone())
}

/// Gemini's parameters for a schema; `null` for none.
fn gemini(schema: &str) -> Json {
    let tools = declared(Form::Gemini, tool(schema)).unwrap();
    let function = &tools.as_array().unwrap()[0]
        .get("functionDeclarations")
        .unwrap();
    let function = &function.as_array().unwrap()[0];
    function.get("parameters").cloned().unwrap_or_default()
}

const SCHEMA: &str = r#"{"$schema": "https://json-schema.org/draft/2020-12/schema", "title": "Input", "type": "object",
    "properties": {"to": {"type": "string"}}, "required": ["to"], "additionalProperties": false}"#;

#[test]
fn each_form_has_its_own_place_for_a_schema() {
    let schema = json(SCHEMA);
    let function = format!(r#"{{"description":"Does it.","name":"t","parameters":{schema}}}"#);
    let openai = format!(r#"[{{"function":{function},"type":"function"}}]"#);
    assert_eq!(
        declared(Form::OpenAiChat, tool(SCHEMA)).unwrap().to_text(),
        openai
    );
    assert_eq!(
        declared(Form::MistralChat, tool(SCHEMA)).unwrap().to_text(),
        openai
    );
    let anthropic = format!(r#"[{{"description":"Does it.","input_schema":{schema},"name":"t"}}]"#);
    assert_eq!(
        declared(Form::Anthropic, tool(SCHEMA)).unwrap().to_text(),
        anthropic
    );
}

/// A schema that says nothing is still one of an object, which is all that providers take.
#[test]
fn a_schema_is_always_of_an_object() {
    let tools = declared(Form::Anthropic, tool("true")).unwrap().to_text();
    assert!(
        tools.contains(r#""input_schema":{"type":"object"}"#),
        "{tools}"
    );
    for schema in ["true", "{}", r#"{"type": "object", "properties": {}}"#] {
        assert_eq!(
            gemini(schema),
            Json::Null,
            "an object without properties is refused"
        );
    }
}

#[test]
fn gemini_is_not_told_words_that_it_refuses() {
    assert_eq!(
        gemini(SCHEMA),
        json(r#"{"type": "object", "properties": {"to": {"type": "string"}}, "required": ["to"]}"#)
    );
    let schema = r#"{"type": "object", "properties": {
        "$schema": {"type": "integer", "format": "uint32", "minimum": 0, "exclusiveMaximum": 9, "default": 1},
        "at": {"type": "string", "format": "date-time", "description": "When"},
        "mail": {"type": "string", "format": "email", "examples": ["a@b.test"], "pattern": "@"}}}"#;
    assert_eq!(
        gemini(schema),
        json(
            r#"{"type": "object", "properties": {"$schema": {"type": "integer", "minimum": 0},
                "at": {"type": "string", "format": "date-time", "description": "When"},
                "mail": {"type": "string", "pattern": "@"}}}"#
        )
    );
}

#[test]
fn gemini_is_told_optional_and_listed_values_in_its_own_words() {
    let schema = r##"{"type": "object", "properties": {
        "note": {"type": ["string", "null"]},
        "either": {"type": ["string", "integer"]},
        "target": {"anyOf": [{"$ref": "#/$defs/Target"}, {"type": "null"}], "description": "Where to"},
        "kind": {"oneOf": [{"const": "a", "description": "First"}, {"type": "string", "enum": ["b", "c"]}]},
        "level": {"enum": [1, 2]},
        "pair": {"type": "array", "prefixItems": [{"type": "string"}, {"type": "string"}], "minItems": 2, "maxItems": 2},
        "both": {"allOf": [{"$ref": "#/$defs/Target"}]}},
        "$defs": {"Target": {"type": "object", "title": "Target", "properties": {"id": {"type": "string"}}}}}"##;
    let target = r#"{"type": "object", "properties": {"id": {"type": "string"}}"#;
    assert_eq!(
        gemini(schema).get("properties").unwrap(),
        &json(&format!(
            r#"{{"note": {{"type": "string", "nullable": true}},
                "either": {{"anyOf": [{{"type": "string"}}, {{"type": "integer"}}]}},
                "target": {target}, "nullable": true, "description": "Where to"}},
                "kind": {{"anyOf": [{{"type": "string", "enum": ["a"], "description": "First"}},
                                   {{"type": "string", "enum": ["b", "c"]}}]}},
                "level": {{}},
                "pair": {{"type": "array", "items": {{"type": "string"}}, "minItems": 2, "maxItems": 2}},
                "both": {target}}}}}"#
        ))
    );
}

#[test]
fn a_type_inside_itself_is_refused_by_name() {
    let schema = r##"{"type": "object", "properties": {"root": {"$ref": "#/$defs/Node"}},
        "$defs": {"Node": {"type": "object", "properties": {"next": {"$ref": "#/$defs/Node"}}}}}"##;
    let error = declared(Form::Gemini, tool(schema)).unwrap_err();
    assert_eq!(
        error.to_string(),
        "the schema of the tool `t` cannot be written: `#/$defs/Node` holds itself, and Gemini has no references"
    );
    assert!(declared(Form::Anthropic, tool(schema)).is_ok());
    let nowhere = r##"{"type": "object", "properties": {"a": {"$ref": "#/$defs/B"}}}"##;
    let error = declared(Form::Gemini, tool(nowhere)).unwrap_err();
    assert!(error.to_string().ends_with("`#/$defs/B` leads nowhere"));
    let deep = format!("{}true{}", r#"{"items": "#.repeat(40), "}".repeat(40));
    let error = declared(Form::Gemini, tool(&deep)).unwrap_err();
    assert!(error.to_string().ends_with("it is deeper than 32 levels"));
}

#[test]
fn instructions_stand_where_each_form_has_them() {
    for (form, body) in [
        (
            Form::OpenAiChat,
            r#"{"messages":[{"content":"Be brief.","role":"system"}]}"#,
        ),
        (Form::Anthropic, r#"{"messages":[],"system":"Be brief."}"#),
        (
            Form::Gemini,
            r#"{"contents":[],"systemInstruction":{"parts":[{"text":"Be brief."}]}}"#,
        ),
    ] {
        let prompt = Prompt::new(&[]).with_instructions("Be brief.");
        assert_eq!(form.write(&prompt).unwrap().to_text(), body);
    }
}
