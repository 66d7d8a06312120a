//! What was found out about a call reaches its run as a message (R32).

use idem_core::identity::{MessageId, RunId};
use idem_core::json::{Json, Limits};
use idem_core::runs::{MESSAGE_BYTES_MAX, MessageKind, NewMessage, RunDesk, RunError};
use idem_core::{ClaimKey, Origin, Settled};

/// Tells the run that made a call what somebody found out about it. The run's next turn begins with it. Told again, it
/// is the same message. `false`: no run of a harness made the call, or it has ended.
///
/// # Errors
///
/// [`RunError`]: the store.
///
/// # Cancel safety
///
/// It is stored or it is not; told again, it is stored.
pub async fn tell_settled(
    runs: &RunDesk,
    key: &ClaimKey,
    origin: &Origin,
    settled: &Settled,
) -> Result<bool, RunError> {
    let run = origin.run.as_deref().map(RunId::new);
    // A caller that names its runs by other means than a harness has no inbox.
    let Some(Ok(run)) = run else { return Ok(false) };
    let Ok(id) = MessageId::new(format!("settled:{}:{}", key.scope(), key.key())) else {
        return Ok(false);
    };
    let message = NewMessage {
        id,
        kind: MessageKind::News,
        body: body(key, settled),
    };
    match runs.post(key.organization(), &run, &message).await {
        Ok(_) => Ok(true),
        Err(RunError::NotFound(_) | RunError::Ended(_)) => Ok(false),
        Err(error) => Err(error),
    }
}

fn body(key: &ClaimKey, settled: &Settled) -> String {
    let call = format!(
        "News of an earlier call whose outcome nobody knew ({}, key {}):",
        key.scope(),
        key.key()
    );
    if !settled.happened {
        return format!(
            "{call} somebody checked, and it did not happen. It was not done again. Ask the user whether it is still wanted."
        );
    }
    let response = settled.response.as_deref();
    let answer = response.and_then(|bytes| Json::parse_bytes(bytes, Limits::ANSWER).ok());
    let answer = answer.and_then(|json| json.get("ok").cloned());
    let happened = format!("{call} somebody checked, and it happened.");
    let Some(answer) = answer.filter(|answer| *answer != Json::Null) else {
        return happened;
    };
    let whole = format!("{happened} Its answer is {}", answer.to_text());
    // A row takes a longer answer than a message, and the run has to hear of it all the same.
    if whole.len() > MESSAGE_BYTES_MAX {
        return format!("{happened} Its answer is too long to be told here.");
    }
    whole
}
