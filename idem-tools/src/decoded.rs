//! A call that was decoded and has its identity, and the answers that can be given to it.

use crate::Effect;
use crate::call::{Answered, ToolFailure, codes};
use crate::call_error::CallError;
use crate::context::{Caller, Said};
use crate::envelope;
use crate::input::Forms;
use crate::tool_set::{AnyTool, Body};
use idem_core::approval::{Approval, ApprovalId};
use idem_core::canonical::FieldPath;
use idem_core::identity::{IdempotencyKey, request_hash};
use idem_core::json::{Json, Limits};
use idem_core::states::RowState;
use idem_core::{
    Conflict, InFlight, OutcomeKind, RepositoryError, Request, StoredAnswer, Takeover,
};
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
    /// What tells it from an equal call, beside its arguments.
    pub(crate) said: Said,
    /// Its own wording, where it has any.
    pub(crate) wording: Option<Arc<Wording>>,
    /// The yes under which it runs.
    pub(crate) under: Option<Under>,
}

/// The prose of a call as it was proposed.
pub(crate) struct Wording {
    prose: Vec<FieldPath>,
    shown: Arc<str>,
}

impl Wording {
    /// `None` for a tool without prose, which pays nothing for it.
    pub(crate) fn of(prose: Vec<FieldPath>, shown: &Arc<str>) -> Option<Arc<Self>> {
        let shown = shown.clone();
        (!prose.is_empty()).then(|| Arc::new(Self { prose, shown }))
    }

    /// The fields that have other words in what ran.
    fn differs_from(&self, ran: &str) -> Vec<String> {
        if *self.shown == *ran {
            return Vec::new();
        }
        let read = |text: &str| Json::parse(text, Limits::ANSWER).unwrap_or(Json::Null);
        let (own, ran) = (read(&self.shown), read(ran));
        let differing = self.prose.iter();
        let differing = differing.filter(|path| path.find(&own) != path.find(&ran));
        differing.map(ToString::to_string).collect()
    }
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
    pub(crate) fn key_of(&self, forms: &Forms) -> IdempotencyKey {
        self.caller.key_of(&*self.tool, forms, &self.said)
    }

    /// The call in the words of an attempt that may have sent it: a vendor that keeps our key takes other words for
    /// another request, and what happened happened in those. `None`: its own words are what runs. So are those that a
    /// person approved (R44).
    pub(crate) fn in_the_words_of(&self, takeover: &Takeover) -> Option<(Self, Body)> {
        let sent = takeover.input.as_ref()?.text();
        let own = self.request.input.as_ref();
        if self.wording.is_none() || self.under.is_some() || own == Some(sent) {
            return None;
        }
        let json = Json::parse(sent, Limits::ANSWER).ok()?;
        let prepared = self.tool.prepare(&json).ok()?;
        if request_hash(&prepared.forms.content) != self.request.hash {
            return None;
        }
        let mut call = self.clone();
        call.request.input = Some(sent.clone());
        Some((call, prepared.body))
    }

    /// Marks an answer with the words that differ between this call and what ran (R24, R44).
    pub(crate) fn worded(&self, answer: Answered, ran: Option<Arc<str>>) -> Answered {
        let edited = answer.ran_instead.is_some();
        let own = self.wording.as_ref().filter(|_| !edited);
        let reworded = own
            .zip(ran.as_deref())
            .map(|(own, ran)| own.differs_from(ran));
        Answered {
            reworded: reworded.unwrap_or_default(),
            ran,
            ..answer
        }
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
        let ran = stored.input.as_ref().map(|input| input.text().clone());
        let answer = Answered {
            replayed: true,
            ..self.answered(result, stored)
        };
        Ok(self.worded(answer, ran))
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
            reworded: Vec::new(),
            ran: None,
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
