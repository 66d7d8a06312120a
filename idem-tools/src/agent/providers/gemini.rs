//! Reads Gemini's `generateContent`. Its documents spell keys in camel case, and its own libraries also in snake case: both
//! are read.

use super::error::ConversationError;
use super::pairing::{Builder, Found};
use super::reading::{
    At, either, failed, id, list, name, object, present, some, text, tokens, word,
};
use super::{Conversation, Received, Stop, arguments, messages_of};
use crate::ProposedCall;
use crate::agent::ModelResponse;
use idem_core::json::Json;

pub(super) fn response(json: &Json) -> Result<Received, ConversationError> {
    if let Some(error) = failed(json, &["status", "code"]) {
        return Err(error);
    }
    let root = At::ROOT;
    let feedback = either(json, "promptFeedback", "prompt_feedback");
    let blocked = feedback.and_then(|feedback| either(feedback, "blockReason", "block_reason"));
    if let Some(why) = blocked {
        return declined(why.as_str().unwrap_or("blocked"));
    }
    let all_at = root.key("candidates");
    let candidates = list(json.get("candidates").unwrap_or(&Json::Null), &all_at)?;
    let [candidate] = candidates else {
        return Err(all_at.unsupported(format!("a response of {} candidates", candidates.len())));
    };
    let at = all_at.index(0);
    let reason = either(candidate, "finishReason", "finish_reason").and_then(Json::as_str);
    let stop = match reason {
        Some(
            why @ ("SAFETY" | "RECITATION" | "LANGUAGE" | "BLOCKLIST" | "PROHIBITED_CONTENT"
            | "SPII"),
        ) => return declined(why),
        // Its own words for a call that it could not write.
        Some(
            why @ ("MALFORMED_FUNCTION_CALL" | "UNEXPECTED_TOOL_CALL" | "TOO_MANY_TOOL_CALLS"),
        ) => {
            return Err(at.unsupported(format!("a response that ended with {why}")));
        }
        Some("MAX_TOKENS") => Stop::CutOff,
        Some("STOP") | None => Stop::Done,
        Some(other) => Stop::Other(word(other)),
    };
    let said = match present(candidate, "content") {
        None => Said::default(),
        Some(content) => said(content, &at.key("content"))?,
    };
    // A stream that broke off has no reason to stop.
    if !said.calls.is_empty() && (stop == Stop::CutOff || reason.is_none()) {
        return Err(ConversationError::CutOff);
    }
    let usage = either(json, "usageMetadata", "usage_metadata");
    let read = [
        "promptTokenCount",
        "prompt_token_count",
        "toolUsePromptTokenCount",
        "tool_use_prompt_token_count",
    ];
    let written = [
        "candidatesTokenCount",
        "candidates_token_count",
        "thoughtsTokenCount",
        "thoughts_token_count",
    ];
    let response = ModelResponse {
        text: some(said.text),
        calls: said.calls,
        usage: tokens(usage, &read, &written),
    };
    Ok(Received { response, stop })
}

fn declined(why: &str) -> Result<Received, ConversationError> {
    let why = word(why);
    Err(ConversationError::Declined { why })
}

pub(super) fn conversation(json: &Json) -> Result<Conversation, ConversationError> {
    let mut builder = Builder::default();
    let (key, contents) = messages_of(json, "contents")?;
    let root = At::ROOT;
    if let Some(system) = either(json, "systemInstruction", "system_instruction") {
        let at = root.key("systemInstruction");
        builder.instructions(instructions(system, &at)?, &at)?;
    }
    let list_at = key.map_or(root, |key| root.key(key));
    for (index, content) in contents.iter().enumerate() {
        let at = list_at.message(index);
        object(content, &at)?;
        match present(content, "role").map(|role| role.as_str().unwrap_or_default()) {
            Some("model") => {
                let said = said(content, &at)?;
                builder.assistant(some(said.text), said.calls, &at)?;
            }
            None | Some("user" | "function" | "tool") => user(content, &at, &mut builder)?,
            Some(other) => return Err(at.unsupported(format!("the role `{}`", word(other)))),
        }
    }
    builder.finish()
}

/// What the model said: its words are pieces of one text, and its thoughts are its own.
#[derive(Default)]
struct Said {
    text: String,
    calls: Vec<ProposedCall>,
}

fn said(content: &Json, at: &At<'_>) -> Result<Said, ConversationError> {
    let mut said = Said::default();
    let at = at.key("parts");
    for (index, part) in parts(content, &at)?.iter().enumerate() {
        let at = at.index(index);
        if part.get("thought").and_then(Json::as_bool) == Some(true) {
            continue;
        }
        if let Some(call) = either(part, "functionCall", "function_call") {
            let at = at.key("functionCall");
            object(call, &at)?;
            said.calls.push(ProposedCall {
                id: id(call, "id", &at)?,
                tool: name(call, &at)?,
                arguments: arguments::read(call.get("args")),
            });
        } else {
            said.text.push_str(words(part, &at)?);
        }
    }
    Ok(said)
}

/// A user's content holds the results of the calls before it, the user's words, or both: the results come first.
fn user(content: &Json, at: &At<'_>, builder: &mut Builder) -> Result<(), ConversationError> {
    let at = at.key("parts");
    let (mut texts, mut results) = (Vec::new(), 0);
    for (index, part) in parts(content, &at)?.iter().enumerate() {
        let at = at.index(index);
        if let Some(response) = either(part, "functionResponse", "function_response") {
            let here = at.key("functionResponse");
            builder.result(result(response, &here)?, &here)?;
            results += 1;
        } else {
            texts.push(words(part, &at)?);
        }
    }
    if texts.is_empty() && results > 0 {
        return Ok(());
    }
    builder.user(texts.join("\n"))
}

/// The answer, where the response has the customary form, `output`, `result` or `error`; the whole response elsewhere.
fn result(response: &Json, at: &At<'_>) -> Result<Found, ConversationError> {
    object(response, at)?;
    let at_response = at.key("response");
    let value = present(response, "response");
    let members = match value {
        None => None,
        Some(value) => Some(object(value, &at_response)?),
    };
    let only = members.filter(|members| members.len() == 1);
    let customary = only.and_then(|members| {
        let keys = [("output", false), ("result", false), ("error", true)];
        keys.into_iter()
            .find_map(|(key, is_error)| members.get(key).map(|value| (value, is_error)))
    });
    let (value, is_error) = customary.unwrap_or((value.unwrap_or(&Json::Null), false));
    let text = match value {
        Json::String(text) => text.clone(),
        other => other.to_text(),
    };
    Ok(Found {
        id: id(response, "id", at)?,
        tool: Some(name(response, at)?),
        text,
        is_error,
    })
}

fn instructions(system: &Json, at: &At<'_>) -> Result<String, ConversationError> {
    if let Json::String(text) = system {
        return Ok(text.clone());
    }
    let at = at.key("parts");
    let parts = parts(system, &at)?.iter().enumerate();
    let texts: Result<Vec<_>, _> = parts
        .map(|(index, part)| words(part, &at.index(index)))
        .collect();
    Ok(texts?.join("\n"))
}

/// A content without parts is an empty one: a model that says nothing sends it so.
fn parts<'j>(content: &'j Json, at: &At<'_>) -> Result<&'j [Json], ConversationError> {
    present(content, "parts").map_or(Ok(&[]), |parts| list(parts, at))
}

fn words<'j>(part: &'j Json, at: &At<'_>) -> Result<&'j str, ConversationError> {
    if present(part, "text").is_some() {
        return text(part, "text", at);
    }
    let marks = ["thought", "thoughtSignature", "thought_signature"];
    let kind = object(part, at)?
        .iter()
        .map(|(key, _)| key)
        .find(|key| !marks.contains(key));
    match kind {
        // A signature alone: the mark of a thought, without words.
        None => Ok(""),
        Some(kind) => Err(at.unsupported(format!("a part `{}`", word(kind)))),
    }
}
