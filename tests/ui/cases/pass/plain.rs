//! The smallest tool: its facts are what the attribute says, and the function is still a function.

use idem_tools::{Effect, Tool, ToolContext, ToolError, tool, tool_input};
use std::time::Duration;

#[tool_input]
struct SendEmail {
    to: String,
}

/// Send an e-mail.
///
/// It goes out once.
#[tool(scope = "tool.email.send", timeout_s = 60)]
async fn send_email(_ctx: &ToolContext, input: SendEmail) -> Result<String, ToolError> {
    Ok(input.to)
}

fn main() {
    let spec = <send_email as Tool>::SPEC;
    assert_eq!(spec.name(), "send_email");
    assert_eq!(spec.scope(), "tool.email.send");
    assert_eq!(spec.timeout(), Duration::from_secs(60));
    assert_eq!(
        spec.description_text(),
        "Send an e-mail.\n\nIt goes out once."
    );
    assert_eq!(spec.effect_class(), Effect::AtMostOnce);
    assert!(!spec.effect_is_declared());
    assert!(!spec.marks_its_dispatch());
}
