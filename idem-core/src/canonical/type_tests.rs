//! The text of each type that the table promises.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet, LinkedList, VecDeque};
use std::marker::PhantomData;
use std::num::{NonZeroI8, NonZeroU64};
use std::rc::Rc;
use std::sync::Arc;
use std::time::Duration;

use time::macros::{date, datetime, offset, time};
use uuid::Uuid;

use super::{Canonical, CanonicalProblem, Form, Patch, text_of};
use crate::json::Json;
use crate::json::de::from_json;
use crate::json::ser::to_json;

fn text<T: Canonical + ?Sized>(value: &T) -> String {
    text_of(value, Form::Hash).unwrap()
}

#[test]
fn scalars() {
    assert_eq!(text(&()), "null");
    assert_eq!(text(&true), "true");
    assert_eq!(text(&-5_i8), "-5");
    assert_eq!(text(&u64::MAX), u64::MAX.to_string());
    assert_eq!(text(&i128::MIN), i128::MIN.to_string());
    assert_eq!(text(&u128::MAX), u128::MAX.to_string());
    assert_eq!(text(&usize::MAX), usize::MAX.to_string());
    assert_eq!(text(&NonZeroU64::MIN), "1");
    assert_eq!(text(&NonZeroI8::MIN), "-128");
    assert_eq!(text(&0.1_f32), "0.1");
    assert_eq!(text(&-0.0_f64), "0");
    assert_eq!(text(&1e21), "1e+21");
    assert_eq!(text(&'é'), "\"é\"");
    assert_eq!(text("a\n\u{1}"), r#""a\n\u0001""#);
    assert_eq!(
        text(&Uuid::from_u128(0xAB)),
        "\"00000000-0000-0000-0000-0000000000ab\""
    );
}

#[test]
fn wrappers_are_transparent() {
    let plain = text("x");
    assert_eq!(text(&"x"), plain);
    assert_eq!(text(&String::from("x")), plain);
    assert_eq!(text(&Box::<str>::from("x")), plain);
    assert_eq!(text(&Rc::<str>::from("x")), plain);
    assert_eq!(text(&Arc::new(Box::new("x"))), plain);
    assert_eq!(text(&Cow::Borrowed("x")), plain);
    assert_eq!(text(&Some("x")), plain);
    assert_eq!(text(&None::<u8>), "null");
    assert_eq!(text(&PhantomData::<u8>), "null");
    assert!(Box::new(Patch::<u8>::Missing).is_absent());
}

#[test]
fn an_option_that_holds_null_is_refused() {
    // Its text would be that of `None`, and a function can tell them apart.
    for refused in [
        text_of(&Some(None::<u8>), Form::Key),
        text_of(&Some(Json::Null), Form::Key),
    ] {
        assert_eq!(refused.unwrap_err().problem, CanonicalProblem::NullInOption);
    }
}

#[test]
fn sequences_keep_their_order_and_sets_have_one() {
    assert_eq!(text(&vec![3, 1, 2]), "[3,1,2]");
    assert_eq!(text(&[3, 1, 2]), "[3,1,2]");
    assert_eq!(text([3, 1, 2].as_slice()), "[3,1,2]");
    assert_eq!(text(&VecDeque::from([3, 1])), "[3,1]");
    assert_eq!(text(&LinkedList::from([3, 1])), "[3,1]");
    assert_eq!(
        text(&(1, "a", (), 4, 5, 6, 7, 8)),
        r#"[1,"a",null,4,5,6,7,8]"#
    );
    assert_eq!(text(&BTreeSet::from([10, 9])), "[9,10]");
    // Sorted by text: an order that needs no order of the elements.
    assert_eq!(text(&HashSet::from([10, 9, 1])), "[1,10,9]");
    assert_eq!(text(&Vec::<u8>::new()), "[]");
}

#[test]
fn maps_are_sorted_by_the_text_of_their_keys() {
    assert_eq!(
        text(&BTreeMap::from([(9, 'a'), (10, 'b')])),
        r#"{"10":"b","9":"a"}"#
    );
    let entries = [("\u{fb33}", 1), ("\u{1f600}", 2), ("a", 3)];
    assert_eq!(
        text(&HashMap::from(entries)),
        "{\"a\":3,\"\u{1f600}\":2,\"\u{fb33}\":1}"
    );
    assert_eq!(text(&HashMap::from([(true, 1)])), r#"{"true":1}"#);
    assert_eq!(text(&HashMap::from([(Uuid::nil(), ())])).len(), 45);
}

#[test]
fn dates_and_times() {
    assert_eq!(text(&date!(2026 - 03 - 01)), "\"2026-03-01\"");
    assert_eq!(text(&date!(-0044 - 03 - 15)), "\"-0044-03-15\"");
    assert_eq!(text(&time!(1:02:03)), "\"01:02:03\"");
    assert_eq!(text(&time!(1:02:03.000_000_1)), "\"01:02:03.0000001\"");
    assert_eq!(
        text(&datetime!(2026-03-01 12:30)),
        "\"2026-03-01T12:30:00\""
    );
    assert_eq!(
        text(&datetime!(2026-03-01 12:30 UTC)),
        "\"2026-03-01T12:30:00Z\""
    );
    assert_eq!(
        text(&datetime!(2026-03-01 12:30:00.5 +2)),
        "\"2026-03-01T12:30:00.5+02:00\""
    );
    assert_eq!(text(&offset!(-0:30)), "\"-00:30\"");
    assert_eq!(text(&offset!(+1:02:03)), "\"+01:02:03\"");
    // One instant, two values: a function can tell them apart.
    let paris = datetime!(2026-03-01 12:00 +1);
    let london = datetime!(2026-03-01 11:00 UTC);
    assert!(paris == london && text(&paris) != text(&london));
}

#[test]
fn durations() {
    assert_eq!(text(&Duration::new(1, 5)), r#"{"nanos":5,"secs":1}"#);
    assert_eq!(
        text(&time::Duration::new(-1, -5)),
        r#"{"nanos":-5,"secs":-1}"#
    );
}

#[test]
fn addresses() {
    let address: std::net::IpAddr = "::1".parse().unwrap();
    assert_eq!(text(&address), "\"::1\"");
    let socket: std::net::SocketAddr = "127.0.0.1:80".parse().unwrap();
    assert_eq!(text(&socket), "\"127.0.0.1:80\"");
}

#[test]
fn a_patch_reads_and_writes_its_three_values() {
    #[derive(serde::Deserialize, serde::Serialize, PartialEq, Debug)]
    struct Edit {
        #[serde(default, skip_serializing_if = "Patch::is_missing")]
        note: Patch<String>,
    }
    let cases = [
        ("{}", Patch::Missing),
        (r#"{"note":null}"#, Patch::Null),
        (r#"{"note":"x"}"#, Patch::Value("x".to_owned())),
    ];
    for (source, note) in cases {
        let read: Edit = from_json(&source.parse().unwrap()).unwrap();
        assert_eq!(read, Edit { note });
        assert_eq!(to_json(&read).unwrap().to_text(), source);
    }
    assert!(to_json(&[Patch::<u8>::Missing]).is_err());
    assert_eq!(Patch::Missing.apply(Some(1)), Some(1));
    assert_eq!(Patch::Null.apply(Some(1)), None);
    assert_eq!(Patch::Value(2).apply(Some(1)), Some(2));
}
