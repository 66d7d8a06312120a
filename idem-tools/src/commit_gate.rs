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
    /// The body's own statements ended the transaction: nobody knows what of it is stored.
    Broken,
    /// It was sent, with this answer, and nothing is known of it.
    Sent(Encoded),
    /// It was acknowledged.
    Done(Encoded),
}

impl Commit {
    fn send(&mut self, answer: Encoded) -> bool {
        let open = matches!(self, Self::Open);
        if open {
            *self = Self::Sent(answer);
        }
        open
    }

    fn committed(&mut self) {
        *self = match std::mem::take(self) {
            Self::Sent(answer) => Self::Done(answer),
            other => other,
        };
    }

    fn refused(&mut self) {
        if matches!(self, Self::Sent(_)) {
            *self = Self::Open;
        }
    }

    fn close(&mut self) -> Closed {
        match std::mem::replace(self, Self::Closed) {
            Self::Open | Self::Closed => Closed::NotSent,
            Self::Broken => Closed::Broken,
            Self::Sent(answer) => Closed::Sent(answer),
            Self::Done(answer) => Closed::Done(answer),
        }
    }
}

/// What the ending finds.
pub(crate) enum Closed {
    /// Nothing was committed, and nothing will be.
    NotSent,
    /// The body's own statements ended the transaction.
    Broken,
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
        self.lock().send(answer)
    }

    /// The body's own statements ended the transaction.
    pub(crate) fn broken(&self) {
        let mut commit = self.lock();
        if matches!(*commit, Commit::Open) {
            *commit = Commit::Broken;
        }
    }

    /// The COMMIT was acknowledged.
    pub(crate) fn committed(&self) {
        self.lock().committed();
    }

    /// The COMMIT was refused: nothing is stored, and the body may begin another transaction.
    pub(crate) fn refused(&self) {
        self.lock().refused();
    }

    /// Lets nothing through any more, and says what went through.
    pub(crate) fn close(&self) -> Closed {
        self.lock().close()
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

impl Hold {
    /// Whether it is this call's.
    pub(crate) fn is_of(&self, gate: &Arc<CommitGate>) -> bool {
        Arc::ptr_eq(&self.0, gate)
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::envelope;
    use idem_core::json::Json;

    fn answer() -> Encoded {
        envelope::success(Json::Null)
    }

    /// R14: a body that goes on after it was given up cannot commit what its ending released.
    #[test]
    fn a_closed_gate_lets_no_commit_through() {
        let mut commit = Commit::Open;
        assert!(matches!(commit.close(), Closed::NotSent));
        assert!(!commit.send(answer()));
        commit.committed();
        assert!(matches!(commit.close(), Closed::NotSent));
    }

    /// R14: a commit that is on its way is seen, and one that arrived too.
    #[test]
    fn what_went_through_is_seen_at_the_close() {
        let mut commit = Commit::Open;
        assert!(commit.send(answer()));
        assert!(!commit.send(answer()), "one commit a call");
        assert!(matches!(commit.close(), Closed::Sent(_)));
        let mut commit = Commit::Open;
        assert!(commit.send(answer()));
        commit.committed();
        commit.refused();
        assert!(!commit.send(answer()), "one commit a call");
        assert!(matches!(commit.close(), Closed::Done(_)));
    }

    /// R14: a reply that comes after the close changes nothing: the ending reads the journal.
    #[test]
    fn a_reply_after_the_close_changes_nothing() {
        for reply in [Commit::committed, Commit::refused] {
            let mut commit = Commit::Open;
            assert!(commit.send(answer()));
            assert!(matches!(commit.close(), Closed::Sent(_)));
            reply(&mut commit);
            assert!(!commit.send(answer()));
        }
    }

    /// A refused commit stored nothing, so another transaction may follow.
    #[test]
    fn a_refused_commit_leaves_the_gate_open() {
        let mut commit = Commit::Open;
        assert!(commit.send(answer()));
        commit.refused();
        assert!(commit.send(answer()));
    }
}
