//! One row in memory, changed as the statements change it.

use crate::answer::Answer;
use crate::identity::RequestHash;
use crate::record::{ClaimId, Record, Status, StoredInput};
use crate::repository::{EndLease, LeaseTerms};
use crate::request::Request;
use std::sync::Arc;
use std::time::Duration;
use time::OffsetDateTime;

/// A row: the record as it was written, and its two clocks.
#[derive(Clone, Debug)]
pub(super) struct Row {
    pub(super) record: Record,
    pub(super) retain_until: OffsetDateTime,
    pub(super) lease_expires_at: OffsetDateTime,
    pub(super) settled_note: Option<String>,
    pub(super) input: Option<Arc<str>>,
    epoch_started_at: Option<OffsetDateTime>,
}

impl Row {
    pub(super) fn claimed(
        request: &Request,
        id: ClaimId,
        terms: &LeaseTerms,
        now: OffsetDateTime,
    ) -> Self {
        let dispatched_at = terms.dispatched.then_some(now);
        let record = Record {
            id,
            request_hash: request.hash,
            hash_version: RequestHash::VERSION,
            status: Status::Processing,
            lease_token: terms.token,
            attempt: 1,
            epoch: 0,
            doubt: false,
            dispatched_at,
            first_dispatched_at: dispatched_at,
            claimed_at: now,
            first_claimed_at: now,
            completed_at: None,
            outcome: None,
            response: None,
            resource: None,
            settled: None,
            origin: request.origin.clone(),
            input: None,
            live: true,
            kept: true,
            lease_left: terms.lease,
            epoch_age: None,
        };
        Self {
            record,
            retain_until: now + terms.retain.max(terms.lease),
            lease_expires_at: now + terms.lease,
            settled_note: None,
            input: request.input.clone(),
            epoch_started_at: dispatched_at,
        }
    }

    /// The record as a reader at this instant sees it.
    pub(super) fn seen(&self, now: OffsetDateTime) -> Record {
        let since = |from: OffsetDateTime, to: OffsetDateTime| {
            Duration::try_from(to - from).unwrap_or_default()
        };
        Record {
            live: self.lease_expires_at > now,
            kept: self.retain_until > now,
            lease_left: since(now, self.lease_expires_at),
            input: self.input.clone().map(StoredInput::new),
            epoch_age: self.epoch_started_at.map(|started| since(started, now)),
            ..self.record.clone()
        }
    }

    pub(super) fn is_lapsed(&self, now: OffsetDateTime) -> bool {
        self.record.status == Status::Processing && self.lease_expires_at <= now
    }

    pub(super) fn in_doubt(&self) -> bool {
        self.record.doubt || self.record.dispatched_at.is_some()
    }

    pub(super) fn reclaim(&mut self, request: &Request, terms: &LeaseTerms, now: OffsetDateTime) {
        let first = self.input.take().filter(|_| self.in_doubt());
        self.input = first.or_else(|| request.input.clone());
        self.record.doubt = self.in_doubt();
        self.record.lease_token = terms.token;
        self.record.attempt += 1;
        self.record.claimed_at = now;
        self.record.dispatched_at = None;
        self.record.origin = request.origin.clone();
        self.lease_expires_at = now + terms.lease;
        self.retain_until = self.retain_until.max(now + terms.retain.max(terms.lease));
        if terms.dispatched {
            self.mark(now);
        }
    }

    pub(super) fn mark(&mut self, now: OffsetDateTime) {
        self.record.dispatched_at.get_or_insert(now);
        self.record.first_dispatched_at.get_or_insert(now);
        self.epoch_started_at.get_or_insert(now);
    }

    pub(super) fn answer(&mut self, answer: &Answer, now: OffsetDateTime) {
        self.record.status = Status::Completed;
        self.record.completed_at = Some(now);
        self.record.outcome = Some(answer.kind());
        self.record.response = answer.response().cloned();
        self.record.resource = answer.resource_named().cloned();
    }

    pub(super) fn end_lease(&mut self, how: EndLease, now: OffsetDateTime) {
        self.lease_expires_at = self.lease_expires_at.min(now + how.after);
        if how.clear_mark {
            self.record.dispatched_at = None;
        }
        if how.clear_doubt {
            self.record.doubt = false;
        }
        if how.raise_epoch {
            self.record.epoch += 1;
            self.epoch_started_at = None;
        }
    }
}
