use idem_tools::{ToolError, tools};

struct Mailer;

#[tools]
impl Mailer {
    #[tool(timeout_s = 60)]
    async fn send_email(&self, to: String) -> Result<String, ToolError> {
        Ok(to)
    }
}

fn main() {}
