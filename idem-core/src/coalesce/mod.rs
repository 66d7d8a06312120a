//! Many callers, one statement and one commit (R81).
//!
//! A commit costs the disk's sync, whatever it holds. [`Coalesced`] stands in front of a store and sends what waits
//! while the store is busy together: no timer and no added wait, and a caller who is alone goes straight through. A
//! verb is answered only after its commit, as without it, and durability is the store's own (R84).

mod lane;
mod passed_on;
mod verbs;

use crate::error::RepositoryError;
use crate::repository::Store;
use lane::Lane;
use std::fmt;
use std::sync::Arc;
use verbs::{Complete, Get, Release, TryClaim};

/// A store that groups the four verbs of a call: the read, the claim, its completion and its release. Cheap to clone;
/// every clone shares the queues.
///
/// Everything else goes to the store as it comes.
///
/// # Cancel safety
///
/// A caller that goes away while its verb waits in a group leaves the verb to finish, and nobody hears the answer: a
/// claim made so lapses, as that of any owner who vanished. A verb that went out alone is the store's own.
#[derive(Clone)]
pub struct Coalesced {
    store: Arc<dyn Store>,
    get: Lane<Get>,
    try_claim: Lane<TryClaim>,
    complete: Lane<Complete>,
    release: Lane<Release>,
}

impl fmt::Debug for Coalesced {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Coalesced")
            .field("store", &self.store)
            .finish_non_exhaustive()
    }
}

impl Coalesced {
    /// Groups what goes to this store.
    #[must_use]
    pub fn over(store: Arc<dyn Store>) -> Self {
        Self::with(store, Aside::WhenAlone)
    }

    /// As [`over`](Self::over), and a verb that is alone goes out as a group of one: so that a test of one caller
    /// reaches the statements of the groups.
    #[cfg(feature = "testing")]
    #[must_use]
    pub fn always(store: Arc<dyn Store>) -> Self {
        Self::with(store, Aside::Never)
    }

    fn with(store: Arc<dyn Store>, aside: Aside) -> Self {
        Self {
            get: Lane::new(&store, aside),
            try_claim: Lane::new(&store, aside),
            complete: Lane::new(&store, aside),
            release: Lane::new(&store, aside),
            store,
        }
    }

    /// How many verbs wait for their statement, for a gauge.
    #[must_use]
    pub fn waiting(&self) -> usize {
        self.get.waiting()
            + self.try_claim.waiting()
            + self.complete.waiting()
            + self.release.waiting()
    }

    /// Waits until every verb that was asked for is answered. What is asked afterwards goes to the store one by one,
    /// so a program that is ending may still write.
    ///
    /// # Cancel safety
    ///
    /// Dropping it stops the waiting; grouping stays off.
    pub async fn drain(&self) {
        self.get.drain().await;
        self.try_claim.drain().await;
        self.complete.drain().await;
        self.release.drain().await;
    }
}

/// Whether a verb with nothing else in flight goes straight to the store.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Aside {
    /// It does.
    WhenAlone,
    /// It goes out as a group of one.
    #[cfg_attr(not(feature = "testing"), allow(dead_code, reason = "for tests"))]
    Never,
}

/// The runtime ended, or a group's task panicked, before the verb was answered. It may have been carried out.
fn unanswered() -> RepositoryError {
    RepositoryError::Unavailable("the task that sent it ended before it was answered".into())
}
