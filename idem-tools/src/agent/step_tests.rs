//! A step's record: what is written is read, and what is broken is an error and never a panic.

use super::model::{CallAnswer, Usage};
use super::proposal::{Identity, Proposal};
use super::step::StepRecord;
use crate::ProposedCall;
use crate::call::ToolFailure;
use idem_core::identity::{IdempotencyKey, RequestHash};
use idem_core::json::{Json, Limits};
use idem_core::{RepositoryError, Scope};
use proptest::prelude::*;
use std::num::NonZeroU32;

const TRICKY: &str = "\u{0}\"\\ tab\t, Grüße, 👩‍👩‍👧, \u{202e}abc, \u{feff}";

fn identity(input: &str) -> Identity {
    Identity {
        scope: Scope::new("tool.note.send").unwrap(),
        key: IdempotencyKey::from_bytes([7; 32]),
        hash: RequestHash::from_bytes([9; 32]),
        input: input.into(),
        fingerprint: "{}".to_owned(),
        first: Some(IdempotencyKey::from_bytes([8; 32])),
        ordinal: NonZeroU32::new(3).unwrap(),
    }
}

fn record() -> StepRecord {
    let exact = r#"{"id":9007199254740993,"sum":1e+300,"small":-0.0}"#;
    let parsed = Json::parse(exact, Limits::ARGUMENTS).unwrap();
    let calls = vec![
        Proposal {
            call: ProposedCall::new("call_a", "send", exact),
            identity: Ok(identity(exact)),
        },
        Proposal {
            call: ProposedCall::parsed(TRICKY, "send", parsed).without_id(),
            identity: Ok(identity(TRICKY)),
        },
        Proposal {
            call: ProposedCall::new("", "fetch", TRICKY),
            identity: Err(ToolFailure::final_answer("unknown_tool", TRICKY)),
        },
    ];
    let answers = vec![CallAnswer {
        call_id: None,
        tool: "send".to_owned(),
        text: TRICKY.to_owned(),
        is_error: true,
    }];
    StepRecord {
        model: "scripted-1".to_owned(),
        prompt: "00ff".to_owned(),
        text: Some(TRICKY.to_owned()),
        calls,
        usage: Usage {
            input_tokens: u64::MAX,
            output_tokens: 0,
        },
        answers,
        is_provisional: false,
    }
}

/// R46: key, canonical bytes and fingerprint of each call, and the answers before it, to the last bit.
#[test]
fn what_is_written_down_is_read_back() {
    let written = record();
    let text = written.to_text();
    let read = StepRecord::parse(text.as_bytes()).unwrap();
    assert_eq!(read.to_text(), text);
    assert_eq!(
        (read.model, read.prompt, read.text),
        (written.model, written.prompt, written.text)
    );
    assert_eq!((read.usage, read.answers), (written.usage, written.answers));
    let first = read.calls[0].identity.as_ref().unwrap();
    assert!(first.input.contains("9007199254740993") && first.input.contains("1e+300"));
    assert_eq!(
        (first.key, first.hash),
        (identity("").key, identity("").hash)
    );
    let ids: Vec<_> = read.calls.iter().map(|p| p.call.id()).collect();
    assert_eq!(ids, [Some("call_a"), None, Some("")]);
    assert_eq!(
        read.calls[2].identity.as_ref().err().unwrap().message,
        TRICKY
    );
}

/// R51: only words may be replaced, and only where their record says so; every other record reads as it always did.
#[test]
fn only_words_that_say_so_may_be_replaced() {
    let record = |calls, is_provisional| StepRecord {
        calls,
        is_provisional,
        ..record()
    };
    for (calls, is_provisional) in [(false, false), (false, true), (true, false), (true, true)] {
        let calls = if calls {
            self::record().calls
        } else {
            Vec::new()
        };
        let may_be_replaced = is_provisional && calls.is_empty();
        let text = record(calls, is_provisional).to_text();
        assert_eq!(text.contains(r#""provisional":true"#), is_provisional);
        let read = StepRecord::parse(text.as_bytes()).unwrap();
        assert_eq!(read.may_be_replaced(), may_be_replaced);
        let nobody = StepRecord::of_nobody(Vec::new());
        assert!(!read.is_replaced_by(Some(&nobody)) && !read.is_replaced_by(None));
        assert_eq!(
            read.is_replaced_by(Some(&self::record())),
            may_be_replaced,
            "by a step that the model gave"
        );
    }
}

/// Arguments that are deeper than a call may have are refused, and the record that says so is read all the same.
#[test]
fn arguments_of_any_depth_are_kept() {
    let deep = Limits {
        depth: 4096,
        ..Limits::ARGUMENTS
    };
    let text = format!("{}{}", "[".repeat(1000), "]".repeat(1000));
    let json = Json::parse(&text, deep).unwrap();
    let refused = ToolFailure::final_answer("invalid_input", "too deep");
    let record = StepRecord {
        calls: vec![Proposal {
            call: ProposedCall::parsed("call_a", "send", json),
            identity: Err(refused),
        }],
        ..record()
    };
    assert!(StepRecord::parse(record.to_text().as_bytes()).is_ok());
}

#[test]
fn a_broken_record_is_a_typed_error() {
    let text = record().to_text();
    let broken = [
        String::new(),
        "null".to_owned(),
        "{}".to_owned(),
        text.replace("\"s1\"", "\"s2\""),
        text.replace("tool.note.send", "no scope"),
        text.replace(&"07".repeat(32), "07"),
        text.replace("18446744073709551615", "18446744073709551616"),
        text.replace("18446744073709551615", "-1"),
        text.replace("\"calls\":[", "\"calls\":[null,"),
        text.replace("\"answers\":[", "\"answers\":[{},"),
        text[..text.len() / 2].to_owned(),
    ];
    for (at, text) in broken.iter().enumerate() {
        let read = StepRecord::parse(text.as_bytes());
        assert!(matches!(read, Err(RepositoryError::Corrupt(_))), "{at}");
    }
    assert!(StepRecord::parse(b"\xff\xfe").is_err());
}

proptest! {
    /// Whatever became of its bytes, it is read or refused.
    #[test]
    fn mutated_bytes_never_panic(changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>(), 0..3_u8), 1..20)) {
        let mut bytes = record().to_text().into_bytes();
        for (at, byte, how) in changes {
            if bytes.is_empty() {
                break;
            }
            let at = at.index(bytes.len());
            match how {
                0 => bytes[at] = byte,
                1 => bytes.insert(at, byte),
                _ => bytes.truncate(at),
            }
        }
        let _ = StepRecord::parse(&bytes);
    }

    #[test]
    fn any_words_are_kept(words in ".*", id in proptest::option::of(".*"), tokens in any::<u64>()) {
        let usage = Usage { input_tokens: tokens, output_tokens: tokens };
        let call = ProposedCall::new(id.clone().unwrap_or_default(), words.clone(), words.clone());
        let call = if id.is_some() { call } else { call.without_id() };
        let identity = Ok(identity(&words));
        let written = StepRecord { text: Some(words.clone()), calls: vec![Proposal { call, identity }], usage, ..record() };
        let read = StepRecord::parse(written.to_text().as_bytes()).unwrap();
        prop_assert_eq!(read.text, Some(words));
        prop_assert_eq!(read.calls[0].call.clone(), written.calls[0].call.clone());
        prop_assert_eq!(read.usage, usage);
    }
}
