//! Reads Anthropic's messages.

use super::error::ConversationError;
use super::pairing::{Builder, Found};
use super::reading::{At, failed, id, list, name, object, present, some, text, tokens, word};
use super::{Conversation, Received, Stop, arguments, messages_of};
use crate::ProposedCall;
use crate::agent::ModelResponse;
use idem_core::json::Json;

pub(super) fn response(json: &Json) -> Result<Received, ConversationError> {
    if let Some(error) = failed(json, &["type"]) {
        return Err(error);
    }
    let root = At::ROOT;
    object(json, &root)?;
    let said = said(json.get("content"), &root.key("content"))?;
    let stop = match json.get("stop_reason").and_then(Json::as_str) {
        Some("refusal") => {
            let why = "refusal".to_owned();
            return Err(ConversationError::Declined { why });
        }
        // The provider paused in the middle of a tool of its own, which is not carried.
        Some("pause_turn") => return Err(root.key("stop_reason").unsupported("a paused turn")),
        Some("max_tokens" | "model_context_window_exceeded") => Stop::CutOff,
        // A recording of a stream that broke off.
        None if !said.calls.is_empty() => Stop::CutOff,
        Some("end_turn" | "tool_use" | "stop_sequence") | None => Stop::Done,
        Some(other) => Stop::Other(word(other)),
    };
    if stop == Stop::CutOff && !said.calls.is_empty() {
        return Err(ConversationError::CutOff);
    }
    let read = [
        "input_tokens",
        "cache_creation_input_tokens",
        "cache_read_input_tokens",
    ];
    let response = ModelResponse {
        text: some(said.text),
        calls: said.calls,
        usage: tokens(present(json, "usage"), &read, &["output_tokens"]),
    };
    Ok(Received { response, stop })
}

pub(super) fn conversation(json: &Json) -> Result<Conversation, ConversationError> {
    let mut builder = Builder::default();
    let (key, messages) = messages_of(json, "messages")?;
    let root = At::ROOT;
    if let Some(system) = present(json, "system") {
        let at = root.key("system");
        builder.instructions(texts(system, &at)?, &at)?;
    }
    let list_at = key.map_or(root, |key| root.key(key));
    for (index, message) in messages.iter().enumerate() {
        let at = list_at.message(index);
        object(message, &at)?;
        let content = message.get("content");
        match text(message, "role", &at)? {
            "user" => user(content.unwrap_or(&Json::Null), &at, &mut builder)?,
            "assistant" => {
                let said = said(content, &at.key("content"))?;
                builder.assistant(some(said.text), said.calls, &at)?;
            }
            other => return Err(at.unsupported(format!("the role `{}`", word(other)))),
        }
    }
    builder.finish()
}

/// What a model said: its words are pieces of one text, and its thoughts are its own.
#[derive(Default)]
struct Said {
    text: String,
    calls: Vec<ProposedCall>,
}

fn said(content: Option<&Json>, at: &At<'_>) -> Result<Said, ConversationError> {
    let mut said = Said::default();
    let blocks = match content {
        Some(Json::String(text)) => {
            said.text.push_str(text);
            return Ok(said);
        }
        other => list(other.unwrap_or(&Json::Null), at)?,
    };
    for (index, block) in blocks.iter().enumerate() {
        let at = at.index(index);
        match text(block, "type", &at)? {
            "text" => said.text.push_str(text(block, "text", &at)?),
            "tool_use" => said.calls.push(ProposedCall {
                id: id(block, "id", &at)?,
                tool: name(block, &at)?,
                arguments: arguments::read(block.get("input")),
            }),
            "thinking" | "redacted_thinking" => {}
            other => return Err(at.unsupported(format!("a block `{}`", word(other)))),
        }
    }
    Ok(said)
}

/// A user's message holds the results of the calls before it, the user's words, or both: the results come first.
fn user(content: &Json, at: &At<'_>, builder: &mut Builder) -> Result<(), ConversationError> {
    let at = at.key("content");
    if let Json::String(text) = content {
        return builder.user(text.clone());
    }
    let blocks = list(content, &at)?;
    let (mut words, mut results) = (Vec::new(), 0);
    for (index, block) in blocks.iter().enumerate() {
        let at = at.index(index);
        match text(block, "type", &at)? {
            "text" => words.push(text(block, "text", &at)?),
            "tool_result" => {
                builder.result(result(block, &at)?, &at)?;
                results += 1;
            }
            other => return Err(at.unsupported(format!("a block `{}`", word(other)))),
        }
    }
    if words.is_empty() && results > 0 {
        return Ok(());
    }
    builder.user(words.join("\n"))
}

fn result(block: &Json, at: &At<'_>) -> Result<Found, ConversationError> {
    let text = match present(block, "content") {
        None => String::new(),
        Some(content) => texts(content, &at.key("content"))?,
    };
    let is_error = match present(block, "is_error") {
        None => false,
        Some(Json::Bool(is_error)) => *is_error,
        Some(other) => return Err(at.key("is_error").expected("a truth value", other)),
    };
    Ok(Found {
        id: id(block, "tool_use_id", at)?,
        tool: None,
        text,
        is_error,
    })
}

/// A text, or an array of text blocks.
fn texts(content: &Json, at: &At<'_>) -> Result<String, ConversationError> {
    if let Json::String(text) = content {
        return Ok(text.clone());
    }
    let mut texts = Vec::new();
    for (index, block) in list(content, at)?.iter().enumerate() {
        let at = at.index(index);
        match text(block, "type", &at)? {
            "text" => texts.push(text(block, "text", &at)?),
            other => return Err(at.unsupported(format!("a block `{}`", word(other)))),
        }
    }
    Ok(texts.join("\n"))
}
