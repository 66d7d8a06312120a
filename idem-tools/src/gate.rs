//! Asking a person: what becomes of a call that a card speaks about (R40 to R45).

use crate::Effect;
use crate::call::{Settled, ToolFailure, Waiting, codes};
use crate::call_error::CallError;
use crate::cards::{self, Cover, Replaced};
use crate::checkpoint::{Approved, Passage, Ran, stop};
use crate::decoded::Call;
use crate::planted::{self, Bug};
use crate::policy::Asking;
use crate::runtime::Core;
use crate::spec::ApprovalRule;
use idem_core::ReadOutcome;
use idem_core::approval::table::{Act, CardState, Outcome, decide};
use idem_core::approval::{Approval, ApprovalId, Proposal};
use idem_core::states::RowState;

/// How often a card that others keep opening and closing is looked up.
const ROUNDS_MAX: u32 = 8;

const EXPIRED: &str =
    "nobody decided in time, so it was not done. Ask the user whether it should be proposed anew";
const RAN_OUT: &str = "it was approved, and the approval ran out before it was done. Ask the user whether it should \
     be proposed anew";
const WITHDRAWN: &str = "the request for approval was taken back, so it was not done";
const FORGOTTEN: &str =
    "it was approved and done long ago, and its answer is no longer kept; it is not done again";
const IN_DOUBT: &str = "it was approved, and an attempt at it may have happened: nobody can know, so it is not made \
     again. Tell the user, and let a person check";

/// Asks for a call: opens a card, or finds what became of the one there is.
pub(crate) async fn ask(core: &Core, call: &Call, asking: &Asking) -> Result<Passage, CallError> {
    let proposed = cards::proposal(call);
    for _ in 0..ROUNDS_MAX {
        let found = cards::find(core, call, &proposed).await?;
        let (outcome, _) = decide(
            CardState::of(found.as_ref()),
            act(found.as_ref(), &proposed),
        );
        let replaced = match (outcome, found) {
            (Outcome::Waits, Some(card)) => {
                let card = cards::check_edit(core, call, asking, card).await?;
                return Ok(Passage::Stops(Box::new(waiting(call, card))));
            }
            (Outcome::Supersedes, Some(card)) => Replaced::Superseded(card),
            (Outcome::Asks, Some(card)) => Replaced::Decided(card),
            (_, Some(card)) => match stands(core, call, card).await? {
                Standing::Passes(passage) => return Ok(passage),
                Standing::Asks(replaced) => *replaced,
            },
            (_, None) => Replaced::Nothing,
        };
        if let Some(card) = cards::open(core, call, asking, (&proposed, replaced)).await? {
            return Ok(Passage::Stops(Box::new(waiting(call, card))));
        }
    }
    Err(contended(call))
}

/// The policy allows the call now, and may have asked about it before. An open card is taken back (R41). What a person
/// has decided about this very call stands: a no is given again (R45), and a yes runs what was approved, edits included,
/// so that a call which ran edited is not made a second time as it was proposed (R43).
pub(crate) async fn allow(core: &Core, call: &Call) -> Result<Passage, CallError> {
    let proposed = cards::proposal(call);
    for _ in 0..ROUNDS_MAX {
        let Some(card) = cards::find(core, call, &proposed).await? else {
            return Ok(Passage::Free);
        };
        let (outcome, _) = decide(CardState::of(Some(&card)), act(Some(&card), &proposed));
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
                return Ok(match stands(core, call, card).await? {
                    Standing::Passes(passage) => passage,
                    // A yes to the tool as it was, or for somebody else: what counts is what the policy says now.
                    Standing::Asks(_) => Passage::Free,
                });
            }
            Outcome::AnswersDenied => return Ok(stop(call.unstored(Err(denied(&card))))),
            // It ran, or may have, before its card was over.
            Outcome::AnswersExpired | Outcome::AnswersWithdrawn => {
                return Ok(journal(core, call, &card).await?.unwrap_or(Passage::Free));
            }
            _ => return Ok(Passage::Free),
        }
    }
    Err(contended(call))
}

/// What became of a call that a person had edited in an argument that is only checked: its row stands under the proposed
/// key, with other content, and its answer is the answer of what was proposed (R43).
pub(crate) async fn edited(core: &Core, call: &Call) -> Result<Option<Passage>, CallError> {
    let asks = core.policy.as_ref().is_some_and(|policy| policy.asks());
    if !asks && call.tool.spec().approval_rule() != ApprovalRule::Always {
        return Ok(None);
    }
    let proposed = cards::proposal(call);
    match cards::find(core, call, &proposed).await? {
        Some(card) if card.proposed.hash == proposed.hash && card.is_edited() => {
            journal(core, call, &card).await
        }
        _ => Ok(None),
    }
}

/// Looks once more, just before the claim: the yes may have run out or been taken back meanwhile (R41).
pub(crate) async fn still_stands(
    core: &Core,
    call: &Call,
    id: ApprovalId,
) -> Result<Option<Settled>, CallError> {
    let card = core.store.card(call.caller.organization, id).await?;
    let (code, message) = match CardState::of(card.as_ref()) {
        CardState::Approved | CardState::Spent => return Ok(None),
        CardState::Withdrawn => (codes::APPROVAL_WITHDRAWN, WITHDRAWN),
        CardState::RanOut => (codes::APPROVAL_EXPIRED, RAN_OUT),
        _ => (codes::APPROVAL_EXPIRED, EXPIRED),
    };
    let failure = ToolFailure::final_answer(code, message);
    Ok(Some(Settled::Answer(call.unstored(Err(failure)))))
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

/// What a card that is decided or over comes to.
enum Standing {
    /// The call comes past the checkpoint, or ends at it.
    Passes(Passage),
    /// It does not speak about this call as it is now.
    Asks(Box<Replaced>),
}

async fn stands(core: &Core, call: &Call, card: Approval) -> Result<Standing, CallError> {
    let passes = |passage| Ok(Standing::Passes(passage));
    let asks = |replaced| Ok(Standing::Asks(Box::new(replaced)));
    let state = CardState::of(Some(&card));
    if state == CardState::Denied {
        if planted::is(Bug::DenialForgotten) {
            return asks(Replaced::Decided(card));
        }
        return passes(stop(call.unstored(Err(denied(&card)))));
    }
    if state == CardState::Expired && card.turn != call.caller.turn.as_ref() {
        return asks(Replaced::Decided(card));
    }
    if card.had_a_yes() && card.principal != call.caller.principal.as_str() {
        return asks(Replaced::Nothing);
    }
    if let Some(passage) = journal(core, call, &card).await? {
        return passes(passage);
    }
    match state {
        CardState::Approved => match cards::covers(call, &card) {
            Cover::Holds(added_defaults) => passes(Passage::Approved(Box::new(Approved {
                card,
                added_defaults,
            }))),
            Cover::Stale(why) => asks(Replaced::Stale(card, why)),
        },
        CardState::Spent => passes(answer(call, codes::APPROVAL_EXPIRED, FORGOTTEN)),
        CardState::RanOut => passes(answer(call, codes::APPROVAL_EXPIRED, RAN_OUT)),
        CardState::Withdrawn => passes(answer(call, codes::APPROVAL_WITHDRAWN, WITHDRAWN)),
        _ => passes(answer(call, codes::APPROVAL_EXPIRED, EXPIRED)),
    }
}

/// Asks the journal what became of a call that had a yes. Whether it is spent is derived from there: its card may say
/// nothing, or that its time was over while the call ran (R42). A card with the proposed identity needs it only where
/// it is over: that key was read before the checkpoint.
async fn journal(core: &Core, call: &Call, card: &Approval) -> Result<Option<Passage>, CallError> {
    let approved = CardState::of(Some(card)) == CardState::Approved;
    let own = card.principal == call.caller.principal.as_str();
    if !card.had_a_yes() || !own || (approved && !card.is_edited()) {
        return Ok(None);
    }
    let under = call.clone().under(card, Vec::new())?;
    match core.service.read(&under.request).await? {
        ReadOutcome::Completed(stored) => {
            let card = card.clone();
            return Ok(Some(Passage::Ran(Box::new(Ran { card, stored }))));
        }
        ReadOutcome::Processing(in_flight) => return Err(under.in_flight(in_flight)),
        ReadOutcome::Absent | ReadOutcome::Conflict(_) if approved => return Ok(None),
        ReadOutcome::Absent | ReadOutcome::Conflict(_) => {}
    }
    // It is not run again; whether it ran, the row may leave open.
    let row = core.store.get(&under.request.key).await?;
    Ok(match RowState::of(row.as_ref()) {
        RowState::LapsedMarked | RowState::LapsedInDoubt => {
            Some(answer(&under, codes::OUTCOME_UNKNOWN, IN_DOUBT))
        }
        // Its claim is never marked, and a worker that stalled may commit yet: nobody has taken its fence.
        RowState::Lapsed if under.effect() == Effect::Transactional => {
            Some(answer(&under, codes::OUTCOME_UNKNOWN, IN_DOUBT))
        }
        _ => None,
    })
}

fn act(found: Option<&Approval>, proposed: &Proposal) -> Act {
    match found {
        Some(card) if card.proposed.hash != proposed.hash => Act::AskOtherContent,
        Some(card) if card.proposed.shown_hash != proposed.shown_hash => Act::AskOtherProse,
        _ => Act::AskSame,
    }
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

fn contended(call: &Call) -> CallError {
    CallError::CardContended {
        key: call.request.key.key(),
    }
}
