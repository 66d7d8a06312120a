//! The tables of `docs/approvals.md`, printed from the decision table itself: a test compares the two, so the page
//! cannot say anything else than the code does.

use super::table::{Act, CardState, Outcome, decide};
use crate::markdown::{decisions, described, legend};

/// What the model does: it proposes.
const PROPOSED: [Act; 3] = [Act::AskSame, Act::AskOtherProse, Act::AskOtherContent];

/// What people and the runtime do.
const DONE: [Act; 5] = [
    Act::Approve,
    Act::Deny,
    Act::Edit,
    Act::Withdraw,
    Act::Spend,
];

/// The tables and their words.
#[must_use]
pub fn markdown() -> String {
    let mut page = String::new();
    decisions(&mut page, &PROPOSED, decide);
    page.push('\n');
    decisions(&mut page, &DONE, decide);
    page.push('\n');
    legend::<CardState>(&mut page);
    page.push('\n');
    legend::<Act>(&mut page);
    page.push('\n');
    legend::<Outcome>(&mut page);
    page
}

described!(CardState, "state");
described!(Act, "act");
described!(Outcome, "outcome");

impl CardState {
    const fn described(self) -> (&'static str, &'static str) {
        match self {
            Self::Absent => ("absent", "nobody was asked"),
            Self::Open => ("open", "it waits for a decision"),
            Self::Approved => (
                "approved",
                "somebody said yes, and the call has no answer yet",
            ),
            Self::Spent => ("spent", "the approved call has its answer"),
            Self::Denied => ("denied", "somebody said no"),
            Self::Expired => ("expired", "its time is over, and nobody had decided"),
            Self::RanOut => (
                "ran out",
                "somebody said yes, and its time was over before the call had its answer",
            ),
            Self::Withdrawn => ("withdrawn", "it was taken back"),
        }
    }
}

impl Act {
    const fn described(self) -> (&'static str, &'static str) {
        match self {
            Self::AskSame => (
                "proposed again",
                "the same call, everything that is shown included",
            ),
            Self::AskOtherProse => (
                "shown differently",
                "the same call, and something beside identity and content differs, such as an argument that the \
                 tool got since",
            ),
            Self::AskOtherContent => ("other content", "the same key with other content"),
            Self::Approve => ("approve", "somebody says yes to what is shown"),
            Self::Deny => ("deny", "somebody says no, with a reason"),
            Self::Edit => ("edit", "somebody asks for other arguments"),
            Self::Withdraw => (
                "withdraw",
                "the policy allows the call now, or the run ends",
            ),
            Self::Spend => ("spend", "the approved call got its answer"),
        }
    }
}

impl Outcome {
    /// Every outcome, in the order of the legend.
    pub const ALL: [Self; 9] = [
        Self::Asks,
        Self::Supersedes,
        Self::Waits,
        Self::MayRun,
        Self::AnswersDenied,
        Self::AnswersExpired,
        Self::AnswersWithdrawn,
        Self::Done,
        Self::Stands,
    ];

    const fn described(self) -> (&'static str, &'static str) {
        match self {
            Self::Asks => ("asks", "a card is opened"),
            Self::Supersedes => (
                "supersedes",
                "the open card is taken back, and a new one names it",
            ),
            Self::Waits => ("waits", "the call waits on the open card"),
            Self::MayRun => (
                "may run",
                "what was approved runs; where it has its answer, the call gets that",
            ),
            Self::AnswersDenied => ("denied", "the model is told `denied`, and the reason"),
            Self::AnswersExpired => ("expired", "the model is told `approval_expired`"),
            Self::AnswersWithdrawn => ("withdrawn", "the model is told `approval_withdrawn`"),
            Self::Done => ("done", "it is written down"),
            Self::Stands => (
                "stands",
                "nothing is changed, and whoever acts is told what stands",
            ),
        }
    }
}
