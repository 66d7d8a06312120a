//! A tool input with a field of every type and every policy, as `idem-core/vectors/calls.py` knows it. Effects are made at
//! the vendor.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use idem_core::canonical::{CanonicalError, Writer};
use idem_tools::http::ResponseExt;
use idem_tools::{
    Date, DateTime, Decimal, IdemBuilder, Json, Patch, Time, ToolContext, ToolError, Url, Uuid,
    tool, tool_input,
};
use serde_json::json;

/// The way to the vendor.
#[derive(Debug, Clone)]
pub(crate) struct Desk {
    pub(crate) client: reqwest::Client,
    pub(crate) url: String,
}

/// A type that knows no form of its own.
#[derive(Debug, serde::Deserialize)]
#[serde(transparent)]
pub(crate) struct Level(u8);

fn level(value: &Level, out: &mut Writer) -> Result<(), CanonicalError> {
    out.str(&format!("level {}", value.0))
}

#[tool_input]
#[derive(Debug)]
pub(crate) struct Line {
    #[arg(trim, lowercase)]
    sku: String,
    #[serde(default = "one")]
    count: u32,
    weight: Option<f64>,
    #[arg(prose)]
    remark: Option<String>,
}

fn one() -> u32 {
    1
}

#[tool_input]
#[derive(Debug)]
pub(crate) enum Target {
    Everyone,
    Person(#[arg(trim)] String),
    Room {
        #[arg(lowercase)]
        name: String,
        floor: i32,
    },
}

#[tool_input]
#[derive(Debug)]
pub(crate) struct Trip {
    #[arg(trim, lowercase)]
    email: String,
    #[arg(lf)]
    body: String,
    #[arg(lowercase, nfc)]
    city: String,
    #[arg(url, trim)]
    link: Option<String>,
    #[arg(trim)]
    tags: BTreeSet<String>,
    account: String,
    flag: bool,
    letter: char,
    small: u8,
    wide: i64,
    huge: u128,
    deep: i128,
    rate: f64,
    price: Decimal,
    id: Uuid,
    day: Date,
    opens: Option<Time>,
    at: DateTime,
    lines: Vec<Line>,
    target: Target,
    #[arg(trim)]
    labels: BTreeMap<String, String>,
    headers: HashMap<String, Vec<u8>>,
    numbers: HashSet<i16>,
    pair: Pair,
    #[serde(default)]
    change: Patch<i32>,
    #[serde(default)]
    copies: u16,
    #[arg(trim, lowercase)]
    #[serde(default = "usual")]
    mode: String,
    free: Json,
    home: Option<Url>,
    #[arg(with = level)]
    #[schemars(with = "u8")]
    level: Level,
    #[arg(prose)]
    note: String,
}

#[tool_input]
#[derive(Debug)]
pub(crate) struct Pair(#[arg(trim)] String, bool);

fn usual() -> String {
    " Usual ".to_owned()
}

/// Makes one effect at the vendor, and answers what the function saw of its texts.
async fn does(ctx: &ToolContext, trip: Trip) -> Result<String, ToolError> {
    let desk = ctx.state::<Desk>()?;
    let request = desk
        .client
        .post(&desk.url)
        .json(&json!({ "what": trip.note }));
    let key = ctx.vendor_key().as_str();
    let request = request.header("Idempotency-Key", key).send();
    request.await?.for_tool()?;
    Ok(format!("{trip:?}"))
}

macro_rules! tools {
    ($($(#[$tool:meta])* $name:ident;)+) => {$(
        $(#[$tool])*
        pub(crate) async fn $name(ctx: &ToolContext, input: Trip) -> Result<String, ToolError> {
            does(ctx, input).await
        }
    )+};
}

tools! {
    #[tool(scope = "tool.trip.plan", timeout_s = 60)]
    plan_trip;
    #[tool(scope = "tool.trip.book", timeout_s = 60, key(email, city, link, target, lines, price, day, mode))]
    book_trip;
    #[tool(scope = "tool.trip.publish", timeout_s = 60, natural_key(id, small))]
    publish_trip;
}

/// Adds all of them.
pub(crate) fn all(builder: IdemBuilder) -> IdemBuilder {
    builder
        .tool::<plan_trip>()
        .tool::<book_trip>()
        .tool::<publish_trip>()
}
