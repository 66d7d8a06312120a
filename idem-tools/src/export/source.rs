//! What a tool takes, as one typed tree: every form is printed from it and from nothing else.

use idem_core::json::{Json, Map};
use std::collections::BTreeMap;

/// The arguments of one tool.
#[derive(Debug)]
pub(crate) struct Source {
    /// The input itself; always an object.
    pub(crate) root: Node,
    /// The types that hold themselves, by the name under which they are referred to. All others stand in their place.
    pub(crate) recursive: BTreeMap<String, Node>,
}

/// One place in the arguments.
#[derive(Clone, Debug)]
pub(crate) struct Node {
    pub(crate) description: Option<String>,
    pub(crate) default: Option<Json>,
    /// Remarks that hold for nobody but a reader: `examples`, `deprecated`.
    pub(crate) remarks: Map,
    /// `null` is taken as well.
    pub(crate) nullable: bool,
    /// `null` is taken, and is another value than none at all (a `Patch`).
    pub(crate) null_is_a_value: bool,
    /// Assertions that have no place in the tree. The forms of whole JSON Schema carry them; the others refuse them.
    pub(crate) rest: Map,
    pub(crate) shape: Shape,
}

/// What sort of value stands there.
#[derive(Clone, Debug)]
pub(crate) enum Shape {
    /// Any JSON at all.
    Any,
    /// Nothing but `null`.
    Null,
    Bool,
    /// Text, with `format`, `pattern`, `minLength` and `maxLength`.
    Text(Map),
    /// A whole number, with its bounds and, as `format`, its width in Rust.
    Integer(Map),
    /// A number, with its bounds.
    Number(Map),
    /// Elements of one sort, with `minItems`, `maxItems` and `uniqueItems`.
    Array {
        items: Box<Node>,
        bounds: Map,
    },
    /// As many elements as there are places, each of its own sort.
    Tuple(Vec<Node>),
    Object {
        fields: Vec<Field>,
        others: Others,
    },
    /// Entries under names that the type does not know; `pattern` is what the names look like.
    Map {
        values: Box<Node>,
        pattern: Option<String>,
    },
    /// One of these values; `constant` where the schema wrote the only one as `const`.
    Values {
        values: Vec<Json>,
        constant: bool,
    },
    /// One of several sorts.
    Choice(Vec<Node>),
    /// A type that holds itself, by its name in [`Source::recursive`]. `#` is the input.
    Reference(String),
}

/// An argument, or a part of one.
#[derive(Clone, Debug)]
pub(crate) struct Field {
    pub(crate) name: String,
    pub(crate) required: bool,
    /// `null` says the same as nothing: the field has a default, and its type takes no `null`.
    pub(crate) null_is_absent: bool,
    pub(crate) node: Node,
}

/// What an object takes under other names.
#[derive(Clone, Debug)]
pub(crate) enum Others {
    None,
    Anything,
    Of(Box<Node>),
}

/// The reference to the input itself.
pub(crate) const ROOT: &str = "#";

impl Node {
    pub(crate) fn of(shape: Shape) -> Self {
        Self {
            description: None,
            default: None,
            remarks: Map::new(),
            nullable: false,
            null_is_a_value: false,
            rest: Map::new(),
            shape,
        }
    }

    /// Whether `null` is one of the values.
    pub(crate) fn takes_null(&self) -> bool {
        self.nullable
            || match &self.shape {
                Shape::Any | Shape::Null => true,
                Shape::Choice(choices) => choices.iter().any(Self::takes_null),
                _ => false,
            }
    }
}

/// Why a form cannot say what a tool takes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Fault {
    /// Where in the arguments, `$.filters[].name`.
    pub(crate) path: String,
    pub(crate) what: String,
    /// What to write in its place.
    pub(crate) instead: &'static str,
}

impl Fault {
    pub(crate) fn new(path: &str, what: impl Into<String>, instead: &'static str) -> Self {
        Self {
            path: path.to_owned(),
            what: what.into(),
            instead,
        }
    }
}
