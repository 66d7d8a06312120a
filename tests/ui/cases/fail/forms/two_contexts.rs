use idem_tools::{ToolContext, ToolError, tool};

#[tool(scope = "tool.email.send", timeout_s = 60)]
async fn send_email(ctx: &ToolContext, to: String, other: &ToolContext) -> Result<String, ToolError> {
    let _ = (ctx, other);
    Ok(to)
}

fn main() {}
