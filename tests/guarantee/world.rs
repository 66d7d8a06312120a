//! Where one cell is run: a tenant and a vendor of its own, and workers that know nothing of each other but the store.

use crate::table::Class;
use crate::told::{Told, Word};
use crate::tools::{self, Desk, Pace, Plan};
use idem_core::Store;
use idem_tests::TestStore;
use idem_tests::vendor::{Keys, Vendor};
use idem_tools::{Answered, CallError, Idem, OrganizationId, ProposedCall, Turn, http};
use std::sync::Arc;
use std::time::Duration;

/// Longer than any lease of these tools, and far shorter than a window.
const LEASE_OVER: Duration = Duration::from_secs(131);

/// How long a vendor keeps keys.
const WINDOW: Duration = Duration::from_secs(24 * 60 * 60);

/// The window, and every lease.
const WINDOW_OVER: Duration = Duration::from_secs(25 * 60 * 60);

/// More calls than any cell needs.
const CALLS_MAX: u32 = 6;

/// The place of one cell.
#[derive(Debug)]
pub(crate) struct World {
    pub(crate) class: Class,
    pub(crate) store: TestStore,
    pub(crate) vendor: Vendor,
    organization: OrganizationId,
    desk: Desk,
}

impl World {
    pub(crate) async fn new(store: &TestStore, class: Class) -> Self {
        let keys = if class.vendor_keeps_keys() {
            Keys::KeptFor(WINDOW)
        } else {
            Keys::Ignored
        };
        let vendor = Vendor::start(keys).await;
        let client = http::client_builder().no_proxy().build();
        let desk = Desk {
            client: client.expect("a plain client"),
            effects: vendor.effects_url(),
            book: vendor.book_url(),
        };
        Self {
            class,
            store: store.clone(),
            vendor,
            organization: OrganizationId::random(),
            desk,
        }
    }

    /// What a worker of this world is made of.
    pub(crate) fn blueprint(&self, plan: Plan) -> Blueprint {
        Blueprint {
            store: self.store.clone(),
            tool: self.class.tool(),
            organization: self.organization,
            desk: self.desk.clone(),
            pace: Pace::Patient,
            plan,
        }
    }

    /// A worker that does its work and nothing else.
    pub(crate) async fn worker(&self) -> Worker {
        self.blueprint(Plan::default()).open().await
    }

    /// Leases pass, and the window of a vendor where the class is about that.
    pub(crate) async fn time_passes(&self) {
        let by = if self.class.is_past_its_window() {
            WINDOW_OVER
        } else {
            LEASE_OVER
        };
        self.ages(by).await;
    }

    /// Leases pass, and no window.
    pub(crate) async fn lease_passes(&self) {
        self.ages(LEASE_OVER).await;
    }

    async fn ages(&self, by: Duration) {
        self.store.age_all(by).await;
        self.vendor.advance(by);
    }

    /// Another worker makes the call until it is settled, waiting out every lease; and a third is told the same.
    pub(crate) async fn goes_on(&self, told: &mut Told) {
        let next = self.worker().await;
        for _ in 0..CALLS_MAX {
            match told.hear(next.call().await) {
                Word::InFlight => self.time_passes().await,
                Word::RetryableFailure => {}
                Word::Answer | Word::OutcomeUnknown => {
                    let again = self.worker().await.call().await;
                    assert!(again.as_ref().is_ok_and(|answer| answer.replayed));
                    told.is_told_again(&again);
                    return;
                }
            }
        }
        panic!("the call does not settle: {:?}", told.words);
    }

    /// How many effects there are: at the vendor, or in the application's own table. Of a read, how often it looked.
    pub(crate) async fn effects(&self) -> usize {
        let book = self.vendor.book();
        match self.class {
            Class::Read => book.requests,
            Class::Transactional => {
                let rows = self.store.number("SELECT count(*) FROM letters", "").await;
                usize::try_from(rows).expect("a count")
            }
            _ => book.effects,
        }
    }
}

/// What a worker is made of, for whichever runtime it is to live on.
#[derive(Debug, Clone)]
pub(crate) struct Blueprint {
    pub(crate) store: TestStore,
    tool: &'static str,
    organization: OrganizationId,
    desk: Desk,
    pub(crate) pace: Pace,
    plan: Plan,
}

impl Blueprint {
    /// The worker, with a pool of its own.
    pub(crate) async fn open(self) -> Worker {
        let store = self.store.open().await;
        self.over(store).await
    }

    /// The worker over a store that the case made itself.
    pub(crate) async fn over(self, store: Arc<dyn Store>) -> Worker {
        let builder = Idem::with_store(store).await;
        let builder = builder.expect("the store of the test can be trusted");
        let builder = tools::all(builder, self.store.kind, self.pace);
        let idem = builder.state(self.desk).state(self.plan).build();
        let idem = idem.expect("tools that can be added");
        let actor = idem.organization(self.organization).principal("ann");
        let run = actor.expect("a principal").run("run-1").expect("a run");
        Worker {
            turn: run.turn(1),
            tool: self.tool,
        }
    }
}

/// One process that makes the call of the cell.
#[derive(Debug, Clone)]
pub(crate) struct Worker {
    turn: Turn,
    tool: &'static str,
}

impl Worker {
    pub(crate) async fn call(&self) -> Result<Answered, CallError> {
        let proposed = ProposedCall::new("call-1", self.tool, r#"{"to": "ann"}"#);
        let settled = self.turn.call(proposed).await?;
        Ok(settled.answer().expect("nobody is asked"))
    }
}
