use idem_tools::{ToolContext, ToolError, tool, tool_input};

#[tool_input]
struct SendEmail {
    to: String,
}

#[tool(scope = "email", timeout_s = 0, effect = "write")]
fn send_email(_ctx: ToolContext, _: SendEmail) -> Result<String, ToolError> {
    Ok(String::new())
}

fn main() {}
