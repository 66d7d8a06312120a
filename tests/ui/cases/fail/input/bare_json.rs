use idem_tools::{ToolContext, ToolError, tool};

#[tool(scope = "tool.email.send", timeout_s = 60)]
async fn send_email(_ctx: &ToolContext, _input: serde_json::Value) -> Result<String, ToolError> {
    Ok(String::new())
}

fn main() {}
