//! C61: strict lints, a private module, and names of the prelude that mean something else here.

#![deny(
    missing_docs,
    missing_debug_implementations,
    nonstandard_style,
    rust_2018_idioms
)]
#![deny(unsafe_code, unused, unreachable_pub, warnings)]

mod tools {
    use idem_tools::{ToolContext, ToolError, tool, tool_input, tool_output};

    /// Not the one of the prelude.
    pub(crate) type Result<T> = core::result::Result<T, ToolError>;
    /// Not the one of the prelude.
    #[derive(Debug)]
    pub(crate) struct Future;
    /// Not the one of the prelude.
    #[allow(dead_code)]
    pub(crate) trait Default {}

    #[tool_input]
    #[derive(Debug)]
    pub(crate) struct SendEmail {
        to: String,
        #[serde(default)]
        copies: u8,
    }

    #[tool_output]
    #[derive(Debug)]
    pub(crate) struct Sent {
        to: String,
    }

    #[tool(scope = "tool.email.send", timeout_s = 60)]
    pub(crate) async fn send_email(ctx: &ToolContext, input: SendEmail) -> Result<Sent> {
        let _ = (ctx, Future, input.copies);
        Ok(Sent { to: input.to })
    }
}

fn main() {
    assert_eq!(
        <tools::send_email as idem_tools::Tool>::SPEC.description_text(),
        ""
    );
}
