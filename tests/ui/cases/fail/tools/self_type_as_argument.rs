use idem_tools::{ToolError, tools};

struct Mailer;

#[tools]
impl Mailer {
    #[tool(scope = "tool.email.send", timeout_s = 60)]
    async fn send_email(&self, to: Self, cc: u8) -> Result<String, ToolError> {
        let _ = (to, cc);
        Ok(String::new())
    }
}

fn main() {}
