//! Several arguments of every sort, and the same input written by hand: one form, so one key.

use idem_core::canonical::{Form, text_of};
use idem_core::json::de::from_json;
use idem_core::json::{Json, Limits};
use idem_tools::{Json as Free, Patch, Tool, ToolContext, ToolError, tool, tool_input};
use std::collections::{BTreeMap, HashMap};

#[tool_input]
enum Cabin {
    Economy,
    Row(u8),
}

#[tool_input]
struct Passenger {
    name: String,
    age: Option<u8>,
}

#[tool_input]
struct Book {
    to: String,
    cabin: Cabin,
    passengers: Vec<Passenger>,
    seats: (u8, u8),
    prices: BTreeMap<String, u32>,
    labels: HashMap<String, String>,
    note: Option<String>,
    extra: Free,
    #[serde(default)]
    #[schemars(with = "Option<String>")]
    remark: Patch<String>,
}

#[tool(scope = "tool.seat.book", timeout_s = 60)]
async fn by_hand(_ctx: &ToolContext, input: Book) -> Result<String, ToolError> {
    let Book { to, cabin, passengers, seats, prices, labels, note, extra, remark } = input;
    told(&to, &cabin, &passengers, seats, &prices, &labels, note.as_deref(), &extra, &remark)
}

#[tool(scope = "tool.seat.book", timeout_s = 60)]
async fn book(
    to: String,
    cabin: Cabin,
    passengers: Vec<Passenger>,
    seats: (u8, u8),
    prices: BTreeMap<String, u32>,
    labels: HashMap<String, String>,
    note: Option<String>,
    extra: Free,
    #[serde(default)]
    #[schemars(with = "Option<String>")]
    remark: Patch<String>,
) -> Result<String, ToolError> {
    told(&to, &cabin, &passengers, seats, &prices, &labels, note.as_deref(), &extra, &remark)
}

#[allow(clippy::too_many_arguments)]
fn told(
    to: &str,
    cabin: &Cabin,
    passengers: &[Passenger],
    seats: (u8, u8),
    prices: &BTreeMap<String, u32>,
    labels: &HashMap<String, String>,
    note: Option<&str>,
    extra: &Free,
    remark: &Patch<String>,
) -> Result<String, ToolError> {
    let cabin = match cabin {
        Cabin::Economy => 0,
        Cabin::Row(row) => *row,
    };
    let names: Vec<_> = passengers.iter().map(|one| (&one.name, one.age)).collect();
    Ok(format!("{to}{cabin}{names:?}{seats:?}{prices:?}{labels:?}{note:?}{extra:?}{remark:?}"))
}

fn text<T: Tool>(form: Form) -> String {
    let arguments = r#"{"labels":{"b":"2","a":"1"},"to":"Rome","cabin":{"Row":3},"seats":[1,2],"prices":{"x":1},
        "passengers":[{"name":"Ann","age":null}],"extra":{"n":1.50},"remark":null}"#;
    let json = Json::parse(arguments, Limits::ARGUMENTS).unwrap();
    let input: T::Input = from_json(&json).unwrap();
    text_of(&input, form).unwrap()
}

fn main() {
    for form in [Form::Key, Form::Hash, Form::Shown] {
        assert_eq!(text::<book>(form), text::<by_hand>(form));
    }
    assert!(text::<book>(Form::Key).contains(r#""cabin":{"Row":3}"#));
}
