//! C61: a crate that knows the library under another name says so once for each item.

extern crate idem_tools as agent_once;

mod own {
    use ::agent_once::{ToolContext, ToolError, tool, tool_input, tool_output};

    #[tool_input(crate = ::agent_once)]
    pub struct SendEmail {
        pub to: String,
    }

    #[tool_output(crate = ::agent_once)]
    pub struct Sent {
        pub to: String,
    }

    #[tool(scope = "tool.email.send", timeout_s = 60, crate = ::agent_once)]
    pub async fn send_email(_ctx: &ToolContext, input: SendEmail) -> Result<Sent, ToolError> {
        Ok(Sent { to: input.to })
    }
}

fn main() {
    assert_eq!(
        <own::send_email as agent_once::Tool>::SPEC.name(),
        "send_email"
    );
}
