//! A world for the tool path: a store, an organization, a policy that the test sets, and a ledger of effects.

use crate::bench::{Bench, done, principal, says_no, says_yes};
use crate::tools::Ledger;
use async_trait::async_trait;
use idem_core::approval::{Approval, Decided, DecisionRequest, EditRequest};
use idem_core::{OrganizationId, Store};
use idem_tests::TestStore;
use idem_tools::{
    Answered, Asking, Checkpoint, Decision, Idem, Policy, PolicyError, ProposedCall, Settled, Tool,
    Turn,
};
use std::sync::{Arc, Mutex};

/// What the policy says of every call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mode {
    Allow,
    Ask,
    Deny,
}

#[derive(Clone, Debug)]
pub(crate) struct Rules(Arc<Mutex<Mode>>);

impl Rules {
    pub(crate) fn set(&self, mode: Mode) {
        *self.0.lock().unwrap() = mode;
    }
}

#[async_trait]
impl Policy for Rules {
    async fn decide(&self, _: &Checkpoint<'_>) -> Result<Decision, PolicyError> {
        let mode = *self.0.lock().unwrap();
        Ok(match mode {
            Mode::Allow => Decision::Allow,
            Mode::Ask => Decision::Ask(Asking::because("the rules ask")),
            Mode::Deny => Decision::deny("the rules forbid it"),
        })
    }

    fn asks(&self) -> bool {
        true
    }
}

pub(crate) struct World {
    pub(crate) store: TestStore,
    opened: Arc<dyn Store>,
    pub(crate) organization: OrganizationId,
    pub(crate) rules: Rules,
    pub(crate) ledger: Ledger,
}

impl World {
    /// A world whose policy asks.
    pub(crate) async fn new(store: TestStore) -> Self {
        let opened = store.open().await;
        Self {
            store,
            opened,
            organization: OrganizationId::random(),
            rules: Rules(Arc::new(Mutex::new(Mode::Ask))),
            ledger: Ledger::default(),
        }
    }

    /// A process of its own, with one tool: another one is a restart.
    pub(crate) async fn idem<T: Tool>(&self) -> Idem {
        let idem = Idem::open(&self.store.url).await.unwrap();
        let idem = idem.state(self.ledger.clone()).tool::<T>();
        idem.policy(self.rules.clone()).build().unwrap()
    }

    pub(crate) fn bench(&self) -> Bench {
        let store = self.opened.clone();
        let desk = idem_core::approval::ApprovalDesk::new(store.clone(), self.organization);
        Bench {
            store,
            organization: self.organization,
            desk,
        }
    }

    pub(crate) fn turn(&self, idem: &Idem, who: &str, number: u32) -> Turn {
        let tenant = idem.organization(self.organization);
        let run = tenant.principal(who).unwrap().run("run-1").unwrap();
        run.turn(number)
    }

    /// Ann's call in the first turn of run-1, under a new call id.
    pub(crate) async fn call(&self, idem: &Idem, tool: &str, arguments: &str) -> Settled {
        call(&self.turn(idem, "ann", 1), tool, arguments).await
    }

    /// The card on which ann's call waits.
    pub(crate) async fn asks(&self, idem: &Idem, tool: &str, arguments: &str) -> Approval {
        waits(self.call(idem, tool, arguments).await)
    }

    pub(crate) async fn answered(&self, idem: &Idem, tool: &str, arguments: &str) -> Answered {
        let settled = self.call(idem, tool, arguments).await;
        settled.answer().expect("an answer, and it waits")
    }

    /// The code of the failure that ann's call is answered with.
    pub(crate) async fn fails(&self, idem: &Idem, tool: &str, arguments: &str) -> String {
        code(&self.answered(idem, tool, arguments).await)
    }

    pub(crate) async fn decide(&self, request: DecisionRequest) -> Decided {
        self.bench().desk.decide(&request).await.unwrap()
    }

    pub(crate) async fn approve(&self, card: &Approval) -> Approval {
        done(self.decide(says_yes(card, "bob")).await)
    }

    pub(crate) async fn deny(&self, card: &Approval, reason: &str) -> Approval {
        done(self.decide(says_no(card, "bob", reason)).await)
    }

    /// Bob asks for other arguments.
    pub(crate) async fn edit(&self, card: &Approval, arguments: &str) -> Approval {
        let edit = EditRequest {
            shown_hash: card.effective.shown_hash,
            by: principal("bob"),
            arguments: arguments.to_owned(),
        };
        done(self.bench().desk.edit(card.id, &edit).await.unwrap())
    }

    /// Rows of the plane: claims and answers.
    pub(crate) async fn rows(&self) -> i64 {
        self.store.count_rows("idempotency_keys").await
    }

    pub(crate) async fn cards(&self) -> i64 {
        self.store.count_rows("approvals").await
    }

    /// Changes every card behind the store's back; how many.
    pub(crate) async fn set_cards(&self, assignments: &str) -> u64 {
        let postgres = format!("UPDATE agent.approvals SET {assignments}");
        let sqlite = format!("UPDATE agent_approvals SET {assignments}");
        self.store.execute(&postgres, &sqlite).await
    }
}

pub(crate) async fn call(turn: &Turn, tool: &str, arguments: &str) -> Settled {
    let id = uuid::Uuid::now_v7().to_string();
    let proposed = ProposedCall::new(id, tool, arguments);
    turn.call(proposed).await.unwrap()
}

pub(crate) fn waits(settled: Settled) -> Approval {
    match settled {
        Settled::Waiting(waiting) => waiting.card,
        other => panic!("it does not wait: {other:?}"),
    }
}

pub(crate) fn code(answer: &Answered) -> String {
    let failure = answer.failure().expect("a failure, and it is a value");
    failure.code.clone()
}
