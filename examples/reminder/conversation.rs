//! The recorded conversation: messages in the OpenAI chat form, and what the model said when it was asked again.

use serde::Deserialize;

use crate::Outcome;

/// It ships inside the binary, so that the example runs from any folder.
const RECORDING: &str = include_str!("conversation.json");

/// The whole recording.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Conversation {
    messages: Vec<Message>,
    /// A worker that runs a turn again asks the model again: it gives a call another id and spells it otherwise.
    resampled: Vec<Resample>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Resample {
    turn: u32,
    message: Message,
}

#[derive(Debug, Deserialize)]
#[serde(tag = "role", rename_all = "lowercase")]
enum Message {
    System {},
    User {
        content: String,
    },
    Assistant {
        #[serde(default)]
        tool_calls: Vec<ToolCall>,
    },
    Tool {},
}

/// One call that the model proposes.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct ToolCall {
    pub(crate) id: String,
    pub(crate) function: Function,
}

/// Which tool, and its arguments as the text that the model wrote.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct Function {
    pub(crate) name: String,
    pub(crate) arguments: String,
}

impl Conversation {
    /// Reads the recording.
    pub(crate) fn recorded() -> Outcome<Self> {
        serde_json::from_str(RECORDING)
            .map_err(|error| format!("conversation.json cannot be read: {error}").into())
    }

    /// What the user asked in a turn. Turns are counted from 1; each begins with a message of the user.
    pub(crate) fn asked(&self, turn: u32) -> Outcome<&str> {
        let start = self.start_of(turn)?;
        match &self.messages[start] {
            Message::User { content } => Ok(content),
            Message::System {} | Message::Assistant { .. } | Message::Tool {} => {
                Err(missing(turn, "a user's message"))
            }
        }
    }

    /// The calls that the model proposes in a turn, in its first recording (sample 0) or a later one.
    pub(crate) fn calls(&self, turn: u32, sample: usize) -> Outcome<&[ToolCall]> {
        let start = self.start_of(turn)?;
        let first = self.messages[start..]
            .iter()
            .find(|message| message.is_assistant());
        let again = self.resampled.iter().filter(|sample| sample.turn == turn);
        let message = first
            .into_iter()
            .chain(again.map(|sample| &sample.message))
            .nth(sample);
        match message {
            Some(Message::Assistant { tool_calls }) => Ok(tool_calls),
            _ => Err(missing(
                turn,
                &format!("an assistant's message (sample {sample})"),
            )),
        }
    }

    fn start_of(&self, turn: u32) -> Outcome<usize> {
        let mut starts = self
            .messages
            .iter()
            .enumerate()
            .filter(|(_, message)| message.is_user());
        let before = usize::try_from(turn)?.checked_sub(1);
        let found = before.and_then(|before| starts.nth(before));
        found
            .map(|(at, _)| at)
            .ok_or_else(|| missing(turn, "a user's message"))
    }
}

impl Message {
    fn is_user(&self) -> bool {
        matches!(self, Self::User { .. })
    }

    fn is_assistant(&self) -> bool {
        matches!(self, Self::Assistant { .. })
    }
}

fn missing(turn: u32, what: &str) -> crate::Failure {
    format!("conversation.json has no turn {turn} with {what}").into()
}
