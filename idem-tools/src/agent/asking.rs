//! Asking the model for one response, as often as it may be asked.

use super::error::HarnessError;
use super::model::{Message, Model, ModelError, ModelResponse, Prompt};
use super::segment::Segment;
use std::future::poll_fn;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::pin;
use std::task::Poll;
use std::time::Duration;

impl Segment<'_> {
    /// What the model is given.
    pub(crate) fn prompt<'m>(&'m self, messages: &'m [Message]) -> Prompt<'m> {
        Prompt {
            instructions: self.harness.instructions.as_deref(),
            tools: &self.harness.definitions,
            messages,
        }
    }

    /// Asks the model, as often as it may be asked.
    pub(crate) async fn ask(&self, prompt: &Prompt<'_>) -> Result<ModelResponse, HarnessError> {
        let harness = self.harness;
        let mut attempt = 1;
        loop {
            let error = match ask_once(&*harness.model, prompt, harness.model_timeout).await {
                Ok(response) => return Ok(response),
                Err(error) => error,
            };
            attempt += 1;
            let asked = error.retry_after();
            let wait = harness.model_retries.wait_as_asked(attempt, asked);
            let Some(wait) = wait.filter(|_| error.is_transient()) else {
                return Err(error.into());
            };
            tracing::warn!(%error, ?wait, "the model is asked again");
            tokio::time::sleep(wait).await;
        }
    }
}

/// Asks the model once. It is not this crate's code: its panic is a failure like another.
async fn ask_once(
    model: &dyn Model,
    prompt: &Prompt<'_>,
    timeout: Duration,
) -> Result<ModelResponse, ModelError> {
    let mut asked = pin!(model.respond(prompt));
    let caught = poll_fn(|context| {
        let polled = catch_unwind(AssertUnwindSafe(|| asked.as_mut().poll(context)));
        polled.unwrap_or_else(|_| Poll::Ready(Err(unavailable("its code panicked".to_owned()))))
    });
    let answered = tokio::time::timeout(timeout, caught).await;
    answered.unwrap_or_else(|_| Err(unavailable(format!("it did not answer within {timeout:?}"))))
}

fn unavailable(message: String) -> ModelError {
    ModelError::Unavailable {
        message,
        retry_after: None,
    }
}
