//! A process that can vanish: it has a runtime of its own, which goes down with all that it was doing.

use std::time::Duration;

use idem_tools::OrganizationId;
use idem_tools::agent::{AgentBuilder, AgentHarness};
use tokio::runtime::{Builder, Runtime};

use crate::tools::Stop;
use crate::world::{Parts, World, id};

/// How long its threads may take to stop; they are at rest or between two awaits.
const STOPS_WITHIN: Duration = Duration::from_secs(20);

/// A process, as far as one test process can have another.
pub(crate) struct Process {
    runtime: Option<Runtime>,
    harness: AgentHarness,
    organization: OrganizationId,
}

impl Process {
    /// Starts one whose tools are held at this stop.
    pub(crate) async fn start(world: &World, stop: Stop) -> Self {
        Self::of(world, world.parts(stop), |agent| agent).await
    }

    /// Starts one that is made of these parts.
    pub(crate) async fn of(
        world: &World,
        parts: Parts,
        add: impl FnOnce(AgentBuilder) -> AgentBuilder + Send + 'static,
    ) -> Self {
        let runtime = Builder::new_multi_thread()
            .worker_threads(1)
            .enable_all()
            .build()
            .expect("a tokio runtime");
        let opened = runtime.spawn(async move { add(parts.builder().await).build() });
        Self {
            harness: opened.await.expect("a process").expect("a harness"),
            runtime: Some(runtime),
            organization: world.organization,
        }
    }

    /// Works on a run, and nobody hears what becomes of it.
    pub(crate) fn begin(&self, run: &'static str) {
        let (harness, organization) = (self.harness.clone(), self.organization);
        let runtime = self.runtime.as_ref().expect("a process that is there");
        runtime.spawn(async move {
            drop(harness.segment(organization, &id(run)).await);
        });
    }

    /// Is gone, with its tasks and its connections.
    pub(crate) fn vanish(mut self) {
        self.end();
    }

    /// A runtime may not wait for another, so a thread does.
    fn end(&mut self) {
        if let Some(runtime) = self.runtime.take() {
            let ending = std::thread::spawn(move || runtime.shutdown_timeout(STOPS_WITHIN));
            ending.join().expect("the runtime stops");
        }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.end();
    }
}
