use idem_tools::{ToolContext, ToolError, tool, tool_input};

#[tool_input]
struct SendEmail {
    to: String,
    count: u32,
}

#[tool(scope = "tool.email.send", timeout_s = 60, intent = count)]
async fn send_email(_ctx: &ToolContext, input: SendEmail) -> Result<String, ToolError> {
    Ok(format!("{}{}", input.to, input.count))
}

fn main() {}
