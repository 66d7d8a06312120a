//! Runs in memory, changed as the statements change them.

use super::VolatileStore;
use super::run_row::{RunRow, admitted};
use crate::approval::CardStatus;
use crate::error::RepositoryError;
use crate::identity::{MessageId, RunId};
use crate::organization::OrganizationId;
use crate::runs::{
    BegunTurn, EndRun, LeaveAs, NewMessage, NewRun, RunRecord, RunRepository, RunStatus, RunTurn,
    SegmentToken, StartKey, StoredMessage,
};
use async_trait::async_trait;
use std::time::Duration;

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
                // It rests no longer than it may last.
                row.due_at = now + left.after.min(row.seen(now).time_left);
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
