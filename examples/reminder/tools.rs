//! With Idem: the two tools, and when a person is asked. The part to copy.

use std::time::Duration;

use idem_tools::{
    Checkpoint, Committed, Decision, Idem, IdemBuilder, Postgres, Sqlite, ToolContext, ToolError,
    TransactionalStore, http::ResponseExt, tool, tool_input, tool_output,
};
use serde_json::json;
use uuid::Uuid;

use crate::Outcome;
use crate::protocol::{Event, Point, announce};
use crate::stops::Stops;
use crate::table::{Reminders, Row, is_sqlite};
use crate::wire::Vendor;

/// A tool's lease is its timeout plus this. Seconds in production; short here, so that nobody waits for the trace.
pub(crate) const LEASE_MARGIN: Duration = Duration::from_millis(500);
/// What both tools declare, as the trace tells it.
pub(crate) const TIMEOUT: Duration = Duration::from_secs(2);

/// A reminder that comes back.
#[tool_input]
pub(crate) struct NewReminder {
    text: String,
    hour: u8,
    minute: u8,
    #[serde(default = "daily")]
    every: String,
}

pub(crate) fn daily() -> String {
    "daily".to_owned()
}

/// The row that was written.
#[tool_output]
pub(crate) struct Reminder {
    id: String,
}

/// Writes the row and the answer in one transaction: both are there or neither is.
async fn write_reminder<S>(
    ctx: &ToolContext<S>,
    input: NewReminder,
) -> Result<Committed<Reminder>, ToolError>
where
    S: TransactionalStore,
    S::Connection: Reminders,
{
    let stops = *ctx.state::<Stops>()?;
    let row = Row {
        id: Uuid::new_v4().to_string(),
        organization: ctx.organization().to_string(),
        text: input.text,
        hour: input.hour,
        minute: input.minute,
        every: input.every,
    };
    let mut transaction = ctx.transaction().await?;
    transaction.connection().insert(&row).await?;
    announce(&Event::RowWritten);
    stops.reach(Point::ReminderBeforeCommit).await;
    let committed = ctx.commit(transaction, Reminder { id: row.id }).await?;
    announce(&Event::Committed { with_answer: true });
    stops.reach(Point::ReminderAfterCommit).await;
    Ok(committed)
}

/// An application has one database and needs one of the two; this program runs on either.
mod on_sqlite {
    use super::{
        Committed, NewReminder, Reminder, Sqlite, ToolContext, ToolError, tool, write_reminder,
    };

    /// Creates a reminder.
    #[tool(
        scope = "tool.reminder.create",
        timeout_s = 2,
        effect = "transactional"
    )]
    pub(crate) async fn create_reminder(
        ctx: &ToolContext<Sqlite>,
        input: NewReminder,
    ) -> Result<Committed<Reminder>, ToolError> {
        write_reminder(ctx, input).await
    }
}

mod on_postgres {
    use super::{
        Committed, NewReminder, Postgres, Reminder, ToolContext, ToolError, tool, write_reminder,
    };

    /// Creates a reminder.
    #[tool(
        scope = "tool.reminder.create",
        timeout_s = 2,
        effect = "transactional"
    )]
    pub(crate) async fn create_reminder(
        ctx: &ToolContext<Postgres>,
        input: NewReminder,
    ) -> Result<Committed<Reminder>, ToolError> {
        write_reminder(ctx, input).await
    }
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
    timeout_s = 2,
    effect = "keyed",
    vendor_window = "24h"
)]
async fn send_email(ctx: &ToolContext, input: NewEmail) -> Result<Email, ToolError> {
    let body = json!({ "to": input.to, "subject": input.subject, "body": input.body });
    let key = ctx.vendor_key();
    let vendor = ctx.state::<Vendor>()?;
    let sent = vendor.send_email(Some(key.as_str()), &body).await?;
    Ok(sent.for_tool()?.json().await?)
}

/// A reminder is Ann's own affair; an e-mail reaches somebody else.
fn policy(call: &Checkpoint<'_>) -> Decision {
    match call.scope.as_str() {
        "tool.email.send" => {
            Decision::ask("an e-mail to somebody else needs a second person's yes")
        }
        _ => Decision::Allow,
    }
}

/// The tools and the policy, on the store of this URL.
pub(crate) async fn open(store: &str, vendor: Vendor, stops: Stops) -> Outcome<Idem> {
    let builder: IdemBuilder = Idem::open(store)
        .await?
        .lease_margin(LEASE_MARGIN)
        .state(vendor)
        .state(stops)
        .policy(policy)
        .tool::<send_email>();
    let builder = if is_sqlite(store) {
        builder.tool::<on_sqlite::create_reminder>()
    } else {
        builder.tool::<on_postgres::create_reminder>()
    };
    Ok(builder.build()?)
}
