//! The checkpoint: what the policy says, and what a person said where it asks (R30, R40 to R45).

use crate::call::{Answered, Settled, ToolFailure, codes};
use crate::call_error::CallError;
use crate::decoded::Call;
use crate::gate;
use crate::policy::{Asking, Checkpoint, Decision, PolicyError};
use crate::runtime::Core;
use crate::spec::ApprovalRule;
use idem_core::approval::{Approval, Proposal};
use idem_core::identity::IdempotencyKey;
use idem_core::json::{Json, Limits};
use idem_core::{Origin, RepositoryError, StoredAnswer};

/// How a call comes past the checkpoint.
pub(crate) enum Passage {
    /// It may run as it was proposed.
    Free,
    /// A person said yes: what was approved runs.
    Approved(Box<Approved>),
    /// What a person had approved has its answer.
    Ran(Box<Ran>),
    /// It ends here, with an answer or waiting for a person.
    Stops(Box<Settled>),
}

/// A yes that still covers the tool as it is now.
pub(crate) struct Approved {
    pub(crate) card: Approval,
    /// Arguments that the tool got since, with the defaults that run.
    pub(crate) added_defaults: Vec<String>,
}

/// A yes whose call has its answer already.
pub(crate) struct Ran {
    pub(crate) card: Approval,
    pub(crate) stored: Box<StoredAnswer>,
}

/// Takes a call past the checkpoint. The policy comes first: its denial beats a standing yes, and where it allows, an
/// open card is taken back (R41). What a person has decided about this very call stands (R43 to R45).
pub(crate) async fn pass(
    core: &Core,
    call: &Call,
    made_by_another: Option<&Origin>,
) -> Result<Passage, CallError> {
    let own = (call.request.key.key(), &call.shown_input());
    let decision = decide(core, call, own, made_by_another).await?;
    let asks = core.policy.as_ref().is_some_and(|policy| policy.asks());
    match (decision, call.tool.spec().approval_rule()) {
        (Decision::Deny { reason }, _) => Ok(stop(denied(call, reason))),
        // It runs under a yes: nobody is asked a second time.
        _ if call.under.is_some() => Ok(Passage::Free),
        (Decision::Ask(asking), ApprovalRule::Always | ApprovalRule::Policy) => {
            gate::ask(core, call, &asking).await
        }
        (Decision::Allow, ApprovalRule::Always) => {
            gate::ask(core, call, &Asking::because("this tool always asks")).await
        }
        (Decision::Allow | Decision::Ask(_), _) if asks => gate::allow(core, call).await,
        (Decision::Allow | Decision::Ask(_), _) => Ok(Passage::Free),
    }
}

/// What the policy says of other arguments of the same call, which a person wants in its place. An edit is no way
/// around a policy (R41).
pub(crate) async fn says_of(
    core: &Core,
    call: &Call,
    other: &Proposal,
) -> Result<Decision, CallError> {
    let input = Json::parse(&other.input, Limits::ANSWER).unwrap_or(Json::Null);
    decide(core, call, (other.key, &input), None).await
}

async fn decide(
    core: &Core,
    call: &Call,
    (key, input): (IdempotencyKey, &Json),
    made_by_another: Option<&Origin>,
) -> Result<Decision, CallError> {
    let Some(policy) = &core.policy else {
        return Ok(Decision::Allow);
    };
    let asked = Checkpoint {
        organization: call.caller.organization,
        principal: &call.caller.principal,
        run: &call.caller.run,
        turn: &call.caller.turn,
        tool: call.tool.spec().name(),
        scope: call.tool.scope(),
        effect: call.effect(),
        key,
        input,
        made_by_another,
        past: &*core.store,
    };
    policy.decide(&asked).await.map_err(failed)
}

/// Whether anything stands between the journal and the claim.
pub(crate) fn stands_between(core: &Core, call: &Call) -> bool {
    core.policy.is_some() || call.tool.spec().approval_rule() == ApprovalRule::Always
}

/// The policy's no.
pub(crate) fn denied(call: &Call, reason: String) -> Answered {
    call.unstored(Err(ToolFailure::final_answer(codes::DENIED, reason)))
}

pub(crate) fn stop(answer: Answered) -> Passage {
    Passage::Stops(Box::new(Settled::Answer(answer)))
}

/// A policy that asked the store and got no answer: the store's failure, which a driver may wait out.
fn failed(error: PolicyError) -> CallError {
    match error.downcast::<RepositoryError>() {
        Ok(error) => CallError::from(*error),
        Err(error) => CallError::Policy(error.into()),
    }
}
