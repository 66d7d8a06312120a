//! Executing a claimed call, and its exactly one ending, chosen by what is known of the effect (R13, R14, R32).

use crate::call::{Answered, Settled, ToolFailure, codes};
use crate::call_error::CallError;
use crate::context::{Dispatch, ToolContext};
use crate::decoded::Call;
use crate::envelope::{self, Encoded};
use crate::error::{ErrorClass, ToolError};
use crate::execute::{Ran, execute};
use crate::runtime::{Core, differs, replay};
use crate::store_ending::{End, Ended, end};
use crate::tool_set::{Body, BodyError};
use crate::{Effect, ToolSpec};
use idem_core::{Claim, ReadOutcome, RecordOutcome, Takeover};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Instant;
use time::OffsetDateTime;

/// Runs a claimed call and ends its claim.
pub(crate) async fn run(
    core: &Core,
    call: &Call,
    claim: Claim,
    body: Body,
) -> Result<Settled, CallError> {
    tracing::Span::current().record("attempt", claim.attempt());
    if let Some(takeover) = claim.takeover()
        && takeover.doubt
        && !may_send_again(call.tool.spec(), takeover)
    {
        let encoded =
            envelope::outcome_unknown("an earlier attempt may have done it and left no answer");
        return complete(core, call, claim, encoded).await;
    }
    let now = Instant::now();
    let deadline = (now + call.tool.spec().timeout()).min(claim.lease_ends() - core.margin);
    let dispatch = dispatch_of(core, call, &claim);
    if deadline <= now {
        let late =
            ToolError::no_effect(codes::NO_TIME_LEFT, "the claim took all the time there was");
        return release(core, call, claim, late).await;
    }
    let context = ToolContext {
        caller: call.caller.clone(),
        vendor_key: call.request.key.vendor_key(claim.epoch()),
        attempt: claim.attempt(),
        earlier: claim.takeover().cloned(),
        deadline,
        cancellation: core.cancellation(),
        state: core.state.clone(),
        dispatch: dispatch.clone(),
    };
    let ran = execute(body, context).await;
    let why = ran.why();
    match ran {
        Ran::Finished(Ok(value)) => complete(core, call, claim, envelope::success(value)).await,
        Ran::Finished(Err(BodyError::Unwritable(error))) => {
            let encoded = envelope::not_stored(&error.to_string(), None);
            complete(core, call, claim, encoded).await
        }
        Ran::Finished(Err(BodyError::Tool(error))) => match error.class {
            // It refuses this request without a word about the earlier one, whose effect may be there or to come.
            ErrorClass::Answer if error.says_nothing_of_earlier && claim.in_doubt() => {
                unknown(core, call, claim, &dispatch, error.message()).await
            }
            ErrorClass::Answer => complete(core, call, claim, envelope::failure(&error)).await,
            ErrorClass::NoEffect => release(core, call, claim, error).await,
            ErrorClass::Unknown => unknown(core, call, claim, &dispatch, error.message()).await,
        },
        Ran::TimedOut | Ran::Panicked | Ran::Stopped => {
            unknown(core, call, claim, &dispatch, why).await
        }
    }
}

/// Runs a read, which takes no claim, and records its answer; the first writer wins (R27).
pub(crate) async fn look(core: &Core, call: &Call, body: Body) -> Result<Settled, CallError> {
    let context = ToolContext {
        caller: call.caller.clone(),
        vendor_key: call.request.key.vendor_key(0),
        attempt: 1,
        earlier: None,
        deadline: Instant::now() + call.tool.spec().timeout(),
        cancellation: core.cancellation(),
        state: core.state.clone(),
        dispatch: Dispatch::Never,
    };
    let ran = execute(body, context).await;
    let why = ran.why();
    let encoded = match ran {
        Ran::Finished(Ok(value)) => envelope::success(value),
        Ran::Finished(Err(BodyError::Unwritable(error))) => {
            envelope::not_stored(&error.to_string(), None)
        }
        Ran::Finished(Err(BodyError::Tool(error))) => match error.class {
            ErrorClass::Answer => envelope::failure(&error),
            ErrorClass::NoEffect => {
                return Ok(Settled::Answer(call.unstored(Err(retryable(error)))));
            }
            ErrorClass::Unknown => {
                let again = ToolError::no_effect(codes::READ_FAILED, error.message);
                return Ok(Settled::Answer(call.unstored(Err(retryable(again)))));
            }
        },
        Ran::TimedOut | Ran::Panicked | Ran::Stopped => {
            let again = ToolError::no_effect(codes::READ_FAILED, why);
            return Ok(Settled::Answer(call.unstored(Err(retryable(again)))));
        }
    };
    match core.service.record(&call.request, &encoded.answer).await? {
        RecordOutcome::Recorded(stored) => {
            Ok(Settled::Answer(call.answered(encoded.result, &stored)))
        }
        RecordOutcome::Completed(stored) => replay(core, call, stored).await,
        RecordOutcome::Processing(in_flight) => Err(call.in_flight(in_flight)),
        RecordOutcome::Conflict(conflict) => differs(core, call, &conflict).await,
    }
}

/// Whether an effect that an earlier attempt may have made can be sent again without making it twice.
fn may_send_again(spec: &ToolSpec, takeover: &Takeover) -> bool {
    match spec.effect_class() {
        Effect::Read => true,
        // The vendor recognises our key until its window is over; this attempt may use its whole timeout.
        Effect::Keyed { window } => takeover
            .epoch_age
            .is_some_and(|age| age.saturating_add(spec.timeout()) < window),
        Effect::AtMostOnce => false,
    }
}

fn dispatch_of(core: &Core, call: &Call, claim: &Claim) -> Dispatch {
    if !call.tool.spec().marks_its_dispatch() {
        return Dispatch::AtClaim;
    }
    let raised = Arc::new(AtomicBool::new(false));
    Dispatch::Marked {
        service: core.service.clone(),
        fence: claim.fence(),
        raised,
        marked: Arc::default(),
    }
}

/// The claim ends with an answer, and the caller gets what was stored.
async fn complete(
    core: &Core,
    call: &Call,
    claim: Claim,
    encoded: Encoded,
) -> Result<Settled, CallError> {
    let (attempt, first_ran_at) = (claim.attempt(), first_ran_at(&claim));
    let answered = |stored: Encoded| {
        Settled::Answer(Answered {
            attempt,
            first_ran_at: Some(first_ran_at),
            kind: Some(stored.answer.kind()),
            ..call.unstored(stored.result)
        })
    };
    match end(core, claim, End::Complete(&encoded.answer)).await {
        Ended::Done => Ok(answered(encoded)),
        Ended::Noted(note) => Ok(answered(note)),
        Ended::ReadAgain => {
            tracing::warn!(
                claim_attempt = attempt,
                answer = ?encoded.answer,
                "an answer came after another worker had taken the call over; the journal's answer stands"
            );
            reread(core, call).await
        }
        Ended::NotWritten(error) => Err(CallError::AnswerLost(error)),
    }
}

/// The call made no effect: the key is free again, and the model may try once more.
async fn release(
    core: &Core,
    call: &Call,
    claim: Claim,
    error: ToolError,
) -> Result<Settled, CallError> {
    let how = if error.vendor_keeps_failure {
        End::RaiseEpoch
    } else {
        End::Release
    };
    match end(core, claim, how).await {
        Ended::Done if error.lease_lost => reread(core, call).await,
        Ended::Done => Ok(Settled::Answer(call.unstored(Err(retryable(error))))),
        Ended::ReadAgain | Ended::Noted(_) => reread(core, call).await,
        Ended::NotWritten(source) => Err(CallError::Store(source)),
    }
}

/// Nobody knows whether the effect happened: never released as if nothing had, never stored as a failure (R14).
async fn unknown(
    core: &Core,
    call: &Call,
    claim: Claim,
    dispatch: &Dispatch,
    why: &str,
) -> Result<Settled, CallError> {
    if !dispatch.may_have_begun() {
        let unsent = ToolError::no_effect("not_sent", format!("{why}, before anything was sent"));
        return release(core, call, claim, unsent).await;
    }
    match call.effect() {
        // The vendor knows the key: whoever comes after the lease sends again with it.
        Effect::Keyed { .. } => {
            let retry_after = claim.lease_ends().saturating_duration_since(Instant::now());
            tracing::warn!(
                attempt = claim.attempt(),
                why,
                "the outcome is unknown; after the lease the call is sent again under the same vendor key"
            );
            core.service.leave_in_doubt(claim);
            Err(CallError::ClaimInFlight {
                retry_after,
                key: call.request.key.key(),
            })
        }
        Effect::AtMostOnce | Effect::Read => {
            complete(core, call, claim, envelope::outcome_unknown(why)).await
        }
    }
}

/// The fence was lost: the journal is read once more, and this caller does not run the body again (R33).
async fn reread(core: &Core, call: &Call) -> Result<Settled, CallError> {
    match core.service.read(&call.request).await? {
        ReadOutcome::Completed(stored) => replay(core, call, stored).await,
        ReadOutcome::Processing(in_flight) => Err(call.in_flight(in_flight)),
        ReadOutcome::Conflict(conflict) => differs(core, call, &conflict).await,
        ReadOutcome::Absent => Err(CallError::LeaseLost {
            key: call.request.key.key(),
        }),
    }
}

fn first_ran_at(claim: &Claim) -> OffsetDateTime {
    claim
        .takeover()
        .map_or(claim.claimed_at(), |takeover| takeover.first_claimed_at)
}

fn retryable(error: ToolError) -> ToolFailure {
    ToolFailure {
        code: error.code.into_owned(),
        message: error.message,
        retryable: true,
        retry_after: error.retry_after,
        details: error.details,
    }
}
