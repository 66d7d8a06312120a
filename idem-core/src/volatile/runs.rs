//! Runs in memory, changed as the statements change them.

use super::{Inner, VolatileStore};
use crate::approval::CardStatus;
use crate::error::RepositoryError;
use crate::identity::{MessageId, RunId};
use crate::organization::OrganizationId;
use crate::runs::{
    BegunTurn, EndRun, LeaveAs, NewMessage, NewRun, OnMessage, RunRecord, RunRepository, RunStatus,
    RunTurn, SegmentToken, StartKey, StoredMessage,
};
use async_trait::async_trait;
use std::time::Duration;
use time::OffsetDateTime;

type Place<'a> = (OrganizationId, &'a RunId);

/// A run with all that belongs to it.
#[derive(Clone, Debug)]
pub(super) struct RunRow {
    record: RunRecord,
    lease_until: Option<OffsetDateTime>,
    due_at: OffsetDateTime,
    deadline_at: OffsetDateTime,
    messages: Vec<StoredMessage>,
    turns: Vec<RunTurn>,
}

impl RunRow {
    fn is(&self, (organization, run): Place<'_>) -> bool {
        self.record.organization == organization && self.record.run == *run
    }

    /// The run as a reader at this instant sees it.
    fn seen(&self, now: OffsetDateTime) -> RunRecord {
        let left = |until: OffsetDateTime| Duration::try_from(until - now).unwrap_or_default();
        RunRecord {
            live: self.is_live(now),
            lease_left: self.lease_until.map(left).unwrap_or_default(),
            time_left: left(self.deadline_at),
            ..self.record.clone()
        }
    }

    fn is_live(&self, now: OffsetDateTime) -> bool {
        self.lease_until.is_some_and(|until| until > now)
    }

    fn has_ended(&self) -> bool {
        self.record.status.has_ended()
    }

    fn has_news(&self) -> bool {
        let upto = self.turns.iter().map(|turn| turn.upto).max().unwrap_or(0);
        self.messages.iter().any(|message| message.place > upto)
    }
}

impl Inner {
    fn run_row(&mut self, place: Place<'_>) -> Option<&mut RunRow> {
        self.runs.iter_mut().find(|row| row.is(place))
    }

    /// Changes a run under a condition, and shows it.
    fn change_run(
        &mut self,
        place: Place<'_>,
        holds: impl FnOnce(&RunRow, OffsetDateTime) -> bool,
        change: impl FnOnce(&mut RunRow, OffsetDateTime),
    ) -> Option<RunRecord> {
        let now = self.now();
        let row = self.run_row(place)?;
        if row.has_ended() || !holds(row, now) {
            return None;
        }
        change(row, now);
        Some(row.seen(now))
    }

    fn messages_of(&self, organization: OrganizationId) -> impl Iterator<Item = &StoredMessage> {
        let of = move |row: &&RunRow| row.record.organization == organization;
        self.runs.iter().filter(of).flat_map(|row| &row.messages)
    }

    fn is_ready(&self, row: &RunRow, now: OffsetDateTime) -> bool {
        let decided = || {
            self.cards.iter().any(|card| {
                row.record.waits_for.contains(&card.id)
                    && (card.status != CardStatus::Open || card.expires_at <= now)
            })
        };
        let may_end = row.record.on_message == OnMessage::EndsTheTurn;
        !row.has_ended()
            && row.due_at <= now
            && !row.is_live(now)
            && (row.record.cancel_requested_by.is_some()
                || row.deadline_at <= now
                || match row.record.status {
                    RunStatus::Ready => true,
                    RunStatus::Waiting => decided() || (may_end && row.has_news()),
                    _ => row.has_news(),
                })
    }
}

#[async_trait]
impl RunRepository for VolatileStore {
    async fn admit_run(&self, new: &NewRun) -> Result<Option<RunRecord>, RepositoryError> {
        let mut inner = self.lock();
        let now = inner.now();
        let is_there = inner.runs.iter().any(|row| {
            row.record.organization == new.organization
                && (row.record.run == new.run
                    || new.start_key.is_some() && row.record.start_key == new.start_key)
        });
        if is_there {
            return Ok(None);
        }
        let row = admitted(new, now);
        inner.runs.push(row.clone());
        Ok(Some(row.seen(now)))
    }

    async fn run(
        &self,
        organization: OrganizationId,
        run: &RunId,
    ) -> Result<Option<RunRecord>, RepositoryError> {
        let mut inner = self.lock();
        let now = inner.now();
        Ok(inner.run_row((organization, run)).map(|row| row.seen(now)))
    }

    async fn run_of_start(
        &self,
        organization: OrganizationId,
        start_key: &StartKey,
    ) -> Result<Option<RunRecord>, RepositoryError> {
        let inner = self.lock();
        let now = inner.now();
        let found = inner.runs.iter().find(|row| {
            row.record.organization == organization
                && row.record.start_key.as_ref() == Some(start_key)
        });
        Ok(found.map(|row| row.seen(now)))
    }

    async fn ready_runs(
        &self,
        organization: Option<OrganizationId>,
        rows_max: u32,
    ) -> Result<Vec<RunRecord>, RepositoryError> {
        let inner = self.lock();
        let now = inner.now();
        let mut ready: Vec<&RunRow> = inner
            .runs
            .iter()
            .filter(|row| organization.is_none_or(|of| row.record.organization == of))
            .filter(|row| inner.is_ready(row, now))
            .collect();
        ready.sort_by_key(|row| (row.due_at, row.record.run.clone()));
        let many = rows_max.try_into().unwrap_or(usize::MAX);
        Ok(ready
            .into_iter()
            .take(many)
            .map(|row| row.seen(now))
            .collect())
    }

    async fn take_segment(
        &self,
        organization: OrganizationId,
        run: &RunId,
        token: SegmentToken,
        lease: Duration,
    ) -> Result<Option<RunRecord>, RepositoryError> {
        let free = |row: &RunRow, now| !row.is_live(now);
        Ok(self
            .lock()
            .change_run((organization, run), free, |row, now| {
                row.record.token = Some(token);
                row.record.segments += 1;
                row.record.status = RunStatus::Ready;
                row.record.waits_for.clear();
                row.lease_until = Some(now + lease);
            }))
    }

    async fn renew_segment(
        &self,
        organization: OrganizationId,
        run: &RunId,
        token: SegmentToken,
        lease: Duration,
    ) -> Result<Option<RunRecord>, RepositoryError> {
        let owned = |row: &RunRow, _| row.record.token == Some(token) && row.lease_until.is_some();
        Ok(self
            .lock()
            .change_run((organization, run), owned, |row, now| {
                row.lease_until = Some(now + lease);
            }))
    }

    async fn leave_segment(
        &self,
        organization: OrganizationId,
        run: &RunId,
        token: SegmentToken,
        how: &LeaveAs,
    ) -> Result<Option<RunRecord>, RepositoryError> {
        let owned = |row: &RunRow, _| row.record.token == Some(token);
        Ok(self
            .lock()
            .change_run((organization, run), owned, |row, now| {
                let left = how.parts();
                row.record.status = left.status;
                row.record.failures = left.failures;
                row.record.waits_for = match how {
                    LeaveAs::Waiting { cards } => cards.clone(),
                    _ => Vec::new(),
                };
                row.lease_until = None;
                row.due_at = now + left.after;
            }))
    }

    async fn end_run(
        &self,
        organization: OrganizationId,
        run: &RunId,
        token: Option<SegmentToken>,
        how: &EndRun,
    ) -> Result<Option<RunRecord>, RepositoryError> {
        let may = |row: &RunRow, now| {
            let last = row.messages.last().map_or(0, |message| message.place);
            let owned = match token {
                Some(token) => row.record.token == Some(token),
                None => !row.is_live(now),
            };
            owned && how.answered_upto.is_none_or(|upto| last <= upto)
        };
        Ok(self
            .lock()
            .change_run((organization, run), may, |row, now| {
                row.record.status = how.status;
                row.record.reason.clone_from(&how.reason);
                row.record.waits_for.clear();
                row.record.ended_at = Some(now);
                row.lease_until = None;
            }))
    }

    async fn request_cancel(
        &self,
        organization: OrganizationId,
        run: &RunId,
        by: &str,
    ) -> Result<Option<RunRecord>, RepositoryError> {
        let any = |_: &RunRow, _| true;
        Ok(self
            .lock()
            .change_run((organization, run), any, |row, now| {
                row.record
                    .cancel_requested_by
                    .get_or_insert_with(|| by.to_owned());
                row.due_at = row.due_at.min(now);
            }))
    }

    async fn post_message(
        &self,
        organization: OrganizationId,
        run: &RunId,
        message: &NewMessage,
    ) -> Result<Option<StoredMessage>, RepositoryError> {
        let mut inner = self.lock();
        let now = inner.now();
        let came = |stored: &StoredMessage| stored.message.id == message.id;
        let is_there = inner.messages_of(organization).any(came);
        let Some(row) = inner.run_row((organization, run)) else {
            return Ok(None);
        };
        if row.has_ended() || is_there {
            return Ok(None);
        }
        let place = row.messages.last().map_or(1, |last| last.place + 1);
        let (message, received_at) = (message.clone(), now);
        row.messages.push(StoredMessage {
            run: run.clone(),
            place,
            message,
            received_at,
        });
        Ok(row.messages.last().cloned())
    }

    async fn message(
        &self,
        organization: OrganizationId,
        id: &MessageId,
    ) -> Result<Option<StoredMessage>, RepositoryError> {
        let inner = self.lock();
        let mut messages = inner.messages_of(organization);
        Ok(messages.find(|stored| stored.message.id == *id).cloned())
    }

    async fn messages(
        &self,
        organization: OrganizationId,
        run: &RunId,
        behind: u32,
    ) -> Result<Vec<StoredMessage>, RepositoryError> {
        let mut inner = self.lock();
        let row = inner.run_row((organization, run));
        let messages = row.into_iter().flat_map(|row| row.messages.iter());
        Ok(messages
            .filter(|stored| stored.place > behind)
            .cloned()
            .collect())
    }

    async fn begin_run_turn(
        &self,
        organization: OrganizationId,
        run: &RunId,
        token: SegmentToken,
        begun: &BegunTurn,
    ) -> Result<Option<RunTurn>, RepositoryError> {
        let mut inner = self.lock();
        let now = inner.now();
        let Some(row) = inner.run_row((organization, run)) else {
            return Ok(None);
        };
        let is_there = row.turns.iter().any(|turn| turn.number == begun.number);
        if row.has_ended() || row.record.token != Some(token) || is_there {
            return Ok(None);
        }
        row.turns.push(RunTurn {
            number: begun.number,
            turn: begun.turn.clone(),
            upto: begun.upto,
            began_at: now,
            ended_at: None,
        });
        Ok(row.turns.last().cloned())
    }

    async fn end_run_turn(
        &self,
        organization: OrganizationId,
        run: &RunId,
        number: u32,
    ) -> Result<Option<RunTurn>, RepositoryError> {
        let mut inner = self.lock();
        let now = inner.now();
        let turns = inner.run_row((organization, run));
        let mut turns = turns.into_iter().flat_map(|row| row.turns.iter_mut());
        let turn = turns.find(|turn| turn.number == number && turn.ended_at.is_none());
        Ok(turn.map(|turn| {
            turn.ended_at = Some(now);
            turn.clone()
        }))
    }

    async fn run_turns(
        &self,
        organization: OrganizationId,
        run: &RunId,
    ) -> Result<Vec<RunTurn>, RepositoryError> {
        let mut inner = self.lock();
        let row = inner.run_row((organization, run));
        let mut turns = row.map(|row| row.turns.clone()).unwrap_or_default();
        turns.sort_by_key(|turn| turn.number);
        Ok(turns)
    }

    async fn withdraw_cards_of_run(
        &self,
        organization: OrganizationId,
        run: &RunId,
        reason: &str,
    ) -> Result<u64, RepositoryError> {
        let mut inner = self.lock();
        let now = inner.now();
        let mut taken = 0;
        for card in &mut inner.cards {
            let open = matches!(card.status, CardStatus::Open | CardStatus::Approved)
                && card.spent_at.is_none()
                && card.expires_at > now;
            if open && card.organization == organization && card.run == run.as_ref() {
                card.status = CardStatus::Withdrawn;
                card.reason = Some(reason.to_owned());
                taken += 1;
            }
        }
        Ok(taken)
    }
}

fn admitted(new: &NewRun, now: OffsetDateTime) -> RunRow {
    let status = if new.starts_at_once {
        RunStatus::Ready
    } else {
        RunStatus::Idle
    };
    RunRow {
        record: RunRecord {
            organization: new.organization,
            run: new.run.clone(),
            principal: new.principal.clone(),
            start_key: new.start_key.clone(),
            status,
            reason: None,
            starts_at_once: new.starts_at_once,
            keeps_open: new.keeps_open,
            on_message: new.on_message,
            segments: 0,
            failures: 0,
            token: None,
            live: false,
            lease_left: Duration::ZERO,
            waits_for: Vec::new(),
            cancel_requested_by: None,
            created_at: now,
            time_left: new.duration_max,
            ended_at: None,
        },
        lease_until: None,
        due_at: now,
        deadline_at: now + new.duration_max,
        messages: Vec::new(),
        turns: Vec::new(),
    }
}
