//! One tool call, from the journal to its ending, in one function that reads top-down (R30).
//!
//! The order is the guarantee: journal, checkpoint, claim, execute, end.

use crate::Effect;
use crate::call::{Answered, ToolFailure, codes};
use crate::call_error::CallError;
use crate::context::Caller;
use crate::ending;
use crate::envelope;
use crate::flights::Flights;
use crate::policy::{Checkpoint, Decision, Policy};
use crate::state::StateMap;
use crate::tool_set::{AnyTool, Body, ToolSet};
use idem_core::json::{Json, Limits};
use idem_core::states::RowState;
use idem_core::{
    ClaimOutcome, Conflict, IdempotencyService, InFlight, Origin, OutcomeKind, ReadOutcome,
    Request, Store, StoredAnswer,
};
use std::fmt;
use std::sync::Arc;
use std::time::Duration;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

/// What every call of one [`Idem`](crate::Idem) shares.
pub(crate) struct Core {
    pub(crate) service: IdempotencyService,
    pub(crate) store: Arc<dyn Store>,
    pub(crate) tools: ToolSet,
    pub(crate) policy: Option<Arc<dyn Policy>>,
    pub(crate) state: Arc<StateMap>,
    pub(crate) margin: Duration,
    pub(crate) flights: Option<Flights>,
    pub(crate) tasks: TaskTracker,
    pub(crate) draining: CancellationToken,
}

impl fmt::Debug for Core {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Core")
            .field("store", &self.store)
            .field("tools", &self.tools.names())
            .field("policy", &crate::policy::Shown(self.policy.as_deref()))
            .finish_non_exhaustive()
    }
}

/// A call that was decoded and has its identity.
pub(crate) struct Call {
    pub(crate) id: Option<String>,
    pub(crate) caller: Arc<Caller>,
    pub(crate) tool: Arc<dyn AnyTool>,
    pub(crate) request: Request,
}

/// Settles one call.
pub(crate) async fn settle(core: &Core, call: &Call, body: Body) -> Result<Answered, CallError> {
    let looks_only = call.effect() == Effect::Read;
    // 1. The journal. It writes nothing. Where no checkpoint stands between, the claim is the read.
    if core.policy.is_some() || looks_only {
        match core.service.read(&call.request).await? {
            ReadOutcome::Absent => {}
            ReadOutcome::Completed(stored) => return replay(core, call, stored).await,
            ReadOutcome::Processing(in_flight) => return Err(call.in_flight(in_flight)),
            ReadOutcome::Conflict(conflict) if conflict.state == RowState::Lapsed => {}
            ReadOutcome::Conflict(conflict) => return differs(core, call, &conflict).await,
        }
        // 2. The checkpoint. No key is taken for what is not allowed.
        if let Some(denied) = checkpoint(core, call, None).await? {
            return Ok(denied);
        }
    }
    if looks_only {
        return ending::look(core, call, body).await;
    }
    if core.draining.is_cancelled() {
        return Err(CallError::Draining);
    }
    // 3. The claim.
    let claim = match claim(core, call).await? {
        ClaimOutcome::Claimed(claim) => claim,
        ClaimOutcome::Completed(stored) => return replay(core, call, stored).await,
        ClaimOutcome::Processing(in_flight) => return Err(call.in_flight(in_flight)),
        ClaimOutcome::Conflict(conflict) => return differs(core, call, &conflict).await,
    };
    // 4 and 5. Execute, and end.
    ending::run(core, call, claim, body).await
}

/// Claims the key; a row that lapsed without doubt under other content is taken over (R24).
async fn claim(core: &Core, call: &Call) -> Result<ClaimOutcome, CallError> {
    let lease = call.tool.spec().longest_work() + core.margin;
    match core.service.claim(&call.request, lease).await? {
        ClaimOutcome::Conflict(conflict) => Ok(core
            .service
            .claim_over(&call.request, conflict, lease)
            .await?),
        outcome => Ok(outcome),
    }
}

/// Asks the policy. `Some` is a denial for the model.
async fn checkpoint(
    core: &Core,
    call: &Call,
    made_by_another: Option<&Origin>,
) -> Result<Option<Answered>, CallError> {
    let Some(policy) = &core.policy else {
        return Ok(None);
    };
    let input = call.shown_input();
    let asked = Checkpoint {
        organization: call.caller.organization,
        principal: &call.caller.principal,
        run: &call.caller.run,
        turn: &call.caller.turn,
        tool: call.tool.spec().name(),
        scope: call.tool.scope(),
        effect: call.effect(),
        key: call.request.key.key(),
        input: &input,
        made_by_another,
    };
    match policy
        .decide(&asked)
        .await
        .map_err(|error| CallError::Policy(error.into()))?
    {
        Decision::Allow => Ok(None),
        Decision::Deny { reason } => {
            let failure = ToolFailure::final_answer(codes::DENIED, reason);
            Ok(Some(call.unstored(Err(failure))))
        }
    }
}

/// Gives the stored answer back, as every repeat gets it. One that another run or another principal made passes the
/// checkpoint first (R30).
pub(crate) async fn replay(
    core: &Core,
    call: &Call,
    stored: Box<StoredAnswer>,
) -> Result<Answered, CallError> {
    if let Some(denied) = checkpoint_for_another(core, call, &stored).await? {
        return Ok(denied);
    }
    call.replay(&stored)
}

/// Answers a call whose key stands for other content: never a failure of the run (R24). What it tells of another's
/// answer passes the checkpoint first.
pub(crate) async fn differs(
    core: &Core,
    call: &Call,
    conflict: &Conflict,
) -> Result<Answered, CallError> {
    if let Some(stored) = &conflict.stored
        && let Some(denied) = checkpoint_for_another(core, call, stored).await?
    {
        return Ok(denied);
    }
    call.conflict(conflict)
}

async fn checkpoint_for_another(
    core: &Core,
    call: &Call,
    stored: &StoredAnswer,
) -> Result<Option<Answered>, CallError> {
    let own = &call.request.origin;
    if stored.origin.run == own.run && stored.origin.principal == own.principal {
        return Ok(None);
    }
    checkpoint(core, call, Some(&stored.origin)).await
}

impl Core {
    /// A token for one body, cancelled when the body is stopped.
    pub(crate) fn cancellation(&self) -> CancellationToken {
        CancellationToken::new()
    }
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

    /// The arguments as they would run.
    fn shown_input(&self) -> Json {
        let shown = self.request.input.as_deref().unwrap_or("null");
        Json::parse(shown, Limits::ANSWER).unwrap_or(Json::Null)
    }

    fn replay(&self, stored: &StoredAnswer) -> Result<Answered, CallError> {
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
        }
    }

    fn conflict(&self, conflict: &Conflict) -> Result<Answered, CallError> {
        if let Some(in_flight) = conflict.in_flight {
            return Err(self.in_flight(in_flight));
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
