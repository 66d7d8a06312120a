//! Executing a read, which takes no claim (R27).

use crate::OutputFacts;
use crate::call::{Settled, codes};
use crate::call_error::CallError;
use crate::context::{Dispatch, ToolContext};
use crate::decoded::Call;
use crate::ending::retryable;
use crate::envelope;
use crate::error::{ErrorClass, ToolError};
use crate::execute::{Ran, execute};
use crate::runtime::{Core, differs, replay};
use crate::tool_set::Body;
use idem_core::RecordOutcome;
use std::marker::PhantomData;
use std::time::Instant;

/// Runs a read, which takes no claim, and records its answer; the first writer wins (R27).
pub(crate) async fn look(core: &Core, call: &Call, body: Body) -> Result<Settled, CallError> {
    let context = ToolContext {
        caller: call.caller.clone(),
        vendor_key: call.request.key.vendor_key(0),
        attempt: 1,
        earlier: None,
        deadline: Instant::now() + call.tool.spec().timeout(),
        cancellation: call.cancellation.child_token(),
        state: core.state.clone(),
        dispatch: Dispatch::Never,
        output: OutputFacts::UNKNOWN,
        store: PhantomData,
    };
    #[cfg(feature = "testing")]
    core.reach(crate::testing::CrashPoint::BeforeWire).await;
    let ran = execute(body, context).await;
    #[cfg(feature = "testing")]
    core.reach(crate::testing::CrashPoint::AfterWire).await;
    let why = ran.why();
    let encoded = match ran {
        Ran::Finished(Ok(encoded)) => encoded,
        Ran::Finished(Err(error)) => match error.class {
            ErrorClass::Answer => envelope::failure(&error),
            ErrorClass::NoEffect => {
                return Ok(Settled::Answer(call.unstored(Err(retryable(error)))));
            }
            ErrorClass::Unknown => {
                let again = ToolError::no_effect(codes::READ_FAILED, error.message);
                return Ok(Settled::Answer(call.unstored(Err(retryable(again)))));
            }
        },
        Ran::TimedOut | Ran::HeldTooLong | Ran::Cancelled | Ran::Panicked | Ran::Stopped => {
            let again = ToolError::no_effect(codes::READ_FAILED, why);
            return Ok(Settled::Answer(call.unstored(Err(retryable(again)))));
        }
    };
    match core.service.record(&call.request, &encoded.answer).await? {
        RecordOutcome::Recorded(stored) => {
            let answer = call.answered(encoded.result, &stored);
            let ran = call.request.input.clone();
            Ok(Settled::Answer(call.worded(answer, ran)))
        }
        RecordOutcome::Completed(stored) => replay(core, call, stored).await,
        RecordOutcome::Processing(in_flight) => Err(call.in_flight(in_flight)),
        RecordOutcome::Conflict(conflict) => differs(core, call, &conflict).await,
    }
}
