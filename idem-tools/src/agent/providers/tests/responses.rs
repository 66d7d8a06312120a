//! Responses: words, calls in order, and what they cost.

use super::{Arguments, FORMS, Form, received, with_arguments};
use crate::ProposedCall;
use crate::agent::Usage;
use crate::agent::providers::Stop;

#[test]
fn openai_words_calls_and_usage() {
    let read = received(
        Form::OpenAiChat,
        r#"{"id": "chatcmpl-1", "object": "chat.completion", "choices": [{"index": 0, "finish_reason": "tool_calls",
            "logprobs": null, "message": {"role": "assistant", "content": "Let me see.", "refusal": null, "annotations": [],
            "tool_calls": [
              {"id": "call_1", "type": "function", "function": {"name": "find", "arguments": "{\"id\": 1.0}"}},
              {"id": "call_2", "type": "function", "function": {"name": "send", "arguments": "{}"}}]}}],
            "usage": {"prompt_tokens": 82, "completion_tokens": 17, "total_tokens": 99}}"#,
    );
    assert_eq!(read.stop, Stop::Done);
    assert_eq!(read.response.text.as_deref(), Some("Let me see."));
    let calls = [
        ProposedCall::new("call_1", "find", r#"{"id": 1.0}"#),
        ProposedCall::new("call_2", "send", "{}"),
    ];
    assert_eq!(read.response.calls, calls);
    let usage = Usage {
        input_tokens: 82,
        output_tokens: 17,
    };
    assert_eq!(read.response.usage, usage);
}

#[test]
fn anthropic_words_calls_and_usage() {
    let read = received(
        Form::Anthropic,
        r#"{"id": "msg_1", "type": "message", "role": "assistant", "model": "m", "stop_sequence": null, "content": [
            {"type": "thinking", "thinking": "They want it sent.", "signature": "Q=="},
            {"type": "redacted_thinking", "data": "Q=="},
            {"type": "text", "text": "Let me "}, {"type": "text", "text": "see."},
            {"type": "tool_use", "id": "toolu_1", "name": "find", "input": {"id": 9007199254740993}},
            {"type": "tool_use", "id": "toolu_2", "name": "send", "input": {}}], "stop_reason": "tool_use",
            "usage": {"input_tokens": 5, "cache_read_input_tokens": 70, "cache_creation_input_tokens": 7,
                      "output_tokens": 17}}"#,
    );
    assert_eq!(read.response.text.as_deref(), Some("Let me see."));
    let names: Vec<_> = read.response.calls.iter().map(ProposedCall::tool).collect();
    assert_eq!(names, ["find", "send"]);
    let Arguments::Json(arguments) = &read.response.calls[0].arguments else {
        panic!("an object stays one");
    };
    assert_eq!(arguments.to_text(), r#"{"id":9007199254740993}"#);
    let usage = Usage {
        input_tokens: 82,
        output_tokens: 17,
    };
    assert_eq!(read.response.usage, usage);
}

#[test]
fn gemini_words_calls_and_usage() {
    let read = received(
        Form::Gemini,
        r#"{"candidates": [{"content": {"role": "model", "parts": [
            {"text": "They want it sent.", "thought": true}, {"text": "Let me see."},
            {"functionCall": {"name": "find", "args": {"id": 1}}, "thoughtSignature": "Q=="},
            {"functionCall": {"id": "x", "name": "send", "args": {}}}, {"thoughtSignature": "Q=="}]},
            "finishReason": "STOP", "index": 0}],
            "usageMetadata": {"promptTokenCount": 82, "candidatesTokenCount": 10, "thoughtsTokenCount": 7}}"#,
    );
    assert_eq!(read.response.text.as_deref(), Some("Let me see."));
    let ids: Vec<_> = read.response.calls.iter().map(ProposedCall::id).collect();
    assert_eq!(ids, [None, Some("x")]);
    let usage = Usage {
        input_tokens: 82,
        output_tokens: 17,
    };
    assert_eq!(read.response.usage, usage);
}

/// Libraries print what they received with keys in snake case.
#[test]
fn gemini_is_read_in_both_spellings() {
    let read = received(
        Form::Gemini,
        r#"{"candidates": [{"content": {"parts": [{"function_call": {"name": "find", "args": {"id": 1}}}]},
            "finish_reason": "STOP"}], "usage_metadata": {"prompt_token_count": 3}}"#,
    );
    assert_eq!(read.response.calls.len(), 1);
    assert_eq!(read.response.usage.input_tokens, 3);
}

#[test]
fn a_response_without_words_and_calls_ends_a_turn() {
    for (form, text) in [
        (
            Form::OpenAiChat,
            r#"{"choices": [{"finish_reason": "stop", "message": {"role": "assistant", "content": ""}}]}"#,
        ),
        (
            Form::Anthropic,
            r#"{"content": [], "stop_reason": "end_turn"}"#,
        ),
        (
            Form::Gemini,
            r#"{"candidates": [{"content": {"role": "model"}, "finishReason": "STOP"}]}"#,
        ),
    ] {
        let read = received(form, text);
        assert_eq!(read.response, crate::agent::ModelResponse::default());
        assert_eq!(read.stop, Stop::Done);
    }
}

#[test]
fn content_in_parts_is_one_text() {
    let read = received(
        Form::MistralChat,
        r#"{"choices": [{"finish_reason": "stop", "message": {"role": "assistant", "content": [
            {"type": "thinking", "thinking": [{"type": "text", "text": "Hm."}]},
            {"type": "text", "text": "He"}, {"type": "text", "text": "llo"}]}}]}"#,
    );
    assert_eq!(read.response.text.as_deref(), Some("Hello"));
}

/// Some servers send no id, `null`, an empty one, or the same one every time.
#[test]
fn a_call_without_an_id_is_a_call() {
    for id in ["", r#""id": null,"#, r#""id": "","#] {
        let text = format!(
            r#"{{"choices": [{{"finish_reason": "stop", "message": {{"tool_calls": [
                {{{id} "function": {{"name": "t", "arguments": "{{}}"}}}}]}}}}]}}"#
        );
        let read = received(Form::OpenAiChat, &text);
        assert_eq!(read.response.calls, [super::call("", "t").without_id()]);
    }
}

#[test]
fn usage_that_says_nothing_is_zero() {
    for form in FORMS {
        let read = received(form, &with_arguments(form, Some("{}")));
        assert_eq!(read.response.usage, Usage::default());
    }
    let read = received(
        Form::Anthropic,
        r#"{"content": "Hi", "stop_reason": "end_turn", "usage": {"input_tokens": "many", "output_tokens": -1}}"#,
    );
    assert_eq!(read.response.usage, Usage::default());
}
