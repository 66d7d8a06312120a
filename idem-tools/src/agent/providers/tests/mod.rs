//! The providers' forms: what is read, what is written, and what is refused and where.

mod arguments;
mod ids;
mod pairing;
mod refusals;
mod responses;
mod round_trips;
mod schemas;
mod stops;

use super::{Conversation, ConversationError, Form, Received};
use crate::agent::{CallAnswer, Message, Prompt};
use crate::call::Arguments;
use crate::{ProposedCall, ToolDefinition};
use idem_core::json::{Json, Limits};

const FORMS: [Form; 4] = [
    Form::OpenAiChat,
    Form::MistralChat,
    Form::Anthropic,
    Form::Gemini,
];

fn json(text: &str) -> Json {
    Json::parse(text, Limits::ANSWER).unwrap()
}

fn received(form: Form, text: &str) -> Received {
    form.read_response(text).unwrap()
}

fn refused(form: Form, text: &str) -> ConversationError {
    form.read_response(text).unwrap_err()
}

fn recorded(form: Form, text: &str) -> Conversation {
    form.read_conversation(text).unwrap()
}

/// What a recording is refused with.
fn refusal(form: Form, text: &str) -> String {
    form.read_conversation(text).unwrap_err().to_string()
}

fn written(form: Form, messages: &[Message]) -> Json {
    form.write(&Prompt::new(messages)).unwrap()
}

/// A response with one call whose arguments are this JSON, or without arguments.
fn with_arguments(form: Form, arguments: Option<&str>) -> String {
    let member = |key: &str| match arguments {
        Some(json) => format!(r#", "{key}": {json}"#),
        None => String::new(),
    };
    match form {
        Form::OpenAiChat | Form::MistralChat => format!(
            r#"{{"choices": [{{"finish_reason": "tool_calls", "message": {{"role": "assistant", "content": null,
                "tool_calls": [{{"id": "a", "type": "function", "function": {{"name": "t"{}}}}}]}}}}]}}"#,
            member("arguments")
        ),
        Form::Anthropic => format!(
            r#"{{"content": [{{"type": "tool_use", "id": "a", "name": "t"{}}}], "stop_reason": "tool_use"}}"#,
            member("input")
        ),
        Form::Gemini => format!(
            r#"{{"candidates": [{{"finishReason": "STOP",
                "content": {{"parts": [{{"functionCall": {{"name": "t"{}}}}}]}}}}]}}"#,
            member("args")
        ),
    }
}

fn user(text: &str) -> Message {
    Message::User(text.to_owned())
}

fn assistant(calls: impl IntoIterator<Item = ProposedCall>) -> Message {
    Message::Assistant {
        text: None,
        calls: calls.into_iter().collect(),
    }
}

/// An answer to each of these calls, in order.
fn answers<const N: usize>(of: &Message, texts: [&str; N]) -> Message {
    let Message::Assistant { calls, .. } = of else {
        panic!("calls have answers");
    };
    let answers = calls.iter().zip(texts).map(|(call, text)| CallAnswer {
        call_id: call.id.clone(),
        tool: call.tool.clone(),
        text: text.to_owned(),
        is_error: false,
    });
    Message::Answers(answers.collect())
}

fn call(id: &str, tool: &str) -> ProposedCall {
    ProposedCall::new(id, tool, "{}")
}

fn tool(schema: &str) -> ToolDefinition {
    ToolDefinition {
        name: "t".to_owned(),
        description: "Does it.".to_owned(),
        effect: crate::Effect::AtMostOnce,
        input_schema: json(schema),
    }
}
