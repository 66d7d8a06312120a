use idem_tools::{ToolContext, ToolError, tool, tool_input};

#[tool_input]
struct SendEmail {
    to: String,
    #[arg(prose)]
    note: String,
}

#[tool(scope = "tool.email.send", timeout_s = 60, intent = note)]
async fn send_email(_ctx: &ToolContext, input: SendEmail) -> Result<String, ToolError> {
    Ok(format!("{}{}", input.to, input.note))
}

fn main() {}
