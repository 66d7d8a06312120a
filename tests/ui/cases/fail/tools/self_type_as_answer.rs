use idem_tools::{ToolError, tools};

struct Mailer;

#[tools]
impl Mailer {
    #[tool(scope = "tool.email.send", timeout_s = 60)]
    async fn send_email(&self, to: String) -> Result<Self, ToolError> {
        let _ = to;
        Ok(Self)
    }
}

fn main() {}
