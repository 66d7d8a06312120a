//! A prompt as rig takes it.

use crate::agent::providers::arguments;
use crate::agent::providers::ids::IdRule;
use crate::agent::providers::steps::{Step, steps};
use crate::agent::{CallAnswer, ModelError, Prompt};
use crate::{ProposedCall, ToolDefinition};
use idem_core::json::Json;
use rig_core::completion::{self, CompletionRequest};
use rig_core::message::{
    AssistantContent, AssistantMessage, CallId, Message, ToolCall, ToolFunction, ToolName,
    ToolResult, ToolResultContent, UserContent,
};
use rig_core::serde_json;

pub(super) fn request(
    prompt: &Prompt<'_>,
    provider: &str,
) -> Result<CompletionRequest, ModelError> {
    let mut history = Vec::new();
    if let Some(text) = prompt.instructions {
        history.push(Message::system(text));
    }
    let steps = steps(prompt.messages, ids(provider));
    for step in steps.map_err(|error| ModelError::Refused(error.to_string()))? {
        match step {
            Step::User(text) => history.push(Message::user(text)),
            Step::Assistant { text, calls } => history.extend(assistant(text, &calls)?),
            Step::Answers(answers) => {
                let content: Result<Vec<_>, _> = answers.iter().map(answer).collect();
                history.push(Message::User { content: content? });
            }
        }
    }
    // Rig takes the last message as its prompt.
    let Some(last) = history.pop() else {
        return Err(ModelError::Refused("there is nothing to answer".to_owned()));
    };
    let tools: Result<Vec<_>, _> = prompt.tools.iter().map(tool).collect();
    Ok(CompletionRequest::new(last).messages(history).tools(tools?))
}

/// Rig sends call ids on as they are given.
fn ids(provider: &str) -> IdRule {
    match provider {
        "mistral" => IdRule::Mistral,
        "anthropic" => IdRule::Anthropic,
        _ => IdRule::OpenAi,
    }
}

/// `None` for a message that says nothing: rig refuses it.
fn assistant(
    text: Option<&str>,
    calls: &[(Option<String>, &ProposedCall)],
) -> Result<Option<Message>, ModelError> {
    let mut content: Vec<_> = text.map(AssistantContent::text).into_iter().collect();
    for (id, call) in calls {
        let arguments = arguments::text(&call.arguments);
        let function = ToolFunction::parse(name(&call.tool)?, &arguments);
        let id = id.as_deref().unwrap_or_default();
        content.push(AssistantContent::ToolCall(ToolCall::from_wire(
            id, function,
        )));
    }
    let message = Message::Assistant(AssistantMessage::new(content.clone()));
    Ok((!content.is_empty()).then_some(message))
}

fn answer((id, answer): &(Option<String>, &CallAnswer)) -> Result<UserContent, ModelError> {
    Ok(UserContent::ToolResult(ToolResult {
        call: CallId::from_wire(id.as_deref().unwrap_or_default()),
        name: name(&answer.tool)?,
        content: vec![ToolResultContent::text(answer.text.as_str())],
        is_error: answer.is_error,
    }))
}

fn tool(tool: &ToolDefinition) -> Result<completion::ToolDefinition, ModelError> {
    let schema = tool.plain_schema();
    let schema = schema.map_err(|fault| ModelError::Refused(fault.to_string()))?;
    let schema = Json::Object(schema).to_text();
    let schema: serde_json::Value = serde_json::from_str(&schema).map_err(|_| {
        ModelError::Refused(format!(
            "rig cannot hold the schema of the tool `{}`",
            tool.name
        ))
    })?;
    let name = name(&tool.name)?;
    let description = tool.description.as_str();
    Ok(completion::ToolDefinition::new(name, description, schema))
}

fn name(tool: &str) -> Result<ToolName, ModelError> {
    ToolName::new(tool).map_err(|_| ModelError::Refused("a tool has no name".to_owned()))
}
