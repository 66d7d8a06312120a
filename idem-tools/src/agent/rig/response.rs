//! What rig gives back, as the harness takes it.

use crate::ProposedCall;
use crate::agent::providers::ConversationError;
use crate::agent::{ModelError, ModelResponse, Usage};
use crate::call::Arguments;
use idem_core::json::{Json, Limits};
use rig_core::completion::{CompletionResponse, FinishReason};
use rig_core::message::{AssistantContent, StopReason, ToolCall};
use rig_core::serde_json::{Map, Value};

/// From here on a double may stand for several integers, and an integer above `u64::MAX` is read as a double.
const DOUBLE_IS_EXACT_BELOW: f64 = 9_007_199_254_740_992.0;

pub(super) fn response(answer: CompletionResponse) -> Result<ModelResponse, ModelError> {
    stopped(&answer)?;
    let (mut text, mut calls) = (String::new(), Vec::new());
    for part in answer.choice {
        match part {
            AssistantContent::Text(part) => text.push_str(&part.text),
            AssistantContent::ToolCall(part) => calls.push(call(part)?),
            // Thoughts, and what a provider adds for itself.
            AssistantContent::Reasoning(_) | AssistantContent::Opaque(_) => {}
            _ => {
                let what = "it holds a part that is neither words nor a call".to_owned();
                return Err(ModelError::Unreadable(what));
            }
        }
    }
    Ok(ModelResponse {
        text: Some(text).filter(|text| !text.is_empty()),
        calls,
        usage: Usage {
            input_tokens: answer.usage.input_tokens.unwrap_or_default(),
            output_tokens: answer.usage.output_tokens.unwrap_or_default(),
        },
    })
}

/// Refuses a response that failed, and one whose calls were cut off. Rig repairs the text of arguments that were, so it
/// does not show whether they are whole.
fn stopped(answer: &CompletionResponse) -> Result<(), ModelError> {
    let has_calls = answer.tool_calls().next().is_some();
    match (answer.stop(), answer.finish_reason()) {
        (_, Some(FinishReason::ContentFilter)) => declined("content_filter"),
        (StopReason::Error(_), _) if answer.error.is_some() => declined("refusal"),
        (StopReason::Error(_) | StopReason::Aborted(_), _) => {
            let what = "it ended for another reason than being done".to_owned();
            Err(ModelError::Unreadable(what))
        }
        (StopReason::Length, _) if has_calls => Err(ConversationError::CutOff.into()),
        _ => Ok(()),
    }
}

fn declined(why: &str) -> Result<(), ModelError> {
    let why = why.to_owned();
    Err(ConversationError::Declined { why }.into())
}

/// A call whose arguments are no object keeps the text that the model wrote: the runtime refuses it, and says so.
fn call(call: ToolCall) -> Result<ProposedCall, ModelError> {
    let id = call.id.provider().map(|id| id.as_str().to_owned());
    let arguments = match call.function.invalid_arguments {
        Some(text) => Arguments::Text(text),
        None => Arguments::Json(exact(call.function.arguments)?),
    };
    Ok(ProposedCall {
        id,
        tool: String::from(call.function.name),
        arguments,
        intent: None,
    })
}

fn exact(arguments: Map<String, Value>) -> Result<Json, ModelError> {
    let arguments = Value::Object(arguments);
    if may_be_rounded(&arguments) {
        let what = "an argument has a number that rig may have rounded".to_owned();
        return Err(ModelError::Unreadable(what));
    }
    Json::parse(&arguments.to_string(), Limits::ANSWER)
        .map_err(|error| ModelError::Unreadable(error.to_string()))
}

fn may_be_rounded(value: &Value) -> bool {
    match value {
        Value::Number(number) if number.is_f64() => number
            .as_f64()
            .is_none_or(|number| number.abs() >= DOUBLE_IS_EXACT_BELOW),
        Value::Array(items) => items.iter().any(may_be_rounded),
        Value::Object(members) => members.values().any(may_be_rounded),
        _ => false,
    }
}
