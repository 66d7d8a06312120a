//! The verbs on runs of a store that loses a reply, or does not hear, where the case says so.

use idem_core::{RepositoryError, Store};
use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Mutex};

/// What goes wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fault {
    /// It is carried out and committed, and the reply is lost.
    ReplyLost,
    /// It never arrives.
    NoAnswer,
}

/// The store under test behind a list of verbs that go wrong once. It counts them.
#[derive(Debug)]
pub(crate) struct Lossy {
    inner: Arc<dyn Store>,
    fault: Fault,
    broken: Mutex<HashSet<&'static str>>,
    calls: Mutex<HashMap<&'static str, u32>>,
}

impl Lossy {
    pub(crate) fn new(inner: Arc<dyn Store>, fault: Fault) -> Arc<Self> {
        Arc::new(Self {
            inner,
            fault,
            broken: Mutex::default(),
            calls: Mutex::default(),
        })
    }

    /// The next one of these verbs goes wrong.
    pub(crate) fn break_next(&self, verb: &'static str) {
        self.broken.lock().unwrap().insert(verb);
    }

    /// How often a verb was asked.
    pub(crate) fn calls(&self, verb: &'static str) -> u32 {
        self.calls.lock().unwrap().get(verb).copied().unwrap_or(0)
    }

    async fn pass<Reply>(
        &self,
        verb: &'static str,
        carried_out: impl Future<Output = Result<Reply, RepositoryError>>,
    ) -> Result<Reply, RepositoryError> {
        *self.calls.lock().unwrap().entry(verb).or_default() += 1;
        if !self.broken.lock().unwrap().remove(verb) {
            return carried_out.await;
        }
        if self.fault == Fault::ReplyLost {
            carried_out.await?;
        }
        Err(RepositoryError::Unavailable("the reply was lost".into()))
    }
}

idem_core::delegate_runs!(Lossy, [pass around inner]);
