//! A call that was decoded and has its identity, and the answers that can be given to it.

use crate::Effect;
use crate::call::{Answered, ToolFailure, codes};
use crate::call_error::CallError;
use crate::context::Caller;
use crate::envelope;
use crate::tool_set::{AnyTool, Body};
use idem_core::approval::{Approval, ApprovalId};
use idem_core::identity::IdempotencyKey;
use idem_core::json::{Json, Limits};
use idem_core::states::RowState;
use idem_core::{Conflict, InFlight, OutcomeKind, RepositoryError, Request, StoredAnswer};
use std::sync::Arc;
use std::time::Duration;
use tokio_util::sync::CancellationToken;

/// A call that was decoded and has its identity.
#[derive(Clone)]
pub(crate) struct Call {
    pub(crate) id: Option<String>,
    pub(crate) caller: Arc<Caller>,
    pub(crate) tool: Arc<dyn AnyTool>,
    pub(crate) request: Request,
    /// Fires when its run is cancelled.
    pub(crate) cancellation: CancellationToken,
    /// The yes under which it runs.
    pub(crate) under: Option<Under>,
}

/// The yes under which a call runs, and what it changed.
#[derive(Clone)]
pub(crate) struct Under {
    approval: ApprovalId,
    ran_instead: Option<Json>,
    added_defaults: Vec<String>,
}

impl Call {
    pub(crate) fn effect(&self) -> Effect {
        self.tool.spec().effect_class()
    }

    pub(crate) fn in_flight(&self, in_flight: InFlight) -> CallError {
        let key = self.request.key.key();
        CallError::ClaimInFlight {
            retry_after: in_flight.retry_after,
            key,
        }
    }

    /// The key of other arguments for the same call.
    pub(crate) fn key_of_identity(&self, identity: &str) -> IdempotencyKey {
        self.caller.key_of(&*self.tool, identity)
    }

    /// The call as a person approved it: the card's arguments, under the card's identity, ready to run.
    pub(crate) fn approved_as(
        self,
        card: &Approval,
        added_defaults: Vec<String>,
    ) -> Result<(Self, Body), CallError> {
        let json = approved_input(card)?;
        let prepared = self.tool.prepare(&json);
        let prepared = prepared.map_err(|failure| corrupt(&failure.message))?;
        Ok((self.under(card, added_defaults)?, prepared.body))
    }

    /// The call under the identity of a card, to look for its answer: the tool of today need not take what was
    /// approved then (R30).
    pub(crate) fn under(
        mut self,
        card: &Approval,
        added_defaults: Vec<String>,
    ) -> Result<Self, CallError> {
        let scope = self.tool.scope().clone();
        self.request.key = card.effective_key(scope);
        self.request.hash = card.effective.hash;
        self.request.input = Some(card.effective.input.clone());
        let ran_instead = card.is_edited().then(|| approved_input(card)).transpose()?;
        self.under = Some(Under {
            approval: card.id,
            ran_instead,
            added_defaults,
        });
        Ok(self)
    }

    /// The arguments as they would run.
    pub(crate) fn shown_input(&self) -> Json {
        let shown = self.request.input.as_deref().unwrap_or("null");
        Json::parse(shown, Limits::ANSWER).unwrap_or(Json::Null)
    }

    pub(crate) fn replay(&self, stored: &StoredAnswer) -> Result<Answered, CallError> {
        let result = envelope::read(stored)?;
        tracing::Span::current().record("replayed", true);
        Ok(Answered {
            replayed: true,
            ..self.answered(result, stored)
        })
    }

    pub(crate) fn answered(
        &self,
        result: Result<Json, ToolFailure>,
        stored: &StoredAnswer,
    ) -> Answered {
        Answered {
            first_ran_at: Some(stored.first_claimed_at),
            attempt: stored.attempt,
            kind: Some(stored.kind),
            settled: stored.settled.clone(),
            ..self.unstored(result)
        }
    }

    /// Another principal's answer, where no policy says who may see it.
    pub(crate) fn made_by_another(&self) -> Answered {
        let failure = ToolFailure::final_answer(
            codes::DENIED,
            "another principal made this call in this run, and no policy lets its answer be shared; nothing was done",
        );
        self.unstored(Err(failure))
    }

    /// An answer that nothing was executed for, or that is not kept.
    pub(crate) fn unstored(&self, result: Result<Json, ToolFailure>) -> Answered {
        Answered {
            call_id: self.id.clone(),
            tool: self.tool.spec().name().to_owned(),
            result,
            replayed: false,
            joined: false,
            first_ran_at: None,
            key: Some(self.request.key.key()),
            attempt: 0,
            kind: None,
            settled: None,
            approval: self.under.as_ref().map(|under| under.approval),
            ran_instead: self
                .under
                .as_ref()
                .and_then(|under| under.ran_instead.clone()),
            added_defaults: self
                .under
                .as_ref()
                .map(|under| under.added_defaults.clone())
                .unwrap_or_default(),
        }
    }

    pub(crate) fn conflict(&self, conflict: &Conflict) -> Result<Answered, CallError> {
        if let Some(in_flight) = conflict.in_flight {
            return Err(self.in_flight(in_flight));
        }
        if conflict.state == RowState::Lapsed {
            // Somebody else was quicker, and made nothing: the caller may come back at once.
            let free = InFlight {
                retry_after: Duration::ZERO,
                attempt: 0,
            };
            return Err(self.in_flight(free));
        }
        let unknown = || {
            let failure = ToolFailure::final_answer(
                codes::OUTCOME_UNKNOWN,
                "an earlier call of the same identity, with other content, may have happened: nobody can know, so \
                 this one was not made. Tell the user, and let a person check",
            );
            Ok(self.unstored(Err(failure)))
        };
        let Some(stored) = &conflict.stored else {
            return unknown();
        };
        if stored.kind == OutcomeKind::OutcomeUnknown {
            return unknown();
        }
        let done = envelope::read(stored)?.unwrap_or_else(|failure| failure.to_json());
        let failure = ToolFailure::final_answer(
            codes::ALREADY_DONE_DIFFERENTLY,
            "the same call was made before with other content, and it is not made again; the details hold its answer",
        );
        let failure = failure.with_details(done);
        Ok(Answered {
            replayed: true,
            ..self.answered(Err(failure), stored)
        })
    }
}

fn approved_input(card: &Approval) -> Result<Json, CallError> {
    Json::parse(&card.effective.input, Limits::ANSWER).map_err(|error| corrupt(&error.to_string()))
}

fn corrupt(what: &str) -> CallError {
    RepositoryError::Corrupt(format!("an approval: {what}")).into()
}
