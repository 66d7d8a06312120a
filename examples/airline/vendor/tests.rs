//! The ledger's rules, without a server.

use idem_tools::Effect;

use super::book::Call;
use super::chaos::Chaos;
use super::ledger::{Ledger, Reply};
use crate::place::Place;
use crate::recording::{is_refusal, parse, read};
use crate::tools::Catalogue;

const CONVERSATION: &str = r#"{"id":"one","messages":[{"role":"user","content":"go"},
{"role":"assistant","content":null,"tool_calls":[{"id":"a","function":{"name":"cancel_reservation","arguments":"{\"reservation_id\":\"R\"}"}}]},
{"role":"tool","content":"cancelled"},
{"role":"assistant","content":null,"tool_calls":[{"id":"a","function":{"name":"cancel_reservation","arguments":"{\"reservation_id\":\"S\"}"}}]},
{"role":"tool","content":"Error: no such reservation"},
{"role":"assistant","content":null,"tool_calls":[{"id":"a","function":{"name":"get_user_details","arguments":"{\"user_id\":\"u\"}"}}]},
{"role":"tool","content":"before"},
{"role":"assistant","content":null,"tool_calls":[{"id":"a","function":{"name":"get_user_details","arguments":"{\"user_id\":\"u\"}"}}]},
{"role":"tool","content":"after"}]}"#;

fn ledger() -> Ledger {
    Ledger::new(&[parse(CONVERSATION).unwrap()], Chaos::default())
}

fn call(tool: &str, arguments: &str) -> Call {
    let place = Place {
        conversation: "one".to_owned(),
        turn: 1,
    };
    Call {
        place,
        tool: tool.to_owned(),
        arguments: arguments.to_owned(),
    }
}

fn cancel() -> Call {
    call("cancel_reservation", r#"{"reservation_id":"R"}"#)
}

#[test]
fn a_known_key_gets_the_first_answer_and_no_second_effect() {
    let mut ledger = ledger();
    let done = Reply::Done("cancelled".to_owned());
    assert_eq!(ledger.work(&cancel(), 0, Some("k")), (done.clone(), false));
    assert_eq!(ledger.work(&cancel(), 5, Some("k")), (done, true));
    let book = ledger.book();
    assert_eq!((book.effects, book.answered_from_keys), (1, 1));
    assert!(book.duplicates.is_empty());
}

#[test]
fn a_second_effect_of_one_call_is_a_duplicate() {
    let mut ledger = ledger();
    for key in [Some("k"), Some("another"), None] {
        ledger.work(&cancel(), 0, key);
    }
    assert_eq!(ledger.effects(&cancel()), 3);
    let book = ledger.book();
    assert_eq!(book.effects, 3);
    assert_eq!(book.duplicates.len(), 1);
    assert_eq!(book.duplicates[0].call, cancel());
    assert_eq!(book.duplicates[0].entry.effects, 3);
}

#[test]
fn a_refusal_is_kept_under_its_key_and_is_no_effect() {
    let mut ledger = ledger();
    let refused = Reply::Refused("Error: no such reservation".to_owned());
    let other = call("cancel_reservation", r#"{"reservation_id":"S"}"#);
    assert_eq!(ledger.work(&other, 1, Some("k")), (refused.clone(), false));
    assert_eq!(ledger.work(&other, 1, Some("k")), (refused, true));
    assert_eq!(ledger.book().effects, 0);
    assert_eq!(ledger.work(&cancel(), 0, Some("k")).0, Reply::KeyReused);
}

#[test]
fn a_look_up_that_is_made_twice_is_answered_twice_and_is_no_effect() {
    let mut ledger = ledger();
    let look = call("get_user_details", r#"{"user_id":"u"}"#);
    for (step, result) in [(2, "before"), (3, "after"), (9, "before")] {
        let done = Reply::Done(result.to_owned());
        assert_eq!(ledger.work(&look, step, None).0, done, "{step}");
    }
    let unknown = call("get_user_details", r#"{"user_id":"v"}"#);
    assert_eq!(ledger.work(&unknown, 0, None).0, Reply::NotRecorded);
    let book = ledger.book();
    assert_eq!((book.effects, book.not_recorded), (0, 1));
    assert!(book.calls.is_empty());
}

#[test]
fn every_recorded_call_gets_its_recorded_result_and_its_one_effect() {
    let Some(data) = std::env::var_os("IDEM_AIRLINE_DATA") else {
        println!("skipped: IDEM_AIRLINE_DATA names no file of recorded conversations");
        return;
    };
    let conversations = read(data.as_ref()).unwrap();
    let mut ledger = Ledger::new(&conversations, Chaos::default());
    let catalogue = Catalogue::new();
    for conversation in &conversations {
        for (turn, step, recorded) in conversation.calls() {
            let facts = catalogue.get(&recorded.tool).unwrap();
            let place = Place {
                conversation: conversation.id.clone(),
                turn: turn.number,
            };
            let call = Call {
                place,
                tool: recorded.tool.clone(),
                arguments: (facts.canonical)(&recorded.arguments).unwrap(),
            };
            let key = (facts.effect != Effect::Read).then(|| call.text());
            let result = recorded.result.clone().unwrap();
            let expected = match is_refusal(&result) {
                true => Reply::Refused(result),
                false => Reply::Done(result),
            };
            assert_eq!(ledger.work(&call, step, key.as_deref()).0, expected);
        }
    }
    let book = ledger.book();
    assert_eq!((book.effects, book.handovers), (102, 29));
    assert_eq!((book.answered_from_keys, book.keys_reused), (2, 0));
    assert!(book.duplicates.is_empty());
}
