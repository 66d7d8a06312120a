//! Roles in a signature: prose, the arguments of the key, the intent.

use idem_core::canonical::{Canonical, Role};
use idem_tools::{Tool, ToolContext, ToolError, tool, tool_input};

#[tool_input]
struct Template {
    id: String,
    version: u32,
}

#[tool(scope = "tool.email.send", timeout_s = 60, key(to, template.id), intent = occasion, serial)]
async fn send_email(
    ctx: &ToolContext,
    to: String,
    template: Template,
    occasion: Option<String>,
    #[arg(prose)] note: String,
    #[arg(prose, default = "Hello")] greeting: &str,
) -> Result<String, ToolError> {
    Ok(format!("{to}{}{}{occasion:?}{note}{greeting}{}", template.id, template.version, ctx.attempt()))
}

/// One argument of the user's own that has a role is an argument, and no whole input.
#[tool(scope = "tool.email.note", timeout_s = 60)]
async fn note(#[arg(prose)] body: Text, #[arg] to: Text) -> Result<String, ToolError> {
    Ok(body.0 + &to.0)
}

#[tool_input]
struct Text(String);

fn roles<T: Tool>() -> Vec<(&'static str, Role)> {
    let fields = <T::Input as Canonical>::FIELDS.iter();
    fields.map(|field| (field.name, field.role)).collect()
}

fn main() {
    let roles_of_send = roles::<send_email>();
    let prose: Vec<_> = roles_of_send.iter().filter(|(_, role)| *role == Role::Prose).collect();
    assert_eq!(prose, [&("note", Role::Prose), &("greeting", Role::Prose)]);
    let paths: [&[&str]; 2] = [&["to"], &["template", "id"]];
    assert_eq!(send_email::SPEC.key_paths(), Some(&paths[..]));
    assert_eq!(send_email::SPEC.intent_field(), Some("occasion"));
    assert_eq!(roles::<note>(), [("body", Role::Prose), ("to", Role::Identity)]);
}
