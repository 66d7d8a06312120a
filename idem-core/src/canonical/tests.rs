//! The writer: roles, defaults, order, bounds, and what it refuses.

use super::{
    Canonical, CanonicalError, CanonicalProblem, Form, Kind, Patch, Role, Writer, text_of,
};
use crate::json::{Json, Limits};

/// What the derive will write.
#[derive(Clone, PartialEq)]
struct Send {
    to: String,
    cc: Option<String>,
    priority: String,
    note: String,
    inner: Inner,
}

#[derive(Clone, PartialEq)]
struct Inner {
    id: u64,
    weight: f64,
}

impl Canonical for Send {
    const KIND: Kind = Kind::Struct;

    fn write(&self, out: &mut Writer) -> Result<(), CanonicalError> {
        let mut object = out.object();
        object.field("to", Role::Identity, &self.to)?;
        object.field_or("cc", Role::Identity, &self.cc, || None)?;
        object.field_or("priority", Role::Checked, &self.priority, || {
            "normal".to_owned()
        })?;
        object.field("note", Role::Prose, &self.note)?;
        object.field_or("inner", Role::Identity, &self.inner, || Inner {
            id: 0,
            weight: 1.0,
        })?;
        object.end()
    }
}

impl Canonical for Inner {
    const KIND: Kind = Kind::Struct;

    fn write(&self, out: &mut Writer) -> Result<(), CanonicalError> {
        let mut object = out.object();
        object.field("id", Role::Identity, &self.id)?;
        object.field("weight", Role::Checked, &self.weight)?;
        object.end()
    }
}

fn send() -> Send {
    Send {
        to: "ann".to_owned(),
        cc: None,
        priority: "normal".to_owned(),
        note: "hi".to_owned(),
        inner: Inner { id: 0, weight: 1.0 },
    }
}

#[test]
fn each_form_holds_its_roles_and_only_the_shown_one_defaults() {
    let mut value = send();
    assert_eq!(text_of(&value, Form::Key).unwrap(), r#"{"to":"ann"}"#);
    assert_eq!(text_of(&value, Form::Hash).unwrap(), r#"{"to":"ann"}"#);
    assert_eq!(
        text_of(&value, Form::Shown).unwrap(),
        r#"{"cc":null,"inner":{"id":0,"weight":1},"note":"hi","priority":"normal","to":"ann"}"#
    );

    value.priority = "high".to_owned();
    value.cc = Some("bob".to_owned());
    assert_eq!(
        text_of(&value, Form::Key).unwrap(),
        r#"{"cc":"bob","to":"ann"}"#
    );
    assert_eq!(
        text_of(&value, Form::Hash).unwrap(),
        r#"{"cc":"bob","priority":"high","to":"ann"}"#
    );
}

#[test]
fn nested_values_are_compared_with_their_default_in_the_same_form() {
    // The weight is checked: in the key the inner value still is the default.
    let mut value = send();
    value.inner.weight = 2.5;
    assert_eq!(text_of(&value, Form::Key).unwrap(), r#"{"to":"ann"}"#);
    assert_eq!(
        text_of(&value, Form::Hash).unwrap(),
        r#"{"inner":{"id":0,"weight":2.5},"to":"ann"}"#
    );
    value.inner.id = 7;
    assert_eq!(
        text_of(&value, Form::Key).unwrap(),
        r#"{"inner":{"id":7},"to":"ann"}"#
    );
}

#[test]
fn not_a_number_is_refused_with_its_path() {
    let mut value = send();
    value.inner.weight = f64::NAN;
    let error = text_of(&value, Form::Hash).unwrap_err();
    assert_eq!(
        error.to_string(),
        "$.inner.weight is NaN: JSON cannot hold it"
    );
    // In the key nobody asks for it.
    assert!(text_of(&value, Form::Key).is_ok());
    let error = text_of(&vec![0.5, f64::INFINITY], Form::Key).unwrap_err();
    assert_eq!(error.to_string(), "$[1] is infinity: JSON cannot hold it");
}

struct Odd(fn(&mut Writer) -> Result<(), CanonicalError>);

impl Canonical for Odd {
    const KIND: Kind = Kind::Opaque;

    fn write(&self, out: &mut Writer) -> Result<(), CanonicalError> {
        (self.0)(out)
    }
}

fn problem(write: fn(&mut Writer) -> Result<(), CanonicalError>) -> CanonicalProblem {
    text_of(&vec![Odd(write)], Form::Hash).unwrap_err().problem
}

#[test]
fn exactly_one_value_is_written() {
    assert_eq!(problem(|_| Ok(())), CanonicalProblem::NoValue);
    assert_eq!(
        problem(|out| out.null().and_then(|()| out.null())),
        CanonicalProblem::SecondValue
    );
    // An object that is never ended is no value, and leaves nothing behind.
    let forgotten = |out: &mut Writer| out.object().field("a", Role::Identity, &1_u8);
    assert_eq!(problem(forgotten), CanonicalProblem::NoValue);
    assert_eq!(
        text_of(&Odd(|_| Ok(())), Form::Key).unwrap_err().problem,
        CanonicalProblem::NoValue
    );
    let custom = problem(|_| Err(CanonicalError::custom("no form")));
    assert_eq!(custom, CanonicalProblem::Custom("no form".to_owned()));
}

#[test]
fn a_name_twice_is_refused() {
    let twice = problem(|out| {
        let mut object = out.object();
        object.field("a", Role::Identity, &1_u8)?;
        object.field_with("a", Role::Identity, |out| out.null())
    });
    assert_eq!(
        twice,
        CanonicalProblem::NameTwice {
            name: "a".to_owned()
        }
    );
}

#[test]
fn depth_and_size_are_bounded() {
    let nested = |depth| (1..depth).fold(Json::Array(vec![]), |inner, _| Json::Array(vec![inner]));
    assert!(text_of(&nested(64), Form::Key).is_ok());
    let error = text_of(&nested(65), Form::Key).unwrap_err();
    assert_eq!(error.problem, CanonicalProblem::TooDeep { max: 64 });

    let max = 256 * 1024;
    let fits = "a".repeat(max - 2);
    assert_eq!(
        text_of(fits.as_str(), Form::Key).map(|text| text.len()),
        Ok(max)
    );
    for size in [max - 1, max, max * 2] {
        let error = text_of("a".repeat(size).as_str(), Form::Key).unwrap_err();
        assert_eq!(error.problem, CanonicalProblem::TooLarge { max });
    }
    let parts = vec!["a".repeat(1_000); 262];
    assert!(
        text_of(&parts, Form::Key)
            .unwrap_err()
            .to_string()
            .starts_with("$[2")
    );
}

#[test]
fn missing_null_and_value_are_three_things() {
    struct Clear(Patch<u8>);
    impl Canonical for Clear {
        const KIND: Kind = Kind::Struct;

        fn write(&self, out: &mut Writer) -> Result<(), CanonicalError> {
            let mut object = out.object();
            object.field_or("note", Role::Identity, &self.0, Patch::default)?;
            object.end()
        }
    }
    for form in [Form::Key, Form::Hash, Form::Shown] {
        assert_eq!(text_of(&Clear(Patch::Missing), form).unwrap(), "{}");
        assert_eq!(
            text_of(&Clear(Patch::Null), form).unwrap(),
            r#"{"note":null}"#
        );
        assert_eq!(
            text_of(&Clear(Patch::Value(1)), form).unwrap(),
            r#"{"note":1}"#
        );
    }
    let error = text_of(&vec![Patch::Value(1), Patch::Missing], Form::Key).unwrap_err();
    assert_eq!(error.problem, CanonicalProblem::Missing);
}

#[test]
fn free_json_is_written_whole_in_every_form() {
    let text = r#"{"b":[1.0,null],"a":{"d":2,"c":3}}"#;
    let value = Json::parse(text, Limits::ARGUMENTS).unwrap();
    for form in [Form::Key, Form::Hash, Form::Shown] {
        assert_eq!(
            text_of(&value, form).unwrap(),
            r#"{"a":{"c":3,"d":2},"b":[1,null]}"#
        );
    }
}

#[test]
fn kinds_are_compared_in_constants() {
    const IS_FLOAT: bool = <Option<f64> as Canonical>::KIND as u8 == Kind::Float as u8;
    const { assert!(IS_FLOAT) }
}
