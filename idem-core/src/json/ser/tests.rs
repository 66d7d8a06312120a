//! Writing typed values: exact, or refused with the place.

use std::collections::BTreeMap;

use serde::ser::{SerializeMap, SerializeStruct};
use serde::{Serialize, Serializer};

use super::{to_json, to_json_within};
use crate::json::{Json, Limits};

fn text<T: Serialize + ?Sized>(value: &T) -> String {
    to_json(value).map(|json| json.to_text()).unwrap()
}

fn refusal<T: Serialize + ?Sized>(value: &T) -> String {
    to_json(value)
        .map(|json| json.to_text())
        .unwrap_err()
        .to_string()
}

#[derive(Serialize)]
struct Report {
    score: f64,
    rows: Vec<Row>,
}

#[derive(Serialize)]
enum Row {
    Empty,
    One(f32),
    Two(i8, f64),
    Named { value: f64 },
}

#[derive(Serialize, PartialEq, Eq, PartialOrd, Ord)]
enum Key {
    A,
    B(u8),
}

#[test]
fn values_are_written_as_serde_json_writes_them() {
    let rows = vec![
        Row::Empty,
        Row::One(0.1),
        Row::Two(-1, 2.0),
        Row::Named { value: 1e21 },
    ];
    let report = Report { score: -0.0, rows };
    let expected =
        r#"{"rows":["Empty",{"One":0.1},{"Two":[-1,2]},{"Named":{"value":1e+21}}],"score":0}"#;
    assert_eq!(text(&report), expected);
    assert_eq!(
        text(&(1_u8, 'c', "s", (), None::<u8>, Some(true))),
        r#"[1,"c","s",null,null,true]"#
    );
    assert_eq!(text(&[u128::MAX]), format!("[{}]", u128::MAX));
    assert_eq!(text(&i128::MIN), i128::MIN.to_string());
}

#[test]
fn what_json_cannot_hold_is_refused_with_its_place() {
    let report = Report {
        score: f64::NAN,
        rows: Vec::new(),
    };
    assert_eq!(refusal(&report), "$.score is NaN: JSON cannot hold it");
    let rows = vec![
        Row::Empty,
        Row::Named {
            value: f64::NEG_INFINITY,
        },
    ];
    let report = Report { score: 1.0, rows };
    assert_eq!(
        refusal(&report),
        "$.rows[1].Named.value is -infinity: JSON cannot hold it"
    );
    assert_eq!(
        refusal(&Row::One(f32::INFINITY)),
        "$.One is infinity: JSON cannot hold it"
    );
    assert_eq!(
        refusal(&Row::Two(0, f64::NAN)),
        "$.Two[1] is NaN: JSON cannot hold it"
    );
}

#[test]
fn keys_are_text_numbers_booleans_and_plain_variants() {
    assert_eq!(
        text(&BTreeMap::from([(10, 'a'), (9, 'b')])),
        r#"{"10":"a","9":"b"}"#
    );
    assert_eq!(text(&BTreeMap::from([(true, 1)])), r#"{"true":1}"#);
    assert_eq!(text(&BTreeMap::from([('x', 1)])), r#"{"x":1}"#);
    assert_eq!(text(&BTreeMap::from([(Key::A, 1)])), r#"{"A":1}"#);
    assert_eq!(
        text(&BTreeMap::from([(u128::MAX, 1)])),
        format!("{{\"{}\":1}}", u128::MAX)
    );
    assert!(refusal(&BTreeMap::from([(Key::B(1), 1)])).contains("a key that is no text"));
    assert!(refusal(&BTreeMap::from([((), 1)])).contains("a key that is no text"));
    assert!(refusal(&BTreeMap::from([([1], 1)])).contains("a key that is no text"));
}

#[test]
fn a_key_twice_is_refused() {
    struct Twice;
    impl Serialize for Twice {
        fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
            let mut map = serializer.serialize_map(None)?;
            map.serialize_entry("1", &0)?;
            map.serialize_entry(&1, &0)?;
            map.end()
        }
    }
    assert_eq!(refusal(&[Twice]), "$[0] has the key \"1\" twice");
}

#[test]
fn depth_and_size_are_bounded() {
    #[derive(Serialize)]
    struct Nested(Option<Box<Nested>>, u8);
    let nested = |depth| (1..depth).fold(Nested(None, 0), |inner, _| Nested(Some(inner.into()), 0));
    assert!(to_json(&nested(128)).is_ok());
    assert!(refusal(&nested(129)).contains("deeper than 128 levels"));

    let limits = Limits {
        depth: 4,
        bytes: 30,
    };
    for value in [vec!["aaaaaaaa"; 2], vec!["aaaa", "bbbb", "cccc", "d"]] {
        let length = text(&value).len();
        assert_eq!(
            to_json_within(&value, limits).is_ok(),
            length <= 30,
            "{length}"
        );
        assert!(
            to_json_within(
                &value,
                Limits {
                    bytes: length,
                    ..limits
                }
            )
            .is_ok()
        );
        assert!(
            to_json_within(
                &value,
                Limits {
                    bytes: length - 1,
                    ..limits
                }
            )
            .is_err()
        );
    }
    let report = Report {
        score: 0.5,
        rows: vec![Row::Two(1, 2.5), Row::Named { value: 1.0 }],
    };
    let length = text(&report).len();
    assert!(
        to_json_within(
            &report,
            Limits {
                depth: 9,
                bytes: length
            }
        )
        .is_ok()
    );
    assert!(
        to_json_within(
            &report,
            Limits {
                depth: 9,
                bytes: length - 1
            }
        )
        .is_err()
    );
    assert!(refusal(&"a".repeat(9 << 20)).contains("beyond 8388608 bytes"));
}

/// What serde_json's types write when another crate turns on its features.
struct Private(&'static str, &'static str);

impl Serialize for Private {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut hidden = serializer.serialize_struct(self.0, 1)?;
        hidden.serialize_field(self.0, self.1)?;
        hidden.end()
    }
}

#[test]
fn the_private_structs_of_serde_json_are_what_they_stand_for() {
    let number = Private("$serde_json::private::Number", "100000000000000000000.50");
    assert_eq!(text(&[number]), "[100000000000000000000]");
    let raw = Private("$serde_json::private::RawValue", r#"{ "b":1, "a":[1.0] }"#);
    assert_eq!(text(&raw), r#"{"a":[1],"b":1}"#);
    let twice = Private("$serde_json::private::RawValue", r#"{"a":1,"a":2}"#);
    assert!(refusal(&twice).contains("stands twice"));
    let value = serde_json::json!({"b": [1, 2.50, null], "a": {"c": "x"}});
    assert_eq!(text(&value), r#"{"a":{"c":"x"},"b":[1,2.5,null]}"#);
    // A key of that name is a key.
    let key = BTreeMap::from([("$serde_json::private::Number", "1")]);
    assert_eq!(text(&key), r#"{"$serde_json::private::Number":"1"}"#);
}

#[test]
fn a_long_integer_survives_our_writer_and_is_a_double_for_others() {
    let digits = "123456789".repeat(20);
    let value = Json::parse(&format!("[{digits}]"), Limits::ANSWER).unwrap();
    assert_eq!(to_json(&value), Ok(value.clone()));
    let other: Vec<f64> = serde_json::from_str(&serde_json::to_string(&value).unwrap()).unwrap();
    assert_eq!(
        Some(other[0]),
        value.as_array().and_then(|items| items[0].as_f64())
    );
}
