//! Tools of every sort of argument. The bodies do nothing: what counts is what is read and what is told. The types that are
//! not of one plain sort are in `shapes.rs`.

use std::collections::{BTreeMap, HashMap};

use idem_tools::export::Catalogue;
use idem_tools::{Decimal, IdemBuilder, ToolContext, ToolError, tool, tool_input};
use time::{Date, OffsetDateTime};

use crate::readers::{date, instant};
use crate::shapes::{
    Deep, Empty, FreeForm, NotZero, Numbers, Patched, Places, Renamed, Sets, ToBoth, ToMail, ToRow,
    Tree, Waits,
};

type MaybeFlag = Option<bool>;

#[tool_input]
pub(crate) struct Optional {
    /// Always there.
    a: String,
    b: Option<String>,
    c: std::option::Option<u32>,
    d: MaybeFlag,
    #[serde(default)]
    e: bool,
    #[serde(default = "three")]
    f: u8,
}

fn three() -> u8 {
    3
}

/// A place.
#[tool_input]
pub(crate) struct Place {
    street: String,
    number: Option<u16>,
    #[serde(default)]
    country: Country,
}

/// Where.
#[tool_input]
#[derive(Default, PartialEq)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Country {
    #[default]
    De,
    Fr,
}

#[tool_input]
pub(crate) struct Nested {
    /// The first of them.
    from: Place,
    to: Option<Place>,
    #[serde(default)]
    over: Vec<Place>,
    boxed: Option<Box<Place>>,
}

/// How urgent.
#[tool_input]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Urgency {
    /// Some time.
    SomeTime,
    /// Now.
    Now,
    Never,
}

#[tool_input]
pub(crate) struct Enums {
    country: Country,
    urgency: Urgency,
    maybe: Option<Urgency>,
    #[serde(default)]
    many: Vec<Country>,
}

/// Something that is done.
#[tool_input]
#[serde(rename_all = "snake_case")]
pub(crate) enum Action {
    Stop,
    Say(String),
    Count(u8),
    Pair(i8, bool),
    Move {
        by: i32,
        #[serde(default)]
        fast: bool,
    },
}

#[tool_input]
pub(crate) struct Tagged {
    action: Action,
    then: Option<Action>,
    #[serde(default)]
    list: Vec<Action>,
}

/// What is asked, by its kind.
#[tool_input]
#[serde(tag = "kind", content = "value", rename_all = "snake_case")]
pub(crate) enum Filter {
    All,
    Name(String),
    Range {
        low: i16,
        #[serde(default)]
        high: i16,
    },
}

#[tool_input]
pub(crate) struct Adjacent {
    filter: Filter,
    or: Option<Filter>,
    #[serde(default)]
    none_of: Vec<Filter>,
}

#[tool_input]
pub(crate) struct Dates {
    #[serde(deserialize_with = "date")]
    #[schemars(with = "String", extend("format" = "date"))]
    day: Date,
    /// When.
    #[serde(deserialize_with = "instant")]
    #[schemars(with = "String", extend("format" = "date-time"))]
    at: OffsetDateTime,
}

#[tool_input]
pub(crate) struct Money {
    amount: Decimal,
    tip: Option<Decimal>,
    #[serde(default)]
    parts: Vec<Decimal>,
}

#[tool_input]
pub(crate) struct Maps {
    counts: BTreeMap<String, u32>,
    #[serde(default)]
    tags: HashMap<String, Vec<String>>,
    by_number: Option<BTreeMap<u16, String>>,
    #[serde(default)]
    places: BTreeMap<String, Place>,
}

/// An amount of cents.
#[tool_input]
pub(crate) struct Cents(u32);

#[tool_input]
#[serde(transparent)]
pub(crate) struct Name {
    text: String,
}

#[tool_input]
pub(crate) struct Newtypes {
    /// How much.
    cents: Cents,
    name: Name,
    more: Option<Cents>,
    #[serde(default)]
    names: Vec<Name>,
}

#[tool_input]
#[serde(default)]
pub(crate) struct Settings {
    depth: i64,
    words: Vec<String>,
    place: Spot,
    ratio: f64,
}

impl Default for Settings {
    fn default() -> Self {
        let spot = Spot { x: 1, y: -1 };
        let words = vec!["a".to_owned()];
        Self {
            depth: 4,
            words,
            place: spot,
            ratio: 0.5,
        }
    }
}

#[tool_input]
#[derive(PartialEq, Default)]
pub(crate) struct Spot {
    x: i8,
    y: i8,
}

#[tool_input]
pub(crate) struct Defaults {
    #[serde(default)]
    settings: Settings,
    #[serde(default)]
    list: Vec<Spot>,
    action: Action,
}

#[tool_input]
pub(crate) struct Bounds {
    #[schemars(range(min = 1, max = 10))]
    people: u32,
    #[schemars(length(min = 1, max = 4))]
    code: String,
    #[schemars(length(max = 2))]
    bags: Vec<u8>,
    #[schemars(range(min = -0.5, max = 0.5))]
    shift: f64,
    #[schemars(regex(pattern = r"^[A-Z]{3}$"))]
    airport: String,
    #[schemars(range(min = 5))]
    minutes: Option<i64>,
}

/// One tool a type, and the two ways to hand all of them over.
macro_rules! corpus {
    ($($name:ident: $input:ty;)*) => {
        $(
            /// Does it.
            #[tool(scope = "tool.corpus.call", timeout_s = 5, effect = "read")]
            pub(crate) async fn $name(_ctx: &ToolContext, _input: $input) -> Result<(), ToolError> {
                Ok(())
            }
        )*

        pub(crate) fn catalogue() -> Catalogue {
            Catalogue::new()$(.tool::<$name>())*
        }

        pub(crate) fn register(idem: IdemBuilder) -> IdemBuilder {
            idem$(.tool::<$name>())*
        }
    };
}

corpus! {
    adjacent: Adjacent;
    bounds: Bounds;
    dates: Dates;
    deep: Deep;
    defaults: Defaults;
    empty: Empty;
    enums: Enums;
    free_form: FreeForm;
    maps: Maps;
    money: Money;
    nested: Nested;
    newtypes: Newtypes;
    not_zero: NotZero;
    numbers: Numbers;
    optional: Optional;
    patched: Patched;
    places: Places;
    renamed: Renamed;
    sets: Sets;
    tagged: Tagged;
    to_both: ToBoth;
    to_mail: ToMail;
    to_row: ToRow;
    tree: Tree;
    waits: Waits;
}
