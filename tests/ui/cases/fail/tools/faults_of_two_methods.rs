use idem_tools::{ToolError, tools};

struct Mailer;

#[tools]
impl Mailer {
    #[tool]
    async fn send_email(&self, to: &String) -> Result<String, ToolError> {
        Ok(to.clone())
    }

    #[tool(scope = "tool.email.check", timeout_s = 5)]
    async unsafe fn check(&self, (to, cc): (String, u8)) -> Result<String, ToolError> {
        let _ = cc;
        Ok(to)
    }
}

fn main() {}
