//! One store, and processes that know the tools in one form or another.

use idem_core::OrganizationId;
use idem_tests::TestStore;
use idem_tools::{Answered, Idem, IdemBuilder, ProposedCall, Turn};

use crate::tools::Ledger;

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

    /// A process without tools, whose bodies find the ledger.
    pub(crate) async fn bare(&self) -> IdemBuilder {
        let builder = Idem::open(&self.store.url).await.expect("the store opens");
        builder.state(self.ledger.clone())
    }

    /// The turn, as a process with these tools finds it.
    pub(crate) async fn turn_with(&self, add: impl FnOnce(IdemBuilder) -> IdemBuilder) -> Turn {
        let built = add(self.bare().await).build();
        self.turn_of(&built.expect("tools that can be added"))
    }

    pub(crate) fn turn_of(&self, idem: &Idem) -> Turn {
        let tenant = idem.organization(self.organization);
        let run = tenant.principal("ann").expect("a principal").run("run-1");
        run.expect("a run").turn(1)
    }

    pub(crate) async fn rows(&self) -> i64 {
        self.store.count_rows("idempotency_keys").await
    }
}

/// Calls a tool, and expects an answer.
pub(crate) async fn call(turn: &Turn, tool: &str, arguments: &str) -> Answered {
    let settled = turn
        .call(ProposedCall::new("call-1", tool, arguments))
        .await;
    let answer = settled.expect("a settled call").answer();
    answer.expect("an answer")
}

/// The text that a call answered with.
pub(crate) fn text(answered: &Answered) -> String {
    answered.decode().expect("an answer that is text")
}

/// The code of the failure that a call answered with.
pub(crate) fn code(answered: &Answered) -> &str {
    &answered.failure().expect("a failure").code
}
