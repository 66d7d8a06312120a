//! A run in memory, and what its state makes of it.

use super::Inner;
use crate::approval::CardStatus;
use crate::identity::RunId;
use crate::organization::OrganizationId;
use crate::runs::{NewRun, OnMessage, RunRecord, RunStatus, RunTurn, StoredMessage};
use std::time::Duration;
use time::OffsetDateTime;

pub(super) type Place<'a> = (OrganizationId, &'a RunId);

/// A run with all that belongs to it.
#[derive(Clone, Debug)]
pub(super) struct RunRow {
    pub(super) record: RunRecord,
    pub(super) lease_until: Option<OffsetDateTime>,
    pub(super) due_at: OffsetDateTime,
    pub(super) deadline_at: OffsetDateTime,
    pub(super) messages: Vec<StoredMessage>,
    pub(super) turns: Vec<RunTurn>,
}

impl RunRow {
    pub(super) fn is(&self, (organization, run): Place<'_>) -> bool {
        self.record.organization == organization && self.record.run == *run
    }

    /// The run as a reader at this instant sees it.
    pub(super) fn seen(&self, now: OffsetDateTime) -> RunRecord {
        let left = |until: OffsetDateTime| Duration::try_from(until - now).unwrap_or_default();
        RunRecord {
            live: self.is_live(now),
            lease_left: self.lease_until.map(left).unwrap_or_default(),
            time_left: left(self.deadline_at),
            ..self.record.clone()
        }
    }

    pub(super) fn is_live(&self, now: OffsetDateTime) -> bool {
        self.lease_until.is_some_and(|until| until > now)
    }

    pub(super) fn has_ended(&self) -> bool {
        self.record.status.has_ended()
    }

    pub(super) fn has_news(&self) -> bool {
        let upto = self.turns.iter().map(|turn| turn.upto).max().unwrap_or(0);
        self.messages.iter().any(|message| message.place > upto)
    }
}

impl Inner {
    pub(super) fn run_row(&mut self, place: Place<'_>) -> Option<&mut RunRow> {
        self.runs.iter_mut().find(|row| row.is(place))
    }

    /// Changes a run under a condition, and shows it.
    pub(super) fn change_run(
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

    pub(super) fn messages_of(
        &self,
        organization: OrganizationId,
    ) -> impl Iterator<Item = &StoredMessage> {
        let of = move |row: &&RunRow| row.record.organization == organization;
        self.runs.iter().filter(of).flat_map(|row| &row.messages)
    }

    pub(super) fn is_ready(&self, row: &RunRow, now: OffsetDateTime) -> bool {
        let decided = || {
            self.cards.iter().any(|card| {
                row.record.waits_for.contains(&card.id)
                    && (card.status != CardStatus::Open
                        || card.edit_request.is_some()
                        || card.expires_at <= now)
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

pub(super) fn admitted(new: &NewRun, now: OffsetDateTime) -> RunRow {
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
