//! A worker that can vanish: it has a runtime of its own, which goes down with all that it was doing.

use super::{CrashPoint, Stop, WorkerStore};
use crate::{CallError, Idem, IdemBuilder, OrganizationId, ProposedCall, Settled, Turn};
use std::thread;
use std::time::Duration;
use tokio::runtime::{Builder, Handle, Runtime};

/// How long a worker's threads may take to stop; they are at rest or between two awaits.
const STOPS_WITHIN: Duration = Duration::from_secs(20);

/// How long a test waits for a call to come to the worker's crash point before it fails.
const REACHES_WITHIN: Duration = Duration::from_secs(30);

/// The tenant as whom every [`Worker`] calls.
const ORGANIZATION: &str = "7e570000-0000-4000-8000-000000000001";

/// A worker's process, as far as one test process can have another: an [`Idem`] in a runtime of its own. It acts for
/// one tenant, the principal `tester`, in the run `run-1` unless it is told another.
///
/// What a worker's tools hold, an HTTP client for instance, is best made in `equip`: it is then the worker's own and
/// goes with it.
#[derive(Debug)]
pub struct Worker {
    runtime: Option<Runtime>,
    idem: Idem,
    run: String,
    stop: Option<Stop>,
}

/// A turn of a [`Worker`]; its calls run in the worker's runtime and vanish with it.
#[derive(Clone, Debug)]
pub struct WorkerTurn {
    handle: Handle,
    turn: Turn,
}

impl Worker {
    /// Starts a worker on a store; `equip` adds its tools, their state and a policy.
    ///
    /// # Panics
    ///
    /// Where the store does not open, or the tools cannot be put together.
    pub async fn start(
        store: &impl WorkerStore,
        equip: impl FnOnce(IdemBuilder) -> IdemBuilder + Send + 'static,
    ) -> Self {
        Self::started(store, None, equip).await
    }

    /// The same, where every call that comes to a point is held there, until the worker [vanishes](Self::vanish) or is
    /// told to [go on](Self::go_on).
    ///
    /// # Panics
    ///
    /// As [`start`](Self::start).
    pub async fn start_stopping_at(
        point: CrashPoint,
        store: &impl WorkerStore,
        equip: impl FnOnce(IdemBuilder) -> IdemBuilder + Send + 'static,
    ) -> Self {
        Self::started(store, Some(Stop::at(point)), equip).await
    }

    async fn started(
        store: &impl WorkerStore,
        stop: Option<Stop>,
        equip: impl FnOnce(IdemBuilder) -> IdemBuilder + Send + 'static,
    ) -> Self {
        let runtime = Builder::new_multi_thread()
            .worker_threads(1)
            .enable_all()
            .build()
            .expect("a tokio runtime");
        let (opening, held) = (store.open_for_worker(), stop.clone());
        let idem = runtime.spawn(async move {
            let builder = equip(opening.await);
            let built = match held {
                Some(stop) => builder.stop(stop).build(),
                None => builder.build(),
            };
            built.unwrap_or_else(|error| panic!("the worker has no such tools: {error}"))
        });
        // Held first, so that the runtime goes down by a thread also where the start fails.
        let mut worker = Starting(Some(runtime));
        let idem = idem.await.expect("a worker that starts");
        Self {
            runtime: worker.0.take(),
            idem,
            run: "run-1".to_owned(),
            stop,
        }
    }

    /// Names the run in which the worker's turns are.
    #[must_use]
    pub fn in_run(mut self, run: impl Into<String>) -> Self {
        self.run = run.into();
        self
    }

    /// The tenant as whom every worker calls: for a desk of approvals, for instance.
    #[must_use]
    pub fn organization(&self) -> OrganizationId {
        let tenant = ORGANIZATION.parse();
        tenant.expect("the tests' tenant is a uuid")
    }

    /// A turn of the worker's run.
    ///
    /// # Panics
    ///
    /// Where the run's name is none, or the worker has vanished.
    #[must_use]
    pub fn turn(&self, number: u32) -> WorkerTurn {
        let actor = self
            .idem
            .organization(self.organization())
            .principal("tester");
        let run = actor.expect("a principal").run(&self.run);
        let turn = run.expect("a run's name").turn(number);
        let runtime = self.runtime.as_ref().expect("a worker that is there");
        let handle = runtime.handle().clone();
        WorkerTurn { handle, turn }
    }

    /// Waits until a call is held at the worker's crash point.
    ///
    /// # Panics
    ///
    /// Where the worker stops nowhere, or no call comes there within 30 s.
    pub async fn reached(&self) {
        let stop = self.stop();
        let waited = tokio::time::timeout(REACHES_WITHIN, stop.reached.opened()).await;
        assert!(waited.is_ok(), "no call came to {:?}", stop.at);
    }

    /// Lets the calls that are held go on, and all that come to the point later: a worker that had only stalled.
    ///
    /// # Panics
    ///
    /// Where the worker stops nowhere.
    pub fn go_on(&self) {
        self.stop().go.open();
    }

    /// Is gone, with its tasks and its connections: nothing is ended, nothing is given up, nobody hears of anything.
    /// Its leases stay until they pass.
    ///
    /// Blocks its thread until the worker's own have stopped, at most 20 s; one that still ran could hear a reply and
    /// store it.
    pub fn vanish(mut self) {
        end(&mut self.runtime);
    }

    fn stop(&self) -> &Stop {
        let stop = self.stop.as_ref();
        stop.expect("start the worker with `start_stopping_at`")
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        end(&mut self.runtime);
    }
}

/// A runtime whose worker is not there yet.
struct Starting(Option<Runtime>);

impl Drop for Starting {
    fn drop(&mut self) {
        end(&mut self.0);
    }
}

/// A runtime may not wait for another, so a thread does.
fn end(runtime: &mut Option<Runtime>) {
    if let Some(runtime) = runtime.take() {
        let ending = thread::spawn(move || runtime.shutdown_timeout(STOPS_WITHIN));
        // A panic here would hide the one that may be unwinding.
        if ending.join().is_err() {
            eprintln!("a worker's runtime did not stop");
        }
    }
}

impl WorkerTurn {
    /// The same turn at a later step; see [`Turn::step`].
    #[must_use]
    pub fn step(&self, step: u32) -> Self {
        Self {
            handle: self.handle.clone(),
            turn: self.turn.step(step),
        }
    }

    /// Makes one call and waits for its answer; see [`Turn::call`].
    ///
    /// # Errors
    ///
    /// As [`Turn::call`].
    ///
    /// # Panics
    ///
    /// Where the worker vanishes meanwhile.
    pub async fn call(&self, call: ProposedCall) -> Result<Settled, CallError> {
        let turn = self.turn.clone();
        let made = self.handle.spawn(async move { turn.call(call).await });
        made.await.expect("the worker vanished under the call")
    }

    /// Makes the calls of one response and waits for their answers; see [`Turn::call_all`].
    ///
    /// # Panics
    ///
    /// Where the worker vanishes meanwhile.
    pub async fn call_all(&self, calls: Vec<ProposedCall>) -> Vec<Result<Settled, CallError>> {
        let turn = self.turn.clone();
        let made = self.handle.spawn(async move { turn.call_all(calls).await });
        made.await.expect("the worker vanished under the calls")
    }

    /// Makes the calls of one response, of which nobody will hear.
    pub fn begin(&self, calls: Vec<ProposedCall>) {
        let turn = self.turn.clone();
        drop(
            self.handle
                .spawn(async move { drop(turn.call_all(calls).await) }),
        );
    }
}
