//! The steps of one turn: a response, its calls, the next response.

use super::error::HarnessError;
use super::events::Happened;
use super::journal::prompt_digest;
use super::limits::Met;
use super::model::{CallAnswer, Message, ModelResponse};
use super::outcome::Next;
use super::proposal::{Counted, Proposal};
use super::replayed::LastWords;
use super::segment::{Log, Segment};
use super::step::StepRecord;
use super::turns::OpenTurn;
use crate::call::{Answered, Settled, Waiting};
use crate::call_error::CallError;
use crate::turn::CALLS_A_RESPONSE_MAX;
use idem_core::runs::OnMessage;

/// What the calls of a step came to.
enum Came {
    /// Every call has its answer.
    Answers(Vec<CallAnswer>),
    /// Some wait for a person.
    Waits(Vec<Waiting>),
    /// The run was cancelled or lost before all of them were begun.
    Halted,
}

impl Segment<'_> {
    /// Goes through a turn until it is over. `Some`: the segment ends before.
    pub(crate) async fn run_turn(
        &self,
        turn: &OpenTurn,
        log: &mut Log,
    ) -> Result<Option<Next>, HarnessError> {
        let limits = self.harness.limits;
        let (mut answers, mut read_ahead, mut calls_made) = (Vec::new(), None, 0_usize);
        let mut counted = Counted::new();
        let mut provisional: Option<StepRecord> = None;
        for step in 1..=limits.steps_a_turn {
            if let Some(over) = self.begin_step(turn, step)? {
                return Ok(Some(over));
            }
            let stored = match read_ahead.take() {
                Some(record) => Some(record),
                None => self.journal().read(&turn.row.turn, step).await?,
            };
            let is_found = stored.is_some();
            let (record, replayed) = match stored {
                Some(record) => (record, true),
                None => {
                    let said = (&*log.messages, std::mem::take(&mut answers), &counted);
                    match self.respond(turn, step, said).await? {
                        Some(stands) => stands,
                        None => return Ok(Some(self.halted()?)),
                    }
                }
            };
            if let Some(words) = provisional.take() {
                if record.ends_unasked() {
                    // Another owner let them stand while the model was asked again.
                    log.add(&words);
                    return Ok(None);
                }
                log.pass_over(&words);
            }
            if record.may_be_replaced() {
                let words = self.last_words(turn, step, is_found).await?;
                if let LastWords::AreReplaced(next) = words {
                    (answers, read_ahead) = (record.answers.clone(), next);
                    provisional = Some(record);
                    continue;
                }
            }
            self.tell_answered(&record, replayed);
            for call in &record.calls {
                call.count(&mut counted);
            }
            log.add(&record);
            calls_made += record.calls.len();
            if let Some(met) = self.met(log, calls_made, &record) {
                return Ok(Some(Next::limit(met)));
            }
            if record.calls.is_empty() {
                return Ok(None);
            }
            if replayed {
                read_ahead = self.journal().read(&turn.row.turn, step + 1).await?;
            }
            answers = match &read_ahead {
                Some(next) => {
                    self.tell_replayed(&record, &next.answers);
                    Vec::new()
                }
                None => match self.make_calls(turn, step, &record).await? {
                    Came::Answers(answers) => answers,
                    Came::Waits(waits) => {
                        return self.suspend(turn, (step, &record), (waits, log)).await;
                    }
                    Came::Halted => return Ok(Some(self.halted()?)),
                },
            };
        }
        Ok(Some(Next::limit(Met::Steps(limits.steps_a_turn))))
    }

    /// `Some`: the run is to end before this step.
    fn begin_step(&self, turn: &OpenTurn, step: u32) -> Result<Option<Next>, HarnessError> {
        self.enter(turn.row.number, step);
        self.owned.check()?;
        Ok(self.is_over())
    }

    /// The run is cancelled, or another's.
    fn halted(&self) -> Result<Next, HarnessError> {
        self.owned.check()?;
        let by = self.owned.cancelled_by().unwrap_or("a request");
        Ok(Next::Cancelled(by.to_owned()))
    }

    fn met(&self, log: &Log, calls_made: usize, record: &StepRecord) -> Option<Met> {
        let limits = self.harness.limits;
        let most = usize::try_from(limits.calls_a_turn).unwrap_or(usize::MAX);
        if log.tokens > limits.tokens {
            return Some(Met::Tokens(limits.tokens));
        }
        if calls_made > most || record.calls.len() > CALLS_A_RESPONSE_MAX {
            return Some(Met::Calls(limits.calls_a_turn));
        }
        None
    }

    /// Asks the model for a step, and writes down what it said, what each of its calls is, and what came before it,
    /// before any of the calls is made (R51). The first writer's record stands, and
    /// whether it is another owner's is said with it. `None`: the run is over or lost.
    async fn respond(
        &self,
        turn: &OpenTurn,
        step: u32,
        (said, answers, counted): (&[Message], Vec<CallAnswer>, &Counted),
    ) -> Result<Option<(StepRecord, bool)>, HarnessError> {
        let mut counted = counted.clone();
        let mut messages = said.to_vec();
        if !answers.is_empty() {
            messages.push(Message::Answers(answers.clone()));
        }
        self.tell(Happened::ModelAsked);
        let prompt = self.prompt(&messages);
        let asked = self.ask(&prompt);
        let Some(response) = self.halt.run_until_cancelled(asked).await else {
            return Ok(None);
        };
        let response = response?;
        let at = self.turn_at(&turn.row.turn, step);
        let ModelResponse { text, calls, usage } = response;
        let record = StepRecord {
            model: self.harness.model.name().to_owned(),
            prompt: prompt_digest(&prompt),
            text,
            calls: calls
                .into_iter()
                .map(|call| Proposal::of(&at, call, &mut counted))
                .collect(),
            usage,
            answers,
            is_provisional: !self.harness.replay_model_turns,
        };
        let journal = self.journal();
        let (stands, anothers) = journal.record(&turn.row.turn, step, &record).await?;
        self.progress();
        // Another owner was first, and may have gone on from there, also where it was told the very same.
        Ok(Some((stands, anothers)))
    }

    /// Makes the calls of a step, and joins them all before it says what came of any (R34).
    async fn make_calls(
        &self,
        turn: &OpenTurn,
        step: u32,
        record: &StepRecord,
    ) -> Result<Came, HarnessError> {
        let at = self.turn_at(&turn.row.turn, step);
        let (mut answers, mut waits) = (Vec::new(), Vec::new());
        let mut failed: Option<CallError> = None;
        for result in self.settle_all(&at, &record.calls).await {
            match result {
                Some(Ok(Settled::Answer(answer))) => answers.push(told(&answer)),
                Some(Ok(Settled::Waiting(waiting))) => waits.push(*waiting),
                Some(Err(error)) => {
                    failed.get_or_insert(error);
                }
                None => return Ok(Came::Halted),
            }
        }
        match failed {
            Some(error) => Err(HarnessError::Call(error)),
            None if waits.is_empty() => Ok(Came::Answers(answers)),
            None => Ok(Came::Waits(waits)),
        }
    }

    /// Some calls wait for a person: the segment ends here, unless a message has come that ends the turn (R41).
    async fn suspend(
        &self,
        turn: &OpenTurn,
        (step, record): (u32, &StepRecord),
        (waits, log): (Vec<Waiting>, &mut Log),
    ) -> Result<Option<Next>, HarnessError> {
        let ends = self.record.on_message == OnMessage::EndsTheTurn;
        if !ends || !self.has_news(turn).await? {
            return Ok(Some(Next::Suspended(waits)));
        }
        let (organization, run) = (self.owned.organization, &self.owned.run);
        let store = self.harness.runs.store();
        let why = "the user sent a new message before anybody decided";
        idem_core::insist(|| store.withdraw_cards_of_run(organization, run, why)).await?;
        let answers = match self.make_calls(turn, step, record).await? {
            Came::Answers(answers) => answers,
            Came::Waits(waits) => return Ok(Some(Next::Suspended(waits))),
            Came::Halted => return Ok(Some(self.halted()?)),
        };
        // Nobody is asked what to say to that: the turn is over.
        let last = StepRecord::of_nobody(answers);
        let journal = self.journal();
        let (last, anothers) = journal.record(&turn.row.turn, step + 1, &last).await?;
        if anothers && !last.ends_unasked() {
            // It asked the model, and the turn goes on from there: that owner's turn is not ended here.
            return Err(HarnessError::SegmentLost(self.owned.run.clone()));
        }
        self.progress();
        // The next turn begins in this very segment, and its model is told how the calls were settled (R35).
        log.add(&last);
        Ok(None)
    }

    async fn has_news(&self, turn: &OpenTurn) -> Result<bool, HarnessError> {
        let (store, owned) = (self.harness.runs.store(), self.owned);
        let new = store
            .messages(owned.organization, &owned.run, turn.row.upto)
            .await?;
        Ok(!new.is_empty())
    }

    fn tell_answered(&self, record: &StepRecord, replayed: bool) {
        self.tell(Happened::ModelAnswered {
            replayed,
            calls: record.calls.len(),
        });
    }

    fn tell_replayed(&self, record: &StepRecord, answers: &[CallAnswer]) {
        for (proposal, answer) in record.calls.iter().zip(answers) {
            self.tell(Happened::CallAnswered {
                call_id: proposal.call.id().map(str::to_owned),
                tool: answer.tool.clone(),
                failure: answer.is_error.then(|| "recorded".to_owned()),
                replayed: true,
            });
        }
    }
}

fn told(answer: &Answered) -> CallAnswer {
    CallAnswer {
        call_id: answer.call_id.clone(),
        tool: answer.tool.clone(),
        text: answer.to_model_text(),
        is_error: answer.result.is_err(),
    }
}
