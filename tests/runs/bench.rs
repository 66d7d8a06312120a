//! What the cases share: a store, a tenant, runs and cards in it, and a way to let time pass.

use std::sync::Arc;
use std::time::Duration;

use idem_core::approval::{
    Approval, ApprovalDesk, ApprovalId, Approvers, Decided, DecisionRequest, NewCard, Proposal,
    Verdict,
};
use idem_core::identity::{IdempotencyKey, LogicalTurn, MessageId, RequestHash, RunId, ShownHash};
use idem_core::runs::{
    LeaveAs, MessageKind, NewMessage, NewRun, RunDesk, RunError, RunRecord, RunRepository,
    RunStatus, SegmentToken, StoredMessage,
};
use idem_core::volatile::VolatileStore;
use idem_core::{OrganizationId, Principal, Scope, Store};
use idem_tests::TestStore;

/// The lease that the cases ask for.
pub(crate) const LEASE: Duration = Duration::from_secs(60);
const SCOPE: &str = "tool.file.write";

/// Runs one case on a store in memory.
pub(crate) fn in_memory<Running: Future<Output = ()>>(case: impl FnOnce(Bench) -> Running) {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build();
    let volatile = VolatileStore::new();
    let bench = Bench::new(Arc::new(volatile.clone()), Ageing::Volatile(volatile));
    runtime
        .expect("a tokio runtime")
        .block_on(Box::pin(case(bench)));
}

/// How time passes.
#[derive(Clone, Debug)]
enum Ageing {
    Rows(TestStore),
    Volatile(VolatileStore),
}

/// A store and one tenant of it.
#[derive(Clone, Debug)]
pub(crate) struct Bench {
    pub(crate) store: Arc<dyn Store>,
    pub(crate) desk: RunDesk,
    pub(crate) organization: OrganizationId,
    ageing: Ageing,
}

impl Bench {
    fn new(store: Arc<dyn Store>, ageing: Ageing) -> Self {
        let runs: Arc<dyn RunRepository> = store.clone();
        Self {
            desk: RunDesk::new(runs),
            organization: OrganizationId::random(),
            store,
            ageing,
        }
    }

    pub(crate) async fn over(store: TestStore) -> Self {
        Self::new(store.open().await, Ageing::Rows(store))
    }

    /// The same store for another tenant.
    pub(crate) fn neighbour(&self) -> Self {
        Self {
            organization: OrganizationId::random(),
            ..self.clone()
        }
    }

    /// So much time passes for runs.
    pub(crate) async fn pass(&self, by: Duration) {
        match &self.ageing {
            Ageing::Volatile(store) => store.advance(by),
            Ageing::Rows(store) => {
                store.age_runs(by).await;
            }
        }
    }

    /// So much time passes for cards.
    pub(crate) async fn cards_pass(&self, by: Duration) {
        match &self.ageing {
            Ageing::Volatile(store) => store.advance(by),
            Ageing::Rows(store) => {
                store.age_cards(by).await;
            }
        }
    }

    /// How many rows the plane has.
    pub(crate) async fn plane_rows(&self) -> usize {
        match &self.ageing {
            Ageing::Volatile(store) => store.len(),
            Ageing::Rows(store) => {
                let rows = store.count_rows("idempotency_keys").await;
                usize::try_from(rows).expect("a count")
            }
        }
    }

    /// A run of ann's that waits for a message.
    pub(crate) fn new_run(&self, run: &str) -> NewRun {
        NewRun::new(self.organization, id(run), principal("ann"))
    }

    /// The same, admitted.
    pub(crate) async fn admitted(&self, run: &str) -> RunRecord {
        self.admit(&self.new_run(run)).await
    }

    pub(crate) async fn admit(&self, new: &NewRun) -> RunRecord {
        self.desk.admit(new).await.expect("an admission").run
    }

    pub(crate) async fn get(&self, run: &str) -> RunRecord {
        let found = self.desk.get(self.organization, &id(run)).await;
        found.expect("the run")
    }

    pub(crate) async fn post(&self, run: &str, message: &str) -> StoredMessage {
        let posted = self
            .desk
            .post(self.organization, &id(run), &says(message))
            .await;
        posted.expect("a place").message
    }

    pub(crate) async fn take(&self, run: &str) -> SegmentToken {
        let taken = self.desk.take(self.organization, &id(run), LEASE).await;
        taken.expect("the run is free").1
    }

    pub(crate) async fn is_owned(&self, run: &str) -> bool {
        match self.desk.take(self.organization, &id(run), LEASE).await {
            Ok(_) => false,
            Err(RunError::SegmentInFlight { .. }) => true,
            Err(other) => panic!("it is neither owned nor free: {other}"),
        }
    }

    pub(crate) async fn leave(
        &self,
        run: &str,
        token: SegmentToken,
        how: &LeaveAs,
    ) -> Option<RunRecord> {
        let left = self
            .store
            .leave_segment(self.organization, &id(run), token, how)
            .await;
        left.expect("an answer")
    }

    /// Takes a run and leaves it so.
    pub(crate) async fn left(&self, run: &str, how: &LeaveAs) -> RunRecord {
        let token = self.take(run).await;
        self.leave(run, token, how).await.expect("its owner")
    }

    /// The ids of the tenant's runs that are ready.
    pub(crate) async fn ready(&self) -> Vec<String> {
        let ready = self.store.ready_runs(Some(self.organization), 100).await;
        let ready = ready.expect("a list").into_iter();
        ready.map(|record| record.run.to_string()).collect()
    }

    pub(crate) async fn is_ready(&self, run: &str) -> bool {
        self.ready().await.contains(&run.to_owned())
    }

    /// Opens a card of a run for a key.
    pub(crate) async fn card(&self, run: &str, key: u8) -> Approval {
        let input = format!(r#"{{"path":"{key}"}}"#);
        let run = id(run);
        let card = NewCard {
            organization: self.organization,
            turn: LogicalTurn::numbered(&run, 1),
            run,
            scope: Scope::new(SCOPE).unwrap(),
            tool: "write_file".to_owned(),
            effect: "at_most_once".to_owned(),
            principal: principal("ann"),
            rule: "files are asked about".to_owned(),
            approvers: Approvers::default(),
            fingerprint: "{}".to_owned(),
            proposed: Proposal {
                key: IdempotencyKey::from_bytes([key; 32]),
                hash: RequestHash::from_bytes([key; 32]),
                shown_hash: ShownHash::new(SCOPE, "write_file", &input),
                input: input.into(),
            },
            expires_in: Duration::from_secs(600),
            supersedes: None,
            earlier_denial: None,
        };
        let opened = self.store.open_card(ApprovalId::mint(), &card).await;
        opened.unwrap().expect("no card stands in the way")
    }

    pub(crate) fn cards(&self) -> ApprovalDesk {
        ApprovalDesk::new(self.store.clone(), self.organization)
    }

    /// Bob decides.
    pub(crate) async fn decide(&self, card: &Approval, verdict: Verdict) -> Approval {
        let request = DecisionRequest {
            id: card.id,
            shown_hash: card.effective.shown_hash,
            by: principal("bob"),
            verdict,
        };
        match self.cards().decide(&request).await.unwrap() {
            Decided::Done(card) => *card,
            other => panic!("it was not done: {other:?}"),
        }
    }
}

pub(crate) fn id(run: &str) -> RunId {
    RunId::new(run).unwrap()
}

pub(crate) fn principal(name: &str) -> Principal {
    Principal::new(name).unwrap()
}

/// A user's message whose body names its id.
pub(crate) fn says(message: &str) -> NewMessage {
    NewMessage {
        id: MessageId::new(message).unwrap(),
        kind: MessageKind::User,
        body: format!("this is {message}"),
    }
}

/// A segment that another one may follow at once, without a failure.
pub(crate) fn ready_now() -> LeaveAs {
    LeaveAs::Ready {
        after: Duration::ZERO,
        failures: 0,
    }
}

/// Every way to leave a run that has nobody's decision and no message to wait for.
pub(crate) fn statuses() -> [(LeaveAs, RunStatus); 3] {
    let cards = vec![ApprovalId::mint()];
    [
        (ready_now(), RunStatus::Ready),
        (LeaveAs::Waiting { cards }, RunStatus::Waiting),
        (LeaveAs::Idle, RunStatus::Idle),
    ]
}
