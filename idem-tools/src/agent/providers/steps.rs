//! A conversation on its way out: checked for its pairs, with an id for every call.

use super::error::ConversationError;
use super::ids::{IdRule, Ids};
use crate::agent::{CallAnswer, Message};
use crate::export::ToolForm;
use crate::{ProposedCall, ToolDefinition};
use idem_core::json::{Json, Map};

/// One message, with the ids that are written.
pub(in crate::agent) enum Step<'a> {
    User(&'a str),
    Assistant {
        text: Option<&'a str>,
        calls: Vec<(Option<String>, &'a ProposedCall)>,
    },
    Answers(Vec<(Option<String>, &'a CallAnswer)>),
}

/// The messages in order. The last one may have calls that are still open.
pub(in crate::agent) fn steps(
    messages: &[Message],
    rule: IdRule,
) -> Result<Vec<Step<'_>>, ConversationError> {
    let mut ids = Ids::new(rule);
    let mut steps = Vec::with_capacity(messages.len());
    let mut open: Vec<(Option<String>, &ProposedCall)> = Vec::new();
    for (at, message) in messages.iter().enumerate() {
        let unpaired = |what| Err(ConversationError::Unpaired { message: at, what });
        match message {
            Message::User(_) | Message::Assistant { .. } if !open.is_empty() => {
                return unpaired("the calls of the message before have no answers");
            }
            Message::User(text) => steps.push(Step::User(text)),
            Message::Assistant { text, calls } => {
                open = calls
                    .iter()
                    .map(|call| (ids.next(call.id()), call))
                    .collect();
                steps.push(Step::Assistant {
                    text: text.as_deref().filter(|text| !text.is_empty()),
                    calls: open.clone(),
                });
            }
            Message::Answers(answers) => {
                if answers.len() != open.len() {
                    return unpaired("there is one answer for each call of the message before");
                }
                let mut pairs = Vec::with_capacity(answers.len());
                for (answer, (id, call)) in answers.iter().zip(open.drain(..)) {
                    if answer.tool != call.tool {
                        return unpaired("an answer names another tool than the call in its place");
                    }
                    pairs.push((id, answer));
                }
                steps.push(Step::Answers(pairs));
            }
        }
    }
    Ok(steps)
}

/// An object of these members.
pub(in crate::agent) fn object<const N: usize>(members: [(&str, Json); N]) -> Json {
    let mut map = Map::new();
    for (key, value) in members {
        map.insert(key, value);
    }
    Json::Object(map)
}

/// The tools as a form declares them: every one, or the first that it cannot express.
pub(in crate::agent) fn tools(
    tools: &[ToolDefinition],
    form: ToolForm,
) -> Result<Vec<Json>, ConversationError> {
    let exported = tools.iter().map(|tool| {
        tool.export(form)
            .map_err(|error| ConversationError::Schema {
                tool: tool.name.clone(),
                what: error.to_string(),
            })
    });
    exported.collect()
}
