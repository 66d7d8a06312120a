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

const SCHEMA: &str = r#"{"$schema": "https://json-schema.org/draft/2020-12/schema", "title": "Input", "type": "object",
    "properties": {"to": {"type": "string"}}, "required": ["to"], "additionalProperties": false}"#;

/// R36: every form writes its tools as the export does, and none leaves a reader words that it could choke on.
#[test]
fn each_form_has_its_own_place_for_a_schema() {
    let schema = json(
        r#"{"type": "object", "properties": {"to": {"type": "string"}}, "required": ["to"], "additionalProperties": false}"#,
    );
    let function = format!(r#"{{"description":"Does it.","name":"t","parameters":{schema}}}"#);
    let openai = format!(r#"[{{"function":{function},"type":"function"}}]"#);
    for form in [Form::OpenAiChat, Form::MistralChat] {
        assert_eq!(declared(form, tool(SCHEMA)).unwrap().to_text(), openai);
    }
    let anthropic = format!(r#"[{{"description":"Does it.","input_schema":{schema},"name":"t"}}]"#);
    let written = declared(Form::Anthropic, tool(SCHEMA)).unwrap();
    assert_eq!(written.to_text(), anthropic);
    let gemini = r#"[{"functionDeclarations": [{"description": "Does it.", "name": "t", "parameters":
        {"type": "object", "properties": {"to": {"type": "string"}}, "required": ["to"]}}]}]"#;
    assert_eq!(declared(Form::Gemini, tool(SCHEMA)).unwrap(), json(gemini));
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
        let written = declared(Form::Gemini, tool(schema)).unwrap().to_text();
        assert!(
            !written.contains("parameters"),
            "an object without properties is refused: {written}"
        );
    }
}

#[test]
fn a_tool_that_a_form_cannot_express_is_refused_by_name() {
    let schema = r##"{"type": "object", "properties": {"root": {"$ref": "#/$defs/Node"}}, "required": ["root"],
        "$defs": {"Node": {"type": "object", "properties": {"next": {"$ref": "#/$defs/Node"}}}}}"##;
    let error = declared(Form::Gemini, tool(schema)).unwrap_err();
    assert!(matches!(&error, ConversationError::Schema { tool, .. } if tool == "t"));
    assert!(
        error
            .to_string()
            .contains("$.root: `Node` holds itself, and Gemini has no references")
    );
    assert!(declared(Form::Anthropic, tool(schema)).is_ok());
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
