//! Why a model stopped: what was cut off does not run, and what was declined is no answer.

use super::{FORMS, Form, received, refused, with_arguments};
use crate::agent::ModelError;
use crate::agent::providers::{ConversationError, Stop};

/// The word of each form for a limit of tokens, in place of the word for a whole response.
fn cut_off(form: Form, text: &str) -> String {
    match form {
        Form::OpenAiChat | Form::MistralChat => text
            .replace(r#""tool_calls","#, r#""length","#)
            .replace(r#""stop""#, r#""length""#),
        Form::Anthropic => text
            .replace(
                r#""stop_reason": "tool_use""#,
                r#""stop_reason": "max_tokens""#,
            )
            .replace(r#""end_turn""#, r#""max_tokens""#),
        Form::Gemini => text.replace(r#""STOP""#, r#""MAX_TOKENS""#),
    }
}

#[test]
fn no_call_of_a_response_that_was_cut_off_is_made() {
    for form in FORMS {
        for arguments in [r#""{\"to\": \"bo""#, r#"{"to": "bob"}"#] {
            let text = cut_off(form, &with_arguments(form, Some(arguments)));
            let error = refused(form, &text);
            assert_eq!(error, ConversationError::CutOff, "{form:?}");
            let error = ModelError::from(error);
            assert!(matches!(error, ModelError::Unreadable(_)) && error.is_transient());
        }
    }
}

#[test]
fn words_that_were_cut_off_are_words_with_a_mark() {
    for (form, text) in [
        (
            Form::OpenAiChat,
            r#"{"choices": [{"finish_reason": "stop", "message": {"content": "Once upon"}}]}"#,
        ),
        (
            Form::Anthropic,
            r#"{"content": [{"type": "text", "text": "Once upon"}], "stop_reason": "end_turn"}"#,
        ),
        (
            Form::Gemini,
            r#"{"candidates": [{"content": {"parts": [{"text": "Once upon"}]}, "finishReason": "STOP"}]}"#,
        ),
    ] {
        let read = received(form, &cut_off(form, text));
        assert_eq!(read.stop, Stop::CutOff);
        assert_eq!(read.response.text.as_deref(), Some("Once upon"));
    }
}

/// A stream that broke off was recorded without a reason to stop.
#[test]
fn no_call_of_a_response_without_an_end_is_made() {
    for (form, end) in [
        (Form::OpenAiChat, r#""finish_reason": "tool_calls","#),
        (Form::Anthropic, r#", "stop_reason": "tool_use""#),
        (Form::Gemini, r#""finishReason": "STOP","#),
    ] {
        let text = with_arguments(form, Some("{}"));
        assert!(text.contains(end));
        assert_eq!(
            refused(form, &text.replace(end, "")),
            ConversationError::CutOff
        );
    }
}

#[test]
fn another_reason_to_stop_is_told() {
    let read = received(
        Form::OpenAiChat,
        &with_arguments(Form::OpenAiChat, None).replace(r#""tool_calls","#, r#""eos","#),
    );
    assert_eq!(read.stop, Stop::Other("eos".to_owned()));
    assert_eq!(read.response.calls.len(), 1);
}

#[test]
fn a_refusal_is_final_and_its_calls_are_not_made() {
    for (form, text, word) in [
        (
            Form::OpenAiChat,
            r#"{"choices": [{"finish_reason": "stop", "message": {"content": null, "refusal": "I will not."}}]}"#,
            "refusal",
        ),
        (
            Form::OpenAiChat,
            r#"{"choices": [{"finish_reason": "stop", "message": {"content": [{"type": "refusal", "refusal": "No."}]}}]}"#,
            "refusal",
        ),
        (
            Form::OpenAiChat,
            &with_arguments(Form::OpenAiChat, None)
                .replace(r#""tool_calls","#, r#""content_filter","#),
            "content_filter",
        ),
        (
            Form::Anthropic,
            &with_arguments(Form::Anthropic, None).replace(
                r#""stop_reason": "tool_use""#,
                r#""stop_reason": "refusal""#,
            ),
            "refusal",
        ),
        (
            Form::Gemini,
            r#"{"promptFeedback": {"blockReason": "PROHIBITED_CONTENT"}}"#,
            "PROHIBITED_CONTENT",
        ),
        (
            Form::Gemini,
            r#"{"candidates": [{"finishReason": "SAFETY"}]}"#,
            "SAFETY",
        ),
    ] {
        let error = refused(form, text);
        let why = word.to_owned();
        assert_eq!(error, ConversationError::Declined { why });
        let error = ModelError::from(error);
        assert!(matches!(error, ModelError::Refused(_)) && !error.is_transient());
    }
}

#[test]
fn an_error_in_place_of_a_response_may_pass() {
    for (form, text, word) in [
        (
            Form::OpenAiChat,
            r#"{"error": {"message": "Dear Ann, …", "type": "server_error", "code": 502}}"#,
            "502",
        ),
        (
            Form::Anthropic,
            r#"{"type": "error", "error": {"type": "overloaded_error", "message": "Dear Ann, …"}}"#,
            "overloaded_error",
        ),
        (
            Form::Gemini,
            r#"{"error": {"code": 503, "message": "Dear Ann, …", "status": "UNAVAILABLE"}}"#,
            "UNAVAILABLE",
        ),
    ] {
        let error = refused(form, text);
        let code = word.to_owned();
        assert_eq!(error, ConversationError::Failed { code });
        assert!(!error.to_string().contains("Ann"));
        assert!(matches!(
            ModelError::from(error),
            ModelError::Unavailable { .. }
        ));
    }
}

#[test]
fn a_call_that_gemini_could_not_write_is_sampled_anew() {
    let text = r#"{"candidates": [{"finishReason": "MALFORMED_FUNCTION_CALL"}]}"#;
    let error = ModelError::from(refused(Form::Gemini, text));
    assert!(matches!(error, ModelError::Unreadable(_)));
}
