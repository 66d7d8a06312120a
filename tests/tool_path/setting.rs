//! Where a case runs, and who acts in it: a vendor that counts, and workers that share a store.

use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use idem_tests::TestStore;
use idem_tests::vendor::{Behaviour, Gate, Keys, Vendor};
use idem_tools::{Answered, CallError, Idem, IdemBuilder, OrganizationId, ProposedCall, Turn};

use crate::tools::{self, Desk, Stops};

/// Longer than any lease of a tool: 120 s and the margin.
const LONGEST_LEASE: Duration = Duration::from_secs(131);

/// Longer than any case takes on a busy machine.
const CASE_MAX: Duration = Duration::from_secs(240);

/// Runs a case that fails, and does not hang, where what it waits for never comes.
pub(crate) async fn bounded(case: impl Future<Output = ()>) {
    let ended = tokio::time::timeout(CASE_MAX, Box::pin(case)).await;
    assert!(ended.is_ok(), "the case waits for what does not come");
}

/// One store, and whether equal calls of one process share an execution (R34). Every case runs under both.
#[derive(Debug, Clone)]
pub(crate) struct Setting {
    pub(crate) store: TestStore,
    pub(crate) sharing: bool,
}

impl Setting {
    /// How many rows the plane keeps.
    pub(crate) async fn rows(&self) -> i64 {
        self.store.count_rows("idempotency_keys").await
    }

    /// What was answered is forgotten.
    pub(crate) async fn forget(&self) {
        let (postgres, sqlite) = ("agent.idempotency_keys", "agent_idempotency_keys");
        let forget = |table: &str| format!("DELETE FROM {table}");
        self.store.execute(&forget(postgres), &forget(sqlite)).await;
    }

    /// Every lease passes.
    pub(crate) async fn leases_pass(&self) {
        let aged = self.store.age_all(LONGEST_LEASE).await;
        assert!(aged > 0, "there is no lease that could pass");
    }
}

/// A tenant, its vendor and its store.
#[derive(Debug)]
pub(crate) struct World {
    pub(crate) setting: Setting,
    pub(crate) vendor: Vendor,
    pub(crate) organization: OrganizationId,
}

impl World {
    /// A tenant of its own, with a vendor that heeds keys as said.
    pub(crate) async fn new(setting: &Setting, keys: Keys) -> Self {
        Self {
            setting: setting.clone(),
            vendor: Vendor::start(keys).await,
            organization: OrganizationId::random(),
        }
    }

    /// What a worker is made of, without tools: its store, the way to the vendor, no stops.
    pub(crate) async fn bare(&self) -> IdemBuilder {
        let builder = Idem::open(&self.setting.store.url).await;
        let builder = builder.expect("the store of the test opens");
        self.equip(builder)
    }

    /// Gives a builder what every worker has.
    pub(crate) fn equip(&self, builder: IdemBuilder) -> IdemBuilder {
        builder
            .share_equal_calls(self.setting.sharing)
            .state(Desk::at(self.vendor.effects_url()))
            .state(Stops::default())
    }

    /// A worker with the common tools, which knows nothing of the others but the store.
    pub(crate) async fn worker(&self) -> Worker {
        self.worker_with(|builder| builder).await
    }

    /// The same, with something added to it or put in another's place.
    pub(crate) async fn worker_with(&self, add: impl FnOnce(IdemBuilder) -> IdemBuilder) -> Worker {
        let builder = add(tools::all(self.bare().await));
        self.worker_of(builder.build().expect("tools that can be added"))
    }

    /// A worker of this tenant over an `Idem` that the case made itself.
    pub(crate) fn worker_of(&self, idem: Idem) -> Worker {
        Worker {
            idem,
            organization: self.organization,
        }
    }

    /// Sets what the vendor does with the next request.
    pub(crate) fn next(&self, behaviour: Behaviour) {
        self.vendor.script([behaviour]);
    }

    /// The vendor keeps the next request waiting until the gate is opened.
    pub(crate) fn next_is_slow(&self) -> Gate {
        let gate = Gate::new();
        self.next(Behaviour::Slow(gate.clone()));
        gate
    }

    /// What the vendor counted: requests and effects.
    pub(crate) fn counted(&self) -> (usize, usize) {
        let book = self.vendor.book();
        (book.requests, book.effects)
    }
}

/// One process that makes Ann's calls.
#[derive(Debug, Clone)]
pub(crate) struct Worker {
    pub(crate) idem: Idem,
    pub(crate) organization: OrganizationId,
}

impl Worker {
    /// A turn of one run.
    pub(crate) fn turn_of(&self, principal: &str, run: &str, number: u32) -> Turn {
        let actor = self
            .idem
            .organization(self.organization)
            .principal(principal);
        let run = actor.expect("a principal").run(run).expect("a run");
        run.turn(number)
    }

    /// The turn in which nearly all calls are made.
    pub(crate) fn turn(&self) -> Turn {
        self.turn_of("ann", "run-1", 1)
    }

    /// Makes a call in that turn, under an id of its own.
    pub(crate) async fn call(&self, tool: &str, arguments: &str) -> Result<Answered, CallError> {
        call(&self.turn(), tool, arguments).await
    }

    /// The same, where an answer must come.
    pub(crate) async fn answer(&self, tool: &str, arguments: &str) -> Answered {
        let answer = self.call(tool, arguments).await;
        answer.unwrap_or_else(|error| panic!("{tool} {arguments} has no answer: {error}"))
    }

    /// Makes the call in a task of its own.
    pub(crate) fn begin(
        &self,
        tool: &'static str,
        arguments: &'static str,
    ) -> tokio::task::JoinHandle<Result<Answered, CallError>> {
        let worker = self.clone();
        tokio::spawn(async move { worker.call(tool, arguments).await })
    }
}

/// Makes a call in a turn, under an id that no other call of the test has.
pub(crate) async fn call(turn: &Turn, tool: &str, arguments: &str) -> Result<Answered, CallError> {
    static CALLS: AtomicU32 = AtomicU32::new(1);
    let id = format!("call-{}", CALLS.fetch_add(1, Ordering::Relaxed));
    let settled = turn.call(ProposedCall::new(id, tool, arguments)).await?;
    Ok(settled.answer().expect("a settled call has an answer"))
}

/// The code of a failed answer.
pub(crate) fn code(answer: &Answered) -> &str {
    let failure = answer.failure();
    let failure = failure.unwrap_or_else(|| panic!("it succeeded: {}", answer.to_model_text()));
    failure.code.as_str()
}

/// How long a call is said to be in flight still.
pub(crate) fn in_flight(result: Result<Answered, CallError>) -> Duration {
    match result {
        Err(CallError::ClaimInFlight { retry_after, .. }) => retry_after,
        other => panic!("the call is not in flight: {other:?}"),
    }
}

/// Asserts that an answer is the stored one: the same result, marked as replayed, first run at the same time.
pub(crate) fn assert_replays(first: &Answered, again: &Answered) {
    assert_replays_aged(first, again);
    assert_eq!(again.first_ran_at, first.first_ran_at);
}

/// The same where the row was aged in between, which moves the time of the first run too.
pub(crate) fn assert_replays_aged(first: &Answered, again: &Answered) {
    assert!(again.replayed, "a stored answer says that it is replayed");
    assert_eq!(again.result, first.result);
    assert_eq!(again.to_model_text(), first.to_model_text());
    assert!(again.first_ran_at.is_some());
    assert_eq!((again.key, again.kind), (first.key, first.kind));
    assert_eq!(again.attempt, first.attempt);
}
