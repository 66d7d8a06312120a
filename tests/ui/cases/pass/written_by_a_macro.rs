//! Options, types and names that come out of a macro of the user.

use idem_tools::{Tool, ToolContext, ToolError, tool, tool_input};

#[tool_input]
struct SendEmail {
    to: String,
}

macro_rules! mailer {
    ($name:ident, $scope:literal, $seconds:expr, $input:ty) => {
        #[tool(scope = $scope, timeout_s = $seconds)]
        async fn $name(_ctx: &ToolContext, input: $input) -> Result<String, ToolError> {
            Ok(input.to)
        }
    };
}

mailer!(send_email, "tool.email.send", 60, SendEmail);

fn main() {
    assert_eq!(<send_email as Tool>::SPEC.scope(), "tool.email.send");
}
