use idem_tools::{ToolError, tool};

#[tool(scope = "tool.email.send", timeout_s = 60, key(to, amount))]
async fn send_email(to: String, amount: f64) -> Result<String, ToolError> {
    let _ = amount;
    Ok(to)
}

fn main() {}
