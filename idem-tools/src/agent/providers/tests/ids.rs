//! Call ids as they are written: kept where the provider takes them, and made by place everywhere else.

use super::{Form, Json, Message, answers, assistant, call, user, written};
use crate::agent::Prompt;

/// The ids of the calls, and those of the results, as a form has them.
fn ids(form: Form, messages: &[Message]) -> (Vec<String>, Vec<String>) {
    let body = written(form, messages);
    let (mut calls, mut results) = (Vec::new(), Vec::new());
    collect(&body, &mut calls, &mut results);
    (calls, results)
}

fn collect(json: &Json, calls: &mut Vec<String>, results: &mut Vec<String>) {
    let text = |key: &str| {
        json.get(key)
            .and_then(Json::as_str)
            .unwrap_or("-")
            .to_owned()
    };
    match json {
        Json::Array(items) => items.iter().for_each(|item| collect(item, calls, results)),
        Json::Object(members) => {
            if members.contains_key("tool_call_id") {
                results.push(text("tool_call_id"));
            } else if members.contains_key("tool_use_id") {
                results.push(text("tool_use_id"));
            } else if members.contains_key("response") {
                results.push(text("id"));
            } else if ["function", "input", "args"]
                .iter()
                .any(|key| members.contains_key(key))
            {
                calls.push(text("id"));
            }
            members
                .iter()
                .for_each(|(_, value)| collect(value, calls, results));
        }
        _ => {}
    }
}

/// Two responses of two calls each, with these ids.
fn conversation(given: [Option<&str>; 4]) -> Vec<Message> {
    let [a, b, c, d] = given.map(|id| match id {
        Some(id) => call(id, "t"),
        None => call("", "t").without_id(),
    });
    let (first, second) = (assistant([a, b]), assistant([c, d]));
    let (one, two) = (answers(&first, ["1", "2"]), answers(&second, ["3", "4"]));
    vec![user("Go"), first, one, second, two]
}

#[track_caller]
fn writes(form: Form, given: [Option<&str>; 4], expected: [&str; 4]) {
    let (calls, results) = ids(form, &conversation(given));
    assert_eq!(calls, expected);
    assert_eq!(results, expected, "each result names its call");
}

#[test]
fn good_ids_are_kept() {
    let given = ["toolu_01", "call-2", "c", "D"];
    for form in [Form::OpenAiChat, Form::Anthropic, Form::Gemini] {
        writes(form, given.map(Some), given);
    }
}

#[test]
fn missing_and_repeated_ids_are_replaced_by_place() {
    let made = ["call_1", "same", "call_2", "call_3"];
    for form in [Form::OpenAiChat, Form::Anthropic] {
        writes(form, [None, Some("same"), Some("same"), Some("")], made);
        // An id that looks like one of ours is an id like any other.
        let alike = [Some("call_1"), None, Some("call_1"), None];
        writes(form, alike, ["call_1", "call_2", "call_3", "call_4"]);
    }
    writes(
        Form::Gemini,
        [None, Some("same"), Some("same"), Some("")],
        ["-", "same", "-", "-"],
    );
}

#[test]
fn mistral_has_nine_letters_and_digits() {
    let given = [
        Some("call_0123456789"),
        Some("D681PevKs"),
        Some("D681PevKs"),
        None,
    ];
    writes(
        Form::MistralChat,
        given,
        ["c00000001", "D681PevKs", "c00000002", "c00000003"],
    );
}

#[test]
fn the_length_of_an_id_is_each_providers_own() {
    for (form, length) in [
        (Form::OpenAiChat, 40),
        (Form::Anthropic, 64),
        (Form::MistralChat, 9),
    ] {
        let (fits, long) = ("f".repeat(length), "l".repeat(length + 1));
        let given = [Some(&*fits), Some(&*long), Some("short"), None];
        let (calls, _) = ids(form, &conversation(given));
        assert_eq!(calls[0], fits);
        assert_ne!(calls[1], long);
        assert_eq!(calls[2] == "short", form != Form::MistralChat);
    }
}

/// Kimi's ids have dots and colons, and have to come back as they were; Anthropic refuses them.
#[test]
fn one_providers_ids_are_written_to_another() {
    let long = "x".repeat(65);
    let given = [
        Some("functions.send:0"),
        Some("functions.send:1"),
        Some("ünï"),
        Some(&*long),
    ];
    writes(
        Form::Anthropic,
        given,
        ["call_1", "call_2", "call_3", "call_4"],
    );
    let kept = ["functions.send:0", "functions.send:1", "call_1", "call_2"];
    writes(Form::OpenAiChat, given, kept);
}

/// A longer conversation starts with the shorter one, so that a provider's cache of it stays good.
#[test]
fn what_comes_later_changes_no_id() {
    let all = conversation([None, Some("bad id"), Some("call_1"), None]);
    for form in super::FORMS {
        let (whole, _) = ids(form, &all);
        let (start, _) = ids(form, &all[..3]);
        assert_eq!(start, whole[..2]);
    }
}

#[test]
fn what_does_not_pair_is_not_written() {
    let calls = assistant([call("a", "t"), call("b", "u")]);
    let both = answers(&calls, ["1", "2"]);
    let short = answers(&calls, ["1"]);
    let Message::Answers(mut swapped) = both.clone() else {
        panic!("answers");
    };
    swapped.reverse();
    let swapped = Message::Answers(swapped);
    for form in super::FORMS {
        for messages in [
            vec![calls.clone(), short.clone()],
            vec![calls.clone(), swapped.clone()],
            vec![calls.clone(), user("Well?")],
            vec![calls.clone(), calls.clone()],
            vec![both.clone()],
            vec![calls.clone(), both.clone(), both.clone()],
        ] {
            let error = form.write(&Prompt::new(&messages)).unwrap_err();
            let last = messages.len() - 1;
            assert!(
                error.to_string().starts_with(&format!("message {last}: ")),
                "{error}"
            );
        }
        assert!(
            form.write(&Prompt::new(&[calls.clone(), both.clone()]))
                .is_ok()
        );
        assert!(
            form.write(&Prompt::new(std::slice::from_ref(&calls)))
                .is_ok()
        );
    }
}
