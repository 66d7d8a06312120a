//! Without Idem: what the model proposes is done as it stands, and nobody is asked.

use serde::Deserialize;
use serde_json::{Value, json};
use sqlx::Connection;
use uuid::Uuid;

use crate::Outcome;
use crate::conversation::ToolCall;
use crate::protocol::{Event, Order, Point, announce};
use crate::stops::Stops;
use crate::table::{self, Reminders, Row};
use crate::tools::daily;
use crate::wire::Vendor;

/// The application's database and the mail service, for one run of Ann's.
#[derive(Debug)]
pub(crate) struct Plain<'a> {
    pub(crate) database: &'a str,
    pub(crate) order: &'a Order,
    pub(crate) vendor: &'a Vendor,
    pub(crate) stops: Stops,
}

#[derive(Deserialize)]
struct NewReminder {
    text: String,
    hour: f64,
    minute: f64,
    #[serde(default = "daily")]
    every: String,
}

impl Plain<'_> {
    /// Executes one call. Nothing here is the same on a second attempt.
    pub(crate) async fn call(&self, call: &ToolCall) -> Outcome<String> {
        match call.function.name.as_str() {
            "create_reminder" => self.create_reminder(&call.function.arguments).await,
            "send_email" => {
                let arguments: Value = serde_json::from_str(&call.function.arguments)?;
                let sent = self.vendor.send_email(None, &arguments).await?;
                Ok(sent.error_for_status()?.text().await?)
            }
            other => Err(format!("no tool is named {other}").into()),
        }
    }

    /// In a transaction too: it keeps half a row out, and not a second one.
    async fn create_reminder(&self, arguments: &str) -> Outcome<String> {
        let input: NewReminder = serde_json::from_str(arguments)?;
        let row = Row {
            id: Uuid::new_v4().to_string(),
            organization: self.order.organization.clone(),
            text: input.text,
            // The model may write 9 as 9e0; the numbers of the recording are whole.
            hour: input.hour as u8,
            minute: input.minute as u8,
            every: input.every,
        };
        let mut connection = table::sqlite(self.database).await?;
        let mut transaction = connection.begin().await?;
        transaction.insert(&row).await?;
        announce(&Event::RowWritten);
        self.stops.reach(Point::ReminderBeforeCommit).await;
        transaction.commit().await?;
        announce(&Event::Committed { with_answer: false });
        self.stops.reach(Point::ReminderAfterCommit).await;
        connection.close().await?;
        Ok(json!({ "id": row.id }).to_string())
    }
}
