//! `docs/states.md`, printed from the decision function itself (R13a): a test compares the two, so the page cannot
//! say anything else than the code does.

use crate::markdown::{decisions, described, legend, line};
use crate::states::{Party, Reply, RowState, Verb, decide};
use std::fmt::Write;

const INTRO: &str = "\
# What every verb does to a row in every state

This page is printed from `idem_core::states::decide`, and a test compares the two; `IDEM_BLESS=1` makes that test
write the page anew. Another test builds each of these states on PostgreSQL and on SQLite, asks each verb, and
compares reply and row with this page.

A row is one key's memory: one tenant, one scope, one intended effect. A cell says what the asker is told and, after
the arrow, the state that the row is in afterwards; without an arrow the row stays as it is. Three orders hold
everywhere. Content is compared before status and lease: the same key with other content is a conflict. An owner is
told by its token and never by its lease, so an owner that is late, and that nobody replaced, can still end its claim.
And a row past its retention is absent to everybody but its own owner and the sweep.

Two callers go further than this page, each in one statement that repeats its reason: one whose tool decides that
other content may replace a claim that lapsed without doubt, and one that reopens a key of which somebody settled that
its effect did not happen.
";

const LAPSE: &str = "
## What the passing of a lease makes of a row

Nothing is written then: the store's clock decides while it reads. At the very instant the lease has passed.

| state | after its lease |
| --- | --- |
";

/// One table: its heading, who asks, and what the reader should know first.
const TABLES: [(&str, Party, &str); 5] = [
    (
        "A caller with the row's content",
        Party::SameContent,
        "The claim says itself that the effect may begin. Where the tool marks its dispatch later, read `live` for \
         `live, marked`.",
    ),
    (
        "A caller with other content under the same key",
        Party::OtherContent,
        "Whoever is answered `conflict` is told the state, and the answer where there is one.",
    ),
    (
        "The owner",
        Party::Owner,
        "The worker whose token the row has. An owner that completes an answered row is told that its answer is \
         stored: the acknowledgement of the first time may have been lost.",
    ),
    (
        "A worker that was fenced out",
        Party::FencedOut,
        "Somebody else's token is on the row, so nothing of it changes.",
    ),
    (
        "An operator or a job",
        Party::Operator,
        "To settle is to write down what somebody found out about an unknown outcome.",
    ),
];

/// The whole page.
#[must_use]
pub fn markdown() -> String {
    let mut page = INTRO.to_owned();
    for (heading, party, note) in TABLES {
        table(&mut page, heading, party, note);
    }
    page.push_str(LAPSE);
    for state in RowState::ALL.into_iter().filter(|state| state.is_live()) {
        line(&mut page, [state.words(), state.lapsed().words()]);
    }
    page.push_str("\n## The words\n\n");
    legend::<RowState>(&mut page);
    page.push('\n');
    legend::<Verb>(&mut page);
    page.push('\n');
    legend::<Reply>(&mut page);
    page
}

fn table(page: &mut String, heading: &str, party: Party, note: &str) {
    let verbs = Verb::ALL.into_iter();
    let verbs: Vec<_> = verbs.filter(|v| v.parties().contains(&party)).collect();
    // Writing to a String cannot fail.
    let _ = write!(page, "\n## {heading}\n\n{note}\n\n");
    decisions(page, &verbs, |state, verb| {
        let decision = decide(state, verb, party);
        (decision.reply, decision.next)
    });
}

described!(RowState, "state");
described!(Verb, "verb");
described!(Reply, "reply");

impl RowState {
    const fn described(self) -> (&'static str, &'static str) {
        match self {
            Self::Absent => ("absent", "nothing is stored"),
            Self::Live => ("live", "claimed, the lease lives, nothing was dispatched"),
            Self::LiveMarked => (
                "live, marked",
                "claimed, the lease lives, and this attempt may have dispatched",
            ),
            Self::LiveInDoubt => (
                "live, in doubt",
                "claimed, the lease lives, and an earlier attempt may have dispatched",
            ),
            Self::Lapsed => (
                "lapsed",
                "the lease passed without an ending; nothing was dispatched",
            ),
            Self::LapsedMarked => (
                "lapsed, marked",
                "the lease passed, and the last attempt may have dispatched",
            ),
            Self::LapsedInDoubt => (
                "lapsed, in doubt",
                "the lease passed, and an earlier attempt may have dispatched",
            ),
            Self::Completed => ("completed", "it has its answer"),
            Self::OutcomeUnknown => (
                "outcome unknown",
                "its answer is that nobody knows whether the effect happened",
            ),
            Self::Settled => (
                "settled",
                "somebody found out since, of that or of a lapsed claim",
            ),
            Self::PastRetention => ("past retention", "answered, and not yet swept"),
            Self::PastRetentionUnanswered => (
                "past retention, unanswered",
                "never answered, and not yet swept: an incident",
            ),
            Self::PastRetentionInDoubt => (
                "past retention, in doubt",
                "the same, and an earlier attempt may have dispatched",
            ),
        }
    }
}

impl Verb {
    const fn described(self) -> (&'static str, &'static str) {
        match self {
            Self::Read => ("read", "look, and write nothing"),
            Self::Claim => ("claim", "own the key"),
            Self::Record => ("record", "store an answer without a claim"),
            Self::MarkDispatched => ("mark dispatched", "say that the effect may begin"),
            Self::Complete => ("complete", "store the answer"),
            Self::Release => ("release", "give the key up: this attempt made no effect"),
            Self::EndLease => (
                "end lease",
                "give the lease up and keep this attempt's mark",
            ),
            Self::GiveUp => (
                "give up",
                "give an unused claim up: the lease ends and the own mark goes",
            ),
            Self::Settle => ("settle", "write down what somebody found out"),
            Self::Sweep => ("sweep", "forget what is past its retention"),
        }
    }
}

impl Reply {
    /// Every reply, in the order of the legend.
    pub const ALL: [Self; 16] = [
        Self::Absent,
        Self::Claimed,
        Self::TakenOver,
        Self::TakenOverInDoubt,
        Self::Answer,
        Self::InFlight,
        Self::Conflict,
        Self::Stored,
        Self::Released,
        Self::LeaseEnded,
        Self::Marked,
        Self::LeaseLost,
        Self::Settled,
        Self::NothingToSettle,
        Self::Swept,
        Self::NotDue,
    ];

    const fn described(self) -> (&'static str, &'static str) {
        match self {
            Self::Absent => ("absent", "no answer, and nobody at work"),
            Self::Claimed => ("claimed", "the asker owns the key, as the first"),
            Self::TakenOver => (
                "taken over",
                "the asker owns the key after an owner that vanished and dispatched nothing",
            ),
            Self::TakenOverInDoubt => (
                "taken over in doubt",
                "the asker owns the key, and an earlier attempt may have dispatched",
            ),
            Self::Answer => ("answer", "the stored answer"),
            Self::InFlight => ("in flight", "another worker holds a live lease"),
            Self::Conflict => ("conflict", "the key answers for other content"),
            Self::Stored => ("stored", "the asker's answer is the stored one"),
            Self::Released => ("released", "the row is gone"),
            Self::LeaseEnded => ("lease ended", "the lease is over and the row is kept"),
            Self::Marked => ("marked", "the mark is written"),
            Self::LeaseLost => ("lease lost", "the fence moved on; nothing was changed"),
            Self::Settled => ("settled", "the settlement is written"),
            Self::NothingToSettle => ("nothing to settle", "nothing was changed"),
            Self::Swept => ("swept", "the row was deleted"),
            Self::NotDue => ("not due", "the row stays"),
        }
    }
}
