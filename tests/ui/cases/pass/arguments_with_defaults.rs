//! C09: a default of an argument is what a missing one becomes, and is left out of the key.

use idem_core::canonical::{Canonical, Form, text_of};
use idem_core::json::de::from_json;
use idem_core::json::{Json, Limits};
use idem_tools::{Tool, ToolError, tool};

const NORMAL: u8 = 3;

fn tags() -> Vec<String> {
    vec!["new".to_owned()]
}

#[tool(scope = "tool.email.send", timeout_s = 60)]
async fn send_email(
    to: String,
    #[arg(default = "Hello")] greeting: String,
    #[arg(default = "en")] language: &str,
    #[arg(default = NORMAL)] priority: u8,
    #[arg(default = vec![1, 2])] r#loop: Vec<u8>,
    #[arg(default = Some(7))] after: Option<u8>,
    #[arg(default)] copies: u32,
    #[serde(default = "tags")] tags: Vec<String>,
    cc: Option<String>,
) -> Result<String, ToolError> {
    Ok(format!("{to}{greeting}{language}{priority}{loop:?}{after:?}{copies}{tags:?}{cc:?}"))
}

fn input(text: &str) -> <send_email as Tool>::Input {
    from_json(&Json::parse(text, Limits::ARGUMENTS).unwrap()).unwrap()
}

fn main() {
    let bare = input(r#"{"to":"ann"}"#);
    assert_eq!(text_of(&bare, Form::Hash).unwrap(), r#"{"to":"ann"}"#);
    assert_eq!(
        text_of(&bare, Form::Shown).unwrap(),
        r#"{"after":7,"cc":null,"copies":0,"greeting":"Hello","language":"en","loop":[1,2],"priority":3,"tags":["new"],"to":"ann"}"#
    );
    let written = input(r#"{"to":"ann","priority":3,"greeting":"Hello","tags":["new"],"after":7}"#);
    assert_eq!(text_of(&written, Form::Key).unwrap(), r#"{"to":"ann"}"#);
    let other = input(r#"{"to":"ann","priority":4,"after":null}"#);
    assert_eq!(text_of(&other, Form::Key).unwrap(), r#"{"after":null,"priority":4,"to":"ann"}"#);
    let required = <<send_email as Tool>::Input as Canonical>::FIELDS.iter();
    let required: Vec<_> = required.filter(|field| !field.has_default).map(|field| field.name).collect();
    assert_eq!(required, ["to"]);
}
