//! What is known of a transactional call's commit, shared between its body and its ending (R14).
//!
//! The body asks the gate just before it sends COMMIT, and the ending closes the gate before it decides. So a body that
//! goes on after it was given up can no longer commit, and the ending never releases a key whose commit is on its way.

use crate::envelope::Encoded;
use idem_core::{Fence, Store, TRANSACTION_MAX};
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;
use tokio::sync::watch;

/// The gate of one call.
pub(crate) struct CommitGate {
    pub(crate) store: Arc<dyn Store>,
    pub(crate) fence: Fence,
    commit: Mutex<Commit>,
    held: watch::Sender<Held>,
}

/// How far the commit has come.
#[derive(Default)]
enum Commit {
    /// It may be sent.
    #[default]
    Open,
    /// The call was given up: it may not be sent any more.
    Closed,
    /// It was sent, with this answer, and nothing is known of it.
    Sent(Encoded),
    /// It was acknowledged.
    Done(Encoded),
}

/// What the ending finds.
pub(crate) enum Closed {
    /// Nothing was committed, and nothing will be.
    NotSent,
    /// The commit was sent, and its reply is missing.
    Sent(Encoded),
    /// Effect and answer are stored.
    Done(Encoded),
}

/// Whether the body holds a transaction, and until when it may.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Held {
    No,
    /// It waits for one, which holds nobody up.
    Opening,
    Until(Instant),
}

impl CommitGate {
    pub(crate) fn new(store: Arc<dyn Store>, fence: Fence) -> Self {
        Self {
            store,
            fence,
            commit: Mutex::default(),
            held: watch::Sender::new(Held::No),
        }
    }

    /// Lets a COMMIT through that stores this answer. `false`: the call was given up, or has committed already.
    pub(crate) fn send(&self, answer: Encoded) -> bool {
        let mut commit = self.lock();
        let open = matches!(*commit, Commit::Open);
        if open {
            *commit = Commit::Sent(answer);
        }
        open
    }

    /// The COMMIT was acknowledged.
    pub(crate) fn committed(&self) {
        let mut commit = self.lock();
        *commit = match std::mem::take(&mut *commit) {
            Commit::Sent(answer) => Commit::Done(answer),
            other => other,
        };
    }

    /// The COMMIT was refused: nothing is stored, and the body may begin another transaction.
    pub(crate) fn refused(&self) {
        let mut commit = self.lock();
        if matches!(*commit, Commit::Sent(_)) {
            *commit = Commit::Open;
        }
    }

    /// Lets nothing through any more, and says what went through.
    pub(crate) fn close(&self) -> Closed {
        match std::mem::replace(&mut *self.lock(), Commit::Closed) {
            Commit::Open | Commit::Closed => Closed::NotSent,
            Commit::Sent(answer) => Closed::Sent(answer),
            Commit::Done(answer) => Closed::Done(answer),
        }
    }

    /// The body wants a transaction. `None`: it holds one already, and a second would wait for the first.
    pub(crate) fn hold(self: &Arc<Self>) -> Option<Hold> {
        let free = self.held.send_if_modified(|held| {
            let free = *held == Held::No;
            if free {
                *held = Held::Opening;
            }
            free
        });
        free.then(|| Hold(self.clone()))
    }

    /// What the execution watches.
    pub(crate) fn watch(&self) -> watch::Receiver<Held> {
        self.held.subscribe()
    }

    fn lock(&self) -> MutexGuard<'_, Commit> {
        self.commit.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The body's hold on a transaction; ends with it.
pub(crate) struct Hold(Arc<CommitGate>);

impl Hold {
    /// The transaction has begun: from now on it holds others up.
    pub(crate) fn begun(&self) {
        let until = Instant::now() + TRANSACTION_MAX;
        self.0.held.send_replace(Held::Until(until));
    }
}

impl Drop for Hold {
    fn drop(&mut self) {
        self.0.held.send_replace(Held::No);
    }
}

impl fmt::Debug for Hold {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}", *self.0.held.borrow())
    }
}
