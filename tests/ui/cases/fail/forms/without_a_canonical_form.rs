use idem_tools::{ToolError, tool};

#[tool(scope = "tool.email.send", timeout_s = 60)]
async fn send_email(to: String, file: std::fs::File) -> Result<String, ToolError> {
    let _ = file;
    Ok(to)
}

fn main() {}
