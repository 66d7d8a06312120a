//! Who acts in a case: a vendor that counts, a scripted model, a policy, and processes that share a store.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use async_trait::async_trait;
use idem_core::Store;
use idem_core::approval::{Approval, ApprovalDesk, CardFilter, Decided, DecisionRequest, Verdict};
use idem_core::identity::{MessageId, RunId};
use idem_tests::TestStore;
use idem_tests::vendor::{Keys, Vendor};
use idem_tools::agent::{
    AgentBuilder, AgentHarness, HarnessError, Message, MessageKind, NewMessage, NewRun, Retries,
    RunRecord, SegmentOutcome,
};
use idem_tools::{
    Checkpoint, Decision, Idem, IdemBuilder, OrganizationId, Policy, PolicyError, Principal,
};

use crate::holding::{At, Holding};
use crate::model::{Hold, Script};
use crate::tools::{self, Desk, Stop};

/// Longer than any lease of a call or of a segment here.
const LONGEST_LEASE: Duration = Duration::from_secs(200);

/// Tools that the policy denies, and the decision at which it is held.
#[derive(Clone, Debug, Default)]
pub(crate) struct Rules(
    Arc<Mutex<Vec<&'static str>>>,
    Arc<Mutex<Option<(u32, Hold)>>>,
);

impl Rules {
    pub(crate) fn deny(&self, tools: &[&'static str]) {
        *self.0.lock().unwrap() = tools.to_vec();
    }

    /// The decision of this number, from the next one on, waits until it is let go.
    pub(crate) fn hold(&self, nth: u32, hold: &Hold) {
        *self.1.lock().unwrap() = Some((nth, hold.clone()));
    }

    fn held(&self) -> Option<Hold> {
        let mut held = self.1.lock().unwrap();
        let (left, _) = held.as_mut()?;
        *left -= 1;
        if *left > 0 {
            return None;
        }
        held.take().map(|(_, hold)| hold)
    }
}

#[async_trait]
impl Policy for Rules {
    async fn decide(&self, call: &Checkpoint<'_>) -> Result<Decision, PolicyError> {
        if let Some(hold) = self.held() {
            hold.reached.open();
            hold.go.opened().await;
        }
        let denied = self.0.lock().unwrap().contains(&call.tool);
        Ok(if denied {
            Decision::deny("the rules forbid it")
        } else {
            Decision::Allow
        })
    }
}

/// One store with a tenant, a vendor and a provider of models.
pub(crate) struct World {
    pub(crate) store: TestStore,
    pub(crate) opened: Arc<dyn Store>,
    pub(crate) vendor: Vendor,
    pub(crate) model: Script,
    pub(crate) rules: Rules,
    pub(crate) organization: OrganizationId,
}

impl World {
    pub(crate) async fn new(store: TestStore, model: Script) -> Self {
        Self {
            opened: store.open().await,
            store,
            vendor: Vendor::start(Keys::Ignored).await,
            model,
            rules: Rules::default(),
            organization: OrganizationId::random(),
        }
    }

    /// What a process is made of.
    pub(crate) fn parts(&self, stop: Stop) -> Parts {
        Parts {
            store: self.store.clone(),
            held: None,
            desk: Desk::at(self.vendor.effects_url()),
            model: self.model.clone(),
            rules: self.rules.clone(),
            stop,
        }
    }

    /// A process of its own: another one is a restart.
    pub(crate) async fn harness(&self) -> AgentHarness {
        self.harness_with(|builder| builder).await
    }

    pub(crate) async fn harness_with(
        &self,
        add: impl FnOnce(AgentBuilder) -> AgentBuilder,
    ) -> AgentHarness {
        let parts = self.parts(Stop::open());
        add(parts.builder().await).build().expect("a harness")
    }

    /// A process with other tools.
    pub(crate) async fn harness_of(
        &self,
        add: impl FnOnce(IdemBuilder) -> IdemBuilder,
    ) -> AgentHarness {
        let parts = self.parts(Stop::open());
        let idem = add(parts.bare().await);
        parts.agent(idem).build().expect("a harness")
    }

    /// A process in which equal calls share an execution, or do not.
    pub(crate) async fn harness_sharing(&self, share: bool) -> AgentHarness {
        self.harness_of(|idem| tools::all(idem).share_equal_calls(share))
            .await
    }

    /// A process whose segment is renewed every few seconds.
    pub(crate) async fn brisk_harness(&self) -> AgentHarness {
        let parts = self.parts(Stop::open());
        let idem = parts.bare().await.tool::<tools::long_work>();
        let agent = parts.agent(idem.lease_margin(Duration::from_secs(1)));
        let agent = agent.model_timeout(Duration::from_secs(10));
        agent.build().expect("a harness")
    }

    /// A run of ann's, to which she says one thing.
    pub(crate) async fn begin(&self, harness: &AgentHarness, run: &str) {
        self.begin_as(harness, &self.new_run(run)).await;
    }

    pub(crate) async fn begin_as(&self, harness: &AgentHarness, new: &NewRun) {
        harness.admit(new).await.expect("an admission");
        let message = format!("{}-m1", new.run);
        self.post(harness, new.run.as_ref(), &message).await;
    }

    pub(crate) fn new_run(&self, run: &str) -> NewRun {
        let ann = Principal::new("ann").unwrap();
        NewRun::new(self.organization, id(run), ann)
    }

    pub(crate) async fn post(&self, harness: &AgentHarness, run: &str, message: &str) {
        let posted = harness
            .post(self.organization, &id(run), &says(message))
            .await;
        posted.expect("it is stored");
    }

    pub(crate) async fn segment(&self, harness: &AgentHarness, run: &str) -> SegmentOutcome {
        let outcome = self.try_segment(harness, run).await;
        outcome.unwrap_or_else(|error| panic!("the segment came to no outcome: {error}"))
    }

    pub(crate) async fn try_segment(
        &self,
        harness: &AgentHarness,
        run: &str,
    ) -> Result<SegmentOutcome, HarnessError> {
        harness.segment(self.organization, &id(run)).await
    }

    pub(crate) async fn run(&self, harness: &AgentHarness, run: &str) -> RunRecord {
        let found = harness.run(self.organization, &id(run)).await;
        found.expect("the run")
    }

    pub(crate) async fn said(&self, harness: &AgentHarness, run: &str) -> Vec<Message> {
        let said = harness.conversation(self.organization, &id(run)).await;
        said.expect("a conversation")
    }

    fn desk(&self) -> ApprovalDesk {
        ApprovalDesk::new(self.opened.clone(), self.organization)
    }

    /// The cards of the tenant that nobody has decided, oldest first.
    pub(crate) async fn cards(&self) -> Vec<Approval> {
        let listed = self.desk().list(&CardFilter::default()).await;
        let mut cards = listed.unwrap();
        cards.sort_by_key(|card| card.id);
        cards
    }

    /// Bob decides about the card whose input names this.
    pub(crate) async fn decide(&self, about: &str, verdict: Verdict) -> Approval {
        let cards = self.cards().await;
        let card = cards
            .iter()
            .find(|card| card.proposed.input.contains(about))
            .unwrap_or_else(|| panic!("there is no open card about {about}"));
        let request = DecisionRequest {
            id: card.id,
            shown_hash: card.effective.shown_hash,
            by: Principal::new("bob").unwrap(),
            verdict,
        };
        match self.desk().decide(&request).await.unwrap() {
            Decided::Done(card) => *card,
            other => panic!("it was not done: {other:?}"),
        }
    }

    pub(crate) async fn approve(&self, about: &str) -> Approval {
        self.decide(about, Verdict::Approve).await
    }

    pub(crate) async fn deny(&self, about: &str) -> Approval {
        let reason = "leave them".to_owned();
        self.decide(about, Verdict::Deny { reason }).await
    }

    /// Every lease of a run passes, and of a call where there is one.
    pub(crate) async fn leases_pass(&self) {
        self.store.age_runs(LONGEST_LEASE).await;
        self.store.age_all(LONGEST_LEASE).await;
    }

    /// Rows of the plane in the scopes of tools.
    pub(crate) async fn tool_rows(&self) -> i64 {
        let postgres = "SELECT count(*) FROM agent.idempotency_keys WHERE scope LIKE 'tool.%'";
        let sqlite = postgres.replace("agent.", "agent_");
        self.store.number(postgres, &sqlite).await
    }

    /// Recorded steps.
    pub(crate) async fn step_rows(&self) -> i64 {
        let postgres = "SELECT count(*) FROM agent.idempotency_keys WHERE scope = 'model.turn'";
        let sqlite = postgres.replace("agent.", "agent_");
        self.store.number(postgres, &sqlite).await
    }

    /// What the vendor did, in any order.
    pub(crate) fn effects(&self) -> Vec<String> {
        let done = self.vendor.book().done;
        let mut done: Vec<_> = done
            .iter()
            .map(|e| e.what.as_str().unwrap().to_owned())
            .collect();
        done.sort();
        done
    }
}

/// What a process is made of; it can be moved to another runtime.
pub(crate) struct Parts {
    store: TestStore,
    held: Option<(At, Hold)>,
    desk: Desk,
    model: Script,
    rules: Rules,
    stop: Stop,
}

impl Parts {
    /// A builder without tools.
    async fn bare(&self) -> IdemBuilder {
        let idem = match &self.held {
            None => Idem::open(&self.store.url).await,
            Some((at, hold)) => {
                let store = self.store.open().await;
                Idem::with_store(Holding::over(store, at.clone(), hold.clone())).await
            }
        };
        let idem = idem.expect("the store opens");
        let idem = idem.state(self.desk.clone()).state(self.stop.clone());
        idem.policy(self.rules.clone())
    }

    /// The process is held where it writes its steps down.
    pub(crate) fn held(mut self, at: At, hold: &Hold) -> Self {
        self.held = Some((at, hold.clone()));
        self
    }

    fn agent(self, idem: IdemBuilder) -> AgentBuilder {
        idem.agent(self.model)
            .model_retries(fast(3))
            .call_retries(fast(3))
            .segment_retries(fast(3))
    }

    pub(crate) async fn builder(self) -> AgentBuilder {
        let idem = tools::all(self.bare().await);
        self.agent(idem)
    }
}

/// So many attempts, without a wait worth the name.
pub(crate) fn fast(attempts: u32) -> Retries {
    Retries {
        attempts,
        first_wait: Duration::from_millis(1),
        last_wait: Duration::from_millis(1),
    }
}

pub(crate) fn id(run: &str) -> RunId {
    RunId::new(run).unwrap()
}

pub(crate) fn says(message: &str) -> NewMessage {
    NewMessage {
        id: MessageId::new(message).unwrap(),
        kind: MessageKind::User,
        body: format!("this is {message}"),
    }
}

/// The last words of a run that is done.
pub(crate) fn done(outcome: &SegmentOutcome) -> &str {
    match outcome {
        SegmentOutcome::Completed(Some(text)) => text,
        other => panic!("it is not done: {other:?}"),
    }
}

/// The answers that the model got, call by call: text, and whether it is a failure.
pub(crate) fn answers(said: &[Message]) -> Vec<(String, bool)> {
    let answers = said.iter().filter_map(|message| match message {
        Message::Answers(answers) => Some(answers),
        _ => None,
    });
    let all = answers.flatten();
    all.map(|answer| (answer.text.clone(), answer.is_error))
        .collect()
}
