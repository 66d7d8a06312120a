use idem_tools::{State, ToolError, tool};

#[tool(scope = "tool.email.send", timeout_s = 60)]
async fn send_email(http: &State<u8>, to: String) -> Result<String, ToolError> {
    let _ = http;
    Ok(to)
}

fn main() {}
