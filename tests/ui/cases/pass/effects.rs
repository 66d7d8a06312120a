//! The three effects, a name of its own, and a dispatch that the tool marks itself.

use idem_tools::{Effect, Tool, ToolContext, ToolError, tool, tool_input};
use std::time::Duration;

#[tool_input]
struct Nothing {}

#[tool(
    scope = "tool.email.send",
    timeout_s = 60,
    effect = "keyed",
    vendor_window = "24h"
)]
async fn keyed(_ctx: &ToolContext, _input: Nothing) -> Result<(), ToolError> {
    Ok(())
}

#[tool(
    scope = "tool.email.read",
    timeout_s = 1,
    effect = "read",
    name = "read-email"
)]
async fn read(_ctx: &ToolContext, _input: Nothing) -> Result<(), ToolError> {
    Ok(())
}

#[tool(
    scope = "tool.email.send_all",
    timeout_s = 120,
    effect = "at_most_once",
    marks_dispatch
)]
async fn once(_ctx: &ToolContext, _input: Nothing) -> Result<(), ToolError> {
    Ok(())
}

fn main() {
    let window = Duration::from_secs(86_400);
    assert_eq!(
        <keyed as Tool>::SPEC.effect_class(),
        Effect::Keyed { window }
    );
    assert_eq!(<read as Tool>::SPEC.effect_class(), Effect::Read);
    assert_eq!(<read as Tool>::SPEC.name(), "read-email");
    assert!(<once as Tool>::SPEC.effect_is_declared());
    assert!(<once as Tool>::SPEC.marks_its_dispatch());
}
