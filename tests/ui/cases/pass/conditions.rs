//! A condition holds for everything that the attribute writes, and a deprecation for the function alone.

#![deny(warnings)]

use idem_tools::{ToolContext, ToolError, tool, tool_input};

#[tool_input]
pub struct Nothing {
    #[cfg(any())]
    gone: std::path::PathBuf,
    #[cfg(all())]
    pub kept: u8,
    /// The same name as the one before, under the opposite condition.
    #[cfg(any())]
    pub kept: std::path::PathBuf,
}

#[tool(scope = "tool.email.send", timeout_s = 60)]
#[cfg(any())]
pub async fn send_email(_ctx: &ToolContext, _input: Missing) -> Result<(), ToolError> {
    Ok(())
}

#[tool(scope = "tool.email.send", timeout_s = 60)]
#[cfg(all())]
#[deprecated]
pub async fn send_mail(_ctx: &ToolContext, input: Nothing) -> Result<u8, ToolError> {
    Ok(input.kept)
}

fn main() {
    fn is_tool<T: idem_tools::Tool>() {}
    is_tool::<send_mail>();
}
