//! A worker that can be killed: it has a runtime of its own, which goes down with all that it was doing. The processes
//! that die by SIGKILL are in `tests/processes`.

use crate::world::Blueprint;
use std::time::Duration;
use tokio::runtime::{Builder, Runtime};

/// How long its threads may take to stop; they are at rest or between two awaits.
const STOPS_WITHIN: Duration = Duration::from_secs(20);

/// A worker's process, as far as one test process can have another.
#[derive(Debug)]
pub(crate) struct Process {
    runtime: Option<Runtime>,
}

impl Process {
    /// Starts a worker and makes its call, of which nobody will hear.
    pub(crate) fn call(blueprint: Blueprint) -> Self {
        let runtime = Builder::new_multi_thread()
            .worker_threads(1)
            .enable_all()
            .build()
            .expect("a tokio runtime");
        runtime.spawn(async move {
            let heard = blueprint.open().await.call().await;
            drop(heard);
        });
        Self {
            runtime: Some(runtime),
        }
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
