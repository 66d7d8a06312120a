//! Which stores a worker can be started on.

#[cfg(any(feature = "sqlite", feature = "postgres"))]
use super::TestStore;
use super::VolatileStore;
use crate::{Idem, IdemBuilder};
use std::pin::Pin;
use std::sync::Arc;

/// A store on which [workers](super::Worker) can be started: a [`TestStore`](super::TestStore), each worker with
/// connections of its own, or a [`VolatileStore`], which they share. Implemented by these alone.
pub trait WorkerStore: private::Sealed {
    /// Opens the store for one more worker. To be awaited on the worker's own runtime, to which its connections belong.
    ///
    /// # Panics
    ///
    /// Where it does not open.
    fn open_for_worker(&self) -> Pin<Box<dyn Future<Output = IdemBuilder> + Send>>;
}

#[cfg(any(feature = "sqlite", feature = "postgres"))]
impl WorkerStore for TestStore {
    fn open_for_worker(&self) -> Pin<Box<dyn Future<Output = IdemBuilder> + Send>> {
        let url = self.url().to_owned();
        Box::pin(async move {
            let opened = Idem::open(&url).await;
            opened.unwrap_or_else(|error| panic!("the store of the test does not open: {error}"))
        })
    }
}

impl WorkerStore for VolatileStore {
    fn open_for_worker(&self) -> Pin<Box<dyn Future<Output = IdemBuilder> + Send>> {
        let store = Arc::new(self.clone());
        Box::pin(async move {
            let opened = Idem::with_store(store).await;
            opened.unwrap_or_else(|error| panic!("the volatile store does not open: {error}"))
        })
    }
}

mod private {
    pub trait Sealed {}

    #[cfg(any(feature = "sqlite", feature = "postgres"))]
    impl Sealed for super::TestStore {}
    impl Sealed for super::VolatileStore {}
}
