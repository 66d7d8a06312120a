//! The class of an HTTP client's errors and statuses (feature `reqwest`).
//!
//! | what happened | class |
//! | --- | --- |
//! | no connection was made; 429 | no effect |
//! | timeout, reset, a broken reply, 408, any 5xx | unknown |
//! | any other 4xx | answer |
//!
//! After an attempt in doubt, a status by which the vendor refuses a request before it looks at its key (401, 403, 405,
//! 407, 423, 425, 451), or says that it is still at work on the first one (409), is unknown too: it says nothing of the
//! earlier request.
//!
//! One request that makes an effect belongs into one body, and nothing behind it that can fail as if nothing had been
//! sent: a second request that is refused would release the first one's claim.
//!
//! Build the client with [`client_builder`]: it follows no redirects.

use crate::{ErrorClass, ToolError};
use reqwest::{Response, StatusCode, header::RETRY_AFTER};
use std::time::Duration;

/// The longest wait that a vendor may ask for; more is treated as this.
const RETRY_AFTER_MAX: Duration = Duration::from_secs(24 * 60 * 60);

/// A client whose errors can be told apart: it follows no redirects. A service may do the effect and answer with a
/// redirect; a connection that is refused behind it would look as if nothing had been sent.
///
/// ```
/// let client = idem_tools::http::client_builder().build()?;
/// # Ok::<(), reqwest::Error>(())
/// ```
pub fn client_builder() -> reqwest::ClientBuilder {
    reqwest::Client::builder().redirect(reqwest::redirect::Policy::none())
}

/// Checks a reply's status before its body is used.
///
/// ```no_run
/// use idem_tools::{ToolError, http::ResponseExt};
///
/// async fn ask(request: reqwest::RequestBuilder) -> Result<String, ToolError> {
///     Ok(request.send().await?.for_tool()?.text().await?)
/// }
/// ```
pub trait ResponseExt: Sized {
    /// Gives a success back, and any other status as an error of its class.
    ///
    /// # Errors
    ///
    /// A [`ToolError`] of the status' class, with the vendor's `Retry-After` where it gave one in seconds. The code of
    /// an answer and of a failure without effect is `http_` and the status.
    fn for_tool(self) -> Result<Self, ToolError>;
}

impl ResponseExt for Response {
    fn for_tool(self) -> Result<Self, ToolError> {
        let status = self.status();
        if status.is_success() {
            return Ok(self);
        }
        let wait = self
            .headers()
            .get(RETRY_AFTER)
            .and_then(|value| value.to_str().ok());
        let wait = wait
            .and_then(|text| text.trim().parse().ok())
            .map(Duration::from_secs);
        let error = of_status(status);
        Err(match wait {
            Some(wait) => error.with_retry_after(wait.min(RETRY_AFTER_MAX)),
            None => error,
        })
    }
}

/// What a status says about the effect.
#[must_use]
pub fn class_of(status: StatusCode) -> ErrorClass {
    match status {
        StatusCode::TOO_MANY_REQUESTS => ErrorClass::NoEffect,
        // The server gave up waiting for the request, or for a part of it: it does not say what it did with the rest.
        StatusCode::REQUEST_TIMEOUT => ErrorClass::Unknown,
        status if status.is_client_error() => ErrorClass::Answer,
        _ => ErrorClass::Unknown,
    }
}

fn of_status(status: StatusCode) -> ToolError {
    let code = format!("http_{}", status.as_u16());
    match class_of(status) {
        ErrorClass::NoEffect => {
            ToolError::no_effect(code, format!("the service answered {status}"))
        }
        ErrorClass::Answer => ToolError {
            says_nothing_of_earlier: refused_at_the_door(status),
            ..ToolError::answer(code, format!("the service answered {status}"))
        },
        ErrorClass::Unknown => ToolError::unknown(format!(
            "the service answered {status}, which does not say whether it did it"
        )),
    }
}

/// A status by which a vendor refuses a request before it looks at its key, or says that it is still at work on the
/// first one under it. After an attempt in doubt it is no final answer.
fn refused_at_the_door(status: StatusCode) -> bool {
    matches!(
        status.as_u16(),
        401 | 403 | 405 | 407 | 409 | 423 | 425 | 451
    )
}

pub(crate) fn classify(error: &reqwest::Error) -> ToolError {
    if let Some(status) = error.status() {
        return of_status(status);
    }
    // The client's text names the address, which may hold a secret: none of it is repeated.
    if error.is_connect() || error.is_builder() {
        return ToolError::no_effect(
            "not_reached",
            "the service could not be reached; nothing was sent",
        );
    }
    if error.is_timeout() {
        return ToolError::unknown("the service did not answer in time");
    }
    ToolError::unknown("the connection to the service broke after the request had been sent")
}
