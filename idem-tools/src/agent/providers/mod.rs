//! Conversations in the providers' own forms: what a provider answered is read, and what it is asked is written (R36).
//!
//! There is no HTTP here. The application sends what [`Form::write`] gives, with its model, keys and options beside it, and
//! hands the answer's text to [`Form::read_response`]. What each form reads, writes and refuses is in `docs/providers.md`.
//!
//! ```
//! use idem_tools::agent::providers::Form;
//! use idem_tools::agent::{Message, ModelResponse, Prompt};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let messages = [Message::User("Send Bob a mail".to_owned())];
//! let body = Form::Anthropic.write(&Prompt::new(&messages).with_instructions("Be brief."))?;
//! assert_eq!(body.to_text(), r#"{"messages":[{"content":"Send Bob a mail","role":"user"}],"system":"Be brief."}"#);
//!
//! let answer = r#"{"content": [{"type": "text", "text": "Done."}], "stop_reason": "end_turn"}"#;
//! let response: ModelResponse = Form::Anthropic.read_response(answer)?.response;
//! assert_eq!(response.text.as_deref(), Some("Done."));
//! # Ok(())
//! # }
//! ```

mod anthropic;
mod anthropic_write;
pub(super) mod arguments;
mod error;
mod gemini;
mod gemini_write;
pub(super) mod ids;
mod openai;
mod openai_write;
mod pairing;
mod reading;
pub(super) mod steps;
#[cfg(test)]
mod tests;

pub use error::{ConversationError, Place};

use super::{Message, ModelResponse, Prompt};
use idem_core::json::{Json, Limits};
use ids::IdRule;
use reading::{At, list};

/// How long and how deep a response may be.
pub const RESPONSE_LIMITS: Limits = Limits {
    depth: 128,
    bytes: 8 * 1024 * 1024,
};

/// How long and how deep a recorded conversation may be.
pub const CONVERSATION_LIMITS: Limits = Limits {
    depth: 128,
    bytes: 32 * 1024 * 1024,
};

/// The longest call id that is read, in bytes: it is a label, and a label is stored with every answer.
pub const CALL_ID_BYTES_MAX: usize = 256;

/// A provider's form of a conversation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Form {
    /// OpenAI's chat completions, and what speaks like them.
    OpenAiChat,
    /// Mistral's chat completions: OpenAI's, with call ids of exactly nine letters and digits.
    MistralChat,
    /// Anthropic's messages.
    Anthropic,
    /// Gemini's `generateContent`.
    Gemini,
}

/// A conversation that was recorded elsewhere.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Conversation {
    /// What the model was told to be.
    pub instructions: Option<String>,
    /// The messages, oldest first. Where the last one has calls, nobody has answered them yet.
    pub messages: Vec<Message>,
}

/// A response as it was received.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Received {
    /// What the model said, and what it proposes.
    pub response: ModelResponse,
    /// Why it stopped there.
    pub stop: Stop,
}

/// Why a model stopped.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Stop {
    /// It was done, or it waits for the answers to its calls.
    Done,
    /// Its words were cut off by a limit of tokens. A response with calls that was cut off is refused instead.
    CutOff,
    /// Another word of the provider, shortened.
    Other(String),
}

impl Form {
    /// Reads one response, a whole JSON text as the provider sent it.
    ///
    /// The text of arguments stays the text that the model wrote, and an object stays its exact JSON: nothing is rounded,
    /// repaired or decoded twice.
    ///
    /// # Errors
    ///
    /// [`ConversationError`]; `ModelError::from` makes of it what a [`Model`](crate::agent::Model) returns. A response whose
    /// calls were cut off by a limit of tokens is refused as a whole: what is missing cannot be told from what is there.
    pub fn read_response(self, text: &str) -> Result<Received, ConversationError> {
        let json = Json::parse(text, RESPONSE_LIMITS)?;
        match self {
            Self::OpenAiChat | Self::MistralChat => openai::response(&json),
            Self::Anthropic => anthropic::response(&json),
            Self::Gemini => gemini::response(&json),
        }
    }

    /// Reads a recorded conversation: the body of a request, or its array of messages alone. Its tools and options are not
    /// looked at.
    ///
    /// Results pair with the calls of the message before them: by id where both have one, each with the next unanswered
    /// call of that id, and otherwise by position (R35).
    ///
    /// # Errors
    ///
    /// [`ConversationError`] with the message and the path. Every call has exactly one answer, except those of the last
    /// message, which may have none at all.
    pub fn read_conversation(self, text: &str) -> Result<Conversation, ConversationError> {
        let json = Json::parse(text, CONVERSATION_LIMITS)?;
        match self {
            Self::OpenAiChat | Self::MistralChat => openai::conversation(&json),
            Self::Anthropic => anthropic::conversation(&json),
            Self::Gemini => gemini::conversation(&json),
        }
    }

    /// Writes a prompt: an object with the messages, the instructions and the tools in this form's places, to which the
    /// caller adds the model and its options.
    ///
    /// A call keeps its id where the form takes it and no call before has it. Any other gets one that depends on its place
    /// alone, so a longer conversation never changes the start of a shorter one.
    ///
    /// # Errors
    ///
    /// [`ConversationError::Unpaired`] where answers do not stand behind the calls they answer, and
    /// [`ConversationError::Schema`] where the form cannot express a tool's schema.
    pub fn write(self, prompt: &Prompt<'_>) -> Result<Json, ConversationError> {
        match self {
            Self::OpenAiChat => openai_write::body(prompt, IdRule::OpenAi),
            Self::MistralChat => openai_write::body(prompt, IdRule::Mistral),
            Self::Anthropic => anthropic_write::body(prompt),
            Self::Gemini => gemini_write::body(prompt),
        }
    }
}

/// The messages of a request's body, or the array alone, and under which key they stand.
fn messages_of<'j>(
    json: &'j Json,
    key: &'static str,
) -> Result<(Option<&'static str>, &'j [Json]), ConversationError> {
    if let Json::Array(messages) = json {
        return Ok((None, messages));
    }
    let at = At::ROOT;
    let here = at.key(key);
    let messages = json.get(key).unwrap_or(&Json::Null);
    Ok((Some(key), list(messages, &here)?))
}
