//! Every completion model of [rig](rig_core) drives the harness (feature `rig`).
//!
//! Rig speaks to the providers, and holds the HTTP client, the key and the model's name. Its values are those of
//! `serde_json`, which has no integers above `u64::MAX` and keeps the last of two equal keys: what it may have rounded is
//! refused, and the rest is as rig read it. Where every digit has to be the model's own, use
//! [`providers`](crate::agent::providers).

mod request;
mod response;

/// The version of rig that is spoken here.
pub use rig_core;

use super::{Model, ModelError, ModelResponse, Prompt};
use async_trait::async_trait;
use rig_core::completion::CompletionRequest;
use rig_core::operation::Completion;
use rig_core::{DynModel, ProviderError};
use std::fmt;
use std::sync::Arc;
use std::time::Duration;

/// What is set on every request.
type Adjust = Arc<dyn Fn(CompletionRequest) -> CompletionRequest + Send + Sync>;

/// A completion model of rig.
///
/// ```no_run
/// use idem_tools::agent::rig::RigModel;
/// use idem_tools::agent::rig::rig_core::http_client::DynHttpClient;
/// use idem_tools::agent::rig::rig_core::providers::anthropic::Anthropic;
///
/// # fn model(http: DynHttpClient) -> Result<RigModel, Box<dyn std::error::Error>> {
/// let model = Anthropic::from_env()?.with_http(http).completion("claude-sonnet-4-5");
/// let model = RigModel::new(model).adjusted(|request| request.max_tokens(4096));
/// # Ok(model)
/// # }
/// ```
#[derive(Clone)]
pub struct RigModel {
    model: DynModel<Completion>,
    name: String,
    adjust: Option<Adjust>,
}

impl RigModel {
    /// A model, its own or erased already.
    #[must_use]
    pub fn new(model: impl Into<DynModel<Completion>>) -> Self {
        let model = model.into();
        let name = match model.id() {
            Some(id) => format!("{}/{id}", model.name()),
            None => model.name().to_owned(),
        };
        Self {
            model,
            name,
            adjust: None,
        }
    }

    /// The same model with options set on every request: temperature, tokens, a provider's own. What this does to the
    /// messages and the tools is sent too.
    #[must_use]
    pub fn adjusted(
        mut self,
        adjust: impl Fn(CompletionRequest) -> CompletionRequest + Send + Sync + 'static,
    ) -> Self {
        self.adjust = Some(Arc::new(adjust));
        self
    }
}

#[async_trait]
impl Model for RigModel {
    fn name(&self) -> &str {
        &self.name
    }

    async fn respond(&self, prompt: &Prompt<'_>) -> Result<ModelResponse, ModelError> {
        let mut request = request::request(prompt, self.model.name())?;
        if let Some(adjust) = &self.adjust {
            request = adjust(request);
        }
        let answer = self.model.call(request).await;
        response::response(answer.map_err(|error| failed(&error))?)
    }
}

impl fmt::Debug for RigModel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RigModel")
            .field("name", &self.name)
            .finish_non_exhaustive()
    }
}

/// By rig's own judgement of what may be asked again. Its message holds what the provider said, so only words are kept.
fn failed(error: &ProviderError) -> ModelError {
    let mut message = error.kind().code().to_owned();
    if let Some(status) = error.provider_response_status() {
        message.push_str(&format!(", status {}", status.as_u16()));
    }
    match error {
        ProviderError::Json(_) | ProviderError::Response(_) | ProviderError::Truncated => {
            ModelError::Unreadable(message)
        }
        error if error.is_retryable() => ModelError::Unavailable {
            message,
            retry_after: retry_after(error),
        },
        _ => ModelError::Refused(message),
    }
}

/// The seconds of `Retry-After`. Its other form, a date, needs a clock that agrees with the provider's.
fn retry_after(error: &ProviderError) -> Option<Duration> {
    let headers = error.provider_response_headers()?;
    let seconds = headers.get("retry-after")?.to_str().ok()?.trim().parse();
    seconds.ok().map(Duration::from_secs)
}
