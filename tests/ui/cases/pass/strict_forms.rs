//! C61: every form under strict lints, beside names of the prelude that mean something else.

#![deny(missing_docs, missing_debug_implementations, nonstandard_style, rust_2018_idioms)]
#![deny(unsafe_code, unused, unreachable_pub, single_use_lifetimes, unused_qualifications, warnings)]
#![deny(clippy::all, clippy::pedantic)]

/// Tools that the crate gives away.
pub mod tools {
    use idem_tools::{State, ToolContext, ToolError, tool, tools};
    use std::collections::HashMap;

    /// Not the one of the prelude.
    #[derive(Debug)]
    pub(crate) struct String;
    /// Not the one of the prelude.
    #[derive(Debug)]
    pub(crate) struct Option;
    /// Not the one of the prelude.
    #[allow(dead_code)]
    pub(crate) trait Default {}

    /// Sends an e-mail.
    #[tool(scope = "tool.email.send", timeout_s = 60)]
    pub async fn send_email(
        to: &str,
        letters: Vec<u8>,
        labels: HashMap<std::string::String, u8>,
        a: bool,
        b: bool,
        #[arg(default)] c: bool,
        #[arg(default = true)] d: bool,
        #[arg(default = "x")] e: &str,
    ) -> Result<usize, ToolError> {
        let _ = (String, Option);
        Ok(to.len() + letters.len() + labels.len() + usize::from(a & b & c & d) + e.len())
    }

    /// Adds.
    #[tool(scope = "tool.sum.add", timeout_s = 60, effect = "read")]
    pub fn add(ctx: &ToolContext, a: u8, b: u8) -> Result<u8, ToolError> {
        Ok(a + b + u8::from(ctx.attempt() > 7))
    }

    /// Sends e-mail.
    #[derive(Debug)]
    pub struct Mailer {
        from: u8,
    }

    #[tools]
    impl Mailer {
        /// Sends a letter.
        #[tool(scope = "tool.email.send", timeout_s = 60)]
        pub async fn letter(&self, http: State<u16>, to: Vec<u8>) -> Result<usize, ToolError> {
            Ok(usize::from(self.from) + usize::from(*http) + to.len())
        }

        /// A value.
        #[must_use]
        pub fn new(from: u8) -> Self {
            Self { from }
        }
    }
}

fn main() {
    let _ = tools::Mailer::new(1);
}
