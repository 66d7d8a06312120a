//! The tools that ask. Their effects are counted in a ledger that stands for the vendor.

use idem_tools::{ToolContext, ToolError, tool, tool_input};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex};

/// What was done, in order, by whatever process.
#[derive(Clone, Debug, Default)]
pub(crate) struct Ledger {
    effects: Arc<Mutex<Vec<String>>>,
    busy: Arc<AtomicU32>,
}

impl Ledger {
    pub(crate) fn effects(&self) -> Vec<String> {
        self.effects.lock().unwrap().clone()
    }

    /// The next so many calls are refused as too many, without an effect.
    pub(crate) fn be_busy(&self, times: u32) {
        self.busy.store(times, Ordering::SeqCst);
    }

    pub(crate) fn does(&self, what: String) -> Result<String, ToolError> {
        let busy = self
            .busy
            .fetch_update(Ordering::SeqCst, Ordering::SeqCst, |left| {
                left.checked_sub(1)
            });
        if busy.is_ok() {
            return Err(ToolError::no_effect("rate_limited", "too many at once"));
        }
        let mut effects = self.effects.lock().unwrap();
        effects.push(what);
        Ok(format!("effect-{}", effects.len()))
    }
}

#[tool_input]
pub(crate) struct File {
    path: String,
    #[serde(default)]
    text: String,
}

/// Writes a file.
#[tool(scope = "tool.file.write", timeout_s = 5)]
pub(crate) async fn write_file(ctx: &ToolContext, input: File) -> Result<String, ToolError> {
    if input.path == "missing" {
        return Err(ToolError::answer("not_found", "there is no such folder"));
    }
    ctx.state::<Ledger>()?
        .does(format!("write {} {:?}", input.path, input.text))
}

#[tool_input]
pub(crate) struct Hours {
    task: u64,
    hours: f64,
}

/// Logs hours.
#[tool(scope = "tool.hours.log", timeout_s = 5)]
pub(crate) async fn log_hours(ctx: &ToolContext, input: Hours) -> Result<String, ToolError> {
    ctx.state::<Ledger>()?
        .does(format!("log {} {}", input.task, input.hours))
}

#[tool_input]
pub(crate) struct Question {
    about: String,
}

/// Looks something up.
#[tool(scope = "tool.salary.look", timeout_s = 5, effect = "read")]
pub(crate) async fn look_up(ctx: &ToolContext, input: Question) -> Result<String, ToolError> {
    ctx.state::<Ledger>()?.does(format!("look {}", input.about))
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
    /// Read as a number, and shown as a date: what a person sees does not read back.
    #[serde(deserialize_with = "unix::read")]
    #[schemars(with = "i64")]
    at: time::OffsetDateTime,
}

/// Sets an alarm.
#[tool(scope = "tool.alarm.set", timeout_s = 5)]
pub(crate) async fn set_alarm(ctx: &ToolContext, input: At) -> Result<String, ToolError> {
    ctx.state::<Ledger>()?
        .does(format!("alarm {}", input.at.unix_timestamp()))
}

pub(crate) type WriteFile = write_file;
pub(crate) type LogHours = log_hours;
pub(crate) type LookUp = look_up;
pub(crate) type SetAlarm = set_alarm;
