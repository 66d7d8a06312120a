use idem_tools::{ToolError, tool};

#[tool(scope = "tool.email.send", timeout_s = 60)]
async fn send_email(to: std::borrow::Cow<'_, str>) -> Result<String, ToolError> {
    Ok(to.into_owned())
}

fn main() {}
