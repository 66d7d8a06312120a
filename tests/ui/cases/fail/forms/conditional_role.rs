use idem_tools::{ToolError, tool};

#[tool(scope = "tool.email.send", timeout_s = 60)]
async fn send_email(to: String, #[cfg_attr(unix, arg(prose))] note: String) -> Result<String, ToolError> {
    let _ = note;
    Ok(to)
}

fn main() {}
