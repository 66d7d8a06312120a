//! The ending of a transactional call: it was committed with its answer, or nothing happened (R14, R32).

use crate::call::{Settled, codes};
use crate::call_error::CallError;
use crate::commit_gate::{Closed, CommitGate};
use crate::decoded::Call;
use crate::ending::{answered, complete, facts, in_flight, release, reread};
use crate::envelope;
use crate::error::{ErrorClass, ToolError};
use crate::execute::Ran;
use crate::runtime::Core;
use idem_core::Claim;
use std::time::{Duration, Instant};

/// The waits between the reads that look for a commit whose reply was lost: the server may be at it still.
const LOOKS: [Duration; 4] = [
    Duration::from_millis(20),
    Duration::from_millis(100),
    Duration::from_millis(400),
    Duration::ZERO,
];

/// Ends the call by what became of its commit, and only then by what the body says.
pub(crate) async fn end_committed(
    core: &Core,
    call: &Call,
    claim: Claim,
    (gate, ran): (&CommitGate, Ran),
) -> Result<Settled, CallError> {
    match gate.close() {
        Closed::Done(encoded) => {
            let facts = facts(&claim);
            core.service.committed(claim);
            Ok(answered(call, facts, encoded))
        }
        Closed::Sent(encoded) => {
            if is_completed(core, &claim).await {
                let facts = facts(&claim);
                core.service.committed(claim);
                return Ok(answered(call, facts, encoded));
            }
            // It may arrive yet: nobody may take the key over before the lease has ended.
            let left = claim.lease_ends().saturating_duration_since(Instant::now());
            core.service.leave_in_doubt(claim);
            match reread(core, call).await {
                Err(CallError::Store(_)) => Err(in_flight(call, left)),
                told => told,
            }
        }
        Closed::Broken => {
            let why = "the tool's own statements ended its transaction before the commit";
            complete(core, call, claim, envelope::outcome_unknown(why)).await
        }
        Closed::NotSent => not_sent(core, call, claim, ran).await,
    }
}

/// Nothing was committed, so nothing happened, whatever the body says or failed to say.
async fn not_sent(core: &Core, call: &Call, claim: Claim, ran: Ran) -> Result<Settled, CallError> {
    let why = ran.why();
    let nothing = |why: &str| {
        let text = format!("{why}; nothing was written");
        ToolError::no_effect(codes::NOT_COMMITTED, text)
    };
    let error = match ran {
        Ran::Finished(Err(error)) => match error.class {
            ErrorClass::Answer => {
                return complete(core, call, claim, envelope::failure(&error)).await;
            }
            ErrorClass::NoEffect => error,
            ErrorClass::Unknown => nothing(error.message()),
        },
        // Only a hand-written tool can answer without a commit.
        Ran::Finished(_) => nothing("the tool answered without a commit"),
        _ => nothing(why),
    };
    release(core, call, claim, error).await
}

async fn is_completed(core: &Core, claim: &Claim) -> bool {
    for wait in LOOKS {
        match core.service.is_completed(claim).await {
            Ok(true) => return true,
            Ok(false) => {}
            Err(error) => tracing::warn!(%error, "a commit whose reply was lost could not be read"),
        }
        tokio::time::sleep(wait).await;
    }
    false
}
