//! The decision table of approvals: what every act does to a card in every state (R40 to R45).

use super::{Approval, CardStatus};

/// What state a card is in, as the store's clock sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum CardState {
    /// Nobody was asked.
    Absent,
    /// It waits for a decision.
    Open,
    /// Somebody said yes, and the call has no answer yet.
    Approved,
    /// The approved call has its answer.
    Spent,
    /// Somebody said no.
    Denied,
    /// Its time is over, and nobody had decided.
    Expired,
    /// Somebody said yes, and its time was over before the call had its answer.
    RanOut,
    /// It was taken back.
    Withdrawn,
}

impl CardState {
    /// Every state, in the order of the table.
    pub const ALL: [Self; 8] = [
        Self::Absent,
        Self::Open,
        Self::Approved,
        Self::Spent,
        Self::Denied,
        Self::Expired,
        Self::RanOut,
        Self::Withdrawn,
    ];

    /// The state of a card that a store gave back.
    #[must_use]
    pub fn of(card: Option<&Approval>) -> Self {
        let Some(card) = card else {
            return Self::Absent;
        };
        // What has its answer is spent, whatever became of the card while the call ran.
        if card.spent_at.is_some() {
            return Self::Spent;
        }
        match card.status {
            CardStatus::Open if card.current => Self::Open,
            CardStatus::Approved if card.current => Self::Approved,
            CardStatus::Open => Self::Expired,
            CardStatus::Approved => Self::RanOut,
            CardStatus::Expired if card.had_a_yes() => Self::RanOut,
            CardStatus::Expired => Self::Expired,
            CardStatus::Denied => Self::Denied,
            CardStatus::Withdrawn => Self::Withdrawn,
        }
    }
}

/// What is done about a card.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Act {
    /// The same call is proposed again, everything that is shown included.
    AskSame,
    /// The same identity and content with other prose.
    AskOtherProse,
    /// The same identity with other content.
    AskOtherContent,
    /// Somebody says yes.
    Approve,
    /// Somebody says no.
    Deny,
    /// Somebody asks for other arguments.
    Edit,
    /// The policy allows it now, or the run ends.
    Withdraw,
    /// The approved call got its answer.
    Spend,
}

impl Act {
    /// Every act, in the order of the table.
    pub const ALL: [Self; 8] = [
        Self::AskSame,
        Self::AskOtherProse,
        Self::AskOtherContent,
        Self::Approve,
        Self::Deny,
        Self::Edit,
        Self::Withdraw,
        Self::Spend,
    ];
}

/// What the act comes to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Outcome {
    /// A card is opened.
    Asks,
    /// The open card is taken back, and a new one shows both.
    Supersedes,
    /// The open card waits on.
    Waits,
    /// The call may run as approved; where it has its answer, it gets that.
    MayRun,
    /// The call is answered: somebody said no.
    AnswersDenied,
    /// The call is answered: nobody decided in time.
    AnswersExpired,
    /// The call is answered: the card was taken back.
    AnswersWithdrawn,
    /// Done.
    Done,
    /// What stands stands; nothing is changed.
    Stands,
}

/// Decides one act: what it comes to, and the state of the newest card afterwards. The first decision stands, and
/// expiry ends what is open and what is approved and not spent alike.
#[must_use]
pub const fn decide(state: CardState, act: Act) -> (Outcome, CardState) {
    match act {
        Act::AskSame | Act::AskOtherProse | Act::AskOtherContent => ask(state, act),
        Act::Approve => match state {
            CardState::Open => (Outcome::Done, CardState::Approved),
            _ => (Outcome::Stands, state),
        },
        Act::Deny => match state {
            CardState::Open => (Outcome::Done, CardState::Denied),
            _ => (Outcome::Stands, state),
        },
        Act::Edit => match state {
            CardState::Open => (Outcome::Done, CardState::Open),
            _ => (Outcome::Stands, state),
        },
        Act::Withdraw => match state {
            CardState::Open | CardState::Approved => (Outcome::Done, CardState::Withdrawn),
            _ => (Outcome::Stands, state),
        },
        // The answer is there, so the note of it is right also where the time ran out while the call ran.
        Act::Spend => match state {
            CardState::Approved | CardState::RanOut => (Outcome::Done, CardState::Spent),
            _ => (Outcome::Stands, state),
        },
    }
}

const fn ask(state: CardState, act: Act) -> (Outcome, CardState) {
    match (state, act) {
        (CardState::Absent, _) => (Outcome::Asks, CardState::Open),
        (CardState::Open, Act::AskOtherContent) => (Outcome::Supersedes, CardState::Open),
        (CardState::Open, _) => (Outcome::Waits, CardState::Open),
        // Other content under the key of a card that is decided is another call (R44).
        (_, Act::AskOtherContent) => (Outcome::Asks, CardState::Open),
        (CardState::Approved | CardState::Spent, _) => (Outcome::MayRun, state),
        // A denial matches what was shown, to the letter (R45).
        (CardState::Denied, Act::AskSame) => (Outcome::AnswersDenied, state),
        (CardState::Denied, _) => (Outcome::Asks, CardState::Open),
        (CardState::Expired | CardState::RanOut, _) => (Outcome::AnswersExpired, state),
        (CardState::Withdrawn, _) => (Outcome::AnswersWithdrawn, state),
    }
}
