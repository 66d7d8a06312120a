use idem_tools::{ToolError, tool, tool_input};

#[tool_input]
struct SendEmail {
    to: String,
}

#[tool(scope = "tool.email.send", timeout_s = 60)]
async fn send_email(input: SendEmail) -> Result<String, ToolError> {
    Ok(input.to)
}

fn main() {}
