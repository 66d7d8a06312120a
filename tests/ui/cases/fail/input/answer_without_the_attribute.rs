use idem_tools::{ToolContext, ToolError, tool, tool_input};

#[tool_input]
struct SendEmail {
    to: String,
}

struct Sent {
    to: String,
}

#[tool(scope = "tool.email.send", timeout_s = 60)]
async fn send_email(_ctx: &ToolContext, input: SendEmail) -> Result<Sent, ToolError> {
    Ok(Sent { to: input.to })
}

fn main() {}
