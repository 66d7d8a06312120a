//! Work that has to come to its end wherever a test stands.

use std::thread;

/// Runs a future to its end on a thread and a runtime of its own: a test's own runtime may be the one that is going
/// down, or have no other thread. `None`: it panicked, or there was no runtime.
pub(super) fn blocking<Output, Work>(work: Work) -> Option<Output>
where
    Output: Send + 'static,
    Work: Future<Output = Output> + Send + 'static,
{
    let thread = thread::spawn(move || {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build();
        runtime.ok().map(|runtime| runtime.block_on(work))
    });
    thread.join().ok().flatten()
}
