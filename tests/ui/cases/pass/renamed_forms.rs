//! C61: every form in a crate that knows the library under another name.

extern crate idem_tools as agent_once;

mod own {
    use ::agent_once::{State, ToolContext, ToolError, tool, tools};

    #[tool(scope = "tool.email.send", timeout_s = 60, crate = ::agent_once)]
    pub async fn send_email(
        ctx: &ToolContext,
        state: State<u8>,
        #[arg(prose)] to: &str,
        #[arg(default = 3)] copies: u8,
    ) -> Result<String, ToolError> {
        Ok(format!("{to}{copies}{state:?}{}", ctx.attempt()))
    }

    pub struct Mailer;

    #[tools(crate = ::agent_once)]
    impl Mailer {
        #[tool(scope = "tool.email.count", timeout_s = 60)]
        pub fn count(&self, letters: Vec<String>) -> Result<usize, ToolError> {
            Ok(letters.len())
        }
    }
}

fn main() {
    use agent_once::Tool;
    assert_eq!(own::send_email::SPEC.name(), "send_email");
    assert_eq!(own::count::SPEC.name(), "count");
    fn is_set<T: agent_once::Tools>() {}
    is_set::<own::Mailer>();
}
