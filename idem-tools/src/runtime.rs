//! One tool call, from the journal to its ending, in two functions that read top-down: `settle`, and `execute` below it, at
//! which an approved call enters (R30).
//!
//! The order is the guarantee: journal, checkpoint, claim, execute, end.

use crate::Effect;
use crate::call::Settled;
use crate::call_error::CallError;
use crate::cards;
use crate::checkpoint::{self, Approved, Passage, Ran};
use crate::decoded::Call;
use crate::ending;
use crate::flights::Flights;
use crate::gate;
use crate::look;
use crate::planted::{self, Bug};
use crate::policy::Policy;
use crate::state::StateMap;
use crate::tool_set::{Body, ToolSet};
use idem_core::states::RowState;
use idem_core::{ClaimOutcome, Conflict, IdempotencyService, ReadOutcome, Store, StoredAnswer};
use std::fmt;
use std::pin::Pin;
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
    /// Where a test holds every call.
    #[cfg(feature = "testing")]
    pub(crate) stop: Option<crate::testing::Stop>,
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

/// A call on its way to its answer; boxed, since an approved one begins anew under another identity.
type Settling<'a> = Pin<Box<dyn Future<Output = Result<Settled, CallError>> + Send + 'a>>;

/// Settles one call.
pub(crate) async fn settle(core: &Core, call: Call, body: Body) -> Result<Settled, CallError> {
    let looks_only = call.effect() == Effect::Read;
    let guarded = checkpoint::stands_between(core, &call);
    // 1. The journal. It writes nothing. Where no checkpoint stands between, the claim is the read.
    if guarded || looks_only {
        match core.service.read(&call.request).await? {
            ReadOutcome::Absent => {}
            ReadOutcome::Completed(stored) => return replay(core, &call, stored).await,
            ReadOutcome::Processing(in_flight) => return Err(call.in_flight(in_flight)),
            ReadOutcome::Conflict(conflict) if conflict.state == RowState::Lapsed => {}
            ReadOutcome::Conflict(conflict) => {
                return match gate::edited(core, &call).await? {
                    Some(Passage::Ran(ran)) => approved_answer(core, call, *ran).await,
                    Some(Passage::Stops(settled)) => Ok(*settled),
                    _ => differs(core, &call, &conflict).await,
                };
            }
        }
    }
    if !guarded {
        return execute(core, &call, body).await;
    }
    // 2. The checkpoint. No key is taken for what is not allowed, and none while a person thinks.
    match checkpoint::pass(core, &call, None).await? {
        Passage::Stops(settled) => Ok(*settled),
        Passage::Free => execute(core, &call, body).await,
        Passage::Approved(approved) => approved_call(core, call, *approved).await,
        Passage::Ran(ran) => approved_answer(core, call, *ran).await,
    }
}

/// Claims, executes and ends.
async fn execute(core: &Core, call: &Call, body: Body) -> Result<Settled, CallError> {
    if core.draining.is_cancelled() {
        return Err(CallError::Draining);
    }
    if call.effect() == Effect::Read || planted::is(Bug::ClaimSkipped) {
        let settled = look::look(core, call, body).await;
        #[cfg(feature = "testing")]
        core.reach(crate::testing::CrashPoint::AfterEnding).await;
        return settled;
    }
    // 3. The claim.
    let claim = match claim(core, call).await? {
        ClaimOutcome::Claimed(claim) => claim,
        ClaimOutcome::Completed(stored) => return replay(core, call, stored).await,
        ClaimOutcome::Processing(in_flight) => return Err(call.in_flight(in_flight)),
        ClaimOutcome::Conflict(conflict) => return differs(core, call, &conflict).await,
    };
    // 4 and 5. Execute, and end.
    let settled = ending::run(core, call, claim, body).await;
    #[cfg(feature = "testing")]
    core.reach(crate::testing::CrashPoint::AfterEnding).await;
    settled
}

/// Runs what a person approved: the arguments on the card, under their own identity, whatever was proposed now (R43,
/// R44). The policy's denial of those arguments beats the yes to them (R41). The yes is looked at once more, and spent by
/// the answer.
fn approved_call(core: &Core, call: Call, approved: Approved) -> Settling<'_> {
    Box::pin(async move {
        let card = approved.card;
        if let Some(reason) = cards::forbidden(core, &call, &card).await? {
            return Ok(Settled::Answer(checkpoint::denied(&call, reason)));
        }
        if let Some(settled) = gate::still_stands(core, &call, card.id).await? {
            return Ok(settled);
        }
        let (call, body) = call.approved_as(&card, approved.added_defaults)?;
        let settled = execute(core, &call, body).await?;
        if matches!(&settled, Settled::Answer(answer) if answer.kind.is_some()) {
            gate::spend(core, &card).await;
        }
        Ok(settled)
    })
}

/// Gives the answer of what a person had approved: a crash may have come between it and the note on the card (R42).
fn approved_answer(core: &Core, call: Call, ran: Ran) -> Settling<'_> {
    Box::pin(async move {
        let call = call.under(&ran.card, Vec::new())?;
        gate::spend(core, &ran.card).await;
        replay(core, &call, ran.stored).await
    })
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

/// Gives the stored answer back, as every repeat gets it. One that another run or another principal made passes the
/// checkpoint first (R30).
pub(crate) async fn replay(
    core: &Core,
    call: &Call,
    stored: Box<StoredAnswer>,
) -> Result<Settled, CallError> {
    if let Some(stopped) = checkpoint_for_another(core, call, &stored).await? {
        return Ok(stopped);
    }
    call.replay(&stored).map(Settled::Answer)
}

/// Answers a call whose key stands for other content: never a failure of the run (R24). What it tells of another's
/// answer passes the checkpoint first.
pub(crate) async fn differs(
    core: &Core,
    call: &Call,
    conflict: &Conflict,
) -> Result<Settled, CallError> {
    if let Some(stored) = &conflict.stored
        && let Some(stopped) = checkpoint_for_another(core, call, stored).await?
    {
        return Ok(stopped);
    }
    call.conflict(conflict).map(Settled::Answer)
}

async fn checkpoint_for_another(
    core: &Core,
    call: &Call,
    stored: &StoredAnswer,
) -> Result<Option<Settled>, CallError> {
    let own = &call.request.origin;
    let same = stored.origin.run == own.run && stored.origin.principal == own.principal;
    if same {
        return Ok(None);
    }
    if !checkpoint::stands_between(core, call) {
        // Nobody is there who could say that it may be shared.
        let anothers =
            stored.origin.principal.is_some() && stored.origin.principal != own.principal;
        return Ok(anothers.then(|| Settled::Answer(call.made_by_another())));
    }
    match checkpoint::pass(core, call, Some(&stored.origin)).await? {
        Passage::Stops(settled) => Ok(Some(*settled)),
        Passage::Free => Ok(None),
        Passage::Approved(approved) if !approved.card.is_edited() => {
            gate::spend(core, &approved.card).await;
            Ok(None)
        }
        // A person wants another call in its place (R43).
        Passage::Approved(approved) => approved_call(core, call.clone(), *approved).await.map(Some),
        Passage::Ran(ran) if !ran.card.is_edited() => Ok(None),
        Passage::Ran(ran) => approved_answer(core, call.clone(), *ran).await.map(Some),
    }
}
