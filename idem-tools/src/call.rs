//! A proposed call, and what it settles to (R35).

use idem_core::approval::{Approval, ApprovalId};
use idem_core::identity::{IdempotencyKey, Intent};
use idem_core::json::Json;
use idem_core::json::de::{DeError, from_json};
use idem_core::{OutcomeKind, Settled as Settlement};
use serde::de::DeserializeOwned;
use std::fmt;
use std::sync::Arc;
use std::time::Duration;
use time::OffsetDateTime;

/// One call as a model proposed it. The id is the model's own: it labels the answer and is never part of the identity.
#[derive(Clone, PartialEq)]
pub struct ProposedCall {
    pub(crate) id: Option<String>,
    pub(crate) tool: String,
    pub(crate) arguments: Arguments,
    pub(crate) intent: Option<Intent>,
}

#[derive(Clone, PartialEq)]
pub(crate) enum Arguments {
    Text(String),
    Json(Json),
}

impl ProposedCall {
    /// A call with its arguments as the text that the model wrote. Text that is empty or `null` means no arguments.
    #[must_use]
    pub fn new(
        id: impl Into<String>,
        tool: impl Into<String>,
        arguments: impl Into<String>,
    ) -> Self {
        let arguments = Arguments::Text(arguments.into());
        Self {
            id: Some(id.into()),
            tool: tool.into(),
            arguments,
            intent: None,
        }
    }

    /// A call whose arguments are parsed already.
    #[must_use]
    pub fn parsed(id: impl Into<String>, tool: impl Into<String>, arguments: Json) -> Self {
        Self {
            id: Some(id.into()),
            tool: tool.into(),
            arguments: Arguments::Json(arguments),
            intent: None,
        }
    }

    /// The same call without an id: some models send none.
    #[must_use]
    pub fn without_id(mut self) -> Self {
        self.id = None;
        self
    }

    /// The same call with an intent, "the second reminder", or an operation id of the harness's own: it stands in the key
    /// in place of the arguments, which are then all checked. Two equal calls of one turn with two intents are two
    /// effects, and one intent with two contents is answered `already_done_differently` (R26).
    ///
    /// The intent has to be the same when the turn is made again. It stands above one that an argument of the tool
    /// names. A read has no use for it: its key is its step and its arguments.
    #[must_use]
    pub fn with_intent(mut self, intent: Intent) -> Self {
        self.intent = Some(intent);
        self
    }

    /// The intent that the harness gave.
    #[must_use]
    pub fn intent(&self) -> Option<&Intent> {
        self.intent.as_ref()
    }

    /// The model's id for it, where it gave one.
    #[must_use]
    pub fn id(&self) -> Option<&str> {
        self.id.as_deref()
    }

    /// The tool that is called.
    #[must_use]
    pub fn tool(&self) -> &str {
        &self.tool
    }

    /// The arguments as text: what the model wrote, or its JSON. What a model is given back of its own calls.
    #[must_use]
    pub fn arguments_text(&self) -> String {
        match &self.arguments {
            Arguments::Text(text) => text.clone(),
            Arguments::Json(json) => json.to_text(),
        }
    }
}

impl AsRef<Self> for ProposedCall {
    fn as_ref(&self) -> &Self {
        self
    }
}

impl fmt::Debug for ProposedCall {
    /// Leaves the arguments out: they may hold personal data.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ProposedCall")
            .field("id", &self.id)
            .field("tool", &self.tool)
            .finish_non_exhaustive()
    }
}

/// What became of a call.
#[derive(Clone, Debug)]
#[non_exhaustive]
#[allow(clippy::large_enum_variant, reason = "an answer is the common case")]
pub enum Settled {
    /// It has an answer for the model, a success or a failure.
    Answer(Answered),
    /// It waits for a person. Nothing is held: the process may end, and the same call is made again later.
    Waiting(Box<Waiting>),
}

impl Settled {
    /// The answer, where there is one.
    #[must_use]
    pub fn answer(self) -> Option<Answered> {
        match self {
            Self::Answer(answer) => Some(answer),
            Self::Waiting(_) => None,
        }
    }
}

/// A call that waits for a person.
#[derive(Clone, Debug)]
pub struct Waiting {
    /// The model's id of the call.
    pub call_id: Option<String>,
    /// The tool.
    pub tool: String,
    /// The identity.
    pub key: IdempotencyKey,
    /// What the person is shown.
    pub card: Approval,
}

/// A settled call's answer, with where it came from.
#[derive(Clone)]
pub struct Answered {
    /// The model's id of the call that this answers.
    pub call_id: Option<String>,
    /// The tool.
    pub tool: String,
    /// The value, or a failure that says what to do next.
    pub result: Result<Json, ToolFailure>,
    /// It came from the journal and not from an execution.
    pub replayed: bool,
    /// It came from the execution of an equal call of this process.
    pub joined: bool,
    /// When the first attempt at it began, by the store's clock; `None` where nothing was executed.
    pub first_ran_at: Option<OffsetDateTime>,
    /// The identity; `None` where the call was refused before it had one.
    pub key: Option<IdempotencyKey>,
    /// Which attempt made it; 0 where nothing was executed.
    pub attempt: u32,
    /// What kind of stored answer it is; `None` where nothing is stored.
    pub kind: Option<OutcomeKind>,
    /// What was found out since about an unknown outcome.
    pub settled: Option<Settlement>,
    /// The yes under which it ran.
    pub approval: Option<ApprovalId>,
    /// The arguments that ran in place of the proposed ones, where a person had edited them.
    pub ran_instead: Option<Json>,
    /// Arguments that the tool got since it was approved, and that ran with their defaults.
    pub added_defaults: Vec<String>,
    /// The prose arguments that had other words when it ran than in this call: `note`, `items[2].note`. This call's own
    /// words were not used.
    pub reworded: Vec<String>,
    /// The input that ran, for those who joined: their own words may differ.
    pub(crate) ran: Option<Arc<str>>,
}

impl Answered {
    /// The value, where the call succeeded.
    #[must_use]
    pub fn value(&self) -> Option<&Json> {
        self.result.as_ref().ok()
    }

    /// The failure, where it failed.
    #[must_use]
    pub fn failure(&self) -> Option<&ToolFailure> {
        self.result.as_ref().err()
    }

    /// The value in the tool's own output type.
    ///
    /// # Errors
    ///
    /// [`DecodeError::Failed`] where the call failed, [`DecodeError::Shape`] where the value is of another type.
    pub fn decode<T: DeserializeOwned>(&self) -> Result<T, DecodeError> {
        match &self.result {
            Ok(value) => from_json(value).map_err(DecodeError::Shape),
            Err(failure) => Err(DecodeError::Failed(failure.clone())),
        }
    }

    /// The text that a model is given: the value, or the failure with its code and what to do. Where other arguments or
    /// other words ran than those of this call, that stands beside the value, which is the stored one all the same.
    #[must_use]
    pub fn to_model_text(&self) -> String {
        let (mark, what) = match &self.ran_instead {
            Some(ran) => ("a_person_changed_the_arguments_to", ran.clone()),
            None if !self.reworded.is_empty() => {
                let fields = self.reworded.iter().map(|field| Json::from(field.as_str()));
                let what = Json::Array(fields.collect());
                ("it_ran_with_other_words_in", what)
            }
            None => return self.plain().to_text(),
        };
        let mut told = idem_core::json::Map::new();
        told.insert(mark, what);
        told.insert("result", self.plain());
        Json::Object(told).to_text()
    }

    fn plain(&self) -> Json {
        match &self.result {
            Ok(value) => value.clone(),
            Err(failure) => failure.to_json(),
        }
    }
}

impl fmt::Debug for Answered {
    /// Leaves the value out: it may hold personal data.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Answered")
            .field("call_id", &self.call_id)
            .field("tool", &self.tool)
            .field("failure", &self.failure().map(|failure| &failure.code))
            .field("replayed", &self.replayed)
            .field("joined", &self.joined)
            .field("attempt", &self.attempt)
            .field("key", &self.key)
            .finish_non_exhaustive()
    }
}

/// Why a value could not be given in a type.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum DecodeError {
    /// The call failed, so there is no value.
    #[error("the call failed: {0}")]
    Failed(ToolFailure),
    /// The value is of another type.
    #[error("the answer is of another type: {0}")]
    Shape(DeError),
}

/// A failure as the model is told it.
#[derive(Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message} ({code})")]
pub struct ToolFailure {
    /// A short word: [`codes`] lists Idem's own, a tool adds its.
    pub code: String,
    /// A sentence that says what to do next.
    pub message: String,
    /// The same call may be made again and would execute.
    pub retryable: bool,
    /// When trying again makes sense, where somebody said.
    pub retry_after: Option<Duration>,
    /// Facts, as JSON.
    pub details: Option<Json>,
}

impl fmt::Debug for ToolFailure {
    /// Leaves message and details out: they are for the model and may hold personal data.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ToolFailure")
            .field("code", &self.code)
            .field("retryable", &self.retryable)
            .field("retry_after", &self.retry_after)
            .finish_non_exhaustive()
    }
}

impl ToolFailure {
    pub(crate) fn final_answer(code: &str, message: impl Into<String>) -> Self {
        Self {
            code: code.to_owned(),
            message: message.into(),
            retryable: false,
            retry_after: None,
            details: None,
        }
    }

    pub(crate) fn with_details(mut self, details: Json) -> Self {
        self.details = Some(details);
        self
    }

    /// The failure as JSON: `{"error": {"code": …, "message": …, "retryable": …, "details": …}}`.
    #[must_use]
    pub fn to_json(&self) -> Json {
        let mut error = idem_core::json::Map::new();
        error.insert("code".to_owned(), Json::from(self.code.as_str()));
        error.insert("message".to_owned(), Json::from(self.message.as_str()));
        error.insert("retryable".to_owned(), Json::from(self.retryable));
        if let Some(details) = &self.details {
            error.insert("details".to_owned(), details.clone());
        }
        let mut outer = idem_core::json::Map::new();
        outer.insert("error".to_owned(), Json::Object(error));
        Json::Object(outer)
    }
}

/// The codes of Idem's own failures.
pub mod codes {
    /// No tool has this name.
    pub const UNKNOWN_TOOL: &str = "unknown_tool";
    /// The arguments are not what the tool takes.
    pub const INVALID_INPUT: &str = "invalid_input";
    /// Nobody decided in time, or what was decided is forgotten.
    pub const APPROVAL_EXPIRED: &str = "approval_expired";
    /// The request for approval was taken back.
    pub const APPROVAL_WITHDRAWN: &str = "approval_withdrawn";
    /// The policy or a person does not allow the call.
    pub const DENIED: &str = "denied";
    /// Nobody knows whether the effect happened; it will not be tried again.
    pub const OUTCOME_UNKNOWN: &str = "outcome_unknown";
    /// Somebody checked an unknown outcome: the effect was not made.
    pub const DID_NOT_HAPPEN: &str = "did_not_happen";
    /// The effect happened, and its answer could not be stored.
    pub const ANSWER_NOT_STORED: &str = "answer_not_stored";
    /// The same effect was made with other content.
    pub const ALREADY_DONE_DIFFERENTLY: &str = "already_done_differently";
    /// A read did not come back; it may be asked again.
    pub const READ_FAILED: &str = "read_failed";
    /// One response held more calls than it may.
    pub const TOO_MANY_CALLS: &str = "too_many_calls";
    /// There was no time left to run the call.
    pub const NO_TIME_LEFT: &str = "no_time_left";
    /// A transactional tool came to no commit, so nothing was written; it may be called again.
    pub const NOT_COMMITTED: &str = "not_committed";
}
