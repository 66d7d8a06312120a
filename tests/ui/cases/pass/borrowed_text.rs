//! Text that the function borrows is owned by the input.

use idem_core::canonical::{Canonical, Kind};
use idem_tools::{Tool, ToolContext, ToolError, block_on, tool};

#[tool(scope = "tool.email.send", timeout_s = 60)]
async fn send_email(to: &str, _ctx: &ToolContext, cc: Option<&str>, bcc: String) -> Result<String, ToolError> {
    std::future::ready(()).await;
    Ok(format!("{to} {} {bcc}", cc.unwrap_or("nobody")))
}

#[tool(scope = "tool.email.count", timeout_s = 60, effect = "read")]
async fn letters(to: &str) -> Result<usize, ToolError> {
    Ok(to.len())
}

fn main() {
    let fields = <<send_email as Tool>::Input as Canonical>::FIELDS;
    assert!(fields[0].kind == Kind::Text && !fields[0].has_default);
    assert!(fields[1].has_default);
    // As it is written: with text of the caller's own.
    let text = "ann".to_owned();
    assert_eq!(block_on(letters(&text)).unwrap(), 3);
}
