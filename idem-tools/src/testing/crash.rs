//! Where a worker can be made to vanish.

use super::Gate;
use crate::runtime::Core;

/// A point in the path of every call at which a [`Worker`](super::Worker) can be held, and from which it can vanish.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum CrashPoint {
    /// The key is claimed and the body has not begun: nothing was sent, and a tool that marks its dispatch has not done
    /// so. A read has no claim, and is as little begun. After the lease the next worker of a `reconcile` tool asks what
    /// became of the claim before it sends; so does this one, before it comes here, where the claim was left to it.
    BeforeWire,
    /// The body came to its end and nothing more is written down: the effect is made, and its answer is nowhere. Not so
    /// for a `transactional` tool, whose body commits its rows and its answer together: the next worker gets the answer
    /// at once, and there is no lease that has to pass.
    AfterWire,
    /// The ending is written and nobody has heard of it: the answer is in the journal, and only there.
    AfterEnding,
}

/// What holds the calls of one worker.
#[derive(Clone, Debug)]
pub(crate) struct Stop {
    pub(crate) at: CrashPoint,
    pub(crate) reached: Gate,
    pub(crate) go: Gate,
}

impl Stop {
    pub(crate) fn at(at: CrashPoint) -> Self {
        let (reached, go) = (Gate::new(), Gate::new());
        Self { at, reached, go }
    }
}

impl Core {
    /// A call has come to this point: it is held where a test wants that.
    pub(crate) async fn reach(&self, point: CrashPoint) {
        if let Some(stop) = self.stop.as_ref().filter(|stop| stop.at == point) {
            stop.reached.open();
            stop.go.opened().await;
        }
    }
}
