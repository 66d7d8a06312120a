//! One argument, without a type of its own: the input is written by the attribute, through the derive that a
//! hand-written one has.

use idem_core::canonical::{Canonical, Form, Kind, Role, text_of};
use idem_core::json::de::from_json;
use idem_core::json::{Json, Limits};
use idem_tools::{Tool, ToolContext, ToolError, tool};

/// Send an e-mail.
#[tool(scope = "tool.email.send", timeout_s = 60)]
async fn send_email(_ctx: &ToolContext, to: String) -> Result<String, ToolError> {
    Ok(to)
}

fn decode<T: Tool>(text: &str) -> Result<T::Input, String> {
    let json = Json::parse(text, Limits::ARGUMENTS).map_err(|error| error.to_string())?;
    from_json(&json).map_err(|error| error.to_string())
}

fn main() {
    let fields = <<send_email as Tool>::Input as Canonical>::FIELDS;
    assert_eq!(fields.len(), 1);
    assert_eq!((fields[0].name, fields[0].kind), ("to", Kind::Text));
    assert_eq!((fields[0].role, fields[0].has_default), (Role::Identity, false));
    assert_eq!(send_email::SPEC.description_text(), "Send an e-mail.");

    let input = decode::<send_email>(r#"{"to":"ann"}"#).unwrap();
    assert_eq!(text_of(&input, Form::Key).unwrap(), r#"{"to":"ann"}"#);
    assert!(decode::<send_email>(r#"{"to":"ann","cc":"bo"}"#).is_err());
    assert!(decode::<send_email>("{}").is_err());
}
