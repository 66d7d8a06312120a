//! What a tool's body says went wrong: one of three classes, and the class chooses the ending (R13).

use idem_core::json::Json;
use std::any::Any;
use std::borrow::Cow;
use std::error::Error;
use std::fmt;
use std::time::Duration;

/// The longest message that is kept of a foreign error, in characters.
const FOREIGN_MESSAGE_CHARS_MAX: usize = 300;

/// What is known about the effect of a call that failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ErrorClass {
    /// Nothing happened at the vendor: connection refused, 429, refused before execution. The claim is released, and
    /// the next attempt executes.
    NoEffect,
    /// The vendor's final answer: not found, invalid input. It is stored, and every repeat gets it again.
    Answer,
    /// Nobody knows: timeout, reset, 5xx, or an error that nothing classified. The effect class decides (R14).
    Unknown,
}

/// A tool's failure.
///
/// `?` on any error makes an [unknown](ErrorClass::Unknown) one, since an error that nothing classified says nothing
/// about the effect. With the feature `reqwest`, an HTTP client's error gets its right class.
///
/// ```
/// use idem_tools::ToolError;
///
/// let busy = ToolError::no_effect("rate_limited", "the mail service is busy; ask again in a minute");
/// assert!(busy.retryable());
/// let gone = ToolError::answer("not_found", "there is no such template");
/// assert!(!gone.retryable());
/// ```
pub struct ToolError {
    pub(crate) class: ErrorClass,
    pub(crate) code: Cow<'static, str>,
    pub(crate) message: String,
    pub(crate) details: Option<Json>,
    pub(crate) retry_after: Option<Duration>,
    pub(crate) vendor_keeps_failure: bool,
    pub(crate) lease_lost: bool,
    /// The vendor refused this request before it looked at the key: that says nothing of an earlier one under it.
    pub(crate) says_nothing_of_earlier: bool,
}

impl ToolError {
    /// Nothing happened at the vendor, and trying again is right.
    #[must_use]
    pub fn no_effect(code: impl Into<Cow<'static, str>>, message: impl Into<String>) -> Self {
        Self::new(ErrorClass::NoEffect, code.into(), message.into())
    }

    /// The vendor's final answer is a failure: it is stored like a success.
    #[must_use]
    pub fn answer(code: impl Into<Cow<'static, str>>, message: impl Into<String>) -> Self {
        Self::new(ErrorClass::Answer, code.into(), message.into())
    }

    /// Nobody knows whether the effect happened.
    #[must_use]
    pub fn unknown(message: impl Into<String>) -> Self {
        Self::new(
            ErrorClass::Unknown,
            Cow::Borrowed("outcome_unknown"),
            message.into(),
        )
    }

    /// A failure of one's own before anything was sent: an unreadable file, a value that does not parse. `?` alone would
    /// make it [unknown](ErrorClass::Unknown).
    ///
    /// ```
    /// use idem_tools::ToolError;
    ///
    /// fn template(path: &str) -> Result<String, ToolError> {
    ///     std::fs::read_to_string(path).map_err(ToolError::before_effect)
    /// }
    /// assert!(template("/no/such/file").unwrap_err().retryable());
    /// ```
    #[must_use]
    pub fn before_effect(error: impl Error) -> Self {
        Self::no_effect("not_started", shorten(&error.to_string()))
    }

    fn new(class: ErrorClass, code: Cow<'static, str>, message: String) -> Self {
        Self {
            class,
            code,
            message,
            details: None,
            retry_after: None,
            vendor_keeps_failure: false,
            lease_lost: false,
            says_nothing_of_earlier: false,
        }
    }

    pub(crate) fn lease_lost(message: &str) -> Self {
        let error = Self::no_effect("lease_lost", message);
        Self {
            lease_lost: true,
            ..error
        }
    }

    /// Adds facts for the model, as JSON.
    #[must_use]
    pub fn with_details(mut self, details: Json) -> Self {
        self.details = Some(details);
        self
    }

    /// Says when trying again makes sense.
    #[must_use]
    pub fn with_retry_after(mut self, after: Duration) -> Self {
        self.retry_after = Some(after);
        self
    }

    /// The vendor stored this failure under the key it was given and would replay it, although nothing happened. The
    /// next attempt then gets another vendor key (R29). It changes nothing on a failure of another class: an unknown
    /// outcome never gets a new key.
    #[must_use]
    pub fn vendor_keeps_failure(mut self) -> Self {
        self.vendor_keeps_failure = true;
        self
    }

    /// Whether the next attempt executes: the class is [`ErrorClass::NoEffect`].
    #[must_use]
    pub fn retryable(&self) -> bool {
        self.class == ErrorClass::NoEffect
    }

    /// The class.
    #[must_use]
    pub fn class(&self) -> ErrorClass {
        self.class
    }

    /// A short word for programs: `not_found`, `rate_limited`.
    #[must_use]
    pub fn code(&self) -> &str {
        &self.code
    }

    /// A sentence for the model.
    #[must_use]
    pub fn message(&self) -> &str {
        &self.message
    }

    /// When trying again makes sense, where the vendor said.
    #[must_use]
    pub fn retry_after(&self) -> Option<Duration> {
        self.retry_after
    }
}

impl fmt::Display for ToolError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ({})", self.message, self.code)
    }
}

impl fmt::Debug for ToolError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ToolError")
            .field("class", &self.class)
            .field("code", &self.code)
            .field("message", &self.message)
            .finish_non_exhaustive()
    }
}

/// `?` on a foreign error. A `ToolError` is no `std::error::Error` itself: that is what lets every other error become
/// one.
impl<E: Error + Send + Sync + 'static> From<E> for ToolError {
    fn from(error: E) -> Self {
        #[cfg(feature = "reqwest")]
        if let Some(error) = (&error as &dyn Any).downcast_ref::<reqwest::Error>() {
            return crate::http::classify(error);
        }
        let _: &dyn Any = &error;
        Self::unknown(shorten(&error.to_string()))
    }
}

pub(crate) fn shorten(text: &str) -> String {
    match text.char_indices().nth(FOREIGN_MESSAGE_CHARS_MAX) {
        None => text.to_owned(),
        Some((at, _)) => format!("{}…", &text[..at]),
    }
}
