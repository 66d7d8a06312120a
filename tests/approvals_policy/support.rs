//! Two tools that count their effects, and people who decide.

use idem_tests::TestStore;
use idem_tools::approval::{Approval, CardFilter, Decided, DecisionRequest, Verdict};
use idem_tools::{
    Answered, CallError, Idem, OrganizationId, Policy, PolicyFile, Principal, ProposedCall,
    Settled, SetupError, ToolContext, ToolError, Turn, tool, tool_input,
};
use std::sync::{Arc, Mutex};

/// What was paid and written: the effects, in their order.
#[derive(Clone, Debug, Default)]
pub(crate) struct Effects(Arc<Mutex<Vec<String>>>);

impl Effects {
    fn make(&self, effect: String) {
        self.0.lock().unwrap().push(effect);
    }

    pub(crate) fn made(&self) -> Vec<String> {
        self.0.lock().unwrap().clone()
    }
}

#[tool_input]
struct Payment {
    to: String,
    amount: f64,
}

#[tool(scope = "tool.money.pay", timeout_s = 30)]
async fn pay(ctx: &ToolContext, input: Payment) -> Result<String, ToolError> {
    ctx.state::<Effects>()?
        .make(format!("pay {} {}", input.to, input.amount));
    Ok("paid".to_owned())
}

#[tool_input]
struct Letter {
    to: String,
    #[serde(default)]
    amount: Option<String>,
}

/// Fails retryably where it is told so by the recipient's name, without an effect.
#[tool(
    scope = "tool.letter.send",
    timeout_s = 30,
    effect = "keyed",
    vendor_window = "24h"
)]
async fn write(ctx: &ToolContext, input: Letter) -> Result<String, ToolError> {
    let effects = ctx.state::<Effects>()?;
    if input.to == "busy" && effects.made().is_empty() {
        effects.make("busy".to_owned());
        return Err(ToolError::no_effect("busy", "the post office is closed"));
    }
    effects.make(format!(
        "write {}{}",
        input.to,
        input.amount.unwrap_or_default()
    ));
    Ok("written".to_owned())
}

#[tool_input]
struct Question {
    about: String,
}

#[tool(scope = "tool.letter.look", timeout_s = 30, effect = "read")]
async fn look(_ctx: &ToolContext, input: Question) -> Result<String, ToolError> {
    Ok(input.about)
}

#[tool(scope = "tool.house.sell", timeout_s = 30, approval = "always")]
async fn sell(ctx: &ToolContext, input: Question) -> Result<String, ToolError> {
    ctx.state::<Effects>()?
        .make(format!("sell {}", input.about));
    Ok("sold".to_owned())
}

#[tool(scope = "tool.diary.note", timeout_s = 30, approval = "never")]
async fn note(ctx: &ToolContext, input: Question) -> Result<String, ToolError> {
    ctx.state::<Effects>()?
        .make(format!("note {}", input.about));
    Ok("noted".to_owned())
}

/// One organization on one store; each [`worker`](Self::worker) is a process that starts anew.
pub(crate) struct House {
    pub(crate) store: TestStore,
    pub(crate) organization: OrganizationId,
    pub(crate) effects: Effects,
}

impl House {
    pub(crate) fn new(store: TestStore) -> Self {
        Self {
            store,
            organization: OrganizationId::random(),
            effects: Effects::default(),
        }
    }

    /// A new worker under a policy file's text.
    pub(crate) async fn worker(&self, policy: &str) -> Worker {
        let policy = PolicyFile::parse(policy).unwrap_or_else(|error| panic!("{error}"));
        self.worker_under(policy).await
    }

    pub(crate) async fn worker_under(&self, policy: impl Policy) -> Worker {
        Worker {
            idem: self.build(policy).await.unwrap(),
            organization: self.organization,
        }
    }

    /// The parts put together under a policy, or why they cannot be.
    pub(crate) async fn build(&self, policy: impl Policy) -> Result<Idem, SetupError> {
        let idem = Idem::open(&self.store.url).await.unwrap().policy(policy);
        let tools = idem
            .state(self.effects.clone())
            .tool::<pay>()
            .tool::<write>()
            .tool::<look>()
            .tool::<sell>()
            .tool::<note>();
        tools.build()
    }
}

pub(crate) struct Worker {
    idem: Idem,
    organization: OrganizationId,
}

impl Worker {
    pub(crate) fn turn(&self, run: &str, number: u32) -> Turn {
        let actor = self.idem.organization(self.organization).principal("ann");
        actor.unwrap().run(run).unwrap().turn(number)
    }

    /// The first turn of the run.
    pub(crate) async fn call(
        &self,
        run: &str,
        tool: &str,
        arguments: &str,
    ) -> Result<Settled, CallError> {
        let call = ProposedCall::new("id", tool, arguments);
        self.turn(run, 1).call(call).await
    }

    pub(crate) async fn answer(&self, run: &str, tool: &str, arguments: &str) -> Answered {
        match self.call(run, tool, arguments).await.unwrap() {
            Settled::Answer(answer) => answer,
            other => panic!("{tool} {arguments} has no answer: {other:?}"),
        }
    }

    pub(crate) async fn waits(&self, run: &str, tool: &str, arguments: &str) -> Approval {
        match self.call(run, tool, arguments).await.unwrap() {
            Settled::Waiting(waiting) => waiting.card,
            other => panic!("{tool} {arguments} does not wait: {other:?}"),
        }
    }

    /// Bob says yes or no to what the card shows.
    pub(crate) async fn decide(&self, card: &Approval, verdict: Verdict) -> Decided {
        let request = DecisionRequest {
            id: card.id,
            shown_hash: card.effective.shown_hash,
            by: Principal::new("bob").unwrap(),
            verdict,
        };
        let desk = self.idem.approvals(self.organization);
        desk.decide(&request).await.unwrap()
    }

    pub(crate) async fn approve(&self, card: &Approval) {
        let decided = self.decide(card, Verdict::Approve).await;
        assert!(matches!(decided, Decided::Done(_)), "{decided:?}");
    }

    pub(crate) async fn deny(&self, card: &Approval) {
        let reason = "not this one".to_owned();
        let decided = self.decide(card, Verdict::Deny { reason }).await;
        assert!(matches!(decided, Decided::Done(_)), "{decided:?}");
    }

    pub(crate) async fn edit(&self, card: &Approval, arguments: &str) {
        self.edit_as("bob", card, arguments).await;
    }

    pub(crate) async fn edit_as(&self, who: &str, card: &Approval, arguments: &str) {
        let edit = idem_tools::approval::EditRequest {
            shown_hash: card.effective.shown_hash,
            by: Principal::new(who).unwrap(),
            arguments: arguments.to_owned(),
        };
        let desk = self.idem.approvals(self.organization);
        let decided = desk.edit(card.id, &edit).await.unwrap();
        assert!(matches!(decided, Decided::Done(_)), "{decided:?}");
    }

    pub(crate) async fn card(&self, card: &Approval) -> Approval {
        let desk = self.idem.approvals(self.organization);
        desk.show(card.id).await.unwrap().unwrap()
    }

    pub(crate) async fn open_cards(&self) -> usize {
        let desk = self.idem.approvals(self.organization);
        desk.list(&CardFilter::default()).await.unwrap().len()
    }
}

/// The code of a failure.
pub(crate) fn code(answer: &Answered) -> &str {
    answer.failure().map_or("", |failure| &failure.code)
}
