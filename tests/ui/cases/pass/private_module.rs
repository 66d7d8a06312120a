//! A tool in a private module and one in a function's body, neither with an `await`.

mod inner {
    use idem_tools::{ToolContext, ToolError, tool, tool_input};

    #[tool_input]
    pub(super) struct SendEmail {
        to: String,
    }

    #[tool(scope = "tool.email.send", timeout_s = 60)]
    pub(super) async fn send_email(
        _ctx: &ToolContext,
        input: SendEmail,
    ) -> Result<String, ToolError> {
        Ok(input.to)
    }
}

fn main() {
    use idem_tools::{Tool, ToolContext, ToolError, tool};

    #[tool(scope = "tool.email.send", timeout_s = 60)]
    async fn local(_ctx: &ToolContext, _input: inner::SendEmail) -> Result<u8, ToolError> {
        Ok(1)
    }

    assert_eq!(<inner::send_email as Tool>::SPEC.name(), "send_email");
    assert_eq!(<local as Tool>::SPEC.name(), "local");
}
