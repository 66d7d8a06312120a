//! Asking the vendor what became of an earlier attempt, before anything is sent again (R32).

use crate::backoff;
use crate::call::Settled;
use crate::call_error::CallError;
use crate::context::Dispatch;
use crate::decoded::Call;
use crate::ending::{self, complete, context, reread};
use crate::envelope::{self, Encoded};
use crate::execute::look_up;
use crate::runtime::Core;
use crate::store_ending::{End, Ended, end};
use crate::tool_set::Body;
use crate::{Effect, ToolSpec};
use idem_core::Claim;
use std::time::{Duration, Instant};

/// After how many earlier attempts a look-up that cannot tell is the last: the answer is then `outcome_unknown`.
pub const RECONCILE_TRIES_MAX: u32 = 10;

/// How long after the first dispatch, or after the vendor's window, a look-up that cannot tell is the last.
pub const RECONCILE_TIME_MAX: Duration = Duration::from_secs(24 * 60 * 60);

/// The wait before the second look-up; it doubles up to the last.
const WAIT_FIRST: Duration = Duration::from_secs(1);
const WAIT_LAST: Duration = Duration::from_secs(60);

/// What a look-up found out about an earlier attempt, by the vendor's own word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reconciled<T> {
    /// The effect is there, and this is its answer. Nothing is sent again.
    Happened(T),
    /// The effect is not there and cannot come any more: the call is executed.
    DidNotHappen,
    /// The vendor cannot say yet. An error, a timeout and a panic of the look-up mean the same.
    StillUnknown,
}

/// What the ending goes on with.
pub(crate) enum Asked {
    /// The answer to store.
    Happened(Encoded),
    /// The body, to be executed.
    DidNotHappen(Body),
    /// Neither.
    StillUnknown,
}

/// Asks once, within the look-up's own part of the lease. It is asked under a claim that took the call over, so the
/// earlier attempt's lease has ended.
pub(crate) async fn ask(core: &Core, call: &Call, claim: &Claim, body: Body) -> Asked {
    let budget = call.tool.spec().look_up_time();
    let deadline = (Instant::now() + budget).min(claim.lease_ends() - core.margin);
    let context = context(core, call, claim, (deadline, Dispatch::Never));
    let Some((found, body)) = look_up(body, context).await else {
        tracing::warn!("a look-up of an earlier attempt did not come to its end");
        return Asked::StillUnknown;
    };
    match found {
        Ok(Reconciled::Happened(encoded)) => Asked::Happened(encoded),
        Ok(Reconciled::DidNotHappen) => Asked::DidNotHappen(body),
        Ok(Reconciled::StillUnknown) => Asked::StillUnknown,
        Err(error) => {
            tracing::warn!(%error, "a look-up of an earlier attempt failed");
            Asked::StillUnknown
        }
    }
}

/// The vendor could not say: the lease is kept for a while, so that nobody asks again sooner, and the doubt stays.
pub(crate) async fn still_unknown(
    core: &Core,
    call: &Call,
    claim: Claim,
) -> Result<Settled, CallError> {
    if is_over(call.tool.spec(), &claim) {
        let why = "an earlier attempt may have done it, and the service could not say";
        return complete(core, call, claim, envelope::outcome_unknown(why)).await;
    }
    let left = claim.lease_ends().saturating_duration_since(Instant::now());
    let after = wait(claim.attempt()).min(left);
    match end(core, claim, End::AskAgain(after)).await {
        Ended::Done => Err(ending::in_flight(call, after)),
        Ended::ReadAgain | Ended::Noted(_) => reread(core, call).await,
        Ended::NotWritten(error) => Err(CallError::Store(error)),
    }
}

/// Whether this was the last look-up, by the store's clock.
fn is_over(spec: &ToolSpec, claim: &Claim) -> bool {
    let Some(takeover) = claim.takeover() else {
        return false;
    };
    let time = match spec.effect_class() {
        Effect::Keyed { window } => RECONCILE_TIME_MAX.saturating_add(window),
        _ => RECONCILE_TIME_MAX,
    };
    let age = takeover
        .first_dispatched_at
        .and_then(|first| Duration::try_from(claim.claimed_at() - first).ok());
    takeover.earlier_attempts >= RECONCILE_TRIES_MAX || age.is_some_and(|age| age >= time)
}

/// How long to wait before the next look-up.
fn wait(attempt: u32) -> Duration {
    backoff::spread(WAIT_FIRST, WAIT_LAST, attempt)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// R32: the wait grows with the attempt, up to a bound, and is spread.
    #[test]
    fn the_wait_before_the_next_look_up_grows_and_is_spread() {
        for (attempt, seconds) in [(2, 1), (3, 2), (5, 8), (11, 60), (40, 60)] {
            let expected = Duration::from_secs(seconds);
            for _ in 0..50 {
                let wait = wait(attempt);
                assert!(
                    wait >= expected * 3 / 4 && wait <= expected * 5 / 4,
                    "{wait:?}"
                );
            }
        }
        let waits: std::collections::HashSet<_> = (0..20).map(|_| wait(5)).collect();
        assert!(waits.len() > 1, "nothing is spread");
    }
}
