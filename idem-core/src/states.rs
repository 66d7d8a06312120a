//! The decision table: what every verb does to a row in every state (R13a).
//!
//! [`decide`] is the one place where it is written. The service asks it, `docs/states.md` is printed from it, and a
//! test holds both stores to it.

use crate::answer::OutcomeKind;
use crate::record::{Record, Status};

/// What state a key's row is in, as the store's clock sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum RowState {
    /// Nothing is stored.
    Absent,
    /// Claimed, its lease lives, nothing was dispatched.
    Live,
    /// Claimed, its lease lives, and this attempt may have dispatched the effect.
    LiveMarked,
    /// Claimed, its lease lives, and an earlier attempt may have dispatched the effect.
    LiveInDoubt,
    /// Its lease has passed without an ending; nothing was dispatched.
    Lapsed,
    /// Its lease has passed, and the last attempt may have dispatched the effect.
    LapsedMarked,
    /// Its lease has passed, and an earlier attempt may have dispatched the effect.
    LapsedInDoubt,
    /// It has its answer.
    Completed,
    /// It has the answer that nobody knows whether the effect happened.
    OutcomeUnknown,
    /// That was settled since, or a lapsed claim was.
    Settled,
    /// It has an answer, its retention has passed and the sweep has not reached it.
    PastRetention,
    /// The same without an answer, and no earlier attempt left doubt.
    PastRetentionUnanswered,
    /// The same without an answer, and an earlier attempt may have dispatched the effect.
    PastRetentionInDoubt,
}

impl RowState {
    /// Every state, in the order of the table.
    pub const ALL: [Self; 13] = [
        Self::Absent,
        Self::Live,
        Self::LiveMarked,
        Self::LiveInDoubt,
        Self::Lapsed,
        Self::LapsedMarked,
        Self::LapsedInDoubt,
        Self::Completed,
        Self::OutcomeUnknown,
        Self::Settled,
        Self::PastRetention,
        Self::PastRetentionUnanswered,
        Self::PastRetentionInDoubt,
    ];

    /// The state of a row that a store gave back.
    #[must_use]
    pub fn of(record: Option<&Record>) -> Self {
        let Some(row) = record else {
            return Self::Absent;
        };
        if !row.kept {
            return match row.status {
                Status::Completed => Self::PastRetention,
                Status::Processing if row.doubt => Self::PastRetentionInDoubt,
                Status::Processing => Self::PastRetentionUnanswered,
            };
        }
        let marked = row.dispatched_at.is_some();
        match (row.status, row.live) {
            (Status::Completed, _) if row.settled.is_some() => Self::Settled,
            (Status::Completed, _) if row.outcome == Some(OutcomeKind::OutcomeUnknown) => {
                Self::OutcomeUnknown
            }
            (Status::Completed, _) => Self::Completed,
            (Status::Processing, true) if row.doubt => Self::LiveInDoubt,
            (Status::Processing, true) if marked => Self::LiveMarked,
            (Status::Processing, true) => Self::Live,
            (Status::Processing, false) if row.doubt => Self::LapsedInDoubt,
            (Status::Processing, false) if marked => Self::LapsedMarked,
            (Status::Processing, false) => Self::Lapsed,
        }
    }

    /// A lease that has not passed.
    #[must_use]
    pub const fn is_live(self) -> bool {
        matches!(self, Self::Live | Self::LiveMarked | Self::LiveInDoubt)
    }

    /// A lease that has passed without an ending.
    #[must_use]
    pub const fn is_lapsed(self) -> bool {
        matches!(
            self,
            Self::Lapsed | Self::LapsedMarked | Self::LapsedInDoubt
        )
    }

    /// An ending with an answer.
    #[must_use]
    pub const fn is_answered(self) -> bool {
        matches!(self, Self::Completed | Self::OutcomeUnknown | Self::Settled)
    }

    /// A retention that has passed: absent to everybody but the row's own owner and the sweep (R16).
    #[must_use]
    pub const fn is_past_retention(self) -> bool {
        matches!(
            self,
            Self::PastRetention | Self::PastRetentionUnanswered | Self::PastRetentionInDoubt
        )
    }

    /// What the lease's passing makes of it.
    #[must_use]
    pub const fn lapsed(self) -> Self {
        match self {
            Self::Live => Self::Lapsed,
            Self::LiveMarked => Self::LapsedMarked,
            Self::LiveInDoubt => Self::LapsedInDoubt,
            other => other,
        }
    }
}

/// What is asked of a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Verb {
    /// Look, and write nothing.
    Read,
    /// Own the key, the claim saying that the effect may begin.
    Claim,
    /// Store an answer without a claim.
    Record,
    /// Say that the effect may begin.
    MarkDispatched,
    /// Store the answer.
    Complete,
    /// Give the key up: this attempt made no effect.
    Release,
    /// Give the lease up, keeping this attempt's mark.
    EndLease,
    /// Give one's own unused claim up: the lease ends and the own mark goes.
    GiveUp,
    /// Write down what a person found out.
    Settle,
    /// Forget what is past its retention.
    Sweep,
}

impl Verb {
    /// Every verb, in the order of the table.
    pub const ALL: [Self; 10] = [
        Self::Read,
        Self::Claim,
        Self::Record,
        Self::MarkDispatched,
        Self::Complete,
        Self::Release,
        Self::EndLease,
        Self::GiveUp,
        Self::Settle,
        Self::Sweep,
    ];

    /// Who can ask it: callers by content, owners by fence.
    #[must_use]
    pub const fn parties(self) -> &'static [Party] {
        match self {
            Self::Read | Self::Claim | Self::Record => &[Party::SameContent, Party::OtherContent],
            Self::MarkDispatched
            | Self::Complete
            | Self::Release
            | Self::EndLease
            | Self::GiveUp => &[Party::Owner, Party::FencedOut],
            Self::Settle | Self::Sweep => &[Party::Operator],
        }
    }
}

/// Who asks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Party {
    /// A caller whose content is the row's.
    SameContent,
    /// A caller with the same key and other content.
    OtherContent,
    /// The worker whose token is the row's.
    Owner,
    /// A worker whose token the row no longer has.
    FencedOut,
    /// A person or a job.
    Operator,
}

/// What the asker is told.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Reply {
    /// There is no answer and nobody is at work.
    Absent,
    /// The asker owns the key.
    Claimed,
    /// The asker owns the key after an owner that vanished and made no effect.
    TakenOver,
    /// The asker owns the key, and an earlier attempt may have made the effect.
    TakenOverInDoubt,
    /// The stored answer.
    Answer,
    /// Another worker holds a live lease.
    InFlight,
    /// The same key answers for other content.
    Conflict,
    /// The answer is stored.
    Stored,
    /// The row is gone.
    Released,
    /// The lease has ended and the row is kept.
    LeaseEnded,
    /// The mark is written.
    Marked,
    /// The fence moved on: nothing was changed.
    LeaseLost,
    /// The settlement is written.
    Settled,
    /// There is nothing to settle: nothing was changed.
    NothingToSettle,
    /// The row was deleted.
    Swept,
    /// The row is not due.
    NotDue,
}

/// What a verb answers, and the state it leaves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Decision {
    /// What the asker is told.
    pub reply: Reply,
    /// The state afterwards.
    pub next: RowState,
}

/// Decides one verb. Content is compared before anything else (R5); an owner is told by its token, never by its
/// lease (R7); a row past retention is absent to all but its own owner (R16).
#[must_use]
pub const fn decide(state: RowState, verb: Verb, party: Party) -> Decision {
    match verb {
        Verb::Read | Verb::Claim | Verb::Record => by_content(state, verb, party),
        Verb::Settle => match state {
            RowState::Lapsed
            | RowState::LapsedMarked
            | RowState::LapsedInDoubt
            | RowState::OutcomeUnknown => to(Reply::Settled, RowState::Settled),
            _ => to(Reply::NothingToSettle, state),
        },
        Verb::Sweep if state.is_past_retention() => to(Reply::Swept, RowState::Absent),
        Verb::Sweep => to(Reply::NotDue, state),
        _ => by_fence(state, verb, party),
    }
}

const fn to(reply: Reply, next: RowState) -> Decision {
    Decision { reply, next }
}

const fn by_content(state: RowState, verb: Verb, party: Party) -> Decision {
    if matches!(state, RowState::Absent) || state.is_past_retention() {
        return match verb {
            Verb::Read => to(Reply::Absent, state),
            Verb::Record => to(Reply::Stored, RowState::Completed),
            _ => to(Reply::Claimed, RowState::LiveMarked),
        };
    }
    if matches!(party, Party::OtherContent) {
        return to(Reply::Conflict, state);
    }
    if state.is_answered() {
        return to(Reply::Answer, state);
    }
    if state.is_live() {
        return to(Reply::InFlight, state);
    }
    match (verb, state) {
        (Verb::Read, _) => to(Reply::Absent, state),
        (Verb::Record, _) => to(Reply::Stored, RowState::Completed),
        (_, RowState::Lapsed) => to(Reply::TakenOver, RowState::LiveMarked),
        _ => to(Reply::TakenOverInDoubt, RowState::LiveInDoubt),
    }
}

const fn by_fence(state: RowState, verb: Verb, party: Party) -> Decision {
    if matches!(state, RowState::Absent) {
        // Whoever releases a row that is gone has what it wanted.
        let reply = if matches!(verb, Verb::Release) {
            Reply::Released
        } else {
            Reply::LeaseLost
        };
        return to(reply, state);
    }
    if matches!(party, Party::FencedOut) {
        return to(Reply::LeaseLost, state);
    }
    if state.is_answered() || matches!(state, RowState::PastRetention) {
        // The owner's own answer, whose acknowledgement was lost (R11).
        let reply = if matches!(verb, Verb::Complete) {
            Reply::Stored
        } else {
            Reply::LeaseLost
        };
        return to(reply, state);
    }
    match verb {
        Verb::Complete if state.is_past_retention() => to(Reply::Stored, RowState::PastRetention),
        Verb::Complete => to(Reply::Stored, RowState::Completed),
        Verb::Release => match state {
            RowState::LiveInDoubt | RowState::LapsedInDoubt => {
                to(Reply::LeaseEnded, RowState::LapsedInDoubt)
            }
            RowState::PastRetentionInDoubt => to(Reply::LeaseEnded, state),
            _ => to(Reply::Released, RowState::Absent),
        },
        Verb::EndLease => to(Reply::LeaseEnded, state.lapsed()),
        Verb::GiveUp => match state {
            RowState::LiveInDoubt | RowState::LapsedInDoubt => {
                to(Reply::LeaseEnded, RowState::LapsedInDoubt)
            }
            _ if state.is_past_retention() => to(Reply::LeaseEnded, state),
            _ => to(Reply::LeaseEnded, RowState::Lapsed),
        },
        _ => match state {
            RowState::Live => to(Reply::Marked, RowState::LiveMarked),
            RowState::Lapsed => to(Reply::Marked, RowState::LapsedMarked),
            marked => to(Reply::Marked, marked),
        },
    }
}
