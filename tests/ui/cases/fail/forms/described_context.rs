use idem_tools::{ToolContext, ToolError, tool};

#[tool(scope = "tool.email.send", timeout_s = 60)]
async fn send_email(/// The context.
    ctx: &ToolContext,
    to: String) -> Result<String, ToolError> {
    let _ = ctx;
    Ok(to)
}

fn main() {}
