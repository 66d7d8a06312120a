//! What else stands on a function or an argument stays there.

#![deny(warnings)]

use idem_tools::{ToolContext, ToolError, tool};

#[inline]
#[tool(scope = "tool.email.send", timeout_s = 60)]
#[cfg_attr(all(), deprecated(note = "send letters"))]
#[must_use]
pub fn send_email(
    #[allow(unused_variables)] ctx: &ToolContext,
    #[expect(unused_mut)] mut to: String,
    #[expect(unused_variables)] unread: String,
) -> Result<String, ToolError> {
    Ok(to)
}

#[tool(scope = "tool.email.send", timeout_s = 60)]
#[cfg(any())]
pub async fn gone(to: Missing, cc: Missing) -> Result<String, ToolError> {
    Ok(to)
}

#[tool(scope = "tool.email.send", timeout_s = 60)]
#[deprecated]
#[cfg(all())]
pub async fn send_mail(to: &str) -> Result<u8, ToolError> {
    Ok(to.is_empty().into())
}

fn main() {
    fn is_tool<T: idem_tools::Tool>() {}
    is_tool::<send_email>();
    is_tool::<send_mail>();
}
