//! What is not carried or not understood is refused with its place, never dropped and never a panic.

use super::{FORMS, Form, refusal, refused};
use crate::agent::providers::{
    CALL_ID_BYTES_MAX, CONVERSATION_LIMITS, ConversationError, RESPONSE_LIMITS,
};
use idem_core::json::JsonProblem;

#[test]
fn parts_that_are_not_carried_are_named() {
    for (form, text, what) in [
        (
            Form::OpenAiChat,
            r#"[{"role": "user", "content": [{"type": "text", "text": "See"}, {"type": "image_url", "image_url": {}}]}]"#,
            "$[0].content[1]: a part `image_url` is not carried",
        ),
        (
            Form::OpenAiChat,
            r#"{"messages": [{"role": "user", "content": "Go"}, {"role": "system", "content": "Stop"}]}"#,
            "$.messages[1]: an instruction behind the first message is not carried",
        ),
        (
            Form::OpenAiChat,
            r#"[{"role": "assistant", "content": null, "function_call": {"name": "t", "arguments": "{}"}}]"#,
            "$[0]: `function_call`, the form before `tool_calls`, is not carried",
        ),
        (
            Form::OpenAiChat,
            r#"[{"role": "assistant", "content": null, "tool_calls": [{"id": "a", "type": "custom", "custom": {}}]}]"#,
            "$[0].tool_calls[0]: a call of the kind `custom` is not carried",
        ),
        (
            Form::Anthropic,
            r#"[{"role": "assistant", "content": [{"type": "server_tool_use", "id": "s", "name": "web_search"}]}]"#,
            "$[0].content[0]: a block `server_tool_use` is not carried",
        ),
        (
            Form::Anthropic,
            r#"[{"role": "user", "content": [{"type": "image", "source": {}}]}]"#,
            "$[0].content[0]: a block `image` is not carried",
        ),
        (
            Form::Gemini,
            r#"{"contents": [{"role": "model", "parts": [{"executableCode": {"code": "1"}}]}]}"#,
            "$.contents[0].parts[0]: a part `executableCode` is not carried",
        ),
        (
            Form::Gemini,
            r#"[{"role": "user", "parts": [{"inlineData": {"data": "Q=="}}]}]"#,
            "$[0].parts[0]: a part `inlineData` is not carried",
        ),
        (
            Form::Gemini,
            r#"[{"role": "wizard", "parts": []}]"#,
            "$[0]: the role `wizard` is not carried",
        ),
    ] {
        assert_eq!(refusal(form, text), what);
    }
}

#[test]
fn other_kinds_of_values_are_named_with_what_is_expected() {
    for (form, text, what) in [
        (
            Form::OpenAiChat,
            "{}",
            "$.messages: expected an array, found nothing",
        ),
        (
            Form::Gemini,
            "7",
            "$.contents: expected an array, found nothing",
        ),
        (
            Form::Anthropic,
            "[7]",
            "$[0]: expected an object, found a number",
        ),
        (
            Form::OpenAiChat,
            r#"[{"content": "Go"}]"#,
            "$[0].role: expected a string, found nothing",
        ),
        (
            Form::OpenAiChat,
            r#"[{"role": "user", "content": 7}]"#,
            "$[0].content: expected an array, found a number",
        ),
        (
            Form::OpenAiChat,
            r#"[{"role": "assistant", "tool_calls": [{"function": {"name": "", "arguments": "{}"}}]}]"#,
            "$[0].tool_calls[0].function.name: expected the name of a tool, found an empty string",
        ),
        (
            Form::OpenAiChat,
            r#"[{"role": "assistant", "tool_calls": [{"id": 7, "function": {"name": "t"}}]}]"#,
            "$[0].tool_calls[0].id: expected a call id as a string, found a number",
        ),
        (
            Form::Anthropic,
            r#"[{"role": "assistant", "content": [{"type": "text", "text": null}]}]"#,
            "$[0].content[0].text: expected a string, found nothing",
        ),
    ] {
        assert_eq!(refusal(form, text), what);
    }
}

#[test]
fn an_id_has_a_limit() {
    let message = |length: usize| {
        let id = "i".repeat(length);
        format!(
            r#"[{{"role": "assistant", "tool_calls": [{{"id": "{id}", "function": {{"name": "t"}}}}]}}]"#
        )
    };
    let read = |length| Form::OpenAiChat.read_conversation(&message(length));
    assert!(read(CALL_ID_BYTES_MAX).is_ok());
    let error = read(CALL_ID_BYTES_MAX + 1).unwrap_err();
    assert!(matches!(error, ConversationError::Unexpected { .. }));
}

/// A response of several answers would make it a matter of luck which calls run.
#[test]
fn one_answer_is_asked_for() {
    for (form, text) in [
        (Form::OpenAiChat, r#"{"choices": []}"#),
        (Form::OpenAiChat, r#"{"choices": [{}, {}]}"#),
        (Form::Gemini, r#"{"candidates": [{}, {}]}"#),
    ] {
        assert!(matches!(
            refused(form, text),
            ConversationError::Unsupported { .. }
        ));
    }
}

#[test]
fn sizes_and_depths_are_capped() {
    let deep = |levels: usize| format!("{}{}", "[".repeat(levels), "]".repeat(levels));
    for form in FORMS {
        let problem = |error| match error {
            ConversationError::Json(error) => error.problem,
            other => panic!("{other}"),
        };
        let error = refused(form, &deep(RESPONSE_LIMITS.depth + 1));
        assert!(matches!(problem(error), JsonProblem::TooDeep { .. }));
        let error = form.read_conversation(&deep(CONVERSATION_LIMITS.depth + 1));
        assert!(matches!(
            problem(error.unwrap_err()),
            JsonProblem::TooDeep { .. }
        ));
        let error = refused(form, &" ".repeat(RESPONSE_LIMITS.bytes + 1));
        assert!(matches!(problem(error), JsonProblem::TooLarge { .. }));
    }
}

/// Any value in any place of a message: an answer or a refusal, and never a panic.
#[test]
fn no_value_anywhere_is_a_panic() {
    let values = [
        "null",
        "true",
        "7",
        r#""""#,
        r#""x""#,
        "[]",
        "[7]",
        "{}",
        r#"{"type": "text"}"#,
    ];
    let texts = [
        r#"{"messages": [{"role": "assistant", "content": [], "tool_calls": [{"function": {"name": "t"}}]}],
            "system": [], "choices": [{"message": {"content": []}}]}"#,
        r#"{"content": [{"type": "tool_use", "id": "a", "name": "t", "input": {}}], "usage": {}, "stop_reason": "end_turn"}"#,
        r#"{"contents": [{"role": "user", "parts": [{"functionResponse": {"name": "t", "response": {}}}]}],
            "candidates": [{"content": {"parts": [{"functionCall": {"name": "t"}}]}}], "promptFeedback": {}}"#,
    ];
    let mut tried = 0;
    for text in texts {
        for (at, _) in text.match_indices(": ") {
            for value in values {
                // What follows is left in place where the value is put before it, and cut where it is put last.
                for changed in [
                    format!(r#"{}: {value}, "zz": {}"#, &text[..at], &text[at + 2..]),
                    format!("{}: {value}}}]}}]}}", &text[..at]),
                ] {
                    for form in FORMS {
                        let _ = form.read_response(&changed);
                        let _ = form.read_conversation(&changed);
                        tried += 1;
                    }
                }
            }
        }
    }
    assert!(tried > 1_000);
}
