//! Why a conversation or a response cannot be read or written, and where.

use crate::agent::ModelError;
use idem_core::json::JsonError;
use std::fmt;

/// Where in a conversation or a response something is.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Place {
    /// The message, counted from 0; `None` outside the messages.
    pub message: Option<usize>,
    /// The path, `$.messages[2].tool_calls[0].function.name`.
    pub path: String,
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.path)
    }
}

/// Why a conversation or a response cannot be read or written.
///
/// The messages show keys and the words of a form, shortened, and never what was said.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ConversationError {
    /// It is not JSON, or it is larger or deeper than is read.
    #[error("it is not readable as JSON: {0}")]
    Json(#[from] JsonError),
    /// Another kind of value stands where the form has one.
    #[error("{at}: expected {expected}, found {found}")]
    Unexpected {
        /// Where.
        at: Place,
        /// What the form has there.
        expected: &'static str,
        /// What is there.
        found: &'static str,
    },
    /// A part that Idem does not carry. It is refused and not dropped: without it the conversation would be another one.
    #[error("{at}: {what} is not carried")]
    Unsupported {
        /// Where.
        at: Place,
        /// What it is.
        what: String,
    },
    /// A result for which there is no call left.
    #[error("{at}: this answers no open call of the message before")]
    AnswerWithoutCall {
        /// Where.
        at: Place,
    },
    /// A call that has no result, with results or messages after it.
    #[error("{at}: call {call} of this message has no answer")]
    CallWithoutAnswer {
        /// The message with the calls.
        at: Place,
        /// Which of its calls, from 0.
        call: usize,
    },
    /// Calls and answers that do not stand behind each other, in what is to be written.
    #[error("message {message}: {what}")]
    Unpaired {
        /// The message, from 0.
        message: usize,
        /// What is wrong.
        what: &'static str,
    },
    /// The response was cut off by a limit of tokens while it proposed calls. None of them may run.
    #[error(
        "the response was cut off while it proposed calls: none of them is made. Allow more tokens"
    )]
    CutOff,
    /// The model or its provider declined to answer.
    #[error("it declined to answer ({why})")]
    Declined {
        /// The provider's word for it, shortened.
        why: String,
    },
    /// The provider answered with an error.
    #[error("the provider answered with an error ({code})")]
    Failed {
        /// The provider's word or number for it, shortened.
        code: String,
    },
    /// The form cannot express the schema of a tool.
    #[error("the schema of the tool `{tool}` cannot be written: {what}")]
    Schema {
        /// The tool.
        tool: String,
        /// Why.
        what: String,
    },
}

/// What a model that reads its provider's responses returns: a declined one is final, the others may be sampled anew.
impl From<ConversationError> for ModelError {
    fn from(error: ConversationError) -> Self {
        match error {
            ConversationError::Declined { .. } => Self::Refused(error.to_string()),
            ConversationError::Failed { .. } => Self::Unavailable {
                message: error.to_string(),
                retry_after: None,
            },
            _ => Self::Unreadable(error.to_string()),
        }
    }
}
