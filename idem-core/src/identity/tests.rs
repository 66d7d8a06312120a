//! The parts, what they refuse, and which keys are one.

use std::num::NonZeroU32;

use uuid::Uuid;

use super::{
    IdempotencyKey, IdentityError, Intent, KeyKind, LogicalTurn, MessageId, RequestHash, RunId,
    ToolName, VendorKey, free_text_key, request_hash,
};

fn turn(run: &str, number: u32) -> LogicalTurn {
    LogicalTurn::numbered(&RunId::new(run).unwrap(), number)
}

fn messages(ids: &[&str]) -> LogicalTurn {
    let ids: Vec<MessageId> = ids.iter().map(|id| MessageId::new(*id).unwrap()).collect();
    LogicalTurn::of_messages(&ids).unwrap()
}

#[test]
fn a_tool_name_is_what_vendors_accept() {
    for name in ["a", "send_email", "Send-Email2", &"x".repeat(64)] {
        assert_eq!(ToolName::new(name).unwrap().as_ref(), name);
    }
    for name in ["", "a b", "a.b", "é", "a\n", &"x".repeat(65)] {
        assert_eq!(
            ToolName::new(name),
            Err(IdentityError::ToolName { max: 64 }),
            "{name}"
        );
    }
}

#[test]
fn parts_refuse_newlines_emptiness_and_length() {
    for text in [
        "",
        "a\nb",
        "a\r",
        "\0",
        "a\u{7f}",
        "\u{85}",
        &"x".repeat(257),
    ] {
        assert!(RunId::new(text).is_err(), "{text:?}");
        assert!(text.parse::<MessageId>().is_err(), "{text:?}");
    }
    assert!(Intent::new("x".repeat(512)).is_ok());
    assert!(Intent::new("x".repeat(513)).is_err());
    assert!(Intent::try_from("line\nline").is_err());
    let error = RunId::new("a\nb").unwrap_err().to_string();
    assert_eq!(
        error,
        "a run id is 1 to 256 bytes of text without control characters such as newlines"
    );
    let longest = LogicalTurn::numbered(&RunId::new("x".repeat(256)).unwrap(), u32::MAX);
    assert!(longest.as_ref().len() <= 512);
}

#[test]
fn a_turn_of_messages_is_a_set() {
    assert_eq!(messages(&["b", "a", "b"]), messages(&["a", "b"]));
    assert_ne!(messages(&["a"]), messages(&["a", "b"]));
    assert_ne!(messages(&["ab"]), messages(&["a", "b"]));
    assert_eq!(
        LogicalTurn::of_messages(&[]),
        Err(IdentityError::NoMessages)
    );
    assert_eq!(turn("a:1", 2).to_string(), "r:a:1:2");
}

#[test]
fn kinds_turns_tools_and_arguments_make_different_keys() {
    let (first, second) = (turn("run", 1), turn("run", 2));
    let tool = ToolName::new("send").unwrap();
    let intent = Intent::new("again").unwrap();
    let two = NonZeroU32::MIN.saturating_add(1);
    let kinds = [
        KeyKind::Turn { turn: &first },
        KeyKind::Turn { turn: &second },
        KeyKind::Natural,
        KeyKind::Read {
            turn: &first,
            step: 0,
        },
        KeyKind::Read {
            turn: &first,
            step: 1,
        },
        KeyKind::Count {
            turn: &first,
            ordinal: two,
        },
        KeyKind::Intent {
            turn: &first,
            intent: &intent,
        },
    ];
    let mut keys: Vec<IdempotencyKey> = kinds
        .iter()
        .map(|kind| IdempotencyKey::new(*kind, &tool, "{}"))
        .collect();
    keys.push(IdempotencyKey::new(KeyKind::Natural, &tool, "{\"a\":1}"));
    keys.push(IdempotencyKey::new(
        KeyKind::Natural,
        &ToolName::new("other").unwrap(),
        "{}",
    ));
    let count = keys.len();
    keys.sort_unstable();
    keys.dedup();
    assert_eq!(keys.len(), count);
}

#[test]
fn the_first_of_counted_calls_is_the_turns_call() {
    let (turn, tool) = (turn("run", 1), ToolName::new("send").unwrap());
    let counted = KeyKind::Count {
        turn: &turn,
        ordinal: NonZeroU32::MIN,
    };
    let plain = KeyKind::Turn { turn: &turn };
    assert_eq!(
        IdempotencyKey::new(counted, &tool, "{}"),
        IdempotencyKey::new(plain, &tool, "{}")
    );
}

#[test]
fn an_intent_stands_in_for_the_arguments() {
    let (turn, tool) = (turn("run", 1), ToolName::new("send").unwrap());
    let intent = Intent::new("the second reminder").unwrap();
    let kind = KeyKind::Intent {
        turn: &turn,
        intent: &intent,
    };
    let keys = ["{}", "{\"a\":1}"].map(|text| IdempotencyKey::new(kind, &tool, text));
    assert_eq!(keys[0], keys[1]);
}

#[test]
fn digests_have_a_long_and_a_short_text() {
    let key = free_text_key("delivery-1");
    let text = key.to_string();
    assert_eq!(text.len(), 64);
    assert!(
        text.bytes()
            .all(|byte| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte))
    );
    assert_eq!(text.parse(), Ok(key));
    assert_eq!(text.to_uppercase().parse(), Ok(key));
    assert_eq!(IdempotencyKey::from_bytes(*key.as_bytes()), key);
    assert_eq!(
        format!("{key:?}"),
        format!("IdempotencyKey({})", &text[..8])
    );
    for wrong in [
        "",
        "ab",
        &text[1..],
        &format!("{text}0"),
        &text.replace(&text[..1], "g"),
    ] {
        assert!(wrong.parse::<RequestHash>().is_err(), "{wrong}");
    }
    assert!(format!("é{}", &text[2..]).parse::<RequestHash>().is_err());
    assert_ne!(
        request_hash("{}").as_bytes(),
        free_text_key("{}").as_bytes()
    );
    assert_eq!(RequestHash::VERSION, 1);
}

#[test]
fn a_vendor_key_depends_on_everything_and_fits_every_vendor() {
    let (one, two) = (Uuid::from_u128(1), Uuid::from_u128(2));
    let (key, other) = (free_text_key("a"), free_text_key("b"));
    let first = VendorKey::new(one, "tool.email.send", &key, 0);
    assert_eq!(first, VendorKey::new(one, "tool.email.send", &key, 0));
    assert_ne!(first, VendorKey::new(two, "tool.email.send", &key, 0));
    assert_ne!(first, VendorKey::new(one, "tool.email.sent", &key, 0));
    assert_ne!(first, VendorKey::new(one, "tool.email.send", &other, 0));
    assert_ne!(first, VendorKey::new(one, "tool.email.send", &key, 1));
    assert_eq!(first.as_str().len(), 64);
    assert_eq!(first.uuid().get_version_num(), 8);
    assert_eq!(first.uuid().get_variant(), uuid::Variant::RFC4122);
    assert_eq!(format!("{first:?}").len(), "VendorKey()".len() + 8);
}
