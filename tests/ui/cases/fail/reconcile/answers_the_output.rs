use idem_tools::{ToolContext, ToolError, tool, tool_input};

#[tool_input]
struct SendEmail {
    to: String,
}

#[tool(scope = "tool.email.send", timeout_s = 60, reconcile = find)]
async fn send_email(_ctx: &ToolContext, input: SendEmail) -> Result<String, ToolError> {
    Ok(input.to)
}

async fn find(_ctx: &ToolContext, _input: &SendEmail) -> Result<String, ToolError> {
    Ok(String::new())
}

fn main() {}
