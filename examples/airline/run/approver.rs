//! Bob, who says yes to every card of the recordings and no to some of the others: at once, or late, or twice; and Carol,
//! who contradicts him and comes too late.

use std::collections::{BTreeMap, BTreeSet};
use std::time::{Duration, Instant};

use idem_tools::Principal;
use idem_tools::approval::{Approval, ApprovalDesk, ApprovalId, CardFilter, CardStatus};
use idem_tools::approval::{Decided, DecisionRequest, Verdict};

use super::dice::Dice;
use super::made_up;
use crate::Outcome;

const LOOK_EVERY: Duration = Duration::from_millis(60);
const CARDS_MAX: u32 = 1000;
const BOB: &str = "bob";
const CAROL: &str = "carol";
const REASON: &str = "I think otherwise";

/// To so many of a hundred cards of made-up conversations Bob says no.
const DENIED_PERCENT: u64 = 20;

/// How a card is decided.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Manner {
    AtOnce,
    /// After this many milliseconds.
    Late(u64),
    /// Bob says it again.
    Twice,
    /// Carol says the opposite after Bob.
    Contradicted,
}

/// What came of the decisions.
#[derive(Clone, Debug, Default)]
pub(super) struct Decisions {
    pub(super) late: u32,
    pub(super) twice: u32,
    pub(super) contradicted: u32,
    /// A later decision that was not told what stands, or a first one that did not stand: a sentence each.
    pub(super) wrong: Vec<String>,
}

/// The people at one organization's desk.
#[derive(Debug)]
pub(super) struct Approver {
    desk: ApprovalDesk,
    seed: u64,
    /// How many of a hundred cards are decided in another manner than at once.
    unusual: u64,
    due: BTreeMap<ApprovalId, Instant>,
    /// What Bob said of each card.
    decided: BTreeMap<ApprovalId, Verdict>,
    /// The calls to which he said no.
    denied: BTreeSet<String>,
    pub(super) decisions: Decisions,
}

impl Approver {
    pub(super) fn new(desk: ApprovalDesk, seed: u64, unusual: u64) -> Self {
        Self {
            desk,
            seed,
            unusual,
            due: BTreeMap::new(),
            decided: BTreeMap::new(),
            denied: BTreeSet::new(),
            decisions: Decisions::default(),
        }
    }

    /// Decides what there is, again and again. Dropped, it stops.
    pub(super) async fn work(&mut self) -> Outcome<()> {
        loop {
            self.look().await?;
            tokio::time::sleep(LOOK_EVERY).await;
        }
    }

    async fn look(&mut self) -> Outcome<()> {
        let filter = CardFilter {
            rows_max: CARDS_MAX,
            ..CardFilter::default()
        };
        for card in self.desk.list(&filter).await? {
            if self.decided.contains_key(&card.id) {
                continue;
            }
            let manner = self.manner(&card);
            let wait = match manner {
                Manner::Late(ms) => Duration::from_millis(ms),
                _ => Duration::ZERO,
            };
            let due = *self.due.entry(card.id).or_insert(Instant::now() + wait);
            if due <= Instant::now() {
                self.decide(&card, manner).await?;
            }
        }
        Ok(())
    }

    /// The same card is decided in the same manner at each run of one seed.
    fn manner(&self, card: &Approval) -> Manner {
        let mut dice = Dice::new(self.seed, &call(card));
        if !dice.percent(self.unusual) {
            return Manner::AtOnce;
        }
        match dice.below(3) {
            0 => Manner::Late(500 + dice.below(2500)),
            1 => Manner::Twice,
            _ => Manner::Contradicted,
        }
    }

    /// What Bob says of a card: the same at each run of one seed. Who is asked again after a no gives in, as people do: a
    /// no that is forgotten would otherwise be asked about for ever.
    fn verdict(&mut self, card: &Approval) -> Verdict {
        let mut dice = Dice::new(self.seed, &format!("denied: {}", call(card)));
        let denies = made_up::is_one(&card.run) && dice.percent(DENIED_PERCENT);
        match denies && self.denied.insert(call(card)) {
            true => no(),
            false => Verdict::Approve,
        }
    }

    async fn decide(&mut self, card: &Approval, manner: Manner) -> Outcome<()> {
        let bobs = self.verdict(card);
        let first = self.say(card, BOB, bobs.clone()).await?;
        self.decided.insert(card.id, bobs.clone());
        let Decided::Done(_) = first else {
            // The card was taken back or shows something else: a later look decides what there is then.
            self.wrong(card, &format!("Bob's decision came to {first:?}"));
            return Ok(());
        };
        let again = match manner {
            Manner::AtOnce => return Ok(()),
            Manner::Late(_) => {
                self.decisions.late += 1;
                return Ok(());
            }
            Manner::Twice => {
                self.decisions.twice += 1;
                self.say(card, BOB, bobs.clone()).await?
            }
            Manner::Contradicted => {
                self.decisions.contradicted += 1;
                let carols = match bobs {
                    Verdict::Approve => no(),
                    Verdict::Deny { .. } => Verdict::Approve,
                };
                self.say(card, CAROL, carols).await?
            }
        };
        match again {
            Decided::Stands(stands) if is_bobs(&stands, &bobs) => {}
            other => self.wrong(card, &format!("a later decision came to {other:?}")),
        }
        Ok(())
    }

    async fn say(&self, card: &Approval, who: &str, verdict: Verdict) -> Outcome<Decided> {
        let request = DecisionRequest {
            id: card.id,
            shown_hash: card.effective.shown_hash,
            by: Principal::new(who)?,
            verdict,
        };
        Ok(self.desk.decide(&request).await?)
    }

    fn wrong(&mut self, card: &Approval, what: &str) {
        let (run, tool) = (&card.run, &card.tool);
        self.decisions.wrong.push(format!("{run}, {tool}: {what}"));
    }

    /// Every card there was, and what is wrong with one in the end: what Bob said has to stand on each.
    pub(super) async fn cards(&mut self) -> Outcome<Vec<Approval>> {
        let filter = CardFilter {
            rows_max: u32::MAX / 2,
            all: true,
            ..CardFilter::default()
        };
        let cards = self.desk.list(&filter).await?;
        for card in &cards {
            let said = self.decided.get(&card.id);
            if said.is_some_and(|said| is_bobs(card, said)) {
                continue;
            }
            let end = format!(
                "in the end it is {:?} by {:?}",
                card.status, card.decided_by
            );
            self.wrong(card, &end);
        }
        Ok(cards)
    }
}

fn is_bobs(card: &Approval, verdict: &Verdict) -> bool {
    let status = match verdict {
        Verdict::Approve => CardStatus::Approved,
        Verdict::Deny { .. } => CardStatus::Denied,
    };
    card.status == status && card.decided_by.as_deref() == Some(BOB)
}

fn no() -> Verdict {
    Verdict::Deny {
        reason: REASON.to_owned(),
    }
}

/// The call that a card is about.
fn call(card: &Approval) -> String {
    format!(
        "{} {} {} {}",
        card.run, card.turn, card.tool, card.effective.input
    )
}
