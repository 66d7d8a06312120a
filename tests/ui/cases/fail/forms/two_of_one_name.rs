use idem_tools::{ToolError, tool};

#[tool(scope = "tool.email.send", timeout_s = 60)]
async fn send_email(to: String, #[serde(rename = "to")] cc: String) -> Result<String, ToolError> {
    let _ = cc;
    Ok(to)
}

fn main() {}
