//! A tenant over one store, and workers that share nothing else.

use idem_core::approval::{Approval, ApprovalDesk, Decided, DecisionRequest, EditRequest, Verdict};
use idem_core::{OrganizationId, Principal};
use idem_tests::TestStore;
use idem_tools::{Answered, Ask, Idem, IdemBuilder, Intent, ProposedCall, Settled, Turn};

use crate::tools::{self, Hold, Ledger};

pub(crate) struct Bench {
    pub(crate) store: TestStore,
    pub(crate) organization: OrganizationId,
    pub(crate) ledger: Ledger,
}

impl Bench {
    pub(crate) fn new(store: TestStore) -> Self {
        Self {
            store,
            organization: OrganizationId::random(),
            ledger: Ledger::default(),
        }
    }

    pub(crate) async fn bare(&self) -> IdemBuilder {
        let builder = Idem::open(&self.store.url).await.expect("the store opens");
        builder.state(self.ledger.clone())
    }

    /// A process of its own, whose bodies are held as said: another one is a restart.
    pub(crate) async fn idem_that(&self, hold: &Hold) -> Idem {
        let builder = tools::all(self.bare().await).state(hold.clone());
        builder.build().expect("tools that can be added")
    }

    pub(crate) async fn idem(&self) -> Idem {
        self.idem_that(&Hold::open()).await
    }

    /// A process whose policy asks about every write.
    pub(crate) async fn asking(&self) -> Idem {
        let builder = tools::all(self.bare().await).state(Hold::open());
        builder
            .policy(Ask::writes())
            .build()
            .expect("tools that can be added")
    }

    /// The turn in which the calls are made, as a new process finds it.
    pub(crate) async fn turn(&self) -> Turn {
        self.turn_of(&self.idem().await)
    }

    pub(crate) fn turn_of(&self, idem: &Idem) -> Turn {
        let tenant = idem.organization(self.organization);
        let run = tenant.principal("ann").expect("a principal").run("run-1");
        run.expect("a run").turn(1)
    }

    pub(crate) async fn decide(&self, idem: &Idem, card: &Approval) {
        let request = DecisionRequest {
            id: card.id,
            shown_hash: card.effective.shown_hash,
            by: bob(),
            verdict: Verdict::Approve,
        };
        let decided = self.desk(idem).decide(&request).await;
        assert!(matches!(decided, Ok(Decided::Done(_))), "{decided:?}");
    }

    pub(crate) async fn edit(&self, idem: &Idem, card: &Approval, arguments: &str) {
        let edit = EditRequest {
            shown_hash: card.effective.shown_hash,
            by: bob(),
            arguments: arguments.to_owned(),
        };
        let decided = self.desk(idem).edit(card.id, &edit).await;
        assert!(matches!(decided, Ok(Decided::Done(_))), "{decided:?}");
    }

    fn desk(&self, idem: &Idem) -> ApprovalDesk {
        idem.approvals(self.organization)
    }

    pub(crate) async fn rows(&self) -> i64 {
        self.store.count_rows("idempotency_keys").await
    }
}

fn bob() -> Principal {
    Principal::new("bob").expect("a principal")
}

/// A call under an id of its own.
pub(crate) fn proposed(tool: &str, arguments: &str) -> ProposedCall {
    ProposedCall::new(uuid::Uuid::now_v7().to_string(), tool, arguments)
}

pub(crate) fn intent(text: &str) -> Intent {
    Intent::new(text).expect("an intent")
}

pub(crate) async fn answer(turn: &Turn, call: ProposedCall) -> Answered {
    let settled = turn.call(call).await.expect("settled");
    settled.answer().expect("an answer, and it waits")
}

pub(crate) async fn call(turn: &Turn, tool: &str, arguments: &str) -> Answered {
    answer(turn, proposed(tool, arguments)).await
}

/// The card on which a call waits.
pub(crate) async fn waits(turn: &Turn, call: ProposedCall) -> Approval {
    match turn.call(call).await.expect("settled") {
        Settled::Waiting(waiting) => waiting.card,
        other => panic!("it does not wait: {other:?}"),
    }
}

pub(crate) fn code(answer: &Answered) -> &str {
    let failure = answer.failure();
    let failure = failure.unwrap_or_else(|| panic!("it succeeded: {}", answer.to_model_text()));
    failure.code.as_str()
}

/// Asserts that an answer is the stored one, whatever is said beside it.
pub(crate) fn assert_same_answer(first: &Answered, again: &Answered) {
    assert_eq!((&again.result, again.key), (&first.result, first.key));
    assert_eq!(again.first_ran_at, first.first_ran_at);
    assert!(first.first_ran_at.is_some());
}
