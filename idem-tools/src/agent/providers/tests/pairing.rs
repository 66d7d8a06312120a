//! R35: results pair with calls by id where that is enough, and by position everywhere else.

use super::{Form, Message, call, recorded, refusal};
use crate::agent::providers::ConversationError;

/// An OpenAI recording of calls and results, each with its id as JSON; an empty text is no id at all.
fn openai(calls: &[&str], results: &[(&str, &str)]) -> String {
    let member = |key: &str, id: &str| match id {
        "" => String::new(),
        id => format!(r#""{key}": {id},"#),
    };
    let calls = calls.iter().map(|id| {
        let id = member("id", id);
        format!(r#"{{{id} "type": "function", "function": {{"name": "t", "arguments": "{{}}"}}}}"#)
    });
    let results = results.iter().map(|(id, text)| {
        let id = member("tool_call_id", id);
        format!(r#", {{"role": "tool", {id} "content": "{text}"}}"#)
    });
    format!(
        r#"[{{"role": "user", "content": "Go"}}, {{"role": "assistant", "content": null, "tool_calls": [{}]}}{}]"#,
        calls.collect::<Vec<_>>().join(", "),
        results.collect::<String>()
    )
}

/// The texts of the answers, in the order of the calls.
fn paired(calls: &[&str], results: &[(&str, &str)]) -> Vec<String> {
    let read = recorded(Form::OpenAiChat, &openai(calls, results));
    match read.messages.into_iter().next_back() {
        Some(Message::Answers(answers)) => answers.into_iter().map(|answer| answer.text).collect(),
        _ => panic!("the last message holds the answers"),
    }
}

#[test]
fn ids_decide_where_there_are_any() {
    let (a, b) = (r#""a""#, r#""b""#);
    assert_eq!(paired(&[a, b], &[(a, "1"), (b, "2")]), ["1", "2"]);
    assert_eq!(paired(&[a, b], &[(b, "2"), (a, "1")]), ["1", "2"]);
}

#[test]
fn equal_ids_pair_in_order() {
    let x = r#""x""#;
    assert_eq!(
        paired(&[x, x, x], &[(x, "1"), (x, "2"), (x, "3")]),
        ["1", "2", "3"]
    );
    let y = r#""y""#;
    assert_eq!(
        paired(&[x, y, x], &[(y, "2"), (x, "1"), (x, "3")]),
        ["1", "2", "3"]
    );
}

#[test]
fn missing_empty_and_null_ids_pair_by_position() {
    for none in ["", r#""""#, "null"] {
        assert_eq!(
            paired(&[none, none], &[(none, "1"), (none, "2")]),
            ["1", "2"]
        );
        // Only one side has ids: a gateway made them up, or lost them.
        assert_eq!(
            paired(&[none, none], &[(r#""p""#, "1"), (r#""q""#, "2")]),
            ["1", "2"]
        );
        assert_eq!(
            paired(&[r#""p""#, r#""q""#], &[(none, "1"), (none, "2")]),
            ["1", "2"]
        );
        // A result that names its call goes first, wherever it stands.
        assert_eq!(
            paired(&[r#""p""#, none], &[(none, "2"), (r#""p""#, "1")]),
            ["1", "2"]
        );
    }
}

#[test]
fn the_same_ids_in_every_response_are_no_matter() {
    let turn = &openai(&[r#""f:0""#], &[(r#""f:0""#, "1")])[1..];
    let turn = turn.strip_suffix(']').unwrap();
    let read = recorded(Form::OpenAiChat, &format!("[{turn}, {turn}]"));
    assert_eq!(read.messages.len(), 6);
}

#[test]
fn calls_at_the_end_may_be_open() {
    let read = recorded(Form::OpenAiChat, &openai(&[r#""a""#, r#""b""#], &[]));
    assert_eq!(
        read.messages.last(),
        Some(&super::assistant([call("a", "t"), call("b", "t")]))
    );
}

#[test]
fn a_result_without_its_call_is_refused_with_its_place() {
    let (a, b) = (r#""a""#, r#""b""#);
    for (calls, results, place) in [
        (&[a][..], &[(b, "2")][..], 2),
        (&[a], &[(a, "1"), (b, "2")], 3),
        (&[a, b], &[(a, "1"), (a, "2")], 3),
        (&[], &[(a, "1")], 2),
    ] {
        let error = Form::OpenAiChat
            .read_conversation(&openai(calls, results))
            .unwrap_err();
        let ConversationError::AnswerWithoutCall { at } = error else {
            panic!("{error}");
        };
        assert_eq!((at.message, at.path), (Some(place), format!("$[{place}]")));
    }
}

#[test]
fn a_call_without_its_result_is_refused_with_its_place() {
    let missing = openai(&[r#""a""#, r#""b""#], &[(r#""a""#, "1")]);
    assert_eq!(
        refusal(Form::OpenAiChat, &missing),
        "$[1]: call 1 of this message has no answer"
    );
    let went_on =
        openai(&[r#""a""#], &[]).replace("}]}]", r#"}]}, {"role": "user", "content": "Well?"}]"#);
    assert_eq!(
        refusal(Form::OpenAiChat, &went_on),
        "$[1]: call 0 of this message has no answer"
    );
}

#[test]
fn anthropic_results_stand_before_words_and_in_any_order() {
    let read = recorded(
        Form::Anthropic,
        r#"{"messages": [
            {"role": "assistant", "content": [{"type": "tool_use", "id": "a", "name": "t", "input": {}},
                                              {"type": "tool_use", "id": "b", "name": "u", "input": {}}]},
            {"role": "user", "content": [{"type": "text", "text": "And now?"},
                {"type": "tool_result", "tool_use_id": "b", "content": [{"type": "text", "text": "2"}], "is_error": true},
                {"type": "tool_result", "tool_use_id": "a"}]}]}"#,
    );
    let [_, Message::Answers(answers), Message::User(words)] = read.messages.as_slice() else {
        panic!("{:?}", read.messages);
    };
    assert_eq!(words, "And now?");
    let read: Vec<_> = answers
        .iter()
        .map(|answer| (answer.tool.as_str(), answer.text.as_str(), answer.is_error))
        .collect();
    assert_eq!(read, [("t", "", false), ("u", "2", true)]);
}

/// Gemini's calls have no ids as a rule: the names narrow, and position decides between equal ones.
#[test]
fn gemini_results_pair_by_name_and_position() {
    let read = recorded(
        Form::Gemini,
        r#"{"contents": [
            {"role": "model", "parts": [{"functionCall": {"name": "t", "args": {"n": 1}}},
                {"functionCall": {"name": "u", "args": {}}}, {"functionCall": {"name": "t", "args": {"n": 2}}}]},
            {"role": "user", "parts": [{"functionResponse": {"name": "u", "response": {"error": "no"}}},
                {"functionResponse": {"name": "t", "response": {"result": 1}}},
                {"functionResponse": {"name": "t", "response": {"id": 2, "ok": true}}}]}]}"#,
    );
    let Some(Message::Answers(answers)) = read.messages.last() else {
        panic!("answers");
    };
    let texts: Vec<_> = answers.iter().map(|answer| answer.text.as_str()).collect();
    assert_eq!(texts, ["1", "no", r#"{"id":2,"ok":true}"#]);
    assert!(answers[1].is_error && !answers[0].is_error);
    let other = r#"[{"role": "model", "parts": [{"functionCall": {"name": "t", "args": {}}}]},
                    {"parts": [{"functionResponse": {"name": "u", "response": {}}}]}]"#;
    assert_eq!(
        refusal(Form::Gemini, other),
        "$[1].parts[0].functionResponse: this answers no open call of the message before"
    );
}
