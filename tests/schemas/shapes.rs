//! The rest of the corpus: free-form, nested, recursive and renamed types, and numbers of every width.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::net::Ipv4Addr;
use std::num::{NonZeroI32, NonZeroU16};

use idem_tools::{Json, Patch, tool_input};

use crate::corpus::{Action, Filter, Spot};

#[tool_input]
pub(crate) struct FreeForm {
    filter: Json,
    extra: Option<Json>,
    #[serde(default)]
    items: Vec<Json>,
}

#[tool_input]
pub(crate) struct Patched {
    folder: String,
    #[serde(default, skip_serializing_if = "Patch::is_missing")]
    note: Patch<String>,
    #[serde(default, skip_serializing_if = "Patch::is_missing")]
    place: Patch<Spot>,
}

#[tool_input]
pub(crate) struct Sets {
    ordered: BTreeSet<String>,
    #[serde(default)]
    hashed: HashSet<u8>,
}

#[tool_input]
pub(crate) struct Places {
    pair: (String, i32),
    triple: [u8; 3],
    maybe: Option<(bool, Spot)>,
}

/// A node of a tree.
#[tool_input]
pub(crate) struct Node {
    name: String,
    #[serde(default)]
    children: Vec<Node>,
    next: Option<Box<Node>>,
    #[serde(default)]
    weight: u8,
}

#[tool_input]
pub(crate) struct Tree {
    /// The root of it.
    root: Node,
    other: Option<Node>,
}

#[tool_input]
pub(crate) struct Numbers {
    a: u64,
    b: i64,
    c: u16,
    d: i8,
    e: f32,
    f: f64,
    g: NonZeroU16,
    h: char,
    i: Option<usize>,
}

#[tool_input]
pub(crate) struct NotZero {
    a: NonZeroI32,
}

#[tool_input]
#[serde(rename_all = "camelCase")]
pub(crate) struct Renamed {
    send_at: String,
    r#type: String,
    #[serde(rename = "x-y")]
    odd: Option<String>,
    #[serde(default)]
    a_flag: bool,
}

#[tool_input]
pub(crate) struct Waits {
    pause: std::time::Duration,
    address: Ipv4Addr,
    unit: (),
}

#[tool_input]
pub(crate) struct Empty {}

pub(crate) mod mail {
    use idem_tools::tool_input;

    /// Who gets it.
    #[tool_input]
    pub(crate) struct Target {
        email: String,
    }
}

pub(crate) mod row {
    use idem_tools::tool_input;

    /// Which row.
    #[tool_input]
    pub(crate) struct Target {
        id: u32,
    }
}

#[tool_input]
pub(crate) struct ToMail {
    target: mail::Target,
}

#[tool_input]
pub(crate) struct ToRow {
    target: row::Target,
}

#[tool_input]
pub(crate) struct ToBoth {
    who: mail::Target,
    what: row::Target,
    others: Vec<mail::Target>,
}

#[tool_input]
pub(crate) struct Deep {
    levels: BTreeMap<String, Vec<Option<Level>>>,
}

#[tool_input]
pub(crate) struct Level {
    #[serde(default)]
    action: Option<Action>,
    #[serde(default)]
    spots: BTreeMap<String, Spot>,
    filter: Filter,
}
