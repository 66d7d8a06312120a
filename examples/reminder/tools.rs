//! With Idem: the two tools, and the turn that calls them.

use std::time::Duration;

use idem_tools::{
    CallError, Idem, OrganizationId, ProposedCall, ToolContext, ToolError, http::ResponseExt, tool,
    tool_input, tool_output,
};
use serde_json::json;

use crate::Outcome;
use crate::conversation::ToolCall;
use crate::protocol::{Event, Kind, Order, announce};
use crate::wire::Vendor;

/// A tool's lease is its timeout plus this. Seconds in production; short here, so that nobody waits for the trace.
pub(crate) const LEASE_MARGIN: Duration = Duration::from_millis(500);
/// What both tools declare, as the trace tells it.
pub(crate) const TIMEOUT: Duration = Duration::from_secs(1);

/// How often a worker waits for one call before it gives up.
const WAITS_MAX: u32 = 5;

/// A reminder that comes back.
#[tool_input]
struct NewReminder {
    text: String,
    hour: u8,
    minute: u8,
    #[serde(default = "daily")]
    every: String,
}

fn daily() -> String {
    "daily".to_owned()
}

/// What the scheduler made.
#[tool_output]
struct Reminder {
    id: String,
}

/// Creates a reminder.
#[tool(
    scope = "tool.reminder.create",
    timeout_s = 1,
    effect = "keyed",
    vendor_window = "24h"
)]
async fn create_reminder(ctx: &ToolContext, input: NewReminder) -> Result<Reminder, ToolError> {
    let body = json!({
        "text": input.text, "hour": input.hour, "minute": input.minute, "every": input.every,
    });
    let key = ctx.vendor_key();
    let sent = ctx
        .state::<Vendor>()?
        .post(Kind::Reminder, Some(key.as_str()), &body)
        .await?;
    Ok(sent.for_tool()?.json().await?)
}

/// An e-mail.
#[tool_input]
struct NewEmail {
    to: String,
    subject: String,
    body: String,
}

/// What the mail service accepted.
#[tool_output]
struct Email {
    id: String,
}

/// Sends an e-mail.
#[tool(
    scope = "tool.email.send",
    timeout_s = 1,
    effect = "keyed",
    vendor_window = "24h"
)]
async fn send_email(ctx: &ToolContext, input: NewEmail) -> Result<Email, ToolError> {
    let body = json!({ "to": input.to, "subject": input.subject, "body": input.body });
    let key = ctx.vendor_key();
    let sent = ctx
        .state::<Vendor>()?
        .post(Kind::Email, Some(key.as_str()), &body)
        .await?;
    Ok(sent.for_tool()?.json().await?)
}

/// What a call came to.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) answer: String,
    pub(crate) replayed: bool,
}

/// The tools, on a store, for one run of Ann's.
#[derive(Debug)]
pub(crate) struct Agent {
    idem: Idem,
    organization: OrganizationId,
    run: String,
}

impl Agent {
    /// Opens the store and registers the tools.
    pub(crate) async fn open(store: &str, order: &Order, vendor: Vendor) -> Outcome<Self> {
        let idem = Idem::open(store)
            .await?
            .lease_margin(LEASE_MARGIN)
            .state(vendor)
            .tool::<create_reminder>()
            .tool::<send_email>()
            .build()?;
        let organization = OrganizationId::new(order.organization.parse()?)?;
        Ok(Self {
            idem,
            organization,
            run: order.run.clone(),
        })
    }

    /// Settles one proposed call. While another worker's lease runs, it waits: the call is that worker's.
    pub(crate) async fn call(&self, turn: u32, call: &ToolCall) -> Outcome<Answer> {
        let actor = self.idem.organization(self.organization).principal("ann")?;
        let turn = actor.run(&self.run)?.turn(turn);
        for _ in 0..WAITS_MAX {
            let function = &call.function;
            let proposed = ProposedCall::new(&call.id, &function.name, &function.arguments);
            match turn.call(proposed).await {
                Ok(settled) => {
                    let settled = settled.answer().ok_or("no policy asks a person here")?;
                    let answer = settled
                        .result
                        .map_err(|failure| failure.to_string())?
                        .to_text();
                    return Ok(Answer {
                        answer,
                        replayed: settled.replayed,
                    });
                }
                Err(CallError::ClaimInFlight { retry_after, .. }) => {
                    let for_ms = u64::try_from(retry_after.as_millis())?;
                    announce(&Event::Waiting { for_ms });
                    tokio::time::sleep(retry_after).await;
                }
                Err(error) => return Err(error.into()),
            }
        }
        Err(format!(
            "{} is still another worker's after {WAITS_MAX} waits",
            call.function.name
        )
        .into())
    }
}
