//! Reads OpenAI's chat completions, and Mistral's, which only write ids otherwise.

use super::error::ConversationError;
use super::pairing::{Builder, Found};
use super::reading::{At, failed, id, list, name, object, present, some, text, tokens, word};
use super::{Conversation, Received, Stop, arguments, messages_of};
use crate::ProposedCall;
use crate::agent::ModelResponse;
use idem_core::json::Json;

pub(super) fn response(json: &Json) -> Result<Received, ConversationError> {
    if let Some(error) = failed(json, &["code", "type"]) {
        return Err(error);
    }
    let root = At::ROOT;
    let choices_at = root.key("choices");
    let choices = list(json.get("choices").unwrap_or(&Json::Null), &choices_at)?;
    let [choice] = choices else {
        return Err(choices_at.unsupported(format!("a response of {} choices", choices.len())));
    };
    let choice_at = choices_at.index(0);
    let at = choice_at.key("message");
    let message = choice.get("message").unwrap_or(&Json::Null);
    object(message, &at)?;
    if present(message, "refusal").is_some() {
        return declined("refusal");
    }
    let content = content(message, &at, Speaker::Model)?;
    if content.refused {
        return declined("refusal");
    }
    let calls = calls(message, &at)?;
    let stop = match choice.get("finish_reason").and_then(Json::as_str) {
        Some("content_filter") => return declined("content_filter"),
        Some("length") => Stop::CutOff,
        // A recording of a stream that broke off.
        None if !calls.is_empty() => Stop::CutOff,
        Some("stop" | "tool_calls" | "function_call") | None => Stop::Done,
        Some(other) => Stop::Other(word(other)),
    };
    if stop == Stop::CutOff && !calls.is_empty() {
        return Err(ConversationError::CutOff);
    }
    let usage = present(json, "usage");
    let response = ModelResponse {
        text: some(content.text),
        calls,
        usage: tokens(usage, &["prompt_tokens"], &["completion_tokens"]),
    };
    Ok(Received { response, stop })
}

fn declined(why: &str) -> Result<Received, ConversationError> {
    let why = why.to_owned();
    Err(ConversationError::Declined { why })
}

pub(super) fn conversation(json: &Json) -> Result<Conversation, ConversationError> {
    let mut builder = Builder::default();
    let (key, messages) = messages_of(json, "messages")?;
    let root = At::ROOT;
    let list_at = key.map_or(root, |key| root.key(key));
    for (index, entry) in messages.iter().enumerate() {
        let at = list_at.message(index);
        object(entry, &at)?;
        message(entry, &at, &mut builder)?;
    }
    builder.finish()
}

fn message(message: &Json, at: &At<'_>, builder: &mut Builder) -> Result<(), ConversationError> {
    let words = |speaker| content(message, at, speaker).map(|content| content.text);
    match text(message, "role", at)? {
        "system" | "developer" => builder.instructions(words(Speaker::Person)?, at),
        "user" => builder.user(words(Speaker::Person)?),
        "assistant" => {
            let mut text = words(Speaker::Model)?;
            // A refusal is what the model said, and the conversation went on behind it.
            text.push_str(
                message
                    .get("refusal")
                    .and_then(Json::as_str)
                    .unwrap_or_default(),
            );
            builder.assistant(some(text), calls(message, at)?, at)
        }
        "tool" => {
            let found = Found {
                id: id(message, "tool_call_id", at)?,
                tool: None,
                text: words(Speaker::Person)?,
                is_error: false,
            };
            builder.result(found, at)
        }
        other => Err(at.unsupported(format!("the role `{}`", word(other)))),
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Speaker {
    /// A user, an application or a tool: each part is a text of its own.
    Person,
    /// The model: its parts are pieces of one text, and some are its thoughts.
    Model,
}

struct Content {
    text: String,
    refused: bool,
}

/// The content as text, which may be text or an array of parts.
fn content(message: &Json, at: &At<'_>, speaker: Speaker) -> Result<Content, ConversationError> {
    let at = at.key("content");
    let (mut texts, mut refused) = (Vec::new(), false);
    let parts = match message.get("content") {
        None | Some(Json::Null) => &[],
        Some(Json::String(text)) => {
            texts.push(text.as_str());
            &[][..]
        }
        Some(other) => list(other, &at)?,
    };
    for (index, part) in parts.iter().enumerate() {
        let at = at.index(index);
        match (text(part, "type", &at)?, speaker) {
            ("text", _) => texts.push(text(part, "text", &at)?),
            ("refusal", Speaker::Model) => {
                texts.push(text(part, "refusal", &at)?);
                refused = true;
            }
            ("thinking" | "reasoning", Speaker::Model) => {}
            (other, _) => return Err(at.unsupported(format!("a part `{}`", word(other)))),
        }
    }
    let between = if speaker == Speaker::Person { "\n" } else { "" };
    let text = texts.join(between);
    Ok(Content { text, refused })
}

fn calls(message: &Json, at: &At<'_>) -> Result<Vec<ProposedCall>, ConversationError> {
    if present(message, "function_call").is_some() {
        return Err(at.unsupported("`function_call`, the form before `tool_calls`,"));
    }
    let Some(calls) = present(message, "tool_calls") else {
        return Ok(Vec::new());
    };
    let at = at.key("tool_calls");
    let calls = list(calls, &at)?.iter().enumerate();
    calls
        .map(|(index, entry)| call(entry, &at.index(index)))
        .collect()
}

fn call(call: &Json, at: &At<'_>) -> Result<ProposedCall, ConversationError> {
    // Some servers leave the kind out; another one than a function has another form.
    match call.get("type") {
        None | Some(Json::Null) => {}
        Some(Json::String(kind)) if kind == "function" => {}
        Some(Json::String(kind)) => {
            return Err(at.unsupported(format!("a call of the kind `{}`", word(kind))));
        }
        Some(other) => return Err(at.key("type").expected("a string", other)),
    }
    let here = at.key("function");
    let function = call.get("function").unwrap_or(&Json::Null);
    object(function, &here)?;
    Ok(ProposedCall {
        id: id(call, "id", at)?,
        tool: name(function, &here)?,
        arguments: arguments::read(function.get("arguments")),
    })
}
