//! The turns of a run: which messages each answers is written down once, before anything is done about them (R49).

use super::error::HarnessError;
use super::model::Message;
use super::segment::Segment;
use crate::planted;
use idem_core::identity::{IdentityError, LogicalTurn, MessageId};
use idem_core::runs::{BegunTurn, RunTurn, StoredMessage};
use idem_core::{RepositoryError, insist};

/// How often the next turn is looked at that another owner writes down.
const LOOKS_MAX: u32 = 10;

/// A turn, with the messages that it answers.
#[derive(Clone, Debug)]
pub(crate) struct OpenTurn {
    pub(crate) row: RunTurn,
    messages: Vec<StoredMessage>,
}

impl OpenTurn {
    /// What the user, or news of a call, says in it.
    pub(crate) fn messages(&self) -> impl Iterator<Item = Message> + '_ {
        let bodies = self.messages.iter().map(|stored| &stored.message.body);
        bodies.map(|body| Message::User(body.clone()))
    }
}

/// The turns that were begun, and the messages there are.
pub(crate) struct Turns {
    rows: Vec<RunTurn>,
    messages: Vec<StoredMessage>,
}

impl Turns {
    pub(crate) async fn load(segment: &Segment<'_>) -> Result<Self, HarnessError> {
        let (store, owned) = (segment.harness.runs.store(), segment.owned);
        let (organization, run) = (owned.organization, &owned.run);
        Ok(Self {
            rows: insist(|| store.run_turns(organization, run)).await?,
            messages: insist(|| store.messages(organization, run, 0)).await?,
        })
    }

    pub(crate) fn count(&self) -> u32 {
        u32::try_from(self.rows.len()).unwrap_or(u32::MAX)
    }

    /// The turns that are over, in their order.
    pub(crate) fn ended(&self) -> Vec<OpenTurn> {
        let ended = self.rows.iter().filter(|row| row.ended_at.is_some());
        ended.map(|row| self.with_messages(row)).collect()
    }

    /// The turn that is not over, or the next one. `None`: nothing waits to be answered.
    pub(crate) async fn open_or_begin(
        &mut self,
        segment: &Segment<'_>,
    ) -> Result<Option<OpenTurn>, HarnessError> {
        for _ in 0..LOOKS_MAX {
            segment.owned.check()?;
            if let Some(row) = self.rows.iter().find(|row| row.ended_at.is_none()) {
                return Ok(Some(self.with_messages(row)));
            }
            self.look_for_messages(segment).await?;
            let Some(next) = self.next(segment)? else {
                return Ok(None);
            };
            let (store, owned) = (segment.harness.runs.store(), segment.owned);
            let (organization, run) = (owned.organization, &owned.run);
            insist(|| store.begin_run_turn(organization, run, owned.token, &next)).await?;
            // Whoever wrote it down, what is written is what counts.
            self.rows = insist(|| store.run_turns(organization, run)).await?;
        }
        Err(HarnessError::SegmentLost(segment.owned.run.clone()))
    }

    /// The turn is over.
    pub(crate) async fn end(
        &mut self,
        segment: &Segment<'_>,
        turn: &OpenTurn,
    ) -> Result<(), HarnessError> {
        let (store, owned) = (segment.harness.runs.store(), segment.owned);
        let (organization, run) = (owned.organization, &owned.run);
        insist(|| store.end_run_turn(organization, run, turn.row.number)).await?;
        self.rows = insist(|| store.run_turns(organization, run)).await?;
        Ok(())
    }

    async fn look_for_messages(&mut self, segment: &Segment<'_>) -> Result<(), HarnessError> {
        let behind = self.messages.last().map_or(0, |last| last.place);
        let (store, owned) = (segment.harness.runs.store(), segment.owned);
        let new = insist(|| store.messages(owned.organization, &owned.run, behind)).await?;
        self.messages.extend(new);
        Ok(())
    }

    /// The turn of every message that no turn answers yet; a run that begins without one has a numbered turn.
    fn next(&self, segment: &Segment<'_>) -> Result<Option<BegunTurn>, HarnessError> {
        let number = self.count() + 1;
        let upto = self.upto();
        let new: Vec<_> = self.messages.iter().filter(|m| m.place > upto).collect();
        let Some(last) = new.last() else {
            let at_once = self.rows.is_empty() && segment.record.starts_at_once;
            return Ok(at_once.then(|| BegunTurn {
                number,
                turn: LogicalTurn::numbered(&segment.owned.run, number),
                upto,
            }));
        };
        let ids: Vec<MessageId> = new.iter().map(|m| m.message.id.clone()).collect();
        let turn = LogicalTurn::of_messages(&ids).map_err(|error| unnamed(&error))?;
        let upto = last.place;
        Ok(Some(BegunTurn { number, turn, upto }))
    }

    /// The place of the last message that a turn answers.
    pub(crate) fn upto(&self) -> u32 {
        self.rows.last().map_or(0, |row| row.upto)
    }

    fn with_messages(&self, row: &RunTurn) -> OpenTurn {
        let before = self.rows.iter().filter(|other| other.number < row.number);
        let from = before.map(|other| other.upto).max().unwrap_or(0);
        let lies_in = |m: &&StoredMessage| m.place > from && m.place <= row.upto;
        OpenTurn {
            row: planted::turn(row, self.messages.iter().filter(|m| m.place > from)),
            messages: self.messages.iter().filter(lies_in).cloned().collect(),
        }
    }
}

fn unnamed(error: &IdentityError) -> HarnessError {
    RepositoryError::Corrupt(format!("the messages of a turn: {error}")).into()
}
