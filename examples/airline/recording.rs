//! The recordings: one conversation a line, its messages in the OpenAI chat form.
//!
//! A conversation is user turns; a turn is what the user said and the model's responses to it, one step each; a step is
//! the model's words, its calls, and the result of each. Results pair with calls by position: real models repeat call
//! ids, within one conversation too.

use std::path::Path;

use serde::Deserialize;

use crate::Outcome;

/// One recorded conversation.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Conversation {
    pub(crate) id: String,
    pub(crate) turns: Vec<UserTurn>,
}

/// What a user said, and what the model made of it.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct UserTurn {
    /// From 1, as everywhere in Idem.
    pub(crate) number: u32,
    pub(crate) said: String,
    pub(crate) steps: Vec<Step>,
}

/// One response of the model.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Step {
    /// Its words, where it said any.
    pub(crate) text: Option<String>,
    pub(crate) calls: Vec<RecordedCall>,
}

/// One call as the model wrote it, and its recorded result.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct RecordedCall {
    /// The model's own id, which need not be its alone.
    pub(crate) id: String,
    pub(crate) tool: String,
    pub(crate) arguments: String,
    /// Nothing where the recording ends before it.
    pub(crate) result: Option<String>,
}

impl RecordedCall {
    /// How a recorded result says that the airline refused.
    const REFUSAL: &str = "Error";

    /// Whether it is recorded as done.
    pub(crate) fn succeeded(&self) -> bool {
        let result = self.result.as_deref();
        result.is_some_and(|result| !is_refusal(result))
    }
}

/// Whether a recorded result is the airline's refusal: a business failure, and the final answer.
pub(crate) fn is_refusal(result: &str) -> bool {
    result.starts_with(RecordedCall::REFUSAL)
}

impl Conversation {
    /// Every call, with its turn and the number of its step in the turn, from 0.
    pub(crate) fn calls(&self) -> impl Iterator<Item = (&UserTurn, u32, &RecordedCall)> {
        self.turns.iter().flat_map(|turn| {
            let steps = (0..).zip(&turn.steps);
            steps.flat_map(move |(at, step)| step.calls.iter().map(move |call| (turn, at, call)))
        })
    }
}

/// Reads a file of conversations.
///
/// # Errors
/// A file that cannot be read, or a line that is no conversation, by its number.
pub(crate) fn read(path: &Path) -> Outcome<Vec<Conversation>> {
    let text = std::fs::read_to_string(path)
        .map_err(|error| format!("{} cannot be read: {error}", path.display()))?;
    let lines = (1..).zip(text.lines());
    lines
        .filter(|(_, line)| !line.trim().is_empty())
        .map(|(number, line)| {
            parse(line)
                .map_err(|error| format!("{}, line {number}: {error}", path.display()).into())
        })
        .collect()
}

/// Reads one conversation.
///
/// # Errors
/// A text of another shape: a result without its call, a call without a user's message before it.
pub(crate) fn parse(line: &str) -> Outcome<Conversation> {
    let written: Written = serde_json::from_str(line)?;
    let mut turns: Vec<UserTurn> = Vec::new();
    // How many calls of the last step have their result.
    let mut answered = 0;
    for message in written.messages {
        match message {
            Message::User { content } => turns.push(UserTurn {
                number: u32::try_from(turns.len())? + 1,
                said: content,
                steps: Vec::new(),
            }),
            Message::Assistant {
                content,
                tool_calls,
            } => {
                let turn = turns.last_mut().ok_or("the model speaks before the user")?;
                answered = 0;
                turn.steps.push(Step {
                    text: content.filter(|text| !text.is_empty()),
                    calls: tool_calls.into_iter().flatten().map(Into::into).collect(),
                });
            }
            Message::Tool { content } => {
                let step = turns.last_mut().and_then(|turn| turn.steps.last_mut());
                let call = step.and_then(|step| step.calls.get_mut(answered));
                call.ok_or("a result has no call before it")?.result = Some(content);
                answered += 1;
            }
        }
    }
    Ok(Conversation {
        id: written.id,
        turns,
    })
}

#[derive(Deserialize)]
struct Written {
    id: String,
    messages: Vec<Message>,
}

/// A message of the chat form. Ids and names of results are not looked at: position pairs them.
#[derive(Deserialize)]
#[serde(tag = "role", rename_all = "lowercase")]
enum Message {
    User {
        content: String,
    },
    Assistant {
        content: Option<String>,
        tool_calls: Option<Vec<WrittenCall>>,
    },
    Tool {
        content: String,
    },
}

#[derive(Deserialize)]
struct WrittenCall {
    id: String,
    function: Function,
}

#[derive(Deserialize)]
struct Function {
    name: String,
    arguments: String,
}

impl From<WrittenCall> for RecordedCall {
    fn from(call: WrittenCall) -> Self {
        Self {
            id: call.id,
            tool: call.function.name,
            arguments: call.function.arguments,
            result: None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_pair_with_calls_by_position_where_an_id_repeats() {
        let read = parse(
            r#"{"id":"c","messages":[{"role":"user","content":"hello"},
            {"role":"assistant","content":"","tool_calls":[
                {"id":"call_1","type":"function","function":{"name":"think","arguments":"{}"}},
                {"id":"call_1","type":"function","function":{"name":"calculate","arguments":"{}"}}]},
            {"role":"tool","tool_call_id":"call_1","name":"think","content":"first"},
            {"role":"tool","tool_call_id":"call_1","name":"calculate","content":"Error: second"},
            {"role":"assistant","content":"done"},
            {"role":"user","content":"thanks"}]}"#,
        )
        .unwrap();
        assert_eq!(read.turns.len(), 2);
        assert_eq!(read.turns[1].number, 2);
        let [calls, words] = &read.turns[0].steps[..] else {
            panic!("{read:?}")
        };
        assert_eq!(calls.text, None);
        assert_eq!(words.text.as_deref(), Some("done"));
        let results: Vec<_> = read
            .calls()
            .map(|(_, step, call)| (step, call.result.as_deref()))
            .collect();
        assert_eq!(results, [(0, Some("first")), (0, Some("Error: second"))]);
        assert_eq!([0, 1].map(|at| calls.calls[at].succeeded()), [true, false]);
    }

    #[test]
    fn what_is_no_conversation_says_why() {
        for (line, why) in [
            ("{}", "missing field"),
            (
                r#"{"id":"c","messages":[{"role":"assistant","content":"x"}]}"#,
                "before the user",
            ),
            (
                r#"{"id":"c","messages":[{"role":"user","content":"x"},{"role":"tool","content":"y"}]}"#,
                "no call",
            ),
        ] {
            let error = parse(line).unwrap_err().to_string();
            assert!(error.contains(why), "{error}");
        }
    }
}
