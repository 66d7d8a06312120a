//! What a run has said and done, read back from the store: its message log, and a trace of its steps.

use super::error::HarnessError;
use super::harness::AgentHarness;
use super::journal::Journal;
use super::model::{Message, Usage};
use super::step::StepRecord;
use idem_core::identity::{IdempotencyKey, RunId};
use idem_core::runs::{RunTurn, StoredMessage};
use idem_core::{OrganizationId, insist};

/// One step of a run as its record tells it.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct TracedStep {
    /// The number of its turn.
    pub turn: u32,
    /// Its number in the turn.
    pub step: u32,
    /// The model that was asked; empty where none was, and the step only ends its turn.
    pub model: String,
    /// The digest of what it was given.
    pub prompt: String,
    /// What it cost.
    pub usage: Usage,
    /// The calls: tool and identity; none where a call was refused at once.
    pub calls: Vec<(String, Option<IdempotencyKey>)>,
    /// Whether the calls' answers are on record: then a replay executes none of them (R46).
    pub is_settled: bool,
    /// Whether the next step stands in its place: its words were asked for again, where replay of model turns is off.
    pub is_replaced: bool,
}

impl AgentHarness {
    /// The conversation of a run so far: users' messages, the model's responses, and the answers to its calls. It is
    /// what the model would be given next. Answers of a step that is not over are not in it. Where replay of model turns
    /// is off, the last words of a turn that is not over may still be replaced.
    ///
    /// # Errors
    ///
    /// [`HarnessError`]: there is no such run, or the store.
    pub async fn conversation(
        &self,
        organization: OrganizationId,
        run: &RunId,
    ) -> Result<Vec<Message>, HarnessError> {
        let (turns, messages) = self.turns_and_messages(organization, run).await?;
        let (mut said, mut from) = (Vec::new(), 0);
        for turn in &turns {
            let lies_in = |m: &&StoredMessage| m.place > from && m.place <= turn.upto;
            let bodies = messages.iter().filter(lies_in);
            said.extend(bodies.map(|m| Message::User(m.message.body.clone())));
            let records = self.steps(organization, run, turn).await?;
            for (at, record) in records.iter().enumerate() {
                if !record.is_replaced_by(records.get(at + 1)) {
                    said.extend(record.messages());
                }
            }
            from = turn.upto;
        }
        Ok(said)
    }

    /// The steps of a run, in their order, as their records tell them.
    ///
    /// # Errors
    ///
    /// As [`conversation`](Self::conversation).
    pub async fn trace(
        &self,
        organization: OrganizationId,
        run: &RunId,
    ) -> Result<Vec<TracedStep>, HarnessError> {
        let (turns, _) = self.turns_and_messages(organization, run).await?;
        let mut traced = Vec::new();
        for turn in &turns {
            let records = self.steps(organization, run, turn).await?;
            let many = records.len();
            let replaced: Vec<_> = records
                .iter()
                .enumerate()
                .map(|(at, record)| record.is_replaced_by(records.get(at + 1)))
                .collect();
            for (at, (record, step)) in records.into_iter().zip(1..).enumerate() {
                traced.push(TracedStep {
                    turn: turn.number,
                    step,
                    is_settled: at + 1 < many || record.calls.is_empty(),
                    is_replaced: replaced[at],
                    calls: record
                        .calls
                        .iter()
                        .map(|p| (p.call.tool().to_owned(), p.key()))
                        .collect(),
                    model: record.model,
                    prompt: record.prompt,
                    usage: record.usage,
                });
            }
        }
        Ok(traced)
    }

    async fn turns_and_messages(
        &self,
        organization: OrganizationId,
        run: &RunId,
    ) -> Result<(Vec<RunTurn>, Vec<StoredMessage>), HarnessError> {
        self.run(organization, run).await?;
        let store = self.core.runs.store();
        let turns = insist(|| store.run_turns(organization, run)).await?;
        let messages = insist(|| store.messages(organization, run, 0)).await?;
        Ok((turns, messages))
    }

    async fn steps(
        &self,
        organization: OrganizationId,
        run: &RunId,
        turn: &RunTurn,
    ) -> Result<Vec<StepRecord>, HarnessError> {
        let record = self.run(organization, run).await?;
        let journal = Journal {
            core: &self.core.idem.core,
            organization,
            principal: &record.principal,
            run,
        };
        let mut records = Vec::new();
        for step in 1.. {
            match journal.read(&turn.turn, step).await? {
                Some(record) => records.push(record),
                None => break,
            }
        }
        Ok(records)
    }
}
