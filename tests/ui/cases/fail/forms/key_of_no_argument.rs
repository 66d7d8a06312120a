use idem_tools::{ToolError, tool};

#[tool(scope = "tool.email.send", timeout_s = 60, key(from))]
async fn send_email(to: String) -> Result<String, ToolError> {
    Ok(to)
}

fn main() {}
