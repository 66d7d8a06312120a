//! Without Idem: what the model proposes goes to the vendor as it stands.

use serde_json::Value;

use crate::Outcome;
use crate::conversation::ToolCall;
use crate::protocol::Kind;
use crate::wire::Vendor;

/// Executes one call. The vendor gets no key: nothing here is the same on a second attempt.
pub(crate) async fn call(vendor: &Vendor, call: &ToolCall) -> Outcome<String> {
    let kind = match call.function.name.as_str() {
        "create_reminder" => Kind::Reminder,
        "send_email" => Kind::Email,
        other => return Err(format!("no tool is named {other}").into()),
    };
    let arguments: Value = serde_json::from_str(&call.function.arguments)?;
    let response = vendor.post(kind, None, &arguments).await?;
    Ok(response.error_for_status()?.text().await?)
}
