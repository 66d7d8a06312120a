use idem_tools::{ToolContext, ToolError, tool, tool_input};

#[tool_input]
enum SendEmail {
    Now { to: String },
    Never,
}

#[tool(scope = "tool.email.send", timeout_s = 60)]
async fn send_email(_ctx: &ToolContext, _input: SendEmail) -> Result<String, ToolError> {
    Ok(String::new())
}

fn main() {}
