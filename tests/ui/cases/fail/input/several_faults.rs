use idem_tools::{ToolContext, ToolError, tool, tool_input};

#[tool_input]
struct SendEmail {
    #[serde(flatten)]
    to: String,
    #[arg(prose)]
    note: String,
    extra: serde_json::Value,
}

#[tool(scope = "tool.email.send", timeout_s = 60)]
async fn send_email(_ctx: &ToolContext, input: SendEmail) -> Result<String, ToolError> {
    Ok(input.to)
}

fn main() {}
