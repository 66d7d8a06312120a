//! A tool that the recorded agent did not have: an effect of which nobody can ask whether it happened, and that the
//! airline would repeat. Made-up conversations call it.

use idem_tools::{ErrorClass, ToolContext, ToolError, tool, tool_input};

use crate::client::{Airline, ask};

/// A notice.
#[tool_input]
pub(crate) struct Notice {
    /// The customer, by id.
    user_id: String,
    /// What it says.
    text: String,
    /// Where it goes; the customer's own choice where it is left out.
    channel: Option<String>,
    /// How often it is shown.
    #[serde(default)]
    times: u32,
}

/// Sends a customer a notice.
#[tool(scope = "tool.airline.notice", timeout_s = 2, marks_dispatch)]
pub(crate) async fn notify_customer(ctx: &ToolContext, input: Notice) -> Result<String, ToolError> {
    let airline = ctx.state::<Airline>()?;
    let watch = airline.watch::<notify_customer>(ctx, &input)?;
    ctx.dispatching().await?;
    let sent = ask::<notify_customer>(ctx, &input).await;
    let failed = sent.as_ref().err().map(ToolError::class);
    if failed != Some(ErrorClass::Unknown) {
        watch.known();
    }
    sent
}
