use idem_tools::{ToolContext, ToolError, tool, tool_input};

#[tool_input]
struct SendEmail {
    to: String,
    amount: f64,
}

#[tool(scope = "tool.email.send", timeout_s = 60, key(to, amount))]
async fn send_email(_ctx: &ToolContext, input: SendEmail) -> Result<String, ToolError> {
    Ok(format!("{}{}", input.to, input.amount))
}

fn main() {}
