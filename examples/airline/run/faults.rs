//! What goes wrong in a pass, and when: planned from the seed before anything runs.

use super::dice::Dice;
use super::pass::Stage;

/// Of so many planned faults one is a kill, one a run that is driven twice at once, one an unusual decision, and one a
/// message in the middle of a turn; the others are the airline's.
const ONE_KILL_IN: u32 = 8;

/// The airline breaks no larger part of the requests: 9 in 10.
const PER_MILLE_MAX: u64 = 900;

/// Of so many kills the first waits until a call that cannot be repeated is on its way: by chance hardly any would fall
/// between its dispatch and its record.
const ONE_AMBUSH_IN: u32 = 5;

/// Of so many of these the last falls before the airline has done the call, as a rule, and the others after it.
const ONE_AT_ONCE_IN: u32 = 3;

/// The faults of one pass.
#[derive(Clone, Debug, Default)]
pub(super) struct Plan {
    seed: u64,
    /// After how many fresh answers a worker is killed, in order.
    kills: Vec<u64>,
    /// After how many fresh answers a run is driven by all workers at once, in order.
    drives: Vec<u64>,
    /// How many of a thousand requests the airline breaks.
    per_mille: u64,
    /// How many of a hundred cards are decided late, twice or in contradiction.
    pub(super) unusual_decisions: u64,
    /// How many of a hundred users say the next thing before the turn is over.
    pub(super) impatient: u64,
    /// Whether a model that is asked again says the same differently.
    pub(super) rewords: bool,
}

/// What there is to be broken.
#[derive(Clone, Copy, Debug)]
pub(super) struct Room {
    pub(super) calls: u64,
    /// The calls that ask a person.
    pub(super) cards: u64,
    /// The turns that another message follows.
    pub(super) follow_ups: u64,
}

impl Plan {
    /// So many faults.
    pub(super) fn new(seed: u64, faults: u32, room: Room) -> Self {
        let Room {
            calls,
            cards,
            follow_ups,
        } = room;
        let each = u64::from(faults.div_ceil(ONE_KILL_IN));
        let airlines = u64::from(faults).saturating_sub(4 * each);
        let percent = |of: u64| (100 * each).div_ceil(of.max(1)).min(100);
        Self {
            seed,
            kills: moments(seed, "kills", each, calls),
            drives: moments(seed, "drives", each, calls),
            per_mille: per_mille(airlines, calls),
            unusual_decisions: percent(cards),
            impatient: percent(follow_ups),
            rewords: true,
        }
    }

    /// The arguments of the airline's process.
    pub(super) fn vendor(&self, stage: &Stage<'_>) -> Vec<String> {
        let recordings = stage.recordings.display().to_string();
        let (seed, per_mille) = (self.seed.to_string(), self.per_mille.to_string());
        let words = [
            "vendor",
            &recordings,
            "--seed",
            &seed,
            "--chaos",
            &per_mille,
        ];
        words.map(str::to_owned).to_vec()
    }
}

fn moments(seed: u64, purpose: &str, many: u64, calls: u64) -> Vec<u64> {
    let mut dice = Dice::new(seed, purpose);
    // Answers that a killed worker did not live to tell are not heard: the last moments would never come.
    let end = calls * 9 / 10;
    let mut moments: Vec<u64> = (0..many).map(|_| dice.below(end)).collect();
    moments.sort_unstable();
    moments
}

/// The share at which the airline's script comes to so many faults. It breaks the second request of a call as often as
/// the first, and the third, and then no more.
fn per_mille(faults: u64, calls: u64) -> u64 {
    let comes_to = |share: u64| {
        let (first, second) = (share * 1_000_000, share * share * 1000);
        (first + second + share * share * share) * calls / 1_000_000_000
    };
    (0..PER_MILLE_MAX)
        .find(|share| comes_to(*share) >= faults)
        .unwrap_or(PER_MILLE_MAX)
}

/// One thing that the director breaks.
#[derive(Clone, Copy, Debug)]
pub(super) enum Strike<'a> {
    /// Kill the worker at this place.
    Kill { at: usize },
    /// Have all workers drive this run at once.
    Drive { run: &'a str },
}

/// A plan that is being carried out.
#[derive(Debug)]
pub(super) struct Faults {
    kills_left: Vec<u64>,
    drives_left: Vec<u64>,
    dice: Dice,
    /// Kills that were due, those in wait among them.
    kills_due: u32,
    /// Kills that wait for a call that cannot be repeated to be dispatched.
    ambushes: u32,
    sprung: u32,
    pub(super) kills: u32,
    pub(super) driven_twice: u32,
}

impl Faults {
    pub(super) fn new(plan: &Plan) -> Self {
        let last_first = |moments: &[u64]| moments.iter().rev().copied().collect();
        Self {
            kills_left: last_first(&plan.kills),
            drives_left: last_first(&plan.drives),
            dice: Dice::new(plan.seed, "strikes"),
            kills_due: 0,
            ambushes: 0,
            sprung: 0,
            kills: 0,
            driven_twice: 0,
        }
    }

    /// What is due after so many fresh answers.
    pub(super) fn next<'a>(
        &mut self,
        fresh: u64,
        workers: usize,
        open: &[&'a str],
    ) -> Option<Strike<'a>> {
        let is_due = |moments: &Vec<u64>| moments.last().is_some_and(|at| *at <= fresh);
        if is_due(&self.drives_left) {
            self.drives_left.pop();
            let run = self.dice.one_of(open)?;
            self.driven_twice += 1;
            return Some(Strike::Drive { run });
        }
        if is_due(&self.kills_left) {
            self.kills_left.pop();
            self.kills_due += 1;
            if self.kills_due % ONE_AMBUSH_IN == 1 {
                self.ambushes += 1;
                return None;
            }
            self.kills += 1;
            let at = self.dice.below(u64::try_from(workers).unwrap_or(1));
            return Some(Strike::Kill {
                at: usize::try_from(at).unwrap_or(0),
            });
        }
        None
    }

    /// Whether, and when, a worker that dispatches a call that cannot be repeated is killed for it.
    pub(super) fn in_wait(&self) -> Option<Moment> {
        (self.ambushes > 0).then_some(match self.sprung % ONE_AT_ONCE_IN {
            2 => Moment::AtOnce,
            _ => Moment::Done,
        })
    }

    /// A worker is killed for what it dispatched.
    pub(super) fn springs(&mut self) {
        self.ambushes = self.ambushes.saturating_sub(1);
        self.sprung += 1;
        self.kills += 1;
    }
}

/// When a kill falls that lay in wait.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Moment {
    /// The airline has done the call, and its reply is on the way.
    Done,
    /// As soon as the worker says that it sends the call: before the wire, as a rule.
    AtOnce,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_five_kills_one_lies_in_wait_and_most_of_these_for_the_effect() {
        let room = Room {
            calls: 100,
            cards: 20,
            follow_ups: 50,
        };
        let plan = Plan::new(1, 120, room);
        assert_eq!((plan.unusual_decisions, plan.impatient), (75, 30));
        let mut faults = Faults::new(&plan);
        while !faults.kills_left.is_empty() {
            faults.next(100, 2, &["a run"]);
        }
        assert_eq!((faults.kills, faults.driven_twice), (12, 15));
        for moment in [Moment::Done, Moment::Done, Moment::AtOnce] {
            assert_eq!(faults.in_wait(), Some(moment));
            faults.springs();
        }
        assert_eq!((faults.in_wait(), faults.kills), (None, 15));
    }
}
