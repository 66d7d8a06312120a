use idem_tools::{ToolError, tools};

struct Mailer<T>(T);

#[tools]
impl<T: Send> Mailer<T> {
    #[tool(scope = "tool.email.send", timeout_s = 60)]
    async fn send_email(&self, to: String) -> Result<String, ToolError> {
        Ok(to)
    }
}

fn main() {}
