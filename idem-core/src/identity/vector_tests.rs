//! The golden vectors, which a program in another language computed.

use std::num::NonZeroU32;

use super::key::key_text;
use super::{
    IdempotencyKey, Intent, KeyKind, LogicalTurn, MessageId, RunId, ToolName, VendorKey,
    free_text_key, request_hash,
};
use crate::canonical::{Form, text_of};
use crate::json::{Json, Limits};

const VECTORS: &str = include_str!("../../vectors/vectors.json");

fn vectors(list: &str) -> Vec<Json> {
    let vectors = Json::parse(VECTORS, Limits::ANSWER).unwrap();
    let list = vectors.get(list).and_then(Json::as_array).unwrap();
    assert!(!list.is_empty());
    list.to_vec()
}

fn text<'v>(vector: &'v Json, name: &str) -> &'v str {
    vector.get(name).and_then(Json::as_str).unwrap()
}

fn number(vector: &Json, name: &str) -> u32 {
    let number = vector.get(name).and_then(Json::as_u64).unwrap();
    u32::try_from(number).unwrap()
}

fn canonical(arguments: &str, form: Form) -> String {
    text_of(&Json::parse(arguments, Limits::ARGUMENTS).unwrap(), form).unwrap()
}

fn turn(vector: &Json) -> LogicalTurn {
    match vector.get("messages") {
        Some(messages) => {
            let messages = messages.as_array().unwrap().iter();
            let ids: Vec<MessageId> = messages
                .map(|id| MessageId::new(id.as_str().unwrap()).unwrap())
                .collect();
            LogicalTurn::of_messages(&ids).unwrap()
        }
        None => {
            let run = RunId::new(text(vector, "run")).unwrap();
            LogicalTurn::numbered(&run, number(vector, "number"))
        }
    }
}

#[test]
fn canonical_texts_are_those_of_the_vectors() {
    for vector in vectors("canonical") {
        for form in [Form::Key, Form::Hash, Form::Shown] {
            assert_eq!(
                canonical(text(&vector, "text"), form),
                text(&vector, "canonical")
            );
        }
    }
}

#[test]
fn keys_are_those_of_the_vectors() {
    for vector in vectors("keys") {
        let tool = ToolName::new(text(&vector, "tool")).unwrap();
        let arguments = canonical(text(&vector, "arguments"), Form::Key);
        let check = |kind: KeyKind<'_>| {
            assert_eq!(key_text(kind, &tool, &arguments), text(&vector, "text"));
            let key = IdempotencyKey::new(kind, &tool, &arguments);
            assert_eq!(key.to_string(), text(&vector, "key"));
        };
        match text(&vector, "kind") {
            "natural" => check(KeyKind::Natural),
            "turn" => check(KeyKind::Turn {
                turn: &turn(&vector),
            }),
            "read" => {
                check(KeyKind::Read {
                    turn: &turn(&vector),
                    step: number(&vector, "step"),
                });
            }
            "count" => {
                let ordinal = NonZeroU32::new(number(&vector, "ordinal")).unwrap();
                check(KeyKind::Count {
                    turn: &turn(&vector),
                    ordinal,
                });
            }
            "intent" => {
                let intent = Intent::new(text(&vector, "intent")).unwrap();
                check(KeyKind::Intent {
                    turn: &turn(&vector),
                    intent: &intent,
                });
            }
            other => panic!("a kind that this test does not know: {other}"),
        }
    }
}

#[test]
fn request_hashes_are_those_of_the_vectors() {
    for vector in vectors("requests") {
        let hash = request_hash(&canonical(text(&vector, "arguments"), Form::Hash));
        assert_eq!(hash.to_string(), text(&vector, "hash"));
    }
}

#[test]
fn keys_of_free_texts_are_those_of_the_vectors() {
    for vector in vectors("free_text") {
        assert_eq!(
            free_text_key(text(&vector, "text")).to_string(),
            text(&vector, "key")
        );
    }
}

#[test]
fn vendor_keys_are_those_of_the_vectors() {
    for vector in vectors("vendor_keys") {
        let organization = text(&vector, "organization").parse().unwrap();
        let key = text(&vector, "key").parse().unwrap();
        let epoch = number(&vector, "epoch");
        let vendor_key = VendorKey::new(organization, text(&vector, "scope"), &key, epoch);
        assert_eq!(vendor_key.as_str(), text(&vector, "vendor_key"));
        assert_eq!(vendor_key.uuid().to_string(), text(&vector, "uuid"));
    }
}
