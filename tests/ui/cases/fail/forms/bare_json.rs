use idem_tools::{ToolError, tool};

#[tool(scope = "tool.email.send", timeout_s = 60)]
async fn send_email(to: String, extra: serde_json::Value) -> Result<String, ToolError> {
    let _ = extra;
    Ok(to)
}

fn main() {}
