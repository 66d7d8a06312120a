//! Writes OpenAI's chat completions.

use super::arguments;
use super::error::ConversationError;
use super::ids::IdRule;
use super::steps::{Step, object, steps};
use crate::ProposedCall;
use crate::agent::{CallAnswer, Prompt};
use crate::export::ToolForm;
use idem_core::json::{Json, Map};

pub(super) fn body(prompt: &Prompt<'_>, rule: IdRule) -> Result<Json, ConversationError> {
    let mut messages = Vec::new();
    if let Some(text) = prompt.instructions {
        messages.push(said("system", text));
    }
    for step in steps(prompt.messages, rule)? {
        match step {
            Step::User(text) => messages.push(said("user", text)),
            Step::Assistant { text, calls } => messages.push(assistant(text, &calls)),
            Step::Answers(answers) => messages.extend(answers.iter().map(answer)),
        }
    }
    let mut body = Map::new();
    body.insert("messages", Json::from(messages));
    if !prompt.tools.is_empty() {
        body.insert(
            "tools",
            super::steps::tools(prompt.tools, ToolForm::OpenAi)?.into(),
        );
    }
    Ok(Json::Object(body))
}

fn said(role: &str, text: &str) -> Json {
    object([("role", Json::from(role)), ("content", Json::from(text))])
}

fn assistant(text: Option<&str>, calls: &[(Option<String>, &ProposedCall)]) -> Json {
    let mut message = Map::new();
    message.insert("role", Json::from("assistant"));
    // Only a message with calls may be without words.
    let content = match (text, calls) {
        (Some(text), _) => Json::from(text),
        (None, []) => Json::from(""),
        (None, _) => Json::Null,
    };
    message.insert("content", content);
    if !calls.is_empty() {
        let calls: Vec<Json> = calls.iter().map(call).collect();
        message.insert("tool_calls", Json::from(calls));
    }
    Json::Object(message)
}

fn call((id, call): &(Option<String>, &ProposedCall)) -> Json {
    let function = object([
        ("name", Json::from(call.tool.as_str())),
        ("arguments", Json::from(arguments::text(&call.arguments))),
    ]);
    object([
        ("id", Json::from(id.as_deref().unwrap_or_default())),
        ("type", Json::from("function")),
        ("function", function),
    ])
}

/// There is no place for `is_error`: the text of a failure says that it is one.
fn answer((id, answer): &(Option<String>, &CallAnswer)) -> Json {
    object([
        ("role", Json::from("tool")),
        (
            "tool_call_id",
            Json::from(id.as_deref().unwrap_or_default()),
        ),
        ("content", Json::from(answer.text.as_str())),
    ])
}
