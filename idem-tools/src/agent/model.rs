//! What a harness asks of a model: one response at a time.

use crate::{ProposedCall, ToolDefinition};
use async_trait::async_trait;
use std::fmt;
use std::time::Duration;

/// A language model, or whatever stands in for one.
///
/// One response is one step of a turn. Once it is on record it is not asked for again: its proposals are stored before the
/// first of them runs, and a replay reads them back (R46). [`replay_model_turns`](super::AgentBuilder::replay_model_turns)
/// has the exception.
#[async_trait]
pub trait Model: Send + Sync {
    /// What it is called in logs and in the record of a step: the provider's name for it.
    fn name(&self) -> &str;

    /// Answers a conversation.
    ///
    /// # Errors
    ///
    /// [`ModelError`]: worth asking again, or not.
    ///
    /// # Cancel safety
    ///
    /// It must be safe to drop: a segment that loses its run, or is cancelled, drops it.
    async fn respond(&self, prompt: &Prompt<'_>) -> Result<ModelResponse, ModelError>;
}

/// What a model is given.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Prompt<'a> {
    /// What it is told to be, where the harness says so.
    pub instructions: Option<&'a str>,
    /// The tools that it may call.
    pub tools: &'a [ToolDefinition],
    /// The conversation so far, oldest first.
    pub messages: &'a [Message],
}

impl<'a> Prompt<'a> {
    /// A prompt of these messages, without instructions and without tools.
    #[must_use]
    pub fn new(messages: &'a [Message]) -> Self {
        Self {
            instructions: None,
            tools: &[],
            messages,
        }
    }

    /// The same prompt with instructions.
    #[must_use]
    pub fn with_instructions(mut self, instructions: &'a str) -> Self {
        self.instructions = Some(instructions);
        self
    }

    /// The same prompt with tools.
    #[must_use]
    pub fn with_tools(mut self, tools: &'a [ToolDefinition]) -> Self {
        self.tools = tools;
        self
    }
}

/// One message of a conversation.
#[derive(Clone, PartialEq)]
#[non_exhaustive]
pub enum Message {
    /// What a user said.
    User(String),
    /// What the model said, and what it wanted to be done.
    Assistant {
        /// Its words, where it said any.
        text: Option<String>,
        /// The calls that it proposed, in its order.
        calls: Vec<ProposedCall>,
    },
    /// The answers to the calls of the message before, in the order of the calls: they pair by position, since real
    /// models repeat call ids (R35).
    Answers(Vec<CallAnswer>),
}

impl fmt::Debug for Message {
    /// Leaves the texts out: they may hold personal data.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::User(text) => f.debug_struct("User").field("bytes", &text.len()).finish(),
            Self::Assistant { text, calls } => f
                .debug_struct("Assistant")
                .field("bytes", &text.as_deref().map(str::len))
                .field("calls", calls)
                .finish(),
            Self::Answers(answers) => f.debug_tuple("Answers").field(answers).finish(),
        }
    }
}

/// The answer to one call, as the model is given it.
#[derive(Clone, PartialEq)]
pub struct CallAnswer {
    /// The model's own id of the call, where it gave one.
    pub call_id: Option<String>,
    /// The tool.
    pub tool: String,
    /// The text: the value as JSON, or the failure with what to do next.
    pub text: String,
    /// It is a failure.
    pub is_error: bool,
}

impl fmt::Debug for CallAnswer {
    /// Leaves the text out: it may hold personal data.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("CallAnswer")
            .field("call_id", &self.call_id)
            .field("tool", &self.tool)
            .field("bytes", &self.text.len())
            .field("is_error", &self.is_error)
            .finish()
    }
}

/// One response of a model.
#[derive(Clone, Default, PartialEq)]
pub struct ModelResponse {
    /// Its words, where it said any.
    pub text: Option<String>,
    /// The calls that it proposes, in its order. Without any the turn is over.
    pub calls: Vec<ProposedCall>,
    /// What it cost.
    pub usage: Usage,
}

impl ModelResponse {
    /// A response of words alone: the end of a turn.
    #[must_use]
    pub fn text(text: impl Into<String>) -> Self {
        Self {
            text: Some(text.into()),
            ..Self::default()
        }
    }

    /// A response of calls alone.
    #[must_use]
    pub fn calls(calls: impl IntoIterator<Item = ProposedCall>) -> Self {
        Self {
            calls: calls.into_iter().collect(),
            ..Self::default()
        }
    }
}

impl fmt::Debug for ModelResponse {
    /// Leaves the words out: they may hold personal data.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ModelResponse")
            .field("bytes", &self.text.as_deref().map(str::len))
            .field("calls", &self.calls)
            .field("usage", &self.usage)
            .finish()
    }
}

/// What a response cost, in tokens as the provider counts them; 0 where it did not say.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Usage {
    /// Tokens read.
    pub input_tokens: u64,
    /// Tokens written.
    pub output_tokens: u64,
}

/// Why a model gave no response.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ModelError {
    /// It may answer when it is asked again: overloaded, out of reach, timed out.
    #[error("the model did not answer: {message}")]
    Unavailable {
        /// What happened, without the conversation's content.
        message: String,
        /// When asking again makes sense, where it said so.
        retry_after: Option<Duration>,
    },
    /// It will not answer this conversation, however often it is asked.
    #[error("the model refused: {0}")]
    Refused(String),
    /// What it answered cannot be read.
    #[error("the model's response cannot be read: {0}")]
    Unreadable(String),
}

impl ModelError {
    /// When asking again makes sense, where it said so.
    #[must_use]
    pub fn retry_after(&self) -> Option<Duration> {
        match self {
            Self::Unavailable { retry_after, .. } => *retry_after,
            _ => None,
        }
    }

    /// Whether asking again may help. A response that cannot be read is sampled anew.
    #[must_use]
    pub fn is_transient(&self) -> bool {
        matches!(self, Self::Unavailable { .. } | Self::Unreadable(_))
    }
}
