//! Writes Gemini's `generateContent`.

use super::arguments;
use super::error::ConversationError;
use super::ids::IdRule;
use super::steps::{Step, object, steps};
use crate::ProposedCall;
use crate::agent::{CallAnswer, Prompt};
use crate::export::ToolForm;
use idem_core::json::{Json, Map};

/// What Google documents for calls whose signature is not at hand: newer models refuse a first call without any.
const UNSIGNED: &str = "skip_thought_signature_validator";

pub(super) fn body(prompt: &Prompt<'_>) -> Result<Json, ConversationError> {
    let mut contents = Vec::new();
    let mut results: Vec<Json> = Vec::new();
    for step in steps(prompt.messages, IdRule::Gemini)? {
        match step {
            // What a user says behind results stands in the same content, since the roles take turns.
            Step::User(text) => {
                results.push(words(text));
                flush(&mut results, &mut contents);
            }
            Step::Assistant { text, calls } => {
                flush(&mut results, &mut contents);
                let mut parts: Vec<Json> = text.map(words).into_iter().collect();
                parts.extend(calls.iter().enumerate().map(|(at, pair)| call(at, pair)));
                // A content without parts is refused, and says nothing.
                if !parts.is_empty() {
                    contents.push(content("model", parts));
                }
            }
            Step::Answers(answers) => results.extend(answers.iter().map(result)),
        }
    }
    flush(&mut results, &mut contents);
    let mut body = Map::new();
    if let Some(text) = prompt.instructions {
        let parts = Json::from(vec![words(text)]);
        body.insert("systemInstruction", object([("parts", parts)]));
    }
    body.insert("contents", Json::from(contents));
    if !prompt.tools.is_empty() {
        let tools = super::steps::tools(prompt.tools, ToolForm::Gemini)?;
        let declarations = object([("functionDeclarations", Json::from(tools))]);
        body.insert("tools", Json::from(vec![declarations]));
    }
    Ok(Json::Object(body))
}

fn flush(parts: &mut Vec<Json>, contents: &mut Vec<Json>) {
    if !parts.is_empty() {
        contents.push(content("user", std::mem::take(parts)));
    }
}

fn content(role: &str, parts: Vec<Json>) -> Json {
    object([("role", Json::from(role)), ("parts", Json::from(parts))])
}

fn words(text: &str) -> Json {
    object([("text", Json::from(text))])
}

fn call(at: usize, (id, call): &(Option<String>, &ProposedCall)) -> Json {
    let mut function = named(id.as_deref(), call.tool.as_str());
    function.insert("args", arguments::object(&call.arguments));
    let mut part = Map::new();
    part.insert("functionCall", Json::Object(function));
    // Only the first call of a content carries a signature.
    if at == 0 {
        part.insert("thoughtSignature", Json::from(UNSIGNED));
    }
    Json::Object(part)
}

/// The text stays text: a value in its place would have its numbers read as doubles.
fn result((id, answer): &(Option<String>, &CallAnswer)) -> Json {
    let mut response = named(id.as_deref(), answer.tool.as_str());
    let key = if answer.is_error { "error" } else { "output" };
    response.insert(
        "response",
        object([(key, Json::from(answer.text.as_str()))]),
    );
    object([("functionResponse", Json::Object(response))])
}

fn named(id: Option<&str>, tool: &str) -> Map {
    let mut map = Map::new();
    if let Some(id) = id {
        map.insert("id", Json::from(id));
    }
    map.insert("name", Json::from(tool));
    map
}
