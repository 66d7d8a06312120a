//! What goes wrong in a pass, and when: planned from the seed before anything runs.

use super::dice::Dice;
use super::pass::Stage;

/// Of so many planned faults one is a kill, one a run that is driven twice at once, and one an unusual decision; the
/// others are the airline's.
const ONE_KILL_IN: u32 = 8;

/// The airline breaks no larger part of the requests: 9 in 10.
const PER_MILLE_MAX: u64 = 900;

/// Of a hundred kills so many wait until a call that cannot be repeated is on its way: by chance hardly any would fall
/// between its dispatch and its record.
const AMBUSH_PERCENT: u64 = 20;

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
    /// Whether a model that is asked again says the same differently.
    pub(super) rewords: bool,
}

impl Plan {
    /// So many faults over so many calls, of which some ask a person.
    pub(super) fn new(seed: u64, faults: u32, calls: u64, cards: u64) -> Self {
        let each = u64::from(faults.div_ceil(ONE_KILL_IN));
        let airlines = u64::from(faults).saturating_sub(3 * each);
        let unusual = (100 * each).div_ceil(cards.max(1)).min(100);
        Self {
            seed,
            kills: moments(seed, "kills", each, calls),
            drives: moments(seed, "drives", each, calls),
            per_mille: per_mille(airlines, calls),
            unusual_decisions: unusual,
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
    /// Kills that wait for a call that cannot be repeated to be dispatched.
    ambushes: u32,
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
            ambushes: 0,
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
            if self.dice.percent(AMBUSH_PERCENT) {
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

    /// Whether a worker that dispatches a call that cannot be repeated is killed for it.
    pub(super) fn springs(&mut self) -> bool {
        let springs = self.ambushes > 0;
        self.ambushes -= u32::from(springs);
        self.kills += u32::from(springs);
        springs
    }
}
