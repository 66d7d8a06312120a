//! Every shape of a nested type, and a type that holds itself.

use idem_core::canonical::{Canonical, Form, Kind, text_of};
use idem_tools::{ToolContext, ToolError, tool, tool_input};

#[tool_input]
#[serde(rename_all = "snake_case", rename_all_fields = "camelCase")]
enum Target {
    Everyone,
    UserId(u64),
    Between(u8, u8),
    #[serde(rename = "mail")]
    ByEmail {
        full_name: String,
        reply_to: Option<String>,
    },
}

#[tool_input]
#[serde(tag = "kind", content = "value")]
enum Amount {
    Whole(i64),
    Exact(f64),
}

#[tool_input]
enum Never {}

#[tool_input]
struct Cents(i64);

#[tool_input]
#[serde(transparent)]
struct Label {
    text: Option<String>,
}

#[tool_input]
struct Pair(u8, String);

#[tool_input]
struct Marker;

#[tool_input]
struct Node {
    target: Target,
    amount: Option<Amount>,
    cents: Cents,
    label: Label,
    pair: Pair,
    marker: Marker,
    children: Vec<Node>,
    never: Option<Never>,
}

#[tool(scope = "tool.tree.walk", timeout_s = 60)]
async fn walk(_ctx: &ToolContext, input: Node) -> Result<usize, ToolError> {
    Ok(input.children.len())
}

fn node(target: Target, amount: Option<Amount>) -> Node {
    let label = Label { text: None };
    let pair = Pair(1, "b".into());
    Node {
        target,
        amount,
        cents: Cents(5),
        label,
        pair,
        marker: Marker,
        children: Vec::new(),
        never: None,
    }
}

fn text(target: Target, amount: Option<Amount>) -> String {
    text_of(&node(target, amount), Form::Hash).unwrap()
}

fn main() {
    let rest = r#""children":[],"marker":null,"pair":[1,"b"],"target""#;
    assert_eq!(
        text(Target::Everyone, None),
        format!(r#"{{"cents":5,{rest}:"everyone"}}"#)
    );
    assert!(text(Target::UserId(7), None).ends_with(r#""target":{"user_id":7}}"#));
    assert!(text(Target::Between(1, 2), None).ends_with(r#""target":{"between":[1,2]}}"#));
    let mail = Target::ByEmail {
        full_name: "Ann".into(),
        reply_to: None,
    };
    assert!(text(mail, None).ends_with(r#""target":{"mail":{"fullName":"Ann"}}}"#));
    assert!(
        text(Target::Everyone, Some(Amount::Whole(3))).starts_with(r#"{"amount":{"Whole":3},"#)
    );
    assert!(
        text(Target::Everyone, Some(Amount::Exact(0.5))).starts_with(r#"{"amount":{"Exact":0.5},"#)
    );
    assert_eq!(Cents::KIND, Kind::Integer);
    assert_eq!(Target::KIND, Kind::Enum);
    assert!(Label::HAS_IMPLIED_DEFAULT);
}
