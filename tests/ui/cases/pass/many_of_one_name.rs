//! Tools of one name in two modules and in a function, beside types that are called as one could guess the written
//! input is.

mod one {
    #[idem_tools::tool(scope = "tool.email.send", timeout_s = 60)]
    pub async fn send_email(to: String) -> Result<String, idem_tools::ToolError> {
        Ok(to)
    }
}

mod two {
    use idem_tools::{Tool, ToolError, tool, tool_input};

    #[tool_input]
    pub struct SendEmail {
        to: String,
    }

    #[tool_input]
    pub struct SendEmailInput {
        to: String,
    }

    #[tool(scope = "tool.email.send", timeout_s = 60)]
    pub async fn send_email(
        email: SendEmail,
        input: SendEmailInput,
    ) -> Result<String, ToolError> {
        Ok(email.to + &input.to)
    }

    #[tool(scope = "tool.email.send", timeout_s = 60)]
    pub async fn __send_email(to: String) -> Result<String, ToolError> {
        Ok(to)
    }

    /// The written input has a name through its tool.
    pub fn input(to: String) -> Input {
        Input { to }
    }

    type Input = <__send_email as Tool>::Input;
}

fn main() {
    use idem_tools::{Tool, ToolError, tool};

    #[tool(scope = "tool.email.send", timeout_s = 60)]
    async fn send_email(to: u8) -> Result<u8, ToolError> {
        Ok(to)
    }

    assert_eq!(<send_email as Tool>::SPEC.name(), <one::send_email as Tool>::SPEC.name());
    assert_eq!(<two::send_email as Tool>::SPEC.name(), "send_email");
    let _ = two::input("ann".into());
}
