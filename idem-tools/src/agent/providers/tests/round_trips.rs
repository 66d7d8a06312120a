//! Form to messages to form: nothing is lost and nothing is added.

use super::{Form, json, recorded};
use crate::agent::{Message, Prompt};

/// A conversation with everything that is carried, in each form as its provider documents it.
fn golden(form: Form) -> &'static str {
    match form {
        Form::OpenAiChat => include_str!("golden/openai_chat.json"),
        Form::MistralChat => include_str!("golden/mistral_chat.json"),
        Form::Anthropic => include_str!("golden/anthropic.json"),
        Form::Gemini => include_str!("golden/gemini.json"),
    }
}

#[test]
fn what_is_read_is_written_again() {
    for form in super::FORMS {
        let read = recorded(form, golden(form));
        let mut prompt = Prompt::new(&read.messages);
        prompt.instructions = read.instructions.as_deref();
        assert_eq!(form.write(&prompt).unwrap(), json(golden(form)), "{form:?}");
    }
}

/// What was said in one form is said in every other: only the ids may differ, and `is_error` where a form has no place.
#[test]
fn a_conversation_moves_from_form_to_form() {
    for from in super::FORMS {
        let read = recorded(from, golden(from));
        for to in super::FORMS {
            let mut prompt = Prompt::new(&read.messages);
            prompt.instructions = read.instructions.as_deref();
            let moved = recorded(to, &to.write(&prompt).unwrap().to_text());
            assert_eq!(moved.instructions, read.instructions);
            assert_eq!(
                said(&moved.messages),
                said(&read.messages),
                "{from:?} {to:?}"
            );
        }
    }
}

/// Everything but the ids and the marks of failures; arguments as their canonical JSON.
fn said(messages: &[Message]) -> Vec<String> {
    let said = messages.iter().map(|message| match message {
        Message::User(text) => format!("user: {text}"),
        Message::Assistant { text, calls } => {
            let calls = calls.iter().map(|call| {
                let arguments = super::super::arguments::object(&call.arguments);
                format!("{} {arguments}", call.tool())
            });
            format!("model: {text:?} {:?}", calls.collect::<Vec<_>>())
        }
        Message::Answers(answers) => {
            let answers = answers
                .iter()
                .map(|answer| format!("{}: {}", answer.tool, answer.text));
            format!("answers: {:?}", answers.collect::<Vec<_>>())
        }
    });
    said.collect()
}

#[test]
fn a_body_and_its_messages_alone_are_the_same_conversation() {
    for form in super::FORMS {
        let body = json(golden(form));
        let messages = body
            .get("messages")
            .or_else(|| body.get("contents"))
            .unwrap();
        let alone = recorded(form, &messages.to_text());
        assert_eq!(alone.messages, recorded(form, golden(form)).messages);
    }
}
