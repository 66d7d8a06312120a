//! Reading typed values: what is accepted, what is refused, what is lent.

use std::collections::{BTreeMap, HashMap};

use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde::de::value::MapDeserializer;

use super::from_json;
use crate::json::{Json, Limits};

fn json(text: &str) -> Json {
    Json::parse(text, Limits::ARGUMENTS).unwrap()
}

fn read<T: DeserializeOwned>(text: &str) -> Result<T, String> {
    from_json(&json(text)).map_err(|error| error.to_string())
}

#[derive(Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
struct Order<'a> {
    id: u64,
    note: &'a str,
    #[serde(default)]
    lines: Vec<Line>,
}

#[derive(Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
struct Line {
    amount: f64,
    unit: Option<Unit>,
}

#[derive(Debug, PartialEq, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Unit {
    Piece,
    Weight(u32),
    Box { width: u8 },
    Pair(i8, i8),
}

#[test]
fn structs_borrow_and_whole_numbers_are_integers() {
    let value = json(r#"{"id":88.0,"note":"as is","lines":[{"amount":1,"unit":null}]}"#);
    let order: Order<'_> = from_json(&value).unwrap();
    assert_eq!(order.id, 88);
    assert_eq!(order.note, "as is");
    assert_eq!(
        order.lines,
        [Line {
            amount: 1.0,
            unit: None
        }]
    );
}

#[test]
fn enums_are_a_name_or_an_object_with_one_key() {
    assert_eq!(read(r#""piece""#), Ok(Unit::Piece));
    assert_eq!(read(r#"{"weight":3}"#), Ok(Unit::Weight(3)));
    assert_eq!(read(r#"{"box":{"width":3}}"#), Ok(Unit::Box { width: 3 }));
    assert_eq!(read(r#"{"pair":[-1,1]}"#), Ok(Unit::Pair(-1, 1)));
    for text in [
        "{}",
        r#"{"piece":null}"#,
        r#"{"piece":null,"weight":3}"#,
        "3",
        "null",
        r#""weight""#,
    ] {
        assert!(read::<Unit>(text).is_err(), "{text}");
    }
    assert!(read::<Unit>(r#"{"piece":1}"#).is_err());
    assert_eq!(
        read::<Unit>(r#"{"box":{"width":300}}"#).unwrap_err(),
        "$.box.width: expected u8, found another value: integer `300`"
    );
}

#[test]
fn errors_say_where_and_never_show_a_string() {
    let unknown = read::<Line>(r#"{"amount":1,"zz":1}"#).unwrap_err();
    assert_eq!(
        unknown,
        "$: unknown field `zz`, expected one of `amount`, `unit`"
    );
    assert_eq!(read::<Line>("{}").unwrap_err(), "$: missing field `amount`");
    let nested = read::<Vec<Line>>(r#"[{"amount":1},{"amount":"secret"}]"#).unwrap_err();
    assert_eq!(nested, "$[1].amount: expected f64, found a string");
    let variant = read::<Vec<Unit>>(r#"["secret"]"#).unwrap_err();
    assert_eq!(
        variant,
        "$[0]: unknown variant, expected one of `piece`, `weight`, `box`, `pair`"
    );
    for text in [r#""secret""#, r#"["secret"]"#, r#"{"a":"secret"}"#] {
        assert!(!read::<u8>(text).unwrap_err().contains("secret"));
        assert!(!read::<char>(text).unwrap_err().contains("secret"));
    }
    // A struct is not filled by position.
    assert_eq!(
        read::<Line>("[1,null]").unwrap_err(),
        "$: expected struct Line, found an array"
    );
}

#[test]
fn integers_are_never_rounded() {
    assert_eq!(read(&u128::MAX.to_string()), Ok(u128::MAX));
    assert_eq!(read(&i128::MIN.to_string()), Ok(i128::MIN));
    assert_eq!(read::<i64>("-1e3"), Ok(-1_000));
    assert_eq!(read::<u64>("18446744073709551615"), Ok(u64::MAX));
    for text in [
        "18446744073709551616",
        "-1",
        "1.5",
        "1e21",
        "null",
        "\"1\"",
        &"9".repeat(60),
    ] {
        assert!(read::<u64>(text).is_err(), "{text}");
    }
    assert!(read::<u128>(&"9".repeat(60)).is_err());
    assert_eq!(read::<f64>(&"9".repeat(60)), Ok(1e60));
    assert!(read::<f64>(&"9".repeat(400)).is_err());
}

#[test]
fn floats_are_finite_and_have_no_negative_zero() {
    assert_eq!(read::<f64>("1"), Ok(1.0));
    assert!(read::<f64>("-0.0").unwrap().is_sign_positive());
    assert!(read::<f32>("-1e-60").unwrap().is_sign_positive());
    assert_eq!(read::<f32>("0.1"), Ok(0.1));
    assert!(read::<f32>("1e39").is_err());
}

#[test]
fn null_bytes_tuples_and_wrappers() {
    #[derive(Debug, PartialEq, Deserialize)]
    struct Wrapper(u8);
    #[derive(Debug, PartialEq, Deserialize)]
    struct Nothing;

    assert_eq!(read("null"), Ok(()));
    assert_eq!(read("null"), Ok(Nothing));
    assert_eq!(read("5"), Ok(Wrapper(5)));
    assert_eq!(read("[1,\"a\"]"), Ok((1_u8, 'a')));
    assert!(read::<(u8, u8)>("[1,2,3]").is_err());
    assert!(read::<(u8, u8)>("[1]").is_err());
    assert!(read::<()>("{}").is_err());
    assert_eq!(read("[1,255]"), Ok(vec![1_u8, 255]));
    assert!(from_json::<&[u8]>(&json("\"ab\"")).is_err());
}

#[test]
fn keys_are_read_the_one_way_they_are_written() {
    assert_eq!(
        read(r#"{"1":"a","-2":"b"}"#),
        Ok(BTreeMap::from([(1_i8, 'a'), (-2, 'b')]))
    );
    assert_eq!(read(r#"{"true":1}"#), Ok(HashMap::from([(true, 1)])));
    assert_eq!(read(r#"{"x":1}"#), Ok(HashMap::from([('x', 1)])));
    assert_eq!(
        read(r#"{"340282366920938463463374607431768211455":1}"#),
        Ok(BTreeMap::from([(u128::MAX, 1)]))
    );
    for text in [
        r#"{"01":1}"#,
        r#"{"1.0":1}"#,
        r#"{"+1":1}"#,
        r#"{"-0":1}"#,
        r#"{" 1":1}"#,
        r#"{"":1}"#,
    ] {
        assert!(read::<HashMap<i32, u8>>(text).is_err(), "{text}");
    }
    assert!(read::<HashMap<bool, u8>>(r#"{"True":1}"#).is_err());
    assert_eq!(
        read::<HashMap<u8, u8>>(r#"{"300":1}"#)
            .unwrap_err()
            .find("$"),
        Some(0)
    );
}

#[test]
fn free_json_is_exact_inside_a_type_and_cannot_be_fooled() {
    #[derive(Debug, PartialEq, Deserialize)]
    struct Free {
        payload: Json,
    }
    let digits = "123456789".repeat(20);
    let text = format!(r#"{{"payload":{{"n":{digits},"$idem::private::Exact":"1","d":0.5}}}}"#);
    let free: Free = read(&text).unwrap();
    assert_eq!(free.payload, *json(&text).get("payload").unwrap());
    assert_eq!(
        free.payload.get("$idem::private::Exact"),
        Some(&Json::from("1"))
    );
}

#[test]
fn free_json_reads_from_another_format_and_refuses_a_key_twice() {
    let value: Json = serde_json::from_str(r#"{"b":[1,-1,0.5,null,true],"a":"x"}"#).unwrap();
    assert_eq!(value.to_text(), r#"{"a":"x","b":[1,-1,0.5,null,true]}"#);
    let error = serde_json::from_str::<Json>(r#"{"a":1,"a":2}"#)
        .unwrap_err()
        .to_string();
    assert!(error.contains("stands twice"), "{error}");
    // The name under which serde_json may hide a number is a key like any other.
    let text = r#"{"$serde_json::private::Number":"1"}"#;
    assert_eq!(serde_json::from_str::<Json>(text).unwrap().to_text(), text);
    assert_eq!(from_json::<Json>(&json(text)).unwrap().to_text(), text);
    // The other way round.
    let other: serde_json::Value = from_json(&value).unwrap();
    assert_eq!(
        other,
        serde_json::json!({"a": "x", "b": [1, -1, 0.5, null, true]})
    );
}

/// What serde_json's reader does with a number when another crate turns on `arbitrary_precision`.
#[test]
fn a_number_that_serde_json_hides_is_that_number() {
    let hidden = [("$serde_json::private::Number", "100000000000000000000.50")];
    let reader = MapDeserializer::<_, serde::de::value::Error>::new(hidden.into_iter());
    assert_eq!(
        Json::deserialize(reader).unwrap().to_text(),
        "100000000000000000000"
    );
}
