//! The forms, the restrictions that are checked, and what is refused.

mod checks;
mod forms;
mod refusals;

use super::{ExportError, ToolFault, ToolForm, check};
use crate::{Effect, ToolDefinition};
use idem_core::json::{Json, Limits};

fn json(text: &str) -> Json {
    Json::parse(text, Limits::ANSWER).unwrap()
}

fn tool(schema: &str) -> ToolDefinition {
    ToolDefinition {
        name: "t".to_owned(),
        description: "Does it.".to_owned(),
        effect: Effect::AtMostOnce,
        input_schema: json(schema),
    }
}

/// A schema of an object with this one required property.
fn with(property: &str) -> String {
    format!(r#"{{"type": "object", "properties": {{"it": {property}}}, "required": ["it"]}}"#)
}

/// The schema in an exported tool.
fn schema_of(form: ToolForm, exported: &Json) -> Json {
    let schema = match form {
        ToolForm::OpenAi | ToolForm::OpenAiStrict => exported
            .get("function")
            .and_then(|tool| tool.get("parameters")),
        ToolForm::Anthropic => exported.get("input_schema"),
        ToolForm::Gemini => exported.get("parameters"),
        ToolForm::Mcp => exported.get("inputSchema"),
    };
    schema.cloned().unwrap_or_default()
}

/// What the one property of [`with`] becomes.
fn becomes(form: ToolForm, property: &str) -> Json {
    let exported = tool(&with(property)).export(form).unwrap();
    let schema = schema_of(form, &exported);
    schema.get("properties").unwrap().get("it").unwrap().clone()
}

fn faults(form: ToolForm, schema: &str) -> Vec<ToolFault> {
    match tool(schema).export(form) {
        Err(ExportError::Tools { faults, .. }) => faults,
        other => panic!("{form} takes {schema}: {other:?}"),
    }
}
