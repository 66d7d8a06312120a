//! What a completion stores: a response, a resource, or both; never neither (R12).

use std::sync::Arc;
use time::OffsetDateTime;

/// The largest response a row takes without a blob store, in bytes (R18).
pub const RESPONSE_BYTES_MAX: usize = 8 * 1024 * 1024;

/// What a completed row's answer is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum OutcomeKind {
    /// The effect's own answer, a success or a business failure.
    Answer,
    /// Nobody can know whether the effect happened (R14).
    OutcomeUnknown,
    /// The effect happened, and its answer was too large or could not be written (R17).
    NotStored,
}

impl OutcomeKind {
    /// The word in the column.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Answer => "answer",
            Self::OutcomeUnknown => "outcome_unknown",
            Self::NotStored => "not_stored",
        }
    }

    /// Reads the column's word.
    #[must_use]
    pub fn from_word(word: &str) -> Option<Self> {
        [Self::Answer, Self::OutcomeUnknown, Self::NotStored]
            .into_iter()
            .find(|k| k.word() == word)
    }
}

/// How the stored bytes of a response are to be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Encoding {
    /// The JSON text itself.
    Json,
}

impl Encoding {
    /// The number in the column.
    #[must_use]
    pub const fn number(self) -> i16 {
        match self {
            Self::Json => 0,
        }
    }

    /// Reads the column's number.
    #[must_use]
    pub const fn from_number(number: i16) -> Option<Self> {
        match number {
            0 => Some(Self::Json),
            _ => None,
        }
    }
}

/// The exact bytes of an answer (R17).
#[derive(Clone, PartialEq, Eq)]
pub struct Response {
    /// The bytes as they are stored and given back.
    pub bytes: Arc<[u8]>,
    /// How to read them.
    pub encoding: Encoding,
}

impl std::fmt::Debug for Response {
    /// Says how many bytes, never which: an answer may hold personal data.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(
            f,
            "Response({} bytes, {:?})",
            self.bytes.len(),
            self.encoding
        )
    }
}

/// A thing that an effect made, named so that a reader can find it: `("crm.company", "42")`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Resource {
    kind: String,
    id: String,
}

impl Resource {
    /// Names a resource.
    ///
    /// # Errors
    ///
    /// [`AnswerError::Resource`]: both parts are 1 to 256 bytes without control characters.
    pub fn new(kind: impl Into<String>, id: impl Into<String>) -> Result<Self, AnswerError> {
        let (kind, id) = (kind.into(), id.into());
        let fits = |s: &str| !s.is_empty() && s.len() <= 256 && !s.chars().any(char::is_control);
        if fits(&kind) && fits(&id) {
            Ok(Self { kind, id })
        } else {
            Err(AnswerError::Resource)
        }
    }

    /// What kind of thing it is.
    #[must_use]
    pub fn kind(&self) -> &str {
        &self.kind
    }

    /// Which one it is.
    #[must_use]
    pub fn id(&self) -> &str {
        &self.id
    }
}

/// Why an answer cannot be stored. Found before the ending is written, never after.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum AnswerError {
    /// More bytes than a row takes.
    #[error("the answer has {bytes} bytes, and a row takes {RESPONSE_BYTES_MAX}")]
    TooLarge {
        /// How many bytes it has.
        bytes: usize,
    },
    /// A resource that names nothing.
    #[error("a resource's kind and id are 1 to 256 bytes each, without control characters")]
    Resource,
}

/// What a completion stores.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    kind: OutcomeKind,
    response: Option<Response>,
    resource: Option<Resource>,
}

impl Answer {
    /// A JSON response.
    ///
    /// # Errors
    ///
    /// [`AnswerError::TooLarge`].
    pub fn json(kind: OutcomeKind, text: impl Into<Vec<u8>>) -> Result<Self, AnswerError> {
        let bytes: Vec<u8> = text.into();
        if bytes.len() > RESPONSE_BYTES_MAX {
            return Err(AnswerError::TooLarge { bytes: bytes.len() });
        }
        let response = Response {
            bytes: bytes.into(),
            encoding: Encoding::Json,
        };
        Ok(Self {
            kind,
            response: Some(response),
            resource: None,
        })
    }

    /// A resource alone.
    #[must_use]
    pub fn resource(resource: Resource) -> Self {
        Self {
            kind: OutcomeKind::Answer,
            response: None,
            resource: Some(resource),
        }
    }

    /// The same answer, naming the resource as well.
    #[must_use]
    pub fn naming(mut self, resource: Resource) -> Self {
        self.resource = Some(resource);
        self
    }

    /// What kind of answer it is.
    #[must_use]
    pub fn kind(&self) -> OutcomeKind {
        self.kind
    }

    /// The response, where there is one.
    #[must_use]
    pub fn response(&self) -> Option<&Response> {
        self.response.as_ref()
    }

    /// The resource, where there is one.
    #[must_use]
    pub fn resource_named(&self) -> Option<&Resource> {
        self.resource.as_ref()
    }
}

/// What a person or a reconcile job found out about an unknown outcome (R32).
#[derive(Clone, PartialEq, Eq)]
pub struct Settled {
    /// Whether the effect happened.
    pub happened: bool,
    /// When it was settled, by the store's clock.
    pub at: OffsetDateTime,
    /// Who settled it.
    pub by: Option<String>,
    /// The answer that was found, where one was.
    pub response: Option<Arc<[u8]>>,
}

impl std::fmt::Debug for Settled {
    /// Leaves the answer and the name out.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Settled")
            .field("happened", &self.happened)
            .field("at", &self.at)
            .finish_non_exhaustive()
    }
}
