use idem_tools::{ToolError, tool, tool_input};

#[tool_input]
struct Address(String);

#[tool(scope = "tool.email.send", timeout_s = 60)]
async fn send_email(to: Address) -> Result<String, ToolError> {
    Ok(to.0)
}

fn main() {}
