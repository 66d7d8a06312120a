use idem_tools::{ToolError, tool};

#[tool(scope = "tool.email.send", timeout_s = 60)]
async fn send_email((to, copies): (String, u8)) -> Result<String, ToolError> {
    let _ = copies;
    Ok(to)
}

fn main() {}
