//! The tools of the cases. Each makes one effect at the vendor, which heeds no keys: what is made twice is counted twice.

use std::time::Duration;

use idem_tests::vendor::Gate;
use idem_tools::http::ResponseExt;
use idem_tools::{IdemBuilder, ToolContext, ToolError, tool, tool_input};
use serde_json::{Value, json};

/// The way to the vendor.
#[derive(Debug, Clone)]
pub(crate) struct Desk {
    client: reqwest::Client,
    url: String,
}

impl Desk {
    pub(crate) fn at(url: String) -> Self {
        let stay = reqwest::redirect::Policy::none();
        let client = reqwest::Client::builder().redirect(stay).no_proxy();
        let client = client.build().expect("a plain client");
        Self { client, url }
    }

    async fn make(&self, key: &str, what: String) -> Result<String, ToolError> {
        let request = self.client.post(&self.url).header("Idempotency-Key", key);
        let reply = request.json(&json!({ "what": what })).send().await?;
        let made: Value = reply.for_tool()?.json().await?;
        Ok(made["id"].as_str().unwrap_or("without an id").to_owned())
    }
}

/// Where a body is held after its effect.
#[derive(Debug, Clone, Default)]
pub(crate) struct Stop {
    pub(crate) reached: Gate,
    pub(crate) go: Gate,
}

impl Stop {
    pub(crate) fn open() -> Self {
        let stop = Self::default();
        stop.go.open();
        stop
    }
}

#[tool_input]
pub(crate) struct Note {
    to: String,
}

#[tool_input]
pub(crate) struct Nothing {}

async fn make(ctx: &ToolContext, what: String) -> Result<String, ToolError> {
    let made = ctx.state::<Desk>()?.make(ctx.vendor_key().as_str(), what);
    let made = made.await?;
    let stop = ctx.state::<Stop>()?;
    stop.reached.open();
    stop.go.opened().await;
    Ok(made)
}

/// Send a note.
#[tool(scope = "tool.note.send", timeout_s = 60)]
pub(crate) async fn send(ctx: &ToolContext, input: Note) -> Result<String, ToolError> {
    make(ctx, format!("send {}", input.to)).await
}

#[tool_input]
pub(crate) struct Reminder {
    to: String,
    #[arg(prose)]
    note: String,
}

/// Remind somebody.
#[tool(scope = "tool.reminder.send", timeout_s = 60)]
pub(crate) async fn remind(ctx: &ToolContext, input: Reminder) -> Result<String, ToolError> {
    make(ctx, format!("remind {}: {}", input.to, input.note)).await
}

/// Look at something. It changes nothing.
#[tool(scope = "tool.part.look", timeout_s = 60, effect = "read")]
pub(crate) async fn look(_ctx: &ToolContext, input: Note) -> Result<String, ToolError> {
    Ok(format!("{} is there", input.to))
}

/// Delete files.
#[tool(scope = "tool.file.delete", timeout_s = 60, approval = "always")]
pub(crate) async fn cleanup(ctx: &ToolContext, input: Note) -> Result<String, ToolError> {
    make(ctx, format!("cleanup {}", input.to)).await
}

/// Look at a part.
#[tool(scope = "tool.part.diagnose", timeout_s = 60)]
pub(crate) async fn diagnose(ctx: &ToolContext, input: Note) -> Result<String, ToolError> {
    make(ctx, format!("diagnose {}", input.to)).await
}

/// Ring the bell.
#[tool(scope = "tool.bell.ring", timeout_s = 60)]
pub(crate) async fn ring(ctx: &ToolContext, _input: Nothing) -> Result<String, ToolError> {
    make(ctx, "ring".to_owned()).await
}

/// A vendor that wants an hour of rest.
#[tool(scope = "tool.note.send", timeout_s = 60)]
pub(crate) async fn patient(_ctx: &ToolContext, _input: Nothing) -> Result<String, ToolError> {
    let error = ToolError::no_effect("rate_limited", "come back in an hour");
    Err(error.with_retry_after(Duration::from_secs(3600)))
}

/// Work that a cancelled run stops.
#[tool(scope = "tool.note.send", timeout_s = 12)]
pub(crate) async fn long_work(ctx: &ToolContext, input: Note) -> Result<String, ToolError> {
    make(ctx, format!("work for {}", input.to)).await
}

mod unix {
    use serde::{Deserialize, Deserializer};
    use time::OffsetDateTime;

    pub(super) fn read<'de, D: Deserializer<'de>>(from: D) -> Result<OffsetDateTime, D::Error> {
        let seconds = i64::deserialize(from)?;
        OffsetDateTime::from_unix_timestamp(seconds).map_err(serde::de::Error::custom)
    }
}

#[tool_input]
pub(crate) struct At {
    /// Read as a number, and shown as a date: what is stored does not read back.
    #[serde(deserialize_with = "unix::read")]
    #[schemars(with = "i64")]
    at: time::OffsetDateTime,
}

/// Set an alarm.
#[tool(scope = "tool.alarm.set", timeout_s = 60)]
pub(crate) async fn set_alarm(ctx: &ToolContext, input: At) -> Result<String, ToolError> {
    make(ctx, format!("alarm {}", input.at.unix_timestamp())).await
}

/// What `make` does, for the tools of other modules.
pub(crate) async fn effect(ctx: &ToolContext, what: String) -> Result<String, ToolError> {
    make(ctx, what).await
}

/// Adds all of them.
pub(crate) fn all(builder: IdemBuilder) -> IdemBuilder {
    builder
        .tool::<send>()
        .tool::<remind>()
        .tool::<look>()
        .tool::<cleanup>()
        .tool::<diagnose>()
        .tool::<ring>()
        .tool::<patient>()
}
