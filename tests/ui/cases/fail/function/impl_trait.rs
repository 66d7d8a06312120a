use idem_tools::{ToolContext, ToolError, tool, tool_input};

#[tool_input]
struct SendEmail {
    to: String,
}

#[tool(scope = "tool.email.send", timeout_s = 60)]
async fn send_email(_ctx: &ToolContext, input: impl Send) -> Result<String, ToolError> {
    let _ = input;
    Ok(String::new())
}

fn main() {}
