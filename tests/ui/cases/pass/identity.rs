//! Identity arguments, prose, an intent and calls behind each other, in every accepted form.

use idem_tools::{OnRepeat, Tool, ToolContext, ToolError, tool, tool_input};
use std::collections::{BTreeMap, HashMap};

#[tool_input]
struct Template {
    id: String,
    weight: f64,
    r#type: String,
}

#[tool_input]
enum Target {
    Person {
        address: String,
        #[arg(prose)]
        greeting: String,
    },
    Everyone,
}

#[tool_input]
#[serde(rename_all = "camelCase")]
struct SendEmail {
    reply_to: Option<String>,
    target: Target,
    template: Template,
    labels: BTreeMap<String, String>,
    headers: HashMap<String, String>,
    occasion: Option<String>,
    #[arg(prose)]
    note: String,
    #[arg(prose)]
    #[serde(default)]
    signature: String,
}

fn read(input: SendEmail) -> String {
    let SendEmail { reply_to, target, template, labels, headers, occasion, note, signature } = input;
    let target = match target {
        Target::Person { address, greeting } => format!("{greeting} {address}"),
        Target::Everyone => "everyone".to_owned(),
    };
    let Template { id, weight, r#type } = template;
    format!("{reply_to:?}{target}{id}{weight}{type}{labels:?}{headers:?}{occasion:?}{note}{signature}")
}

#[tool(
    scope = "tool.email.send",
    timeout_s = 60,
    key(replyTo, target, template.id, template.type, labels),
    intent = occasion,
    on_repeat = "merge",
    serial,
)]
async fn send_email(_ctx: &ToolContext, input: SendEmail) -> Result<String, ToolError> {
    Ok(read(input))
}

#[tool(scope = "tool.email.look", timeout_s = 60, effect = "read", key(template.id))]
async fn look(_ctx: &ToolContext, input: SendEmail) -> Result<String, ToolError> {
    Ok(read(input))
}

#[tool(scope = "tool.email.count", timeout_s = 60, on_repeat = "count")]
async fn count(_ctx: &ToolContext, input: SendEmail) -> Result<String, ToolError> {
    Ok(read(input))
}

fn main() {
    let spec = send_email::SPEC;
    let paths: [&[&str]; 5] =
        [&["replyTo"], &["target"], &["template", "id"], &["template", "type"], &["labels"]];
    assert_eq!(spec.key_paths(), Some(&paths[..]));
    assert_eq!(spec.intent_field(), Some("occasion"));
    assert!(spec.is_serial() && !look::SPEC.is_serial());
    assert_eq!(spec.repeats(), OnRepeat::Merge);
    assert_eq!(count::SPEC.repeats(), OnRepeat::Count);
    assert_eq!(count::SPEC.key_paths(), None);
}
