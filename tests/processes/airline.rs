//! The airline example: recorded calls are read as the tools would read them.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::{Value, json};

use crate::program::{everything, example, said};

/// A file of the recorded conversations that the example was made for. They are not part of the project.
const DATA: &str = "IDEM_AIRLINE_DATA";

/// The recordings of [`DATA`], where they are.
pub(crate) fn data() -> Option<PathBuf> {
    let path = std::env::var_os(DATA).map(PathBuf::from);
    if path.is_none() {
        println!("skipped: {DATA} names no file of recorded conversations");
    }
    path
}

/// One conversation: for each turn its calls, each a tool, its arguments and its result.
pub(crate) fn conversation(id: &str, turns: &[&[(&str, &str, &str)]]) -> String {
    let mut messages = Vec::new();
    for calls in turns {
        messages.push(json!({ "role": "user", "content": "please" }));
        for (tool, arguments, result) in *calls {
            let function = json!({ "name": tool, "arguments": arguments });
            let call = json!({ "id": "call_1", "type": "function", "function": function });
            messages.push(json!({ "role": "assistant", "content": null, "tool_calls": [call] }));
            messages.push(json!({ "role": "tool", "tool_call_id": "call_1", "content": result }));
        }
    }
    json!({ "id": id, "messages": messages }).to_string()
}

/// A file with these conversations, one a line.
pub(crate) fn recordings(folder: &Path, conversations: &[String]) -> PathBuf {
    let path = folder.join("recordings.jsonl");
    std::fs::write(&path, conversations.join("\n")).unwrap();
    path
}

fn decode(path: &Path) -> Value {
    let mut decode = Command::new(example("airline"));
    let printed = said(decode.arg("decode").arg(path).arg("--json"));
    serde_json::from_str(&printed).unwrap()
}

fn fails(path: &Path) -> Output {
    let mut decode = Command::new(example("airline"));
    let output = decode.arg("decode").arg(path).output().unwrap();
    assert_eq!(output.status.code(), Some(2), "{}", everything(&output));
    output
}

#[test]
fn equal_calls_of_a_turn_have_one_key_however_they_are_spelled() {
    let folder = tempfile::tempdir().unwrap();
    let fifty = ("send_certificate", r#"{"user_id":"u","amount":50}"#, "done");
    let same = (
        "send_certificate",
        r#"{ "amount": 50.00, "user_id": "u" }"#,
        "done",
    );
    let more = (
        "send_certificate",
        r#"{"user_id":"u","amount":50.01}"#,
        "Error: too much",
    );
    let look = ("list_all_airports", "{}", "[]");
    let path = recordings(
        folder.path(),
        &[
            conversation("one", &[&[fifty, same, more], &[fifty]]),
            conversation("two", &[&[fifty], &[look]]),
        ],
    );
    let report = decode(&path);
    for (name, number) in [
        ("conversations", 2),
        ("user_turns", 4),
        ("calls", 6),
        ("decoded", 6),
        ("distinct_keys", 5),
        ("conversations_with_repeated_ids", 2),
    ] {
        assert_eq!(report[name], number, "{name}");
    }
    assert_eq!(report["refused"], json!([]));
    let writes = json!({ "calls": 5, "distinct_keys": 4, "succeeded": 3 });
    assert_eq!(report["writes"], writes);
    let certificates =
        json!({ "effect": "keyed", "calls": 5, "decoded": 5, "refused": 0, "distinct_keys": 4 });
    assert_eq!(report["tools"]["send_certificate"], certificates);
    assert_eq!(report["tools"]["list_all_airports"]["effect"], "read");
    assert_eq!(report["tools"].as_object().unwrap().len(), 14);
}

#[test]
fn what_a_tool_does_not_take_is_refused_with_its_reason() {
    let folder = tempfile::tempdir().unwrap();
    let search = "search_direct_flight";
    let cases = [
        (
            search,
            r#"{"origin":"JFK","destination":"SEA","date":"2024-02-30"}"#,
            "expected a date",
        ),
        (
            search,
            r#"{"origin":"JFK","destination":"SEA","date":"20 May"}"#,
            "$.date",
        ),
        (
            search,
            r#"{"origin":"JFK","destination":"SEA"}"#,
            "missing field `date`",
        ),
        (
            "send_certificate",
            r#"{"user_id":"u","amount":"50"}"#,
            "expected an amount",
        ),
        (
            "cancel_reservation",
            r#"{"reservation_id":"R","why":"x"}"#,
            "unknown field `why`",
        ),
        (
            "update_reservation_flights",
            r#"{"reservation_id":"R","cabin":"first","flights":[],"payment_id":"p"}"#,
            "$.cabin: unknown variant",
        ),
        (
            "update_reservation_baggages",
            r#"{"reservation_id":"R","total_baggages":-1,"nonfree_baggages":0,"payment_id":"p"}"#,
            "$.total_baggages",
        ),
        ("think", r#"{"thought":"a","thought":"b"}"#, "thought"),
        ("think", r#"{"thought":"#, "end"),
        ("fly", "{}", "no tool has this name"),
    ];
    let calls: Vec<_> = cases
        .iter()
        .map(|(tool, text, _)| (*tool, *text, "Error: x"))
        .collect();
    let path = recordings(folder.path(), &[conversation("one", &[&calls])]);
    let report = decode(&path);
    assert_eq!(report["decoded"], 0);
    let refused = report["refused"].as_array().unwrap();
    assert_eq!(refused.len(), cases.len());
    for ((tool, _, reason), refused) in cases.iter().zip(refused) {
        assert_eq!(refused["tool"], *tool);
        assert_eq!(refused["recorded"], "Error: x");
        let said = refused["reason"].as_str().unwrap();
        assert!(said.contains(reason), "{tool}: {said}");
    }
}

#[test]
fn a_person_gets_a_table_and_a_file_that_is_none_its_line() {
    let folder = tempfile::tempdir().unwrap();
    let call = ("fly", "{}", "done");
    let path = recordings(folder.path(), &[conversation("one\u{1b}[2J", &[&[call]])]);
    let printed = said(Command::new(example("airline")).arg("decode").arg(&path));
    assert!(
        printed.contains("1 calls: 0 decoded, 1 refused, 0 distinct keys"),
        "{printed}"
    );
    assert!(
        printed.contains("refused: one\\u{1b}[2J, turn 1, fly (call_1): no tool"),
        "{printed}"
    );
    std::fs::write(&path, format!("{}\n{{}}", conversation("one", &[]))).unwrap();
    assert!(everything(&fails(&path)).contains("line 2: missing field"));
    fails(&folder.path().join("missing"));
}

#[test]
fn every_recorded_call_is_decoded() {
    let Some(path) = data() else { return };
    let report = decode(&path);
    for (name, number) in [
        ("conversations", 100),
        ("user_turns", 686),
        ("calls", 577),
        ("decoded", 577),
        ("distinct_keys", 575),
        ("conversations_with_repeated_ids", 25),
    ] {
        assert_eq!(report[name], number, "{name}: {}", report["refused"]);
    }
    let writes = json!({ "calls": 123, "distinct_keys": 121, "succeeded": 102 });
    assert_eq!(report["writes"], writes);
}
