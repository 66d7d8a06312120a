//! Executing a claimed call, and its exactly one ending, chosen by what is known of the effect (R13, R14, R32).

use crate::call::{Answered, Settled, ToolFailure, codes};
use crate::call_error::CallError;
use crate::commit_ending::end_committed;
use crate::commit_gate::CommitGate;
use crate::context::{Dispatch, ToolContext};
use crate::decoded::Call;
use crate::envelope::{self, Encoded};
use crate::error::{ErrorClass, ToolError};
use crate::execute::{Ran, execute};
use crate::reconcile::{self, Asked};
use crate::runtime::{Core, differs, replay};
use crate::store_ending::{End, Ended, end};
use crate::tool_set::Body;
use crate::{Effect, OutputFacts, ToolSpec};
use idem_core::{Claim, InFlight, ReadOutcome, Takeover};
use std::marker::PhantomData;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};
use time::OffsetDateTime;

/// Runs a claimed call and ends its claim.
pub(crate) async fn run(
    core: &Core,
    call: &Call,
    claim: Claim,
    mut body: Body,
) -> Result<Settled, CallError> {
    tracing::Span::current().record("attempt", claim.attempt());
    let sent = claim
        .takeover()
        .and_then(|takeover| call.in_the_words_of(takeover));
    let in_words_sent;
    let call = if let Some((reworded, its_body)) = sent {
        body = its_body;
        in_words_sent = reworded;
        &in_words_sent
    } else {
        call
    };
    let (mut doubted, mut asked) = (claim.in_doubt(), false);
    match in_doubt(call.tool.spec(), &claim) {
        Doubt::RunAgain => {}
        Doubt::Ask => match reconcile::ask(core, call, &claim, body).await {
            Asked::DidNotHappen(again) => (body, doubted, asked) = (again, false, true),
            Asked::Happened(encoded) => return complete(core, call, claim, encoded).await,
            Asked::StillUnknown => return reconcile::still_unknown(core, call, claim).await,
        },
        Doubt::NeverAgain => {
            let encoded =
                envelope::outcome_unknown("an earlier attempt may have done it and left no answer");
            return complete(core, call, claim, encoded).await;
        }
    }
    let now = Instant::now();
    // Where nobody was asked, the look-up's part of the lease stays unused: a body that began late with it could send
    // after the vendor's window.
    let unasked = call.tool.spec().longest_work() - call.tool.spec().timeout();
    let unasked = if asked { Duration::ZERO } else { unasked };
    let deadline =
        (now + call.tool.spec().timeout()).min(claim.lease_ends() - core.margin - unasked);
    if deadline <= now {
        let late =
            ToolError::no_effect(codes::NO_TIME_LEFT, "the claim took all the time there was");
        return release(core, call, claim, late).await;
    }
    let dispatch = dispatch_of(core, call, &claim);
    let context = context(core, call, &claim, (deadline, dispatch.clone()));
    #[cfg(feature = "testing")]
    core.reach(crate::testing::CrashPoint::BeforeWire).await;
    let ran = execute(body, context).await;
    #[cfg(feature = "testing")]
    core.reach(crate::testing::CrashPoint::AfterWire).await;
    if let Dispatch::AtCommit(gate) = &dispatch {
        return end_committed(core, call, claim, (gate, ran)).await;
    }
    let why = ran.why();
    match ran {
        Ran::Finished(Ok(encoded)) => complete(core, call, claim, encoded).await,
        Ran::Finished(Err(error)) => match error.class {
            // It refuses this request without a word about the earlier one, whose effect may be there or to come.
            ErrorClass::Answer if error.says_nothing_of_earlier && doubted => {
                unknown(core, call, claim, &dispatch, error.message()).await
            }
            ErrorClass::Answer => complete(core, call, claim, envelope::failure(&error)).await,
            ErrorClass::NoEffect => release(core, call, claim, error).await,
            ErrorClass::Unknown => unknown(core, call, claim, &dispatch, error.message()).await,
        },
        Ran::TimedOut | Ran::HeldTooLong | Ran::Cancelled | Ran::Panicked | Ran::Stopped => {
            unknown(core, call, claim, &dispatch, why).await
        }
    }
}

/// What a claimed call's body, or its look-up, can know and ask.
pub(crate) fn context(
    core: &Core,
    call: &Call,
    claim: &Claim,
    (deadline, dispatch): (Instant, Dispatch),
) -> ToolContext {
    ToolContext {
        caller: call.caller.clone(),
        vendor_key: call.request.key.vendor_key(claim.epoch()),
        attempt: claim.attempt(),
        earlier: claim.takeover().cloned(),
        deadline,
        cancellation: call.cancellation.child_token(),
        state: core.state.clone(),
        dispatch,
        output: OutputFacts::UNKNOWN,
        store: PhantomData,
    }
}

/// What a takeover does about an effect that an earlier attempt may have made.
enum Doubt {
    /// There is none, or the effect cannot be made twice.
    RunAgain,
    /// The vendor is asked first.
    Ask,
    /// It is not sent a second time.
    NeverAgain,
}

fn in_doubt(spec: &ToolSpec, claim: &Claim) -> Doubt {
    let Some(takeover) = claim.takeover().filter(|takeover| takeover.doubt) else {
        return Doubt::RunAgain;
    };
    match spec.effect_class() {
        Effect::Read => Doubt::RunAgain,
        Effect::Keyed { window } if keeps_key(spec, takeover, window) => Doubt::RunAgain,
        Effect::Keyed { .. } | Effect::Reconcile if spec.has_look_up() => Doubt::Ask,
        // A transactional claim is never marked, so the doubt is that of a version of the tool with another class, and
        // no rollback undoes what that one sent.
        Effect::Transactional | Effect::Keyed { .. } | Effect::Reconcile | Effect::AtMostOnce => {
            Doubt::NeverAgain
        }
    }
}

/// The vendor recognises our key until its window is over; this attempt may use its whole timeout.
fn keeps_key(spec: &ToolSpec, takeover: &Takeover, window: Duration) -> bool {
    takeover
        .epoch_age
        .is_some_and(|age| age.saturating_add(spec.timeout()) < window)
}

fn dispatch_of(core: &Core, call: &Call, claim: &Claim) -> Dispatch {
    if call.effect() == Effect::Transactional {
        let gate = CommitGate::new(core.store.clone(), claim.fence());
        return Dispatch::AtCommit(Arc::new(gate));
    }
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
pub(crate) async fn complete(
    core: &Core,
    call: &Call,
    claim: Claim,
    encoded: Encoded,
) -> Result<Settled, CallError> {
    let facts = facts(&claim);
    match end(core, claim, End::Complete(&encoded.answer)).await {
        Ended::Done => Ok(answered(call, facts, encoded)),
        Ended::Noted(note) => Ok(answered(call, facts, note)),
        Ended::ReadAgain => {
            tracing::warn!(
                claim_attempt = facts.0,
                answer = ?encoded.answer,
                "an answer came after another worker had taken the call over; the journal's answer stands"
            );
            reread(core, call).await
        }
        Ended::NotWritten(error) => Err(CallError::AnswerLost(error)),
    }
}

/// An answer that this claim has stored.
pub(crate) fn answered(
    call: &Call,
    (attempt, first_ran_at): (u32, OffsetDateTime),
    encoded: Encoded,
) -> Settled {
    let answer = Answered {
        attempt,
        first_ran_at: Some(first_ran_at),
        kind: Some(encoded.answer.kind()),
        ..call.unstored(encoded.result)
    };
    Settled::Answer(call.worded(answer, call.request.input.clone()))
}

/// The call made no effect: the key is free again, and the model may try once more.
pub(crate) async fn release(
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
        // The vendor knows the key, or can be asked: whoever comes after the lease goes on from there.
        Effect::Keyed { .. } | Effect::Reconcile => {
            let retry_after = claim.lease_ends().saturating_duration_since(Instant::now());
            tracing::warn!(
                attempt = claim.attempt(),
                why,
                "the outcome is unknown; after the lease the call is sent again under the same vendor key"
            );
            core.service.leave_in_doubt(claim);
            Err(in_flight(call, retry_after))
        }
        Effect::AtMostOnce | Effect::Read | Effect::Transactional => {
            complete(core, call, claim, envelope::outcome_unknown(why)).await
        }
    }
}

/// The fence was lost: the journal is read once more, and this caller does not run the body again (R33).
pub(crate) async fn reread(core: &Core, call: &Call) -> Result<Settled, CallError> {
    match core.service.read(&call.request).await? {
        ReadOutcome::Completed(stored) => replay(core, call, stored).await,
        ReadOutcome::Processing(in_flight) => Err(call.in_flight(in_flight)),
        ReadOutcome::Conflict(conflict) => differs(core, call, &conflict).await,
        ReadOutcome::Absent => Err(CallError::LeaseLost {
            key: call.request.key.key(),
        }),
    }
}

/// Which attempt a claim is, and when the first one began.
pub(crate) fn facts(claim: &Claim) -> (u32, OffsetDateTime) {
    let first = claim
        .takeover()
        .map_or(claim.claimed_at(), |takeover| takeover.first_claimed_at);
    (claim.attempt(), first)
}

pub(crate) fn in_flight(call: &Call, retry_after: Duration) -> CallError {
    call.in_flight(InFlight {
        retry_after,
        attempt: 0,
    })
}

pub(crate) fn retryable(error: ToolError) -> ToolFailure {
    ToolFailure {
        code: error.code.into_owned(),
        message: error.message,
        retryable: true,
        retry_after: error.retry_after,
        details: error.details,
    }
}
