//! A worker that can vanish: it has a runtime of its own, which goes down with all that it was doing.

use idem_tests::vendor::Keys;
use idem_tools::CallError;
use std::time::Duration;
use tokio::runtime::{Builder, Runtime};

use crate::setting::{Worker, World};
use crate::tools::Stops;

/// How long its threads may take to stop; they are at rest or between two awaits.
const STOPS_WITHIN: Duration = Duration::from_secs(20);

/// A worker's process, as far as one test process can have another.
#[derive(Debug)]
pub(crate) struct Process {
    runtime: Option<Runtime>,
    worker: Worker,
}

impl Process {
    /// Starts a worker of this world whose bodies are held at the given stops.
    pub(crate) async fn start(world: &World, stops: Stops) -> Self {
        let runtime = Builder::new_multi_thread()
            .worker_threads(1)
            .enable_all()
            .build()
            .expect("a tokio runtime");
        // A builder of the same tenant and vendor, which the other runtime can own.
        let (setting, desk) = (world.setting.clone(), world.vendor.effects_url());
        let organization = world.organization;
        let opened = runtime.spawn(async move {
            let mut world = World::new(&setting, Keys::Ignored).await;
            world.organization = organization;
            let desk = crate::tools::Desk::at(desk);
            world.worker_with(|b| b.state(stops).state(desk)).await
        });
        let worker = opened.await.expect("a worker");
        Self {
            runtime: Some(runtime),
            worker,
        }
    }

    /// Makes a call of which nobody will hear.
    pub(crate) fn begin(&self, tool: &'static str, arguments: &'static str) {
        let worker = self.worker.clone();
        let runtime = self.runtime.as_ref().expect("a process that is there");
        runtime.spawn(async move {
            let result: Result<_, CallError> = worker.call(tool, arguments).await;
            drop(result);
        });
    }

    /// Is gone, with its tasks and its connections.
    pub(crate) fn vanish(mut self) {
        self.end();
    }

    /// Waits until its threads have stopped: one that still ran could hear a reply and store it. A runtime may not wait
    /// for another, so a thread does.
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
