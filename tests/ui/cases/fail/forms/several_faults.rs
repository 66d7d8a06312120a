use idem_tools::{ToolError, tool};

#[tool(scope = "email", timeout_s = 0)]
async fn send_email(to: &String, _cc: String, #[cfg(unix)] bcc: String, (a, b): (u8, u8)) -> Result<String, ToolError> {
    let _ = (bcc, a, b);
    Ok(to.clone())
}

fn main() {}
