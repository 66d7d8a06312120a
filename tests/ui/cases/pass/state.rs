//! The application's values as arguments: of no key, and called by hand with one of the caller's own.

use idem_core::canonical::Canonical;
use idem_tools::{State, Tool, ToolContext, ToolError, block_on, tool};
use std::sync::Arc;

struct Http {
    base: String,
}

#[derive(Debug)]
struct Clock(u8);

#[tool(scope = "tool.email.send", timeout_s = 60)]
async fn send_email(
    http: State<Http>,
    to: &str,
    clock: idem_tools::State<Clock>,
) -> Result<String, ToolError> {
    std::future::ready(()).await;
    Ok(format!("{}/{to} at {}", http.base, clock.0))
}

#[tool(scope = "tool.email.send", timeout_s = 60)]
async fn with_context(ctx: &ToolContext, clock: State<Clock>) -> Result<u8, ToolError> {
    // The same value, found by hand.
    Ok(ctx.state::<Clock>()?.0 - clock.0)
}

fn main() {
    let fields = <<send_email as Tool>::Input as Canonical>::FIELDS;
    let names: Vec<_> = fields.iter().map(|field| field.name).collect();
    assert_eq!(names, ["to"]);
    let needs: Vec<_> = send_email::STATE.iter().map(|need| need.type_name()).collect();
    assert!(needs.len() == 2 && needs[0].ends_with("Http") && needs[1].ends_with("Clock"));
    assert_eq!(with_context::STATE.len(), 1);

    let http = State::new(Http { base: "mail".into() });
    let clock = State::from(Arc::new(Clock(12)));
    assert_eq!(format!("{clock:?}"), "State(Clock(12))");
    let sent = block_on(send_email(http.clone(), "ann", clock)).unwrap();
    assert_eq!(sent, "mail/ann at 12");
}
