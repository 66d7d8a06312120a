use idem_tools::{ToolError, tool};

#[tool(scope = "tool.email.send", timeout_s = 60)]
async fn send_email(to: &[String]) -> Result<String, ToolError> {
    Ok(to.concat())
}

fn main() {}
