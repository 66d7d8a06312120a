use idem_tools::{ToolError, tool};

#[tool(scope = "tool.email.send", timeout_s = 60, key(to, note))]
async fn send_email(to: String, #[arg(prose)] note: String) -> Result<String, ToolError> {
    let _ = note;
    Ok(to)
}

fn main() {}
