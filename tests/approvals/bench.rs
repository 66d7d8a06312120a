//! Cards made without a tool, and what people do to them.

use idem_core::approval::{
    Approval, ApprovalDesk, ApprovalId, Approvers, Decided, DecisionRequest, EXPIRES_IN, NewCard,
    Proposal, Verdict,
};
use idem_core::identity::{IdempotencyKey, LogicalTurn, RequestHash, RunId, ShownHash};
use idem_core::{OrganizationId, Principal, Scope, Store};
use std::sync::Arc;

pub(crate) const SCOPE: &str = "tool.file.write";

pub(crate) fn principal(name: &str) -> Principal {
    Principal::new(name).unwrap()
}

/// Digests whose first bytes are the number.
fn digest(number: u32) -> [u8; 32] {
    let mut bytes = [0; 32];
    bytes[..4].copy_from_slice(&number.to_be_bytes());
    bytes
}

pub(crate) fn proposal(key: u32, content: u32) -> Proposal {
    let input = format!(r#"{{"path":"{key}","content":{content}}}"#);
    Proposal {
        key: IdempotencyKey::from_bytes(digest(key)),
        hash: RequestHash::from_bytes(digest(content)),
        shown_hash: ShownHash::new(SCOPE, "write_file", &input),
        input: input.into(),
    }
}

/// A card of run-1, turn 1, asked by ann, whom anybody else may answer.
pub(crate) fn new_card(organization: OrganizationId, proposed: Proposal) -> NewCard {
    let run = RunId::new("run-1").unwrap();
    NewCard {
        organization,
        turn: LogicalTurn::numbered(&run, 1),
        run,
        scope: Scope::new(SCOPE).unwrap(),
        tool: "write_file".to_owned(),
        effect: "at_most_once".to_owned(),
        principal: principal("ann"),
        rule: "files are asked about".to_owned(),
        approvers: Approvers::default(),
        fingerprint: "{}".to_owned(),
        proposed,
        expires_in: EXPIRES_IN,
        supersedes: None,
        earlier_denial: None,
    }
}

/// A store, and one organization's desk over it.
pub(crate) struct Bench {
    pub(crate) store: Arc<dyn Store>,
    pub(crate) organization: OrganizationId,
    pub(crate) desk: ApprovalDesk,
}

impl Bench {
    pub(crate) fn new(store: Arc<dyn Store>) -> Self {
        let organization = OrganizationId::random();
        let desk = ApprovalDesk::new(store.clone(), organization);
        Self {
            store,
            organization,
            desk,
        }
    }

    /// Opens the first card of a key.
    pub(crate) async fn open(&self, key: u32) -> Approval {
        self.open_as(&new_card(self.organization, proposal(key, 1)))
            .await
    }

    pub(crate) async fn open_as(&self, card: &NewCard) -> Approval {
        let opened = self.store.open_card(ApprovalId::mint(), card).await;
        opened.unwrap().expect("no card stands in the way")
    }

    pub(crate) async fn show(&self, id: ApprovalId) -> Approval {
        self.desk.show(id).await.unwrap().expect("the card")
    }

    pub(crate) async fn approve(&self, card: &Approval) -> Decided {
        self.desk.decide(&says_yes(card, "bob")).await.unwrap()
    }

    pub(crate) async fn deny(&self, card: &Approval, reason: &str) -> Decided {
        self.desk
            .decide(&says_no(card, "bob", reason))
            .await
            .unwrap()
    }
}

pub(crate) fn says_yes(card: &Approval, by: &str) -> DecisionRequest {
    DecisionRequest {
        id: card.id,
        shown_hash: card.effective.shown_hash,
        by: principal(by),
        verdict: Verdict::Approve,
    }
}

pub(crate) fn says_no(card: &Approval, by: &str, reason: &str) -> DecisionRequest {
    DecisionRequest {
        verdict: Verdict::Deny {
            reason: reason.to_owned(),
        },
        ..says_yes(card, by)
    }
}

/// The card of a decision that was taken.
pub(crate) fn done(decided: Decided) -> Approval {
    match decided {
        Decided::Done(card) => *card,
        other => panic!("it was not done: {other:?}"),
    }
}

/// The card of a decision that came too late.
pub(crate) fn stands(decided: Decided) -> Approval {
    match decided {
        Decided::Stands(card) => *card,
        other => panic!("nothing stood: {other:?}"),
    }
}
