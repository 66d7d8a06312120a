//! The same tool in several forms, under one name and one scope, so that two processes that know it in two forms know one
//! tool.

use std::sync::{Arc, Mutex, PoisonError};

use idem_tools::{Reconciled, State, Tool, ToolContext, ToolError, tool, tool_input};

/// What the bodies did, in order.
#[derive(Clone, Debug, Default)]
pub(crate) struct Ledger(Arc<Mutex<Vec<String>>>);

impl Ledger {
    pub(crate) fn write(&self, what: String) -> String {
        let mut effects = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        effects.push(what);
        format!("effect-{}", effects.len())
    }

    pub(crate) fn effects(&self) -> Vec<String> {
        self.0
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clone()
    }
}

#[tool_input]
pub(crate) struct Template {
    id: String,
    version: u32,
}

#[tool_input]
pub(crate) struct Letter {
    /// Whom it goes to.
    to: String,
    template: Template,
    subject: Option<String>,
    #[serde(default = "one")]
    copies: u32,
}

fn one() -> u32 {
    1
}

/// Send a letter.
#[tool(scope = "tool.letter.send", timeout_s = 60, name = "send")]
pub(crate) async fn by_hand(ctx: &ToolContext, input: Letter) -> Result<String, ToolError> {
    let Letter {
        to,
        template,
        subject,
        copies,
    } = input;
    let letter = told(&to, &template, subject.as_deref(), copies);
    Ok(ctx.state::<Ledger>()?.write(letter))
}

/// Send a letter.
#[tool(scope = "tool.letter.send", timeout_s = 60, name = "send")]
pub(crate) async fn plain(
    ctx: &ToolContext,
    /// Whom it goes to.
    to: String,
    template: Template,
    subject: Option<String>,
    #[arg(default = 1)] copies: u32,
) -> Result<String, ToolError> {
    let letter = told(&to, &template, subject.as_deref(), copies);
    Ok(ctx.state::<Ledger>()?.write(letter))
}

/// Send a letter.
#[tool(scope = "tool.letter.send", timeout_s = 60, name = "send")]
pub(crate) async fn in_another_order(
    #[arg(default = 1)] copies: u32,
    subject: Option<&str>,
    ledger: State<Ledger>,
    template: Template,
    /// Whom it goes to.
    to: &str,
) -> Result<String, ToolError> {
    std::future::ready(()).await;
    Ok(ledger.write(told(to, &template, subject, copies)))
}

fn told(to: &str, template: &Template, subject: Option<&str>, copies: u32) -> String {
    let Template { id, version } = template;
    format!("{to} {id}.{version} {} x{copies}", subject.unwrap_or("-"))
}

/// Remind somebody.
#[tool(scope = "tool.reminder.send", timeout_s = 60, key(to, template.id), intent = occasion)]
pub(crate) async fn remind(
    to: &str,
    template: Template,
    occasion: Option<String>,
    #[arg(prose)] note: String,
    ledger: State<Ledger>,
) -> Result<String, ToolError> {
    let occasion = occasion.unwrap_or_default();
    Ok(ledger.write(format!(
        "{to} {}.{} {occasion} {note}",
        template.id, template.version
    )))
}

/// Send a parcel, whose vendor can be asked.
#[tool(scope = "tool.parcel.send", timeout_s = 30, reconcile = find_parcel)]
pub(crate) async fn send_parcel(to: &str, ledger: State<Ledger>) -> Result<String, ToolError> {
    ledger.write(format!("parcel to {to}"));
    // The vendor's answer is lost, and nobody here knows what became of it.
    Err(ToolError::unknown("the vendor did not reply"))
}

async fn find_parcel(
    _ctx: &ToolContext,
    input: &<send_parcel as Tool>::Input,
) -> Result<Reconciled<String>, ToolError> {
    Ok(Reconciled::Happened(format!(
        "found the one to {}",
        input.to
    )))
}
