use idem_tools::{ToolContext, ToolError, tool, tool_input};

#[tool_input]
struct Price {
    amount: f64,
}

#[tool_input]
struct SendEmail {
    to: String,
    price: Price,
}

#[tool(scope = "tool.email.send", timeout_s = 60, key(price))]
async fn send_email(_ctx: &ToolContext, input: SendEmail) -> Result<String, ToolError> {
    Ok(format!("{}{}", input.to, input.price.amount))
}

fn main() {}
