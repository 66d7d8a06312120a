//! A proposal as the record of its step keeps it: the call's identity is computed once, and a replay uses what is stored
//! (R46, R51).

use crate::OnRepeat;
use crate::call::{Answered, Arguments, ProposedCall, Settled, ToolFailure, codes};
use crate::call_error::CallError;
use crate::context::Said;
use crate::decoded::{Call, Wording};
use crate::envelope;
use crate::input;
use crate::tool_set::{AnyTool, Body, Prepared};
use crate::turn::{Turn, refused};
use idem_core::identity::{IdempotencyKey, Intent, RequestHash};
use idem_core::json::{Json, Limits};
use idem_core::states::RowState;
use idem_core::{ClaimKey, Origin, ReadOutcome, Request, Scope};
use std::collections::HashMap;
use std::num::NonZeroU32;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

/// One proposed call of a step.
#[derive(Clone)]
pub(crate) struct Proposal {
    /// As the model wrote it.
    pub(crate) call: ProposedCall,
    /// What it is, or why it was refused at once.
    pub(crate) identity: Result<Identity, ToolFailure>,
}

/// What a call is, whatever its tool has become since.
#[derive(Clone)]
pub(crate) struct Identity {
    pub(crate) scope: Scope,
    pub(crate) key: IdempotencyKey,
    pub(crate) hash: RequestHash,
    /// The canonical arguments, defaults included.
    pub(crate) input: Arc<str>,
    /// The tool as it was.
    pub(crate) fingerprint: String,
    /// The key of the first such call of its turn, where each is an effect of its own (R26).
    pub(crate) first: Option<IdempotencyKey>,
    /// Its place among these.
    pub(crate) ordinal: NonZeroU32,
}

/// How often the calls of a turn were proposed, by the key of the first of each kind.
pub(crate) type Counted = HashMap<IdempotencyKey, u32>;

impl AsRef<ProposedCall> for Proposal {
    fn as_ref(&self) -> &ProposedCall {
        &self.call
    }
}

impl Proposal {
    /// Takes a call down as it is understood now, and counts it among the turn's.
    pub(crate) fn of(turn: &Turn, call: ProposedCall, counted: &mut Counted) -> Self {
        let identity = Self::identify(turn, &call, counted);
        Self { call, identity }
    }

    fn identify(
        turn: &Turn,
        call: &ProposedCall,
        counted: &mut Counted,
    ) -> Result<Identity, ToolFailure> {
        let mut said = Said::by(call);
        let (mut prepared, _) = turn.prepare_safely(call, said.clone())?;
        let mut first = None;
        if prepared.tool.spec().repeats() == OnRepeat::Count {
            let key = prepared.request.key.key();
            let times = counted.entry(key).or_default();
            *times += 1;
            said.ordinal = NonZeroU32::new(*times).unwrap_or(NonZeroU32::MIN);
            (prepared, _) = turn.prepare_safely(call, said.clone())?;
            first = Some(key);
        }
        Ok(Identity {
            scope: prepared.request.key.scope().clone(),
            key: prepared.request.key.key(),
            hash: prepared.request.hash,
            input: prepared.request.input.clone().unwrap_or_default(),
            fingerprint: prepared.tool.fingerprint().to_text(),
            first,
            ordinal: said.ordinal,
        })
    }

    /// Counts a call of an earlier step among the turn's.
    pub(crate) fn count(&self, counted: &mut Counted) {
        if let Ok(Identity {
            first: Some(first), ..
        }) = &self.identity
        {
            *counted.entry(*first).or_default() += 1;
        }
    }

    /// Settles it in its turn, under the identity that it has.
    pub(crate) async fn settle(&self, turn: &Turn) -> Result<Settled, CallError> {
        let identity = match &self.identity {
            Ok(identity) => identity,
            Err(failure) => return Ok(self.refused(failure.clone())),
        };
        match self.prepared_safely(turn, identity) {
            Ok((call, body)) => turn.fly_once(call, body).await,
            Err(failure) => self.answer_of_the_journal(turn, identity, failure).await,
        }
    }

    /// Its identity, where it has one.
    pub(crate) fn key(&self) -> Option<IdempotencyKey> {
        self.identity.as_ref().ok().map(|identity| identity.key)
    }

    /// As [`prepared`](Self::prepared). A tool's own code runs in there: its panic ends this call and not its siblings.
    fn prepared_safely(
        &self,
        turn: &Turn,
        identity: &Identity,
    ) -> Result<(Call, Body), ToolFailure> {
        catch_unwind(AssertUnwindSafe(|| self.prepared(turn, identity))).unwrap_or_else(|_| {
            let message = "the tool panicked while it read the arguments; nothing was done";
            Err(ToolFailure::final_answer(codes::INVALID_INPUT, message))
        })
    }

    /// The stored arguments in the tool of today.
    fn prepared(&self, turn: &Turn, identity: &Identity) -> Result<(Call, Body), ToolFailure> {
        let Some(tool) = turn.core.tools.get(self.call.tool()) else {
            let message = "the tool is not there any more; nothing was done";
            return Err(ToolFailure::final_answer(codes::UNKNOWN_TOOL, message));
        };
        let changed = |what: &str| {
            let message = format!(
                "the tool changed since this call was proposed, and does not take its arguments any more: {what}"
            );
            ToolFailure::final_answer(codes::INVALID_INPUT, message)
        };
        let input = Json::parse(&identity.input, Limits::ARGUMENTS);
        let input = input.map_err(|error| error.to_string());
        let read = input.and_then(|input| tool.prepare(&input).map_err(|f| f.message));
        let prepared = match read {
            Ok(prepared) => prepared,
            Err(what) => self
                .as_written(&**tool, identity)
                .ok_or_else(|| changed(&what))?,
        };
        let fingerprint = tool.fingerprint().to_text();
        if fingerprint != identity.fingerprint {
            tracing::info!(
                tool = self.call.tool(),
                "the tool changed since this call was proposed; what was proposed runs"
            );
        }
        let mut request = self.request(turn, identity);
        request.marks_dispatch = !tool.spec().claim_dispatches();
        let call = Call {
            id: self.call.id().map(str::to_owned),
            caller: turn.caller.clone(),
            tool: tool.clone(),
            request,
            cancellation: turn.cancellation.clone(),
            said: Said {
                ordinal: identity.ordinal,
                intent: self.call.intent.clone(),
            },
            wording: Wording::of(prepared.forms.prose, &identity.input),
            under: None,
        };
        Ok((call, prepared.body))
    }

    /// A tool whose input does not read its own canonical form reads what the model wrote, if that is still the same call.
    fn as_written(&self, tool: &dyn AnyTool, identity: &Identity) -> Option<Prepared> {
        let arguments = input::parse(&self.call.arguments).ok()?;
        let prepared = tool.prepare(&arguments).ok()?;
        (prepared.forms.shown == *identity.input).then_some(prepared)
    }

    fn request(&self, turn: &Turn, identity: &Identity) -> Request {
        let caller = &turn.caller;
        let key = ClaimKey::new(caller.organization, identity.scope.clone(), identity.key);
        let mut request = Request::new(key, identity.hash).by(Origin {
            run: Some(caller.run.as_ref().into()),
            principal: Some(caller.principal.as_str().into()),
            trace: None,
        });
        request.input = Some(identity.input.clone());
        request
    }

    /// A completed call keeps answering, whatever became of its tool (R30).
    async fn answer_of_the_journal(
        &self,
        turn: &Turn,
        identity: &Identity,
        failure: ToolFailure,
    ) -> Result<Settled, CallError> {
        let request = self.request(turn, identity);
        let stored = match turn.core.service.read(&request).await? {
            ReadOutcome::Completed(stored) => stored,
            ReadOutcome::Processing(in_flight) => {
                return Err(CallError::ClaimInFlight {
                    retry_after: in_flight.retry_after,
                    key: identity.key,
                });
            }
            ReadOutcome::Absent | ReadOutcome::Conflict(_) => {
                let row = turn.core.store.get(&request.key).await?;
                return Ok(match RowState::of(row.as_ref()) {
                    RowState::LapsedMarked | RowState::LapsedInDoubt => self.in_doubt(),
                    _ => self.refused(failure),
                });
            }
        };
        let answer = Answered {
            result: envelope::read(&stored)?,
            replayed: true,
            first_ran_at: Some(stored.first_claimed_at),
            key: Some(identity.key),
            attempt: stored.attempt,
            kind: Some(stored.kind),
            settled: stored.settled.clone(),
            ..refused(self.call.clone(), failure)
        };
        Ok(Settled::Answer(answer))
    }

    /// An attempt may have been made when its worker vanished, and what would say so is gone with its tool.
    fn in_doubt(&self) -> Settled {
        let message = "an attempt at it may have happened before the tool changed: nobody can know, so it is not made again. \
             Tell the user, and let a person check";
        self.refused(ToolFailure::final_answer(codes::OUTCOME_UNKNOWN, message))
    }

    fn refused(&self, failure: ToolFailure) -> Settled {
        Settled::Answer(refused(self.call.clone(), failure))
    }
}

/// The arguments as the record keeps them: a text, however deep what it says is.
pub(crate) fn arguments_text(call: &ProposedCall) -> String {
    match &call.arguments {
        Arguments::Text(text) => text.clone(),
        Arguments::Json(json) => json.to_text(),
    }
}

/// The call that a record keeps.
pub(crate) fn call_of(
    id: Option<String>,
    tool: String,
    arguments: String,
    intent: Option<Intent>,
) -> ProposedCall {
    ProposedCall {
        id,
        tool,
        arguments: Arguments::Text(arguments),
        intent,
    }
}
