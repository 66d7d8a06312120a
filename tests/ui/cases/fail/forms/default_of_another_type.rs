use idem_tools::{ToolError, tool};

#[tool(scope = "tool.email.send", timeout_s = 60)]
async fn send_email(to: String, #[arg(default = "one")] copies: u8) -> Result<String, ToolError> {
    let _ = copies;
    Ok(to)
}

fn main() {}
