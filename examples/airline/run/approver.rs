//! Bob, who says yes to every card: at once, or late, or twice; and Carol, who contradicts him and comes too late.

use std::collections::{BTreeMap, BTreeSet};
use std::time::{Duration, Instant};

use idem_tools::Principal;
use idem_tools::approval::{Approval, ApprovalDesk, ApprovalId, CardFilter, CardStatus};
use idem_tools::approval::{Decided, DecisionRequest, Verdict};

use super::dice::Dice;
use crate::Outcome;

const LOOK_EVERY: Duration = Duration::from_millis(60);
const CARDS_MAX: u32 = 1000;
const BOB: &str = "bob";
const CAROL: &str = "carol";

/// How a card is decided.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Manner {
    AtOnce,
    /// After this many milliseconds.
    Late(u64),
    /// Bob says it again.
    Twice,
    /// Carol says no after Bob's yes.
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
    decided: BTreeSet<ApprovalId>,
    pub(super) decisions: Decisions,
}

impl Approver {
    pub(super) fn new(desk: ApprovalDesk, seed: u64, unusual: u64) -> Self {
        Self {
            desk,
            seed,
            unusual,
            due: BTreeMap::new(),
            decided: BTreeSet::new(),
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
            if self.decided.contains(&card.id) {
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
        let call = format!(
            "{} {} {} {}",
            card.run, card.turn, card.tool, card.effective.input
        );
        let mut dice = Dice::new(self.seed, &call);
        if !dice.percent(self.unusual) {
            return Manner::AtOnce;
        }
        match dice.below(3) {
            0 => Manner::Late(500 + dice.below(2500)),
            1 => Manner::Twice,
            _ => Manner::Contradicted,
        }
    }

    async fn decide(&mut self, card: &Approval, manner: Manner) -> Outcome<()> {
        let first = self.say(card, BOB, Verdict::Approve).await?;
        self.decided.insert(card.id);
        let Decided::Done(_) = first else {
            // The card was taken back or shows something else: a later look decides what there is then.
            self.wrong(card, &format!("Bob's yes came to {first:?}"));
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
                self.say(card, BOB, Verdict::Approve).await?
            }
            Manner::Contradicted => {
                self.decisions.contradicted += 1;
                let reason = "I think otherwise".to_owned();
                self.say(card, CAROL, Verdict::Deny { reason }).await?
            }
        };
        match again {
            Decided::Stands(stands) if is_bobs_yes(&stands) => {}
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

    /// Every card there was, and what is wrong with one in the end: Bob's yes has to stand on each.
    pub(super) async fn cards(&mut self) -> Outcome<Vec<Approval>> {
        let filter = CardFilter {
            rows_max: u32::MAX / 2,
            all: true,
            ..CardFilter::default()
        };
        let cards = self.desk.list(&filter).await?;
        for card in cards.iter().filter(|card| !is_bobs_yes(card)) {
            let end = format!(
                "in the end it is {:?} by {:?}",
                card.status, card.decided_by
            );
            self.wrong(card, &end);
        }
        Ok(cards)
    }
}

fn is_bobs_yes(card: &Approval) -> bool {
    card.status == CardStatus::Approved && card.decided_by.as_deref() == Some(BOB)
}
