//! Cards as the tool path sees them: found for a call, opened for it, checked against the tool as it is now.

use crate::call::{ToolFailure, codes};
use crate::call_error::CallError;
use crate::checkpoint;
use crate::decoded::Call;
use crate::fingerprint::Fingerprint;
use crate::policy::{Asking, Decision};
use crate::runtime::Core;
use idem_core::approval::table::CardState;
use idem_core::approval::{
    Approval, ApprovalId, CardCall, EXPIRES_IN_MAX, NewCard, Proposal, TakenEdit, stored_text,
};
use idem_core::identity::{ShownHash, request_hash};
use idem_core::json::{Json, Limits};
use std::time::Duration;

/// What a new card stands in for.
pub(crate) enum Replaced {
    /// Nothing that the approver has to know of.
    Nothing,
    /// An open card with other content under the same key (R41).
    Superseded(Approval),
    /// A yes to the tool as it was, and what changed since (R44).
    Stale(Approval, String),
    /// A card that is decided or over: a no to other content is shown (R45).
    Decided(Approval),
}

/// Whether a yes to the tool as it was covers the tool as it is.
pub(crate) enum Cover {
    /// It does; these arguments came with a default since.
    Holds(Vec<String>),
    /// It does not, and this is why.
    Stale(String),
}

/// The call as a person is asked about it.
pub(crate) fn proposal(call: &Call) -> Proposal {
    let shown = call.request.input.clone().unwrap_or_else(|| "null".into());
    Proposal {
        key: call.request.key.key(),
        hash: call.request.hash,
        shown_hash: shown_hash(call, &shown),
        input: shown,
    }
}

pub(crate) async fn find(
    core: &Core,
    call: &Call,
    proposed: &Proposal,
) -> Result<Option<Approval>, CallError> {
    let place = (&call.caller.run, &call.caller.turn);
    let of = CardCall {
        scope: call.tool.scope(),
        principal: &call.caller.principal,
        proposed,
    };
    Ok(core
        .store
        .find_card(call.caller.organization, place, of)
        .await?)
}

/// Opens a card. `None`: another caller was first; look again.
///
/// An open card that it replaces is taken back first, since there is at most one. A yes that no longer covers the tool
/// is taken back afterwards: should this process end between the two, the new card is the one that speaks.
pub(crate) async fn open(
    core: &Core,
    call: &Call,
    asking: &Asking,
    (proposed, replaced): (&Proposal, Replaced),
) -> Result<Option<Approval>, CallError> {
    can_be_read_back(call, proposed)?;
    let organization = call.caller.organization;
    let (mut supersedes, mut earlier_denial) = (None, None);
    match &replaced {
        Replaced::Nothing => {}
        Replaced::Superseded(card) => {
            let why = "another call of the same identity was proposed";
            let taken = core.store.withdraw_card(organization, card.id, why).await?;
            if taken.is_none() {
                // Somebody decided it meanwhile, and that stands.
                return Ok(None);
            }
            (supersedes, earlier_denial) = (Some(card.id), card.earlier_denial.clone());
        }
        Replaced::Stale(card, _) => supersedes = Some(card.id),
        Replaced::Decided(card) => {
            earlier_denial = match CardState::of(Some(card)) {
                CardState::Denied => Some(card.reason.clone().unwrap_or_default()),
                _ => card.earlier_denial.clone(),
            };
            // It would stand in the way of another open one.
            core.store.expire_card(organization, card.id).await?;
        }
    }
    let card = NewCard {
        organization,
        run: call.caller.run.clone(),
        turn: call.caller.turn.clone(),
        scope: call.tool.scope().clone(),
        tool: call.tool.spec().name().to_owned(),
        effect: call.effect().word().to_owned(),
        principal: call.caller.principal.clone(),
        rule: stored_text(&asking.rule),
        approvers: asking.approvers.clone(),
        fingerprint: call.tool.fingerprint().to_text(),
        proposed: proposed.clone(),
        expires_in: asking
            .expires_in
            .clamp(Duration::from_secs(1), EXPIRES_IN_MAX),
        supersedes,
        earlier_denial,
    };
    let opened = core.store.open_card(ApprovalId::mint(), &card).await?;
    if let (Some(_), Replaced::Stale(card, why)) = (&opened, &replaced) {
        let why = stored_text(why);
        core.store
            .withdraw_card(organization, card.id, &why)
            .await?;
    }
    Ok(opened)
}

/// What a person approves is what runs, so it has to mean the same when it is read back from the card.
fn can_be_read_back(call: &Call, proposed: &Proposal) -> Result<(), CallError> {
    let back = prepared(call, &proposed.input, Limits::ANSWER);
    if back.is_ok_and(|back| back.input == proposed.input) {
        return Ok(());
    }
    Err(CallError::NotShowable {
        tool: call.tool.spec().name().to_owned(),
    })
}

/// Checks arguments that a person asked for, where this process has the tool and nobody has yet (R43): the tool has to
/// take them, and the policy to ask about them as it asks about the proposed ones. Where the policy fails, the edit
/// stays as it is, unchecked.
pub(crate) async fn check_edit(
    core: &Core,
    call: &Call,
    asking: &Asking,
    card: Approval,
) -> Result<Approval, CallError> {
    let Some(asked) = &card.edit_request else {
        return Ok(card);
    };
    let taken = match prepared(call, asked, Limits::ARGUMENTS) {
        Ok(effective) => match against(core, call, (asking, &card), &effective).await? {
            Some(why) => TakenEdit::Refused(stored_text(&why)),
            None => TakenEdit::Effective(effective),
        },
        Err(failure) => TakenEdit::Refused(stored_text(&failure.message)),
    };
    let (organization, id) = (card.organization, card.id);
    let checked = core
        .store
        .take_edit(organization, id, asked, &taken)
        .await?;
    match checked {
        Some(card) => Ok(card),
        // Another edit was asked for meanwhile, or it was decided: what is shown is what stands.
        None => Ok(core.store.card(organization, id).await?.unwrap_or(card)),
    }
}

/// What the policy has against other arguments than the ones that it asked about. The approvers of a small payment are
/// not those of a large one, so a card does not move under another rule: such a call has to be proposed, and asked about
/// by its own.
async fn against(
    core: &Core,
    call: &Call,
    (asking, card): (&Asking, &Approval),
    other: &Proposal,
) -> Result<Option<String>, CallError> {
    let theirs = match checkpoint::says_of(core, call, other).await? {
        Decision::Deny { reason } => return Ok(Some(reason)),
        Decision::Allow => return Ok(None),
        Decision::Ask(theirs) => theirs,
    };
    let rule = stored_text(&theirs.rule);
    // The policy's words may have changed since the card was opened.
    let same_rule = rule == card.rule || theirs.rule == asking.rule;
    let named = theirs.approvers.named.as_ref().map(|named| {
        let names = named.iter().map(|name| name.as_str().to_owned());
        names.collect::<Vec<_>>()
    });
    let same_people = named == card.approvers
        && theirs.approvers.requester_may_decide == card.requester_may_decide;
    Ok((!same_rule || !same_people)
        .then(|| format!("these arguments fall under another rule: {rule}")))
}

/// Why the policy forbids what a person approved: it was asked about the arguments that were proposed, and the card
/// holds others (R41).
pub(crate) async fn forbidden(
    core: &Core,
    call: &Call,
    card: &Approval,
) -> Result<Option<String>, CallError> {
    if call.request.input.as_ref() == Some(&card.effective.input) {
        return Ok(None);
    }
    // What the tool does not take any more is told where it would run.
    let Ok(runs) = prepared(call, &card.effective.input, Limits::ANSWER) else {
        return Ok(None);
    };
    Ok(match checkpoint::says_of(core, call, &runs).await? {
        Decision::Deny { reason } => Some(reason),
        Decision::Allow | Decision::Ask(_) => None,
    })
}

/// Other arguments of the same call, with their own identity.
fn prepared(call: &Call, arguments: &str, limits: Limits) -> Result<Proposal, ToolFailure> {
    let json = Json::parse(arguments, limits)
        .map_err(|error| ToolFailure::final_answer(codes::INVALID_INPUT, error.to_string()))?;
    let prepared = call.tool.prepare(&json)?;
    Ok(Proposal {
        key: call.key_of(&prepared.forms),
        hash: request_hash(&prepared.forms.content),
        shown_hash: shown_hash(call, &prepared.forms.shown),
        input: prepared.forms.shown.into(),
    })
}

/// Whether a yes covers the tool as it is now: every field has its old fingerprint, what came since has a default, and
/// what runs has the content that was approved (R44).
pub(crate) fn covers(call: &Call, card: &Approval) -> Cover {
    let then = Fingerprint::parse(&card.fingerprint);
    match then.and_then(|then| then.covered_by(call.tool.fingerprint())) {
        Err(why) => Cover::Stale(why),
        Ok(added_defaults) => match prepared(call, &card.effective.input, Limits::ANSWER) {
            Ok(now) if now.hash == card.effective.hash => Cover::Holds(added_defaults),
            Ok(_) => Cover::Stale("the tool reads what was approved differently now".to_owned()),
            Err(failure) => Cover::Stale(format!(
                "the tool does not take what was approved any more: {}",
                failure.message
            )),
        },
    }
}

fn shown_hash(call: &Call, shown: &str) -> ShownHash {
    ShownHash::new(call.tool.scope().as_str(), call.tool.spec().name(), shown)
}
