//! Methods of a block: each a tool of its own, with the value of the block's type.

use idem_tools::{IdemBuilder, Tool, ToolContext, ToolError, Tools, block_on, tool_input, tools};

pub struct Mailer {
    from: String,
}

#[tool_input]
pub struct Check {
    address: String,
}

#[tools]
impl Mailer {
    /// No tool.
    pub fn new(from: &str) -> Self {
        let from = from.to_owned();
        Self { from }
    }

    /// Send an e-mail.
    #[tool(scope = "tool.email.send", timeout_s = 60)]
    pub async fn send_email(&self, to: &str, #[arg(prose)] note: String) -> Result<String, ToolError> {
        std::future::ready(()).await;
        Ok(format!("{} to {to}: {note}", self.from))
    }

    #[idem_tools::tool(scope = "tool.email.check", timeout_s = 5, effect = "read", name = "check-address")]
    fn check(&self, ctx: &ToolContext, input: Check) -> Result<bool, ToolError> {
        Ok(input.address == self.from && ctx.attempt() == 1)
    }

    #[tool(scope = "tool.email.count", timeout_s = 5)]
    #[deprecated]
    async fn r#loop(times: u8) -> Result<u8, ToolError> {
        Ok(times)
    }

    #[cfg(any())]
    #[tool(scope = "tool.email.count", timeout_s = 5)]
    async fn gone(&self, times: Missing) -> Result<u8, ToolError> {
        Ok(times)
    }
}

fn is_set<T: Tools>() -> fn(IdemBuilder) -> IdemBuilder {
    T::add_to
}

fn main() {
    let _ = is_set::<Mailer>();
    assert_eq!(send_email::SPEC.description_text(), "Send an e-mail.");
    assert_eq!(check::SPEC.name(), "check-address");
    assert_eq!(r#loop::SPEC.name(), "loop");
    assert!(send_email::STATE[0].type_name().ends_with("Mailer"));
    assert!(r#loop::STATE.is_empty());
    let mailer = Mailer::new("ann");
    let sent = block_on(mailer.send_email("bo", "hi".into())).unwrap();
    assert_eq!(sent, "ann to bo: hi");
}
