use idem_tools::{ToolContext, ToolError, tool, tool_input};

#[tool_input]
struct SendEmail {
    to: String,
}

#[tool(scope = "tool.email.send", timeout_s = 60, serial(to))]
async fn send_email(_ctx: &ToolContext, input: SendEmail) -> Result<String, ToolError> {
    Ok(input.to)
}

fn main() {}
