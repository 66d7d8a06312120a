//! The judge: what the runs say they did, against the recordings, the fault-free pass and the airline's own book.

use std::collections::{BTreeMap, BTreeSet};

use super::pass::Played;
use super::told::{self, Spot, Told};
use crate::Outcome;
use crate::recording::Conversation;
use crate::tools::{Catalogue, NOTICE};
use crate::vendor::book::{Call, Entry};
use idem_tools::Effect;
use idem_tools::approval::{Approval, CardStatus};

/// Sentences about what is wrong, at most; the counts are whole.
const SENTENCES_MAX: usize = 20;

/// What one pass comes to.
#[derive(Debug, Default)]
pub(super) struct Judgement {
    pub(super) calls: usize,
    pub(super) keys: usize,
    pub(super) writes: usize,
    pub(super) distinct_writes: usize,
    pub(super) duplicates: u32,
    pub(super) lost: usize,
    pub(super) mismatches: usize,
    pub(super) unknown: usize,
    pub(super) approvals_repeated: usize,
    pub(super) denied: usize,
    pub(super) denied_done: usize,
    /// Sentences about what is wrong.
    pub(super) wrong: Vec<String>,
}

/// What the answers of a pass have to be.
#[derive(Clone, Copy, Debug)]
pub(super) enum Against<'a> {
    /// The recorded results.
    Recordings(&'a [Conversation]),
    /// What another pass answered.
    Pass(&'a BTreeMap<Spot, Told>),
}

/// Judges a pass. What it told is given back for the next.
pub(super) fn judge(
    played: &Played,
    against: Against<'_>,
) -> Outcome<(Judgement, BTreeMap<Spot, Told>)> {
    let catalogue = Catalogue::with_made_up();
    let calls = told::calls(&played.told, &catalogue)?;
    let cards = told::cards(played, &catalogue)?;
    let denied = cards
        .iter()
        .filter(|(card, _)| card.status == CardStatus::Denied);
    let mut judge = Judge {
        judgement: Judgement::default(),
        catalogue,
        calls: &calls,
        denied: denied.map(|(_, call)| call).collect(),
    };
    judge.count();
    match against {
        Against::Recordings(conversations) => judge.compare_with_recordings(conversations),
        Against::Pass(other) => judge.compare_with_pass(other),
    }
    judge.open_the_book(played);
    judge.look_through_cards(&cards);
    let mut judgement = judge.judgement;
    judgement
        .wrong
        .extend(played.decisions.wrong.iter().cloned());
    judgement.wrong.extend(
        played
            .stuck
            .iter()
            .map(|run| format!("{run} did not come to its end")),
    );
    judgement.wrong.truncate(SENTENCES_MAX);
    Ok((judgement, calls))
}

/// Of a call that cannot be repeated it may be said that nobody knows: how often, the bound says.
fn may_be_unknown(told: &Told) -> bool {
    told.call.tool == NOTICE && told.is_unknown()
}

struct Judge<'a> {
    judgement: Judgement,
    catalogue: Catalogue,
    calls: &'a BTreeMap<Spot, Told>,
    /// The calls to which a person said no.
    denied: BTreeSet<&'a Call>,
}

impl Judge<'_> {
    fn complain(&mut self, call: &Call, what: &str) {
        self.judgement.wrong.push(format!(
            "{}, turn {}, {}: {what}",
            call.place.conversation, call.place.turn, call.tool
        ));
    }

    fn writes(&self, call: &Call) -> bool {
        self.catalogue
            .get(&call.tool)
            .is_some_and(|facts| facts.writes)
    }

    fn count(&mut self) {
        let distinct: BTreeSet<&Call> = self.calls.values().map(|told| &told.call).collect();
        let writes = self
            .calls
            .values()
            .filter(|told| self.writes(&told.call))
            .count();
        let distinct_writes = distinct.iter().filter(|call| self.writes(call)).count();
        let unknown: BTreeSet<&Call> = self
            .calls
            .values()
            .filter(|told| told.is_unknown())
            .map(|told| &told.call)
            .collect();
        let unknown = unknown.len();
        let judgement = &mut self.judgement;
        judgement.calls = self.calls.len();
        judgement.keys = distinct.len();
        (judgement.writes, judgement.distinct_writes) = (writes, distinct_writes);
        judgement.unknown = unknown;
    }

    fn compare_with_recordings(&mut self, conversations: &[Conversation]) {
        for (spot, recorded) in told::recorded(conversations) {
            let told = self.calls.get(&spot);
            let answer = told.and_then(|told| told.answer.as_deref());
            let is_right = match (&recorded, answer) {
                _ if told.is_some_and(|told| self.denied.contains(&told.call)) => {
                    told.is_some_and(Told::is_denied)
                }
                (Some(recorded), Some(answer)) => {
                    told::is_as_recorded(answer, recorded) || told.is_some_and(may_be_unknown)
                }
                (None, Some(_)) => true,
                (_, None) => false,
            };
            if !is_right {
                self.differs(&spot, answer, recorded.as_deref());
            }
        }
    }

    fn compare_with_pass(&mut self, other: &BTreeMap<Spot, Told>) {
        let spots: BTreeSet<&Spot> = self.calls.keys().chain(other.keys()).collect();
        for spot in spots {
            let (here, there) = (self.calls.get(spot), other.get(spot));
            let may_differ = [here, there].into_iter().flatten().any(may_be_unknown);
            if here != there && !may_differ {
                let answer = |told: Option<&Told>| told.and_then(|told| told.answer.clone());
                self.differs(spot, answer(here).as_deref(), answer(there).as_deref());
            }
        }
    }

    fn differs(&mut self, spot: &Spot, answer: Option<&str>, expected: Option<&str>) {
        self.judgement.mismatches += 1;
        let (run, turn, step, at) = spot;
        let cut = |text: Option<&str>| text.map(|text| text.chars().take(120).collect::<String>());
        self.judgement.wrong.push(format!(
            "{run}, turn {turn}, step {step}, call {at}: {:?} in place of {:?}",
            cut(answer),
            cut(expected)
        ));
    }

    /// The airline's book against what the runs were told.
    fn open_the_book(&mut self, played: &Played) {
        let book = &played.book;
        let entries: BTreeMap<&Call, Entry> = book
            .calls
            .iter()
            .map(|line| (&line.call, line.entry))
            .collect();
        for line in &book.duplicates {
            self.judgement.duplicates += line.entry.effects.saturating_sub(1);
            self.complain(&line.call, &format!("done {} times", line.entry.effects));
        }
        self.judgement.denied = self.denied.len();
        for call in self.denied.clone() {
            if entries.get(call).is_some_and(|entry| entry.effects > 0) {
                self.judgement.denied_done += 1;
                self.complain(call, "done although a person said no");
            }
        }
        let calls = self.calls;
        let mut done: BTreeSet<&Call> = BTreeSet::new();
        for told in calls.values() {
            let facts = self.catalogue.get(&told.call.tool);
            let changes = facts.is_some_and(|facts| facts.effect != Effect::Read);
            if !changes || !told.succeeded() || !done.insert(&told.call) {
                continue;
            }
            if entries
                .get(&told.call)
                .is_none_or(|entry| entry.effects == 0)
            {
                self.judgement.lost += 1;
                self.complain(
                    &told.call,
                    "answered as done, and not in the airline's book",
                );
            }
        }
        // An effect of which no run knows; of a notice nobody may know.
        let strange = book.calls.iter().filter(|line| {
            line.entry.effects > 0 && line.call.tool != NOTICE && !done.contains(&line.call)
        });
        for line in strange {
            self.complain(&line.call, "in the airline's book, and no run was told so");
        }
        for (what, many) in [
            ("keys that belong to another call", book.keys_reused),
            ("calls that no recording has", book.not_recorded),
        ] {
            if many > 0 {
                self.judgement
                    .wrong
                    .push(format!("the airline was sent {many} {what}"));
            }
        }
    }

    fn look_through_cards(&mut self, cards: &[(&Approval, Call)]) {
        let mut asked = BTreeSet::new();
        for (_, call) in cards {
            if !asked.insert(call) {
                self.judgement.approvals_repeated += 1;
                self.complain(call, "asked about again");
            }
        }
    }
}
