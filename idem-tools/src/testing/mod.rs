//! For testing an application's own tools, never for production (feature `testing`, as a dev-dependency).
//!
//! - [`TestStore`]: a store of the test's own, a SQLite file or a PostgreSQL database, gone with the test; leases pass
//!   and answers grow old without waiting. [`VolatileStore`] needs no database at all.
//! - [`Vendor`]: a service on loopback that makes effects, counts them, and misbehaves as the test scripts it.
//! - [`ScriptedModel`]: what a model proposes, step by step, and the same [said differently](ScriptedModel::resampled).
//! - [`Worker`]: a process, as far as one test process can have another. It can
//!   [vanish](Worker::vanish) at a [`CrashPoint`].
//! - [`twin_run`]: the same turn in two workers, the second re-sampled; [`TwinReport::assert_once`] names each call
//!   that made a second effect.
//!
//! A failed expectation in here is the failure of the test that called it, so these items panic where the rest of Idem
//! returns an error. The guide, with a complete test, is `docs/testing.md` in the repository.
#![allow(
    clippy::expect_used,
    clippy::panic,
    reason = "a failed expectation here is the calling test's failure"
)]

#[cfg(feature = "postgres")]
mod blocking;
mod crash;
mod gate;
mod model;
mod place;
mod proposal;
mod report;
#[cfg(any(feature = "sqlite", feature = "postgres"))]
mod store;
mod twin;
pub mod vendor;
mod worker;

pub use crash::CrashPoint;
pub(crate) use crash::Stop;
pub use gate::Gate;
pub use idem_core::volatile::VolatileStore;
pub use model::{Resampling, ScriptedModel};
pub use place::WorkerStore;
pub use proposal::Proposal;
pub use report::{TwinCall, TwinReport};
#[cfg(any(feature = "sqlite", feature = "postgres"))]
pub use store::TestStore;
pub use twin::{twin_run, twin_run_as};
pub use vendor::{Behaviour, Book, Keys, Vendor};
pub use worker::{Worker, WorkerTurn};

use crate::idem::IdemBuilder;
use std::time::Duration;

impl IdemBuilder {
    /// Makes leases shorter than they are safe: each is the tool's timeout and this. For tests that kill a worker and
    /// go on at once.
    pub fn lease_margin(mut self, margin: Duration) -> Self {
        self.margin = margin;
        self
    }

    /// Holds every call that comes to this point.
    pub(crate) fn stop(mut self, stop: Stop) -> Self {
        self.stop = Some(stop);
        self
    }
}
