//! Policies and forms of a field, wherever it stands.

use idem_tools::plane::canonical::{CanonicalError, Form, Writer, policy, text_of};
use idem_tools::{Json, Patch, tool_input};
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

/// A type of another crate, without a canonical form.
#[derive(Debug, Default, Clone, Copy, PartialEq)]
struct Foreign(u8);

fn form(value: &Foreign, out: &mut Writer) -> Result<(), CanonicalError> {
    out.u128(value.0.into())
}

fn read<'de, D: idem_tools::__private::serde::Deserializer<'de>>(from: D) -> Result<Foreign, D::Error> {
    idem_tools::__private::serde::Deserialize::deserialize(from).map(Foreign)
}

#[tool_input]
struct Email(#[arg(trim, lowercase)] String);

#[tool_input]
#[serde(transparent)]
struct City {
    #[arg(nfc)]
    name: String,
}

#[tool_input]
struct Level(
    #[arg(with = form)]
    #[serde(deserialize_with = "read")]
    #[schemars(with = "u8")]
    Foreign,
);

#[tool_input]
struct Pair(#[arg(trim)] String, u8);

#[tool_input]
enum Target {
    Person(#[arg(trim)] String),
    Room {
        #[arg(lowercase)]
        name: String,
        floor: u8,
    },
    Pair(#[arg(lf)] String, Email),
    Everyone,
}

fn usual() -> String {
    " Usual ".to_owned()
}

#[tool_input]
struct Send {
    #[arg(trim)]
    plain: String,
    #[arg(trim, nfc, lf, lowercase)]
    option: Option<String>,
    #[arg(trim)]
    list: Vec<Option<String>>,
    #[arg(trim)]
    set: BTreeSet<String>,
    #[arg(trim)]
    unordered: HashSet<String>,
    #[arg(trim)]
    map: BTreeMap<String, String>,
    #[arg(trim)]
    headers: HashMap<String, Vec<String>>,
    #[arg(trim)]
    #[serde(default)]
    patch: Patch<String>,
    #[arg(trim)]
    cow: Cow<'static, str>,
    #[arg(prose, trim)]
    note: Box<str>,
    #[arg(trim, lowercase)]
    #[serde(default = "usual")]
    usual: String,
    #[arg(with = form)]
    #[serde(deserialize_with = "read", default)]
    #[schemars(with = "u8")]
    foreign: Foreign,
    level: Level,
    city: City,
    pair: Pair,
    targets: Vec<Target>,
    cc: Option<Email>,
    free: Json,
}

const ARGUMENTS: &str = r#"{"plain":" a ","option":" E\u0301\r\n","list":[" a",null],"set":["a","a "],
    "unordered":[" u"],"map":{" k ":" v "},"headers":{"h":[" x "]},"cow":" c ","note":" n ","level":3,
    "city":"Zu\u0308rich","pair":[" p ",1],"cc":" Ann@Example.test ","free":" kept ",
    "targets":[{"Person":" P "},{"Room":{"name":"BIG","floor":1}},{"Pair":["a\rb"," B "]},"Everyone"]}"#;

fn main() {
    let json: Json = ARGUMENTS.parse().expect("JSON");
    let mut send: Send = idem_tools::plane::json::de::from_json(&json).expect("arguments");
    policy::normalize((), &mut send).expect("policies");
    assert_eq!((send.plain.as_str(), send.option.as_deref()), ("a", Some("é")));
    assert_eq!((send.note.as_ref(), send.usual.as_str()), ("n", "usual"));
    assert_eq!(send.foreign, Foreign(0));
    let key = text_of(&send, Form::Key).expect("a form");
    let expected = r#"{"cc":"ann@example.test","city":"Zürich","cow":"c","free":" kept ","headers":{"h":["x"]},"level":3,"list":["a",null],"map":{" k ":"v"},"option":"é","pair":["p",1],"plain":"a","set":["a"],"targets":[{"Person":"P"},{"Room":{"floor":1,"name":"big"}},{"Pair":["a\nb","b"]},"Everyone"],"unordered":["u"]}"#;
    assert_eq!(key, expected);
}
