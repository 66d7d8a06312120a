//! Cards in memory, changed as the statements change them.

use super::{Inner, VolatileStore};
use crate::approval::{
    Approval, ApprovalId, ApprovalRepository, CardCall, CardFilter, CardStatus, Decision,
    EditRequest, NewCard, TakenEdit,
};
use crate::error::RepositoryError;
use crate::identity::{LogicalTurn, RunId, ShownHash};
use crate::organization::{OrganizationId, Principal};
use async_trait::async_trait;
use time::OffsetDateTime;

impl Inner {
    /// Changes a card under a condition, and shows it.
    fn change(
        &mut self,
        (organization, id): (OrganizationId, ApprovalId),
        holds: impl FnOnce(&Approval, OffsetDateTime) -> bool,
        change: impl FnOnce(&mut Approval, OffsetDateTime),
    ) -> Option<Approval> {
        let now = self.now();
        let of = |card: &&mut Approval| card.organization == organization && card.id == id;
        let card = self.cards.iter_mut().find(of)?;
        if !holds(card, now) {
            return None;
        }
        change(card, now);
        Some(seen(card, now))
    }
}

/// A card as a reader at this instant sees it.
fn seen(card: &Approval, now: OffsetDateTime) -> Approval {
    Approval {
        current: card.expires_at > now,
        ..card.clone()
    }
}

fn is_open(card: &Approval, now: OffsetDateTime) -> bool {
    card.status == CardStatus::Open && card.expires_at > now
}

fn is_unspent(card: &Approval) -> bool {
    card.spent_at.is_none() && matches!(card.status, CardStatus::Open | CardStatus::Approved)
}

/// What a decision and an edit need alike.
fn may_decide(card: &Approval, shown: ShownHash, by: &Principal, now: OffsetDateTime) -> bool {
    let named = |names: &Vec<String>| names.iter().any(|name| name == by.as_str());
    is_open(card, now)
        && card.effective.shown_hash == shown
        && (card.requester_may_decide || card.principal != by.as_str())
        && card.approvers.as_ref().is_none_or(named)
}

fn opened(id: ApprovalId, card: &NewCard, now: OffsetDateTime) -> Approval {
    let names = |named: &Vec<Principal>| named.iter().map(|name| name.as_str().into()).collect();
    Approval {
        id,
        organization: card.organization,
        run: card.run.as_ref().to_owned(),
        turn: card.turn.as_ref().to_owned(),
        scope: card.scope.as_str().to_owned(),
        tool: card.tool.clone(),
        effect: card.effect.clone(),
        principal: card.principal.as_str().to_owned(),
        rule: card.rule.clone(),
        approvers: card.approvers.named.as_ref().map(names),
        requester_may_decide: card.approvers.requester_may_decide,
        fingerprint: card.fingerprint.clone(),
        status: CardStatus::Open,
        current: true,
        proposed: card.proposed.clone(),
        effective: card.proposed.clone(),
        edit_request: None,
        edit_requested_by: None,
        edit_refusal: None,
        supersedes: card.supersedes,
        earlier_denial: card.earlier_denial.clone(),
        asked_at: now,
        expires_at: now + card.expires_in,
        decided_at: None,
        decided_by: None,
        reason: None,
        spent_at: None,
    }
}

#[async_trait]
impl ApprovalRepository for VolatileStore {
    async fn open_card(
        &self,
        id: ApprovalId,
        card: &NewCard,
    ) -> Result<Option<Approval>, RepositoryError> {
        let mut inner = self.lock();
        let card = opened(id, card, inner.now());
        let in_the_way = |other: &Approval| {
            other.status == CardStatus::Open
                && other.organization == card.organization
                && other.run == card.run
                && other.scope == card.scope
                && other.proposed.key == card.proposed.key
        };
        if inner.cards.iter().any(in_the_way) {
            return Ok(None);
        }
        inner.cards.push(card.clone());
        Ok(Some(card))
    }

    async fn find_card(
        &self,
        organization: OrganizationId,
        (run, turn): (&RunId, &LogicalTurn),
        call: CardCall<'_>,
    ) -> Result<Option<Approval>, RepositoryError> {
        let inner = self.lock();
        let of_the_call = |card: &&Approval| {
            card.organization == organization
                && card.run == run.as_ref()
                && card.scope == call.scope.as_str()
                && card.proposed.key == call.proposed.key
                && (card.turn == turn.as_ref() || card.status == CardStatus::Open)
        };
        let replaced = |card: &Approval| {
            inner
                .cards
                .iter()
                .any(|later| later.supersedes == Some(card.id))
        };
        let decided = |card: &Approval| {
            let says = match card.status {
                CardStatus::Approved => card.principal == call.principal.as_str(),
                CardStatus::Denied => card.proposed.shown_hash == call.proposed.shown_hash,
                CardStatus::Open | CardStatus::Expired | CardStatus::Withdrawn => false,
            };
            says && card.proposed.hash == call.proposed.hash && !replaced(card)
        };
        let found = inner.cards.iter().filter(of_the_call);
        let found = found.max_by_key(|card| (decided(card), card.asked_at, card.id));
        Ok(found.map(|card| seen(card, inner.now())))
    }

    async fn card(
        &self,
        organization: OrganizationId,
        id: ApprovalId,
    ) -> Result<Option<Approval>, RepositoryError> {
        let inner = self.lock();
        let of = |card: &&Approval| card.organization == organization && card.id == id;
        let found = inner.cards.iter().find(of);
        Ok(found.map(|card| seen(card, inner.now())))
    }

    async fn cards(
        &self,
        organization: OrganizationId,
        filter: &CardFilter,
    ) -> Result<Vec<Approval>, RepositoryError> {
        let inner = self.lock();
        let now = inner.now();
        let of = |card: &&Approval| {
            let scope = filter.scope.as_ref();
            card.organization == organization
                && scope.is_none_or(|scope| card.scope == scope.as_str())
                && card.asked_at <= now - filter.min_age
                && (filter.all || is_open(card, now))
        };
        let mut found: Vec<_> = inner.cards.iter().filter(of).collect();
        found.sort_by_key(|card| (card.asked_at, card.id));
        found.truncate(filter.rows_max as usize);
        Ok(found.into_iter().map(|card| seen(card, now)).collect())
    }

    async fn decide_card(
        &self,
        organization: OrganizationId,
        id: ApprovalId,
        decision: &Decision,
    ) -> Result<Option<Approval>, RepositoryError> {
        let holds = |card: &Approval, now| may_decide(card, decision.shown_hash, &decision.by, now);
        let change = |card: &mut Approval, now| {
            card.status = if decision.approves {
                CardStatus::Approved
            } else {
                CardStatus::Denied
            };
            card.decided_at = Some(now);
            card.decided_by = Some(decision.by.as_str().to_owned());
            card.reason = decision.reason.clone();
        };
        Ok(self.lock().change((organization, id), holds, change))
    }

    async fn request_edit(
        &self,
        organization: OrganizationId,
        id: ApprovalId,
        edit: &EditRequest,
    ) -> Result<Option<Approval>, RepositoryError> {
        let holds = |card: &Approval, now| may_decide(card, edit.shown_hash, &edit.by, now);
        let change = |card: &mut Approval, _| {
            card.edit_request = Some(edit.arguments.clone());
            card.edit_requested_by = Some(edit.by.as_str().to_owned());
            card.edit_refusal = None;
        };
        Ok(self.lock().change((organization, id), holds, change))
    }

    async fn take_edit(
        &self,
        organization: OrganizationId,
        id: ApprovalId,
        asked: &str,
        taken: &TakenEdit,
    ) -> Result<Option<Approval>, RepositoryError> {
        let holds = |card: &Approval, now| {
            is_open(card, now) && card.edit_request.as_deref() == Some(asked)
        };
        let change = |card: &mut Approval, _| {
            card.edit_request = None;
            match taken {
                TakenEdit::Effective(effective) => card.effective = effective.clone(),
                TakenEdit::Refused(why) => card.edit_refusal = Some(why.clone()),
            }
        };
        Ok(self.lock().change((organization, id), holds, change))
    }

    async fn withdraw_card(
        &self,
        organization: OrganizationId,
        id: ApprovalId,
        why: &str,
    ) -> Result<Option<Approval>, RepositoryError> {
        let holds = |card: &Approval, now| is_unspent(card) && card.expires_at > now;
        let change = |card: &mut Approval, _| {
            card.status = CardStatus::Withdrawn;
            card.reason = Some(why.to_owned());
        };
        Ok(self.lock().change((organization, id), holds, change))
    }

    async fn expire_card(
        &self,
        organization: OrganizationId,
        id: ApprovalId,
    ) -> Result<Option<Approval>, RepositoryError> {
        let holds = |card: &Approval, now| is_unspent(card) && card.expires_at <= now;
        let change = |card: &mut Approval, _| card.status = CardStatus::Expired;
        Ok(self.lock().change((organization, id), holds, change))
    }

    async fn spend_card(
        &self,
        organization: OrganizationId,
        id: ApprovalId,
    ) -> Result<Option<Approval>, RepositoryError> {
        let holds = |card: &Approval, _| {
            let may = matches!(card.status, CardStatus::Approved | CardStatus::Expired);
            may && card.had_a_yes() && card.spent_at.is_none()
        };
        let change = |card: &mut Approval, now| card.spent_at = Some(now);
        Ok(self.lock().change((organization, id), holds, change))
    }
}
