//! Arguments as text and as objects: kept as they came, whichever of the two a provider sends.

use super::{Arguments, FORMS, Form, json, received, refused, with_arguments, written};
use crate::ProposedCall;
use crate::agent::providers::ConversationError;
use crate::input;
use idem_core::json::{Json, JsonProblem};
use std::collections::BTreeMap;

fn arguments(form: Form, json: Option<&str>) -> Arguments {
    let mut read = received(form, &with_arguments(form, json));
    read.response.calls.remove(0).arguments
}

#[test]
fn text_stays_the_text_that_the_model_wrote() {
    for form in FORMS {
        let Arguments::Text(text) = arguments(form, Some(r#""{ \"amount\":1.50, \"id\":007 }""#))
        else {
            panic!("text stays text");
        };
        assert_eq!(text, r#"{ "amount":1.50, "id":007 }"#);
    }
}

#[test]
fn an_object_stays_exact() {
    for form in FORMS {
        let Arguments::Json(json) = arguments(
            form,
            Some(r#"{"id": 123456789012345678901234567890, "rate": 0.1}"#),
        ) else {
            panic!("an object stays one");
        };
        assert_eq!(
            json.to_text(),
            r#"{"id":123456789012345678901234567890,"rate":0.1}"#
        );
    }
}

/// C51: nothing, blanks and `null` are read as no arguments by the runtime, from every provider.
#[test]
fn no_arguments_in_every_spelling() {
    for form in FORMS {
        for spelled in [
            None,
            Some("null"),
            Some(r#""""#),
            Some(r#""  ""#),
            Some(r#""null""#),
            Some("{}"),
            Some(r#""{}""#),
        ] {
            let arguments = arguments(form, spelled);
            let parsed = input::parse(&arguments).unwrap();
            assert_eq!(parsed.to_text(), "{}", "{form:?} {spelled:?}");
            assert_eq!(super::super::arguments::text(&arguments), "{}");
            assert_eq!(super::super::arguments::object(&arguments).to_text(), "{}");
        }
    }
}

/// Text inside text is not decoded once more: the runtime refuses it and says how to write it.
#[test]
fn arguments_that_were_encoded_twice_stay_so() {
    for form in FORMS {
        let arguments = arguments(form, Some(r#""\"{\\\"to\\\": \\\"bob\\\"}\"""#));
        let parsed = input::parse(&arguments).unwrap();
        assert_eq!(parsed, Json::from(r#"{"to": "bob"}"#));
        let Err(failure) = input::decode::<BTreeMap<String, String>>(&parsed) else {
            panic!("a string is no object");
        };
        assert!(
            failure
                .message
                .contains("not text that holds them once more"),
            "{}",
            failure.message
        );
    }
}

/// Any input will do: what is no object is refused before its fields are looked at.
impl crate::ToolInput for BTreeMap<String, String> {}

#[test]
fn a_key_that_stands_twice_is_refused_with_its_place() {
    let text = with_arguments(Form::Anthropic, Some(r#"{"amount": 1, "amount": 9000}"#));
    let ConversationError::Json(error) = refused(Form::Anthropic, &text) else {
        panic!("JSON with two of one key");
    };
    assert!(matches!(error.problem, JsonProblem::DuplicateKey { .. }));
    assert_eq!(error.path.to_string(), "$.content[0].input.amount");
}

/// What the model wrote is shown to it again where a form has room for objects alone.
#[test]
fn text_that_is_no_object_is_written_as_one() {
    for (text, object) in [
        (
            r#"{"to": "bob""#,
            r#"{"unreadable_arguments":"{\"to\": \"bob\""}"#,
        ),
        (r#""twice""#, r#"{"unreadable_arguments":"twice"}"#),
        ("[1]", r#"{"unreadable_arguments":[1]}"#),
        (r#"{"n": 1.0}"#, r#"{"n":1}"#),
    ] {
        let call = super::assistant([ProposedCall::new("a", "t", text)]);
        let body = written(Form::Anthropic, std::slice::from_ref(&call));
        let block = &body.get("messages").unwrap().as_array().unwrap()[0];
        let block = &block.get("content").unwrap().as_array().unwrap()[0];
        assert_eq!(block.get("input").unwrap().to_text(), object);
        let body = written(Form::OpenAiChat, &[call]).to_text();
        assert!(body.contains(&Json::from(text).to_text()), "{body}");
    }
}

#[test]
fn an_object_is_written_as_text_where_a_form_has_text() {
    let arguments = json(r#"{"id": 12345678901234567890, "b": [1.50]}"#);
    let call = super::assistant([ProposedCall::parsed("a", "t", arguments)]);
    let body = written(Form::OpenAiChat, &[call]).to_text();
    let text = Json::from(r#"{"b":[1.5],"id":12345678901234567890}"#).to_text();
    assert!(body.contains(&text), "{body}");
}
