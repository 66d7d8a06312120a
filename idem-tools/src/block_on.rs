//! A runtime for programs that have none.

use std::io;

/// Runs a future to its end on a Tokio runtime of its own: for a `main` without one. An application that has Tokio
/// uses its own runtime.
///
/// # Panics
///
/// Where the operating system starts no threads, or inside another runtime.
///
/// # Errors
///
/// The future's own, or the runtime's where it cannot be started.
pub fn block_on<T, E: From<io::Error>>(future: impl Future<Output = Result<T, E>>) -> Result<T, E> {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()?;
    runtime.block_on(future)
}
