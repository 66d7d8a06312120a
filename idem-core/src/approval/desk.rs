//! Where decisions arrive: what they come to, and what stands where they come to nothing.

use super::table::{Act, CardState, Outcome, decide};
use super::{
    Approval, ApprovalId, ApprovalRepository, CardFilter, CardStatus, Decision, EditRequest,
    REASON_BYTES_MAX, TakenEdit,
};
use crate::error::RepositoryError;
use crate::identity::ShownHash;
use crate::organization::{OrganizationId, Principal};
use crate::service::insist;
use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

/// Yes or no, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The call may run as shown.
    Approve,
    /// It may not.
    Deny {
        /// A sentence that the model is told.
        reason: String,
    },
}

/// One decision as it arrives. It names what was seen, so that it cannot decide something else.
#[derive(Clone, Debug)]
pub struct DecisionRequest {
    /// The card.
    pub id: ApprovalId,
    /// What the approver saw.
    pub shown_hash: ShownHash,
    /// Who decides.
    pub by: Principal,
    /// Yes or no.
    pub verdict: Verdict,
}

/// What a decision or an edit came to.
#[derive(Clone, Debug)]
#[non_exhaustive]
#[must_use]
pub enum Decided {
    /// It is the decision that stands, or the edit that waits to be checked.
    Done(Box<Approval>),
    /// Another one stood already, or the time was over, or the card was taken back. Nothing was changed.
    Stands(Box<Approval>),
    /// The card shows something else now: look again. Nothing was changed.
    ShowsOther(Box<Approval>),
    /// The rule does not let this approver decide. Nothing was changed.
    NotAllowed(Box<Approval>),
    /// One request said yes and no to the same card. Nothing was changed.
    Contradictory(Box<Approval>),
    /// This organization has no such card.
    NotFound,
}

/// The decisions of one organization's people over one store. Cheap to clone.
#[derive(Clone, Debug)]
pub struct ApprovalDesk {
    store: Arc<dyn ApprovalRepository>,
    organization: OrganizationId,
}

impl ApprovalDesk {
    /// The desk of an organization.
    #[must_use]
    pub fn new(store: Arc<dyn ApprovalRepository>, organization: OrganizationId) -> Self {
        Self {
            store,
            organization,
        }
    }

    /// Lists cards, the oldest first.
    ///
    /// # Errors
    ///
    /// [`RepositoryError`].
    pub async fn list(&self, filter: &CardFilter) -> Result<Vec<Approval>, RepositoryError> {
        insist(|| self.store.cards(self.organization, filter)).await
    }

    /// Reads a card.
    ///
    /// # Errors
    ///
    /// [`RepositoryError`].
    pub async fn show(&self, id: ApprovalId) -> Result<Option<Approval>, RepositoryError> {
        insist(|| self.store.card(self.organization, id)).await
    }

    /// Decides one card. The first decision stands; whoever comes later is told what stands.
    ///
    /// # Errors
    ///
    /// [`RepositoryError`].
    ///
    /// # Cancel safety
    ///
    /// Safe: it is decided or it is not.
    pub async fn decide(&self, request: &DecisionRequest) -> Result<Decided, RepositoryError> {
        let (approves, reason) = match &request.verdict {
            Verdict::Approve => (true, None),
            Verdict::Deny { reason } => (false, Some(stored_text(reason))),
        };
        let decision = Decision {
            approves,
            shown_hash: request.shown_hash,
            by: request.by.clone(),
            reason,
        };
        let times = AtomicU32::new(0);
        let decide = || {
            times.fetch_add(1, Ordering::Relaxed);
            self.store
                .decide_card(self.organization, request.id, &decision)
        };
        if let Some(card) = insist(decide).await? {
            return Ok(Decided::Done(Box::new(card)));
        }
        let act = if approves { Act::Approve } else { Act::Deny };
        let told = self
            .why_not(request.id, act, request.shown_hash, &request.by)
            .await?;
        Ok(match told {
            // It was said more than once: the acknowledgement of the first time was lost, and this is it (R11).
            Decided::Stands(card) if times.into_inner() > 1 && is_this(&card, &decision) => {
                Decided::Done(card)
            }
            told => told,
        })
    }

    /// Decides many cards. A card to which one and the same request says yes and no is left as it is: it fails closed.
    /// Answers in the order of the requests.
    ///
    /// # Errors
    ///
    /// The first [`RepositoryError`]; the decisions before it stand.
    ///
    /// # Cancel safety
    ///
    /// Each card is decided or not.
    pub async fn decide_all(
        &self,
        requests: &[DecisionRequest],
    ) -> Result<Vec<Decided>, RepositoryError> {
        let mut verdicts: HashMap<ApprovalId, (bool, bool)> = HashMap::new();
        for request in requests {
            let said = verdicts.entry(request.id).or_default();
            match request.verdict {
                Verdict::Approve => said.0 = true,
                Verdict::Deny { .. } => said.1 = true,
            }
        }
        let mut decided = Vec::with_capacity(requests.len());
        for request in requests {
            decided.push(if verdicts.get(&request.id) == Some(&(true, true)) {
                match self.show(request.id).await? {
                    Some(card) => Decided::Contradictory(Box::new(card)),
                    None => Decided::NotFound,
                }
            } else {
                self.decide(request).await?
            });
        }
        Ok(decided)
    }

    /// Asks for other arguments on an open card. A process that has the tool checks them and shows the card anew; what
    /// it shows then has to be approved by its own hash (R43).
    ///
    /// # Errors
    ///
    /// [`RepositoryError`].
    ///
    /// # Cancel safety
    ///
    /// Safe: it is written or it is not.
    pub async fn edit(
        &self,
        id: ApprovalId,
        edit: &EditRequest,
    ) -> Result<Decided, RepositoryError> {
        if let Some(card) = insist(|| self.store.request_edit(self.organization, id, edit)).await? {
            return Ok(Decided::Done(Box::new(card)));
        }
        self.why_not(id, Act::Edit, edit.shown_hash, &edit.by).await
    }

    /// Makes the arguments that were asked for effective, or says why they cannot be. `None`: the card changed.
    ///
    /// # Errors
    ///
    /// [`RepositoryError`].
    pub async fn take_edit(
        &self,
        card: &Approval,
        taken: &TakenEdit,
    ) -> Result<Option<Approval>, RepositoryError> {
        let Some(asked) = card.edit_request.as_deref() else {
            return Ok(None);
        };
        let taken = match taken {
            TakenEdit::Refused(why) => &TakenEdit::Refused(stored_text(why)),
            effective @ TakenEdit::Effective(_) => effective,
        };
        insist(|| {
            self.store
                .take_edit(self.organization, card.id, asked, taken)
        })
        .await
    }

    /// Takes a card back.
    ///
    /// # Errors
    ///
    /// [`RepositoryError`].
    pub async fn withdraw(&self, id: ApprovalId, why: &str) -> Result<Decided, RepositoryError> {
        let why = stored_text(why);
        if let Some(card) = insist(|| self.store.withdraw_card(self.organization, id, &why)).await?
        {
            return Ok(Decided::Done(Box::new(card)));
        }
        match self.show(id).await? {
            Some(card) => Ok(Decided::Stands(Box::new(card))),
            None => Ok(Decided::NotFound),
        }
    }

    /// The statement changed nothing: which of its conditions did not hold.
    async fn why_not(
        &self,
        id: ApprovalId,
        act: Act,
        seen: ShownHash,
        by: &Principal,
    ) -> Result<Decided, RepositoryError> {
        let Some(card) = self.show(id).await? else {
            return Ok(Decided::NotFound);
        };
        let card = Box::new(card);
        if decide(CardState::of(Some(&card)), act).0 == Outcome::Stands {
            return Ok(Decided::Stands(card));
        }
        let named = card
            .approvers
            .as_ref()
            .is_none_or(|named| named.iter().any(|name| name == by.as_str()));
        if !named || (!card.requester_may_decide && card.principal == by.as_str()) {
            return Ok(Decided::NotAllowed(card));
        }
        if card.effective.shown_hash != seen {
            return Ok(Decided::ShowsOther(card));
        }
        // It was decidable again by the time it was read: expiry by a clock that moved, say. Nothing was changed.
        Ok(Decided::Stands(card))
    }
}

/// Whether the decision that stands is this one.
fn is_this(card: &Approval, decision: &Decision) -> bool {
    let said = match card.status {
        CardStatus::Approved => decision.approves,
        CardStatus::Denied => !decision.approves,
        _ => false,
    };
    said && card.decided_by.as_deref() == Some(decision.by.as_str())
        && card.reason == decision.reason
}

/// A reason, a rule or a refusal as a card keeps it: no longer than [`REASON_BYTES_MAX`] (R75), and without the one
/// character that PostgreSQL does not store. Whatever writes such a text on a card passes it through here: one that a
/// store refuses would keep the call from ever being asked about.
#[must_use]
pub fn stored_text(text: &str) -> String {
    let text = text.replace('\0', "");
    let mut end = text.len().min(REASON_BYTES_MAX);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    text[..end].to_owned()
}
