//! The context first, in the middle, last, under an alias, without a name, and not at all.

use idem_tools::{ToolContext, ToolError, tool, tool_input};

#[tool_input]
struct SendEmail {
    to: String,
}

type Context = ToolContext;
type Mine = ToolContext;

#[tool(scope = "tool.email.send", timeout_s = 60)]
async fn last(input: SendEmail, ctx: &ToolContext) -> Result<String, ToolError> {
    Ok(format!("{}{}", input.to, ctx.attempt()))
}

#[tool(scope = "tool.email.send", timeout_s = 60)]
async fn middle(to: String, who: &idem_tools::ToolContext, cc: String) -> Result<String, ToolError> {
    Ok(format!("{to}{cc}{}", who.attempt()))
}

#[tool(scope = "tool.email.send", timeout_s = 60)]
async fn aliased(to: String, who: &Context) -> Result<String, ToolError> {
    Ok(format!("{to}{}", who.attempt()))
}

#[tool(scope = "tool.email.send", timeout_s = 60)]
async fn aliased_otherwise(to: String, ctx: &Mine) -> Result<String, ToolError> {
    Ok(format!("{to}{}", ctx.attempt()))
}

#[tool(scope = "tool.email.send", timeout_s = 60)]
async fn unread(_: &ToolContext, to: String) -> Result<String, ToolError> {
    Ok(to)
}

#[tool(scope = "tool.email.send", timeout_s = 60)]
async fn absent(input: SendEmail) -> Result<String, ToolError> {
    Ok(input.to)
}

fn main() {
    fn is_tool<T: idem_tools::Tool>() {}
    is_tool::<last>();
    is_tool::<middle>();
    is_tool::<aliased>();
    is_tool::<aliased_otherwise>();
    is_tool::<unread>();
    is_tool::<absent>();
}
