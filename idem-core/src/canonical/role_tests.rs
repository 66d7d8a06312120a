//! Roles of fields: what a named identity keeps, and where prose is noted.

use std::collections::HashSet;
use std::hash::{Hash, Hasher};

use super::{
    Canonical, CanonicalError, Field, Form, Kind, Role, Writer, identity_of, intent_fault,
    key_fault, shown, text_of,
};
use crate::json::{Json, Limits};

/// A part of an input, with a field of each role.
#[derive(Clone, PartialEq, Eq)]
struct Part {
    id: &'static str,
    note: &'static str,
}

impl Hash for Part {
    fn hash<H: Hasher>(&self, state: &mut H) {
        (self.id, self.note).hash(state);
    }
}

const fn field(name: &'static str, kind: Kind, role: Role) -> Field {
    Field {
        name,
        kind,
        role,
        has_default: false,
        fields: &[],
    }
}

impl Canonical for Part {
    const KIND: Kind = Kind::Struct;
    const FIELDS: &'static [Field] = &[
        field("id", Kind::Text, Role::Identity),
        field("note", Kind::Text, Role::Prose),
    ];

    fn write(&self, out: &mut Writer) -> Result<(), CanonicalError> {
        let mut object = out.object();
        object.field("id", Role::Identity, self.id)?;
        object.field("note", Role::Prose, self.note)?;
        object.end()
    }
}

struct Whole {
    part: Part,
    parts: Vec<Part>,
    set: HashSet<Part>,
    prose: Part,
    count: u32,
}

impl Canonical for Whole {
    const KIND: Kind = Kind::Struct;
    const FIELDS: &'static [Field] = &[
        Field {
            fields: Part::FIELDS,
            ..field("part", Kind::Struct, Role::Identity)
        },
        field("parts", Kind::Sequence, Role::Identity),
        field("price", Kind::Float, Role::Identity),
        field("prose", Kind::Text, Role::Prose),
    ];

    fn write(&self, out: &mut Writer) -> Result<(), CanonicalError> {
        let mut object = out.object();
        object.field("part", Role::Identity, &self.part)?;
        object.field("parts", Role::Identity, &self.parts)?;
        object.field("set", Role::Identity, &self.set)?;
        object.field("prose", Role::Prose, &self.prose)?;
        object.field_or("count", Role::Identity, &self.count, || 1)?;
        object.end()
    }
}

fn whole(words: &'static str) -> Whole {
    let part = |id| Part { id, note: words };
    Whole {
        part: part("a"),
        parts: vec![part("b"), part("c")],
        set: HashSet::from([part("d"), part("e")]),
        prose: part("f"),
        count: 1,
    }
}

#[test]
fn a_named_identity_is_what_its_paths_lead_to() {
    let value = whole("x");
    let all = text_of(&value, Form::Key).unwrap();
    assert_eq!(identity_of(&value, None).unwrap(), all);
    let cases: [(super::KeyPaths, &str); 4] = [
        (&[&["part"]], r#"{"part":{"id":"a"}}"#),
        (&[&["part", "id"]], r#"{"part":{"id":"a"}}"#),
        (&[&["parts"]], r#"{"parts":[{"id":"b"},{"id":"c"}]}"#),
        (&[&["count"]], "{}"),
    ];
    for (paths, text) in cases {
        assert_eq!(identity_of(&value, Some(paths)).unwrap(), text);
    }
    let other = Whole {
        count: 2,
        ..whole("y")
    };
    let paths: super::KeyPaths = &[&["count"], &["part", "id"]];
    let text = r#"{"count":2,"part":{"id":"a"}}"#;
    assert_eq!(identity_of(&other, Some(paths)).unwrap(), text);
}

#[test]
fn prose_is_noted_where_it_stands_and_is_in_no_hash() {
    let (one, other) = (whole("x"), whole("y"));
    for form in [Form::Key, Form::Hash] {
        assert_eq!(text_of(&one, form), text_of(&other, form));
    }
    let [one, other] = [one, other].map(|value| shown(&value).unwrap());
    assert_eq!(one.text, text_of(&whole("x"), Form::Shown).unwrap());
    let paths: Vec<String> = one.prose.iter().map(ToString::to_string).collect();
    // A set has no places, and prose inside of prose is the prose that it is inside of.
    let places = [
        "part.note",
        "parts[0].note",
        "parts[1].note",
        "set",
        "prose",
    ];
    assert_eq!(paths, places);
    assert_eq!(one.prose, other.prose);
    let [one_json, other_json] =
        [&one, &other].map(|shown| Json::parse(&shown.text, Limits::ANSWER).unwrap());
    for path in &one.prose {
        assert!(path.find(&one_json).is_some());
        assert_ne!(path.find(&one_json), path.find(&other_json));
    }
}

#[test]
fn a_fault_of_a_path_is_at_its_word() {
    let fault = |path: &[&str]| key_fault(Whole::FIELDS, path).map(|fault| fault.word);
    assert_eq!(fault(&["part"]), None);
    assert_eq!(fault(&["part", "id"]), None);
    assert_eq!(fault(&["parts"]), None);
    assert_eq!(fault(&["part", "note"]), Some(1));
    assert_eq!(fault(&["part", "name"]), Some(1));
    for refused in [&["nothing"][..], &["price"], &["prose"], &["parts", "id"]] {
        assert_eq!(fault(refused), Some(0));
    }
}

#[test]
fn an_intent_is_a_text_field() {
    assert_eq!(intent_fault(Part::FIELDS, "id"), None);
    for refused in ["nothing", "note"] {
        assert!(intent_fault(Part::FIELDS, refused).is_some());
    }
    assert!(intent_fault(Whole::FIELDS, "part").is_some());
}
