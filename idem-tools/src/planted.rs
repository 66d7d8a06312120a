//! Four bugs that can be put into the path of a call, for a test that wants to see them found: a judge that has never
//! found anything proves nothing.
//!
//! The feature `planted-bugs` is for such tests only, and nothing else turns it on. Without it `is` is `false` when the
//! crate compiles, and every hook is gone. With it nothing is wrong either, until a process calls `plant`.
#![cfg_attr(
    not(feature = "planted-bugs"),
    allow(unreachable_pub, reason = "it is public with the feature")
)]

use crate::ProposedCall;
use idem_core::identity::{IdempotencyKey, KeyKind, LogicalTurn, ToolName};
use idem_core::runs::{RunTurn, StoredMessage};

/// A mistake that a maintainer could make.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bug {
    /// Every call goes the way of a read: its body runs without a claim, and its answer is recorded afterwards (R3, R30).
    ClaimSkipped,
    /// The key is the model's id of the call, in place of its turn and arguments (R20).
    KeyFromCallId,
    /// The id of a turn that is not over is made of the messages that lie in the inbox now, and not read back (R49).
    TurnFromInbox,
    /// A card that was denied is one that is over, and the call is asked about again (R45).
    DenialForgotten,
}

#[cfg(feature = "planted-bugs")]
mod plants {
    use super::Bug;
    use std::sync::OnceLock;

    static PLANTED: OnceLock<Bug> = OnceLock::new();

    impl Bug {
        /// All of them.
        pub const ALL: [Self; 4] = [
            Self::ClaimSkipped,
            Self::KeyFromCallId,
            Self::TurnFromInbox,
            Self::DenialForgotten,
        ];

        /// Its name on a command line.
        #[must_use]
        pub const fn name(self) -> &'static str {
            match self {
                Self::ClaimSkipped => "claim-skipped",
                Self::KeyFromCallId => "key-from-call-id",
                Self::TurnFromInbox => "turn-from-inbox",
                Self::DenialForgotten => "denial-forgotten",
            }
        }

        /// The bug of this name.
        #[must_use]
        pub fn named(name: &str) -> Option<Self> {
            Self::ALL.into_iter().find(|bug| bug.name() == name)
        }
    }

    /// Plants a bug in this process, for good. The first one stands.
    pub fn plant(bug: Bug) {
        PLANTED.get_or_init(|| bug);
    }

    /// Whether this bug is planted.
    pub(crate) fn is(bug: Bug) -> bool {
        PLANTED.get() == Some(&bug)
    }
}

#[cfg(feature = "planted-bugs")]
pub(crate) use plants::is;
#[cfg(feature = "planted-bugs")]
pub use plants::plant;

/// No bug is planted.
#[cfg(not(feature = "planted-bugs"))]
pub(crate) const fn is(_: Bug) -> bool {
    false
}

/// The key under [`Bug::KeyFromCallId`], of a call that has an id.
pub(crate) fn key(proposed: &ProposedCall, tool: &ToolName) -> Option<IdempotencyKey> {
    let id = proposed.id().filter(|_| is(Bug::KeyFromCallId))?;
    Some(IdempotencyKey::new(KeyKind::Natural, tool, id))
}

/// A turn as it was written down; under [`Bug::TurnFromInbox`] an open one is named by all messages from its first on.
pub(crate) fn turn<'m>(row: &RunTurn, inbox: impl Iterator<Item = &'m StoredMessage>) -> RunTurn {
    let mut row = row.clone();
    if is(Bug::TurnFromInbox) && row.ended_at.is_none() {
        let ids: Vec<_> = inbox.map(|stored| stored.message.id.clone()).collect();
        row.turn = LogicalTurn::of_messages(&ids).unwrap_or(row.turn);
    }
    row
}
