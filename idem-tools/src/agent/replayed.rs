//! What is read back of a turn, and which last words of it may be asked for again (R46, R51).

use super::error::HarnessError;
use super::model::Usage;
use super::segment::{Log, Segment};
use super::step::StepRecord;
use super::turns::OpenTurn;

/// What becomes of last words that were written down where replay of model turns is off.
pub(crate) enum LastWords {
    /// The turn ends with them.
    Stand,
    /// The next step stands in their place: this one, or one for which the model is still to be asked.
    AreReplaced(Option<StepRecord>),
}

impl Segment<'_> {
    /// Reads back what a turn that is over has said and done. Nothing of it is asked for again.
    pub(crate) async fn replay_turn(
        &self,
        turn: &OpenTurn,
        log: &mut Log,
    ) -> Result<(), HarnessError> {
        log.messages.extend(turn.messages());
        let mut records = Vec::new();
        for step in 1.. {
            let Some(record) = self.journal().read(&turn.row.turn, step).await? else {
                break;
            };
            let is_last = record.calls.is_empty() && !record.may_be_replaced();
            records.push(record);
            if is_last {
                break;
            }
        }
        let mut records = records.iter().peekable();
        while let Some(record) = records.next() {
            if record.is_replaced_by(records.peek().copied()) {
                log.pass_over(record);
                continue;
            }
            log.add(record);
            if record.may_be_replaced() {
                break;
            }
        }
        Ok(())
    }

    /// What becomes of provisional last words: `is_found` where this segment found them, and did not hear them itself. It
    /// asks again only for those, and only where the turn has a step left; otherwise they are confirmed before the turn
    /// ends with them, and from there on nobody asks for them again. The first writer of the next step decides.
    pub(crate) async fn last_words(
        &self,
        turn: &OpenTurn,
        step: u32,
        is_found: bool,
    ) -> Result<LastWords, HarnessError> {
        let (journal, turn) = (self.journal(), &turn.row.turn);
        let mut next = None;
        if is_found {
            next = journal.read(turn, step + 1).await?;
            let has_step = step < self.harness.limits.steps_a_turn;
            if next.is_none() && has_step && !self.harness.replay_model_turns {
                return Ok(LastWords::AreReplaced(None));
            }
        }
        let next = match next {
            Some(next) => next,
            None => {
                let nobody = StepRecord::of_nobody(Vec::new());
                journal.record(turn, step + 1, &nobody).await?.0
            }
        };
        Ok(if next.ends_unasked() {
            LastWords::Stand
        } else {
            LastWords::AreReplaced(Some(next))
        })
    }
}

impl StepRecord {
    /// Whether the next step stands in its place.
    pub(crate) fn is_replaced_by(&self, next: Option<&Self>) -> bool {
        self.may_be_replaced() && next.is_some_and(|next| !next.ends_unasked())
    }
}

impl Log {
    /// What a step adds: the answers to the calls before it, and what the model said then.
    pub(crate) fn add(&mut self, record: &StepRecord) {
        self.messages.extend(record.messages());
        self.count(record.usage);
        if record.calls.is_empty() {
            self.last_text.clone_from(&record.text);
        }
    }

    /// A step in whose place another one stands: nothing was said, and it was paid for.
    pub(crate) fn pass_over(&mut self, record: &StepRecord) {
        self.count(record.usage);
    }

    fn count(&mut self, usage: Usage) {
        let used = usage.input_tokens.saturating_add(usage.output_tokens);
        self.tokens = self.tokens.saturating_add(used);
    }
}
