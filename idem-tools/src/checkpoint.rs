//! The checkpoint: what the policy says, and what a person said where it asks (R30, R40 to R45).

use crate::call::{Answered, Settled, ToolFailure, codes};
use crate::call_error::CallError;
use crate::decoded::Call;
use crate::gate;
use crate::policy::{Asking, Checkpoint, Decision, PolicyError};
use crate::runtime::Core;
use crate::spec::ApprovalRule;
use idem_core::approval::Approval;
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
    let decision = match &core.policy {
        None => Decision::Allow,
        Some(policy) => {
            let input = call.shown_input();
            let asked = asked(core, call, &input, made_by_another);
            policy.decide(&asked).await.map_err(failed)?
        }
    };
    let asks = core.policy.as_ref().is_some_and(|policy| policy.asks());
    match (decision, call.tool.spec().approval_rule()) {
        (Decision::Deny { reason }, _) => {
            let failure = ToolFailure::final_answer(codes::DENIED, reason);
            Ok(stop(call.unstored(Err(failure))))
        }
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

/// Whether anything stands between the journal and the claim.
pub(crate) fn stands_between(core: &Core, call: &Call) -> bool {
    core.policy.is_some() || call.tool.spec().approval_rule() == ApprovalRule::Always
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

fn asked<'a>(
    core: &'a Core,
    call: &'a Call,
    input: &'a idem_core::json::Json,
    made_by_another: Option<&'a Origin>,
) -> Checkpoint<'a> {
    Checkpoint {
        organization: call.caller.organization,
        principal: &call.caller.principal,
        run: &call.caller.run,
        turn: &call.caller.turn,
        tool: call.tool.spec().name(),
        scope: call.tool.scope(),
        effect: call.effect(),
        key: call.request.key.key(),
        input,
        made_by_another,
        past: &*core.store,
    }
}
