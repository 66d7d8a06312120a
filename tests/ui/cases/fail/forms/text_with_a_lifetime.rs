use idem_tools::{ToolError, tool};

#[tool(scope = "tool.email.send", timeout_s = 60)]
async fn send_email(to: &'static str) -> Result<String, ToolError> {
    Ok(to.to_owned())
}

fn main() {}
