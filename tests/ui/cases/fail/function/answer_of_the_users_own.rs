use idem_tools::{ToolContext, tool, tool_input, tool_output};

#[tool_input]
struct SendEmail {
    to: String,
}

#[tool_output]
struct Sent {
    to: String,
}

#[tool(scope = "tool.email.send", timeout_s = 60)]
async fn send_email(_ctx: &ToolContext, input: SendEmail) -> Sent {
    Sent { to: input.to }
}

fn main() {}
