//! Asking a person: one card for a call, looked up before it is opened, spent by the answer (R40 to R45).

use crate::call::{Settled, ToolFailure, Waiting, codes};
use crate::call_error::CallError;
use crate::checkpoint::{Approved, Passage, stop};
use crate::decoded::Call;
use crate::fingerprint::Fingerprint;
use crate::policy::Asking;
use crate::runtime::Core;
use idem_core::approval::table::{Act, CardState, Outcome, decide};
use idem_core::approval::{Approval, ApprovalId, EXPIRES_IN_MAX, NewCard, Proposal, TakenEdit};
use idem_core::identity::{ShownHash, request_hash};
use idem_core::json::{Json, Limits};
use std::time::Duration;

/// How often a card that others keep opening and closing is looked up.
const ROUNDS_MAX: u32 = 8;

/// Asks for a call: opens a card, or finds what became of the one there is.
pub(crate) async fn ask(core: &Core, call: &Call, asking: &Asking) -> Result<Passage, CallError> {
    let proposed = proposal(call);
    for _ in 0..ROUNDS_MAX {
        let found = find(core, call).await?;
        let act = act(found.as_ref(), &proposed);
        let (outcome, _) = decide(CardState::of(found.as_ref()), act);
        let stale = match (&outcome, &found) {
            (Outcome::MayRun, Some(card)) => match covers(call, card) {
                Ok(added_defaults) => return approved(card, added_defaults),
                Err(why) => Some(why),
            },
            _ => None,
        };
        match (outcome, found) {
            (Outcome::Waits, Some(card)) => {
                let card = check_edit(core, call, card).await?;
                return Ok(Passage::Stops(waiting(call, card)));
            }
            (Outcome::AnswersDenied, Some(card)) => {
                return Ok(stop(call.unstored(Err(denied(&card)))));
            }
            (Outcome::AnswersExpired, _) => {
                return Ok(answer(call, codes::APPROVAL_EXPIRED, EXPIRED));
            }
            (Outcome::AnswersWithdrawn, _) => {
                return Ok(answer(call, codes::APPROVAL_WITHDRAWN, WITHDRAWN));
            }
            (_, found) => {
                if let Some(card) = open(core, call, asking, &proposed, (found, stale)).await? {
                    return Ok(Passage::Stops(waiting(call, card)));
                }
            }
        }
    }
    Err(CallError::CardContended {
        key: call.request.key.key(),
    })
}

const EXPIRED: &str =
    "nobody decided in time, so it was not done. Ask the user whether it should be proposed anew";
const WITHDRAWN: &str = "the request for approval was taken back, so it was not done";

const EDIT_IS_STALE: &str = "a person approved other arguments in place of these, and the tool has changed since, so it was \
     not done. Ask the user whether it should be proposed anew";

/// The policy allows the call now, and may have asked about it before. An open card is taken back (R41). What a person
/// has decided about this very call stands: a no is given again (R45), and a yes runs what was approved, edits included,
/// so that a call which ran edited is not made a second time as it was proposed (R43, R44).
pub(crate) async fn allow(core: &Core, call: &Call) -> Result<Passage, CallError> {
    for _ in 0..ROUNDS_MAX {
        let Some(card) = find(core, call).await? else {
            return Ok(Passage::Free);
        };
        let (outcome, _) = decide(
            CardState::of(Some(&card)),
            act(Some(&card), &proposal(call)),
        );
        match outcome {
            Outcome::Waits | Outcome::Supersedes => {
                let why = "the policy allows it now";
                let organization = call.caller.organization;
                let taken = core.store.withdraw_card(organization, card.id, why).await?;
                if taken.is_some() {
                    return Ok(Passage::Free);
                }
                // Somebody decided meanwhile.
            }
            Outcome::MayRun => {
                return match covers(call, &card) {
                    Ok(added_defaults) => approved(&card, added_defaults),
                    // Somebody wanted other arguments than these, and they cannot run any more.
                    Err(_) if card.is_edited() => {
                        Ok(answer(call, codes::APPROVAL_WITHDRAWN, EDIT_IS_STALE))
                    }
                    // A yes to the tool as it was: what counts is what the policy says of it as it is.
                    Err(_) => Ok(Passage::Free),
                };
            }
            Outcome::AnswersDenied => return Ok(stop(call.unstored(Err(denied(&card))))),
            _ => return Ok(Passage::Free),
        }
    }
    Err(CallError::CardContended {
        key: call.request.key.key(),
    })
}

/// Looks once more, just before the claim: the yes may have run out or been taken back meanwhile (R41).
pub(crate) async fn still_stands(
    core: &Core,
    call: &Call,
    id: ApprovalId,
) -> Result<Option<Passage>, CallError> {
    let card = core.store.card(call.caller.organization, id).await?;
    Ok(match CardState::of(card.as_ref()) {
        CardState::Approved | CardState::Spent => None,
        CardState::Withdrawn => Some(answer(call, codes::APPROVAL_WITHDRAWN, WITHDRAWN)),
        _ => Some(answer(call, codes::APPROVAL_EXPIRED, EXPIRED)),
    })
}

/// The answer for a yes that is spent and whose answer is forgotten (R42).
pub(crate) fn spent_and_forgotten(call: &Call) -> Passage {
    answer(
        call,
        codes::APPROVAL_EXPIRED,
        "it was approved and done long ago, and its answer is no longer kept; it is not done again",
    )
}

/// Notes that an approved call has its answer. The note is a copy: what counts is the journal's row.
pub(crate) async fn spend(core: &Core, card: &Approval) {
    if card.spent_at.is_some() {
        return;
    }
    if let Err(error) = core.store.spend_card(card.organization, card.id).await {
        tracing::warn!(%error, approval = %card.id, "a spent approval was not noted; the journal knows");
    }
}

async fn find(core: &Core, call: &Call) -> Result<Option<Approval>, CallError> {
    let place = (&call.caller.run, &call.caller.turn);
    let of = (call.tool.scope(), call.request.key.key());
    Ok(core
        .store
        .find_card(call.caller.organization, place, of)
        .await?)
}

fn act(found: Option<&Approval>, proposed: &Proposal) -> Act {
    match found {
        Some(card) if card.proposed.hash != proposed.hash => Act::AskOtherContent,
        Some(card) if card.proposed.shown_hash != proposed.shown_hash => Act::AskOtherProse,
        _ => Act::AskSame,
    }
}

/// Opens a card. `None`: another caller was first; look again. The one it replaces is taken back first.
async fn open(
    core: &Core,
    call: &Call,
    asking: &Asking,
    proposed: &Proposal,
    (found, stale): (Option<Approval>, Option<String>),
) -> Result<Option<Approval>, CallError> {
    let organization = call.caller.organization;
    if let Some(card) = &found {
        let why = stale
            .as_deref()
            .unwrap_or("another call of the same identity was proposed");
        core.store.withdraw_card(organization, card.id, why).await?;
    }
    let denial = found
        .as_ref()
        .filter(|card| CardState::of(Some(card)) == CardState::Denied);
    let card = NewCard {
        organization,
        run: call.caller.run.clone(),
        turn: call.caller.turn.clone(),
        scope: call.tool.scope().clone(),
        tool: call.tool.spec().name().to_owned(),
        effect: call.effect().word().to_owned(),
        principal: call.caller.principal.clone(),
        rule: asking.rule.clone(),
        approvers: asking.approvers.clone(),
        fingerprint: call.tool.fingerprint().to_text(),
        proposed: proposed.clone(),
        expires_in: asking
            .expires_in
            .clamp(Duration::from_secs(1), EXPIRES_IN_MAX),
        supersedes: found.as_ref().map(|card| card.id),
        earlier_denial: denial.map(|card| card.reason.clone().unwrap_or_default()),
    };
    Ok(core.store.open_card(ApprovalId::mint(), &card).await?)
}

/// Checks arguments that a person asked for, where this process has the tool and nobody has yet.
async fn check_edit(core: &Core, call: &Call, card: Approval) -> Result<Approval, CallError> {
    let Some(asked) = &card.edit_request else {
        return Ok(card);
    };
    let taken = match edited(call, asked) {
        Ok(effective) => TakenEdit::Effective(effective),
        Err(failure) => TakenEdit::Refused(failure.message),
    };
    let checked = core
        .store
        .take_edit(card.organization, card.id, asked, &taken)
        .await?;
    Ok(checked.unwrap_or(card))
}

fn edited(call: &Call, asked: &str) -> Result<Proposal, ToolFailure> {
    let json = Json::parse(asked, Limits::ARGUMENTS)
        .map_err(|error| ToolFailure::final_answer(codes::INVALID_INPUT, error.to_string()))?;
    let prepared = call.tool.prepare(&json)?;
    let key = call.key_of_identity(&prepared.forms.identity);
    Ok(Proposal {
        key,
        hash: request_hash(&prepared.forms.content),
        shown_hash: shown_hash(call, &prepared.forms.shown),
        input: prepared.forms.shown.into(),
    })
}

fn proposal(call: &Call) -> Proposal {
    let shown = call.request.input.clone().unwrap_or_else(|| "null".into());
    Proposal {
        key: call.request.key.key(),
        hash: call.request.hash,
        shown_hash: shown_hash(call, &shown),
        input: shown,
    }
}

fn shown_hash(call: &Call, shown: &str) -> ShownHash {
    ShownHash::new(call.tool.scope().as_str(), call.tool.spec().name(), shown)
}

/// Whether a yes to the tool as it was covers the tool as it is; the arguments that came with a default since.
fn covers(call: &Call, card: &Approval) -> Result<Vec<String>, String> {
    if CardState::of(Some(card)) == CardState::Spent {
        return Ok(Vec::new());
    }
    let then = Fingerprint::parse(&card.fingerprint)?;
    then.covered_by(call.tool.fingerprint())
}

fn approved(card: &Approval, added_defaults: Vec<String>) -> Result<Passage, CallError> {
    Ok(Passage::Approved(Box::new(Approved {
        card: card.clone(),
        added_defaults,
    })))
}

fn waiting(call: &Call, card: Approval) -> Settled {
    Settled::Waiting(Box::new(Waiting {
        call_id: call.id.clone(),
        tool: call.tool.spec().name().to_owned(),
        key: call.request.key.key(),
        card,
    }))
}

fn denied(card: &Approval) -> ToolFailure {
    let reason = card.reason.as_deref().filter(|reason| !reason.is_empty());
    let message = match reason {
        Some(reason) => format!("a person said no: {reason}"),
        None => "a person said no".to_owned(),
    };
    ToolFailure::final_answer(codes::DENIED, message)
}

fn answer(call: &Call, code: &str, message: &str) -> Passage {
    stop(call.unstored(Err(ToolFailure::final_answer(code, message))))
}
