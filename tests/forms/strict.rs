//! Every form under the strictest lints that a crate may have. What the macros write is looked at by the compiler, and by
//! clippy wherever the workspace is.
#![deny(missing_docs, missing_debug_implementations, nonstandard_style)]
#![deny(unsafe_code, unused, rust_2018_idioms, single_use_lifetimes)]
#![deny(clippy::all, clippy::pedantic)]
#![allow(
    unreachable_pub,
    reason = "what is public here is for the lint on documentation"
)]

use std::collections::HashMap;

use idem_tools::{State, ToolContext, ToolError, tool, tool_input, tool_output, tools};

/// A letter.
#[tool_input]
#[derive(Debug)]
pub struct Letter {
    /// Whom it goes to.
    pub to: String,
}

/// What became of it.
#[tool_output]
#[derive(Debug)]
pub struct Sent {
    /// Its number.
    pub number: u32,
}

/// Sends a letter.
#[tool(scope = "tool.letter.send", timeout_s = 30)]
pub async fn send(ctx: &ToolContext, input: Letter) -> Result<Sent, ToolError> {
    let number = ctx.attempt() + u32::from(input.to.is_empty());
    Ok(Sent { number })
}

/// Sends many.
#[tool(scope = "tool.letter.send", timeout_s = 30, key(to, type), reconcile = find)]
pub async fn send_many(
    to: Vec<String>,
    labels: HashMap<String, u8>,
    r#type: String,
    urgent: bool,
    #[arg(default)] copied: bool,
    #[arg(default = true)] signed: bool,
    #[arg(default = true)] sealed: bool,
    #[arg(prose, default = "Hello")] note: &str,
    subject: Option<&str>,
) -> Result<usize, ToolError> {
    let flags = [urgent, copied, signed, sealed];
    let flags = flags.iter().filter(|flag| **flag).count();
    let subject = subject.map_or(0, str::len);
    Ok(to.len() + labels.len() + r#type.len() + flags + note.len() + subject)
}

async fn find(
    ctx: &ToolContext,
    input: &<send_many as idem_tools::Tool>::Input,
) -> Result<idem_tools::Reconciled<usize>, ToolError> {
    ctx.dispatching().await?;
    Ok(idem_tools::Reconciled::Happened(input.to.len()))
}

/// Adds.
#[tool(scope = "tool.sum.add", timeout_s = 30, effect = "read")]
pub fn add(a: u32, b: u32) -> Result<u32, ToolError> {
    Ok(a.wrapping_add(b))
}

/// Takes nothing.
#[tool(scope = "tool.sum.zero", timeout_s = 30, effect = "read")]
pub fn zero() -> Result<u32, ToolError> {
    Ok(0)
}

/// Keeps letters.
#[derive(Debug)]
pub struct Office {
    letters: u32,
}

#[tools]
impl Office {
    /// Keeps one.
    #[tool(scope = "tool.letter.keep", timeout_s = 30)]
    pub async fn keep(&self, room: State<u32>, letters: Vec<u8>) -> Result<usize, ToolError> {
        Ok(letters.len() + (*room + self.letters) as usize)
    }

    /// Counts them.
    #[tool(scope = "tool.letter.count", timeout_s = 30, effect = "read")]
    #[deprecated]
    pub fn count(&self) -> Result<u32, ToolError> {
        Ok(self.letters)
    }
}

/// C61: they are tools as any others.
pub(crate) async fn every_form_stands_under_the_strictest_lints(store: idem_tests::TestStore) {
    let bench = crate::bench::Bench::new(store);
    let builder = bench.bare().await.tool::<send>().tool::<send_many>();
    let builder = builder.tool::<add>().tool::<zero>().state(7_u32);
    let idem = builder.tools(Office { letters: 1 }).build();
    let idem = idem.expect("tools that can be added");
    let sum = crate::bench::call(&bench.turn_of(&idem), "add", r#"{"a":1,"b":2}"#).await;
    assert_eq!(sum.decode::<u32>().expect("a sum"), 3);
    assert_eq!(idem.definitions().len(), 6);
}
