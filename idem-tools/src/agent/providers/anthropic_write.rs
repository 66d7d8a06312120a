//! Writes Anthropic's messages.

use super::arguments;
use super::error::ConversationError;
use super::ids::IdRule;
use super::steps::{Step, object, steps};
use crate::ProposedCall;
use crate::agent::{CallAnswer, Prompt};
use crate::export::ToolForm;
use idem_core::json::{Json, Map};

pub(super) fn body(prompt: &Prompt<'_>) -> Result<Json, ConversationError> {
    let mut messages = Vec::new();
    let mut results: Vec<Json> = Vec::new();
    for step in steps(prompt.messages, IdRule::Anthropic)? {
        match step {
            // What a user says behind results stands in the same message, since the roles take turns.
            Step::User(text) if !results.is_empty() => {
                results.push(words(text));
                messages.push(message("user", std::mem::take(&mut results).into()));
            }
            Step::User(text) => messages.push(message("user", Json::from(text))),
            Step::Assistant { text, calls } => {
                flush(&mut results, &mut messages);
                let mut blocks: Vec<Json> = text.map(words).into_iter().collect();
                blocks.extend(calls.iter().map(call));
                // An empty message is refused, and says nothing.
                if !blocks.is_empty() {
                    messages.push(message("assistant", blocks.into()));
                }
            }
            Step::Answers(answers) => results.extend(answers.iter().map(result)),
        }
    }
    flush(&mut results, &mut messages);
    let mut body = Map::new();
    if let Some(text) = prompt.instructions {
        body.insert("system", Json::from(text));
    }
    body.insert("messages", Json::from(messages));
    if !prompt.tools.is_empty() {
        body.insert(
            "tools",
            super::steps::tools(prompt.tools, ToolForm::Anthropic)?.into(),
        );
    }
    Ok(Json::Object(body))
}

fn flush(results: &mut Vec<Json>, messages: &mut Vec<Json>) {
    if !results.is_empty() {
        messages.push(message("user", std::mem::take(results).into()));
    }
}

fn message(role: &str, content: Json) -> Json {
    object([("role", Json::from(role)), ("content", content)])
}

fn words(text: &str) -> Json {
    object([("type", Json::from("text")), ("text", Json::from(text))])
}

fn call((id, call): &(Option<String>, &ProposedCall)) -> Json {
    object([
        ("type", Json::from("tool_use")),
        ("id", Json::from(id.as_deref().unwrap_or_default())),
        ("name", Json::from(call.tool.as_str())),
        ("input", arguments::object(&call.arguments)),
    ])
}

fn result((id, answer): &(Option<String>, &CallAnswer)) -> Json {
    let mut block = Map::new();
    block.insert("type", Json::from("tool_result"));
    block.insert("tool_use_id", Json::from(id.as_deref().unwrap_or_default()));
    block.insert("content", Json::from(answer.text.as_str()));
    if answer.is_error {
        block.insert("is_error", Json::Bool(true));
    }
    Json::Object(block)
}
