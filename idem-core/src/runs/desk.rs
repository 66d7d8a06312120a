//! What the verbs on runs mean: a start that is repeated is one start, a message that comes twice is one message, and a
//! run has one owner.

use super::{
    EndRun, NewMessage, NewRun, RunRecord, RunRepository, RunStatus, SegmentToken, StoredMessage,
};
use crate::approval::stored_text;
use crate::error::RepositoryError;
use crate::identity::{MessageId, RunId};
use crate::organization::OrganizationId;
use crate::service::insist;
use std::sync::Arc;
use std::time::Duration;

/// How often a message is posted that was neither stored nor found.
const LOOKS_MAX: u32 = 3;

/// Why a run did not do what was asked.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RunError {
    /// There is no such run in this organization.
    #[error("there is no run `{0}` in this organization")]
    NotFound(RunId),
    /// Another process works on it. It may be asked again after that long (R51).
    #[error("another process works on run `{run}`; ask again in {retry_after:?}")]
    SegmentInFlight {
        /// The run.
        run: RunId,
        /// How long its owner's lease still lives.
        retry_after: Duration,
    },
    /// It has ended.
    #[error("run `{}` has ended: it is {}", .0.run, .0.status)]
    Ended(Box<RunRecord>),
    /// The id, or the start key, admitted another run: on whose behalf, or with another id or key.
    #[error(
        "run `{}` was admitted before, for another principal or under another start key: a start is repeated as it was",
        .0.run
    )]
    AnotherStart(Box<RunRecord>),
    /// The message's id came before, with another content or for another run.
    #[error(
        "message `{0}` came before, with another content or for another run: give each message an id of its own"
    )]
    AnotherMessage(MessageId),
    /// A message is longer than a row takes.
    #[error("a message has at most {max} bytes, and this one has {bytes}")]
    MessageTooLong {
        /// Its bytes.
        bytes: usize,
        /// The bound.
        max: usize,
    },
    /// A message holds U+0000, which PostgreSQL does not store.
    #[error(
        "message `{0}` holds the character U+0000, which PostgreSQL does not store: leave it out"
    )]
    MessageHoldsNul(MessageId),
    /// A run would last longer than its answers are remembered (R50).
    #[error(
        "a run lasts at most {max:?}, since its answers are remembered so long; it was given {asked:?}"
    )]
    TooLong {
        /// What was asked for.
        asked: Duration,
        /// The bound.
        max: Duration,
    },
    /// The store.
    #[error(transparent)]
    Store(#[from] RepositoryError),
}

/// A run, and whether this very request admitted it.
#[derive(Clone, Debug)]
pub struct Admitted {
    /// The run.
    pub run: RunRecord,
    /// It is new; otherwise a repeat of its start got it.
    pub fresh: bool,
}

/// A message, and whether this very request stored it.
#[derive(Clone, Debug)]
pub struct Posted {
    /// The message.
    pub message: StoredMessage,
    /// It is new; otherwise it came before.
    pub fresh: bool,
}

/// The meaning of runs over one store. Cheap to clone.
#[derive(Clone, Debug)]
pub struct RunDesk {
    store: Arc<dyn RunRepository>,
}

impl RunDesk {
    /// A desk over a store.
    #[must_use]
    pub fn new(store: Arc<dyn RunRepository>) -> Self {
        Self { store }
    }

    /// The store below.
    #[must_use]
    pub fn store(&self) -> &Arc<dyn RunRepository> {
        &self.store
    }

    /// Admits a run, or gives the one that this start admitted before (R62).
    ///
    /// # Errors
    ///
    /// [`RunError::AnotherStart`], [`RunError::TooLong`], [`RunError::Store`].
    ///
    /// # Cancel safety
    ///
    /// It is admitted or it is not; a repeat tells.
    pub async fn admit(&self, new: &NewRun) -> Result<Admitted, RunError> {
        if new.duration_max > super::RUN_DURATION_MAX {
            return Err(RunError::TooLong {
                asked: new.duration_max,
                max: super::RUN_DURATION_MAX,
            });
        }
        if let Some(run) = insist(|| self.store.admit_run(new)).await? {
            return Ok(Admitted { run, fresh: true });
        }
        let by_start = match &new.start_key {
            Some(key) => insist(|| self.store.run_of_start(new.organization, key)).await?,
            None => None,
        };
        let run = match by_start {
            Some(run) => run,
            None => self.get(new.organization, &new.run).await?,
        };
        let same = run.principal == new.principal && run.start_key == new.start_key;
        // A start key of its own names the run that it admitted first, whatever id a repeat made up.
        if same && (new.start_key.is_some() || run.run == new.run) {
            return Ok(Admitted { run, fresh: false });
        }
        Err(RunError::AnotherStart(Box::new(run)))
    }

    /// Reads a run.
    ///
    /// # Errors
    ///
    /// [`RunError::NotFound`], [`RunError::Store`].
    pub async fn get(
        &self,
        organization: OrganizationId,
        run: &RunId,
    ) -> Result<RunRecord, RunError> {
        let found = insist(|| self.store.run(organization, run)).await?;
        found.ok_or_else(|| RunError::NotFound(run.clone()))
    }

    /// Stores a message for a run, once.
    ///
    /// # Errors
    ///
    /// [`RunError::Ended`], [`RunError::AnotherMessage`], [`RunError::MessageTooLong`], [`RunError::MessageHoldsNul`],
    /// [`RunError::NotFound`], [`RunError::Store`].
    ///
    /// # Cancel safety
    ///
    /// It is stored or it is not; a repeat tells.
    pub async fn post(
        &self,
        organization: OrganizationId,
        run: &RunId,
        message: &NewMessage,
    ) -> Result<Posted, RunError> {
        let (bytes, max) = (message.body.len(), super::MESSAGE_BYTES_MAX);
        if bytes > max {
            return Err(RunError::MessageTooLong { bytes, max });
        }
        if message.body.contains('\0') {
            return Err(RunError::MessageHoldsNul(message.id.clone()));
        }
        for _ in 0..LOOKS_MAX {
            let posted = insist(|| self.store.post_message(organization, run, message)).await?;
            if let Some(message) = posted {
                let fresh = true;
                return Ok(Posted { message, fresh });
            }
            let earlier = insist(|| self.store.message(organization, &message.id)).await?;
            if let Some(stored) = earlier {
                if stored.run != *run || stored.message != *message {
                    return Err(RunError::AnotherMessage(message.id.clone()));
                }
                let fresh = false;
                return Ok(Posted {
                    message: stored,
                    fresh,
                });
            }
            let record = self.get(organization, run).await?;
            if record.status.has_ended() {
                return Err(RunError::Ended(Box::new(record)));
            }
        }
        let contended = "a message was neither stored nor found";
        Err(RepositoryError::Unavailable(contended.into()).into())
    }

    /// Takes a run for a segment. Its owner renews the lease while it works.
    ///
    /// # Errors
    ///
    /// [`RunError::SegmentInFlight`], [`RunError::Ended`], [`RunError::NotFound`], [`RunError::Store`].
    ///
    /// # Cancel safety
    ///
    /// Not safe: the run may be taken by a token that nobody knows, until its lease ends.
    pub async fn take(
        &self,
        organization: OrganizationId,
        run: &RunId,
        lease: Duration,
    ) -> Result<(RunRecord, SegmentToken), RunError> {
        let token = SegmentToken::mint();
        let taken = insist(|| self.store.take_segment(organization, run, token, lease)).await?;
        if let Some(record) = taken {
            return Ok((record, token));
        }
        let record = self.get(organization, run).await?;
        if record.status.has_ended() {
            return Err(RunError::Ended(Box::new(record)));
        }
        // A reply that was lost: the token on the row is this very caller's (R11).
        if record.live && record.token == Some(token) {
            return Ok((record, token));
        }
        Err(RunError::SegmentInFlight {
            run: run.clone(),
            retry_after: record.lease_left,
        })
    }

    /// Ends a run for its owner, and takes its open cards back (R41).
    ///
    /// # Errors
    ///
    /// [`RunError::Store`]. `Ok(None)` where the run is another's by now, or has a message that is not answered.
    ///
    /// # Cancel safety
    ///
    /// Made again, it does what is left.
    pub async fn end(
        &self,
        organization: OrganizationId,
        run: &RunId,
        token: Option<SegmentToken>,
        how: &EndRun,
    ) -> Result<Option<RunRecord>, RunError> {
        // A provider's words stand in it: a reason that a store refuses would keep the run from ever ending.
        let how = &EndRun {
            reason: how.reason.as_deref().map(stored_text),
            ..how.clone()
        };
        let ended = insist(|| self.store.end_run(organization, run, token, how)).await?;
        let record = match ended {
            Some(record) => record,
            None => {
                // Ended by this very owner, whose reply was lost, or by somebody who had no time for the cards.
                let record = self.get(organization, run).await?;
                if !record.status.has_ended() {
                    return Ok(None);
                }
                record
            }
        };
        let why = format!("the run is {}", record.status);
        insist(|| self.store.withdraw_cards_of_run(organization, run, &why)).await?;
        Ok(Some(record))
    }

    /// Asks a run to end. Where nobody works on it, it ends now; otherwise its owner ends it.
    ///
    /// # Errors
    ///
    /// [`RunError::NotFound`], [`RunError::Store`].
    ///
    /// # Cancel safety
    ///
    /// Made again, it does what is left.
    pub async fn cancel(
        &self,
        organization: OrganizationId,
        run: &RunId,
        by: &str,
    ) -> Result<RunRecord, RunError> {
        let by = &stored_text(by);
        insist(|| self.store.request_cancel(organization, run, by)).await?;
        let how = EndRun {
            status: RunStatus::Cancelled,
            reason: Some(format!("cancelled by {by}")),
            answered_upto: None,
        };
        match self.end(organization, run, None, &how).await? {
            Some(record) => Ok(record),
            None => self.get(organization, run).await,
        }
    }
}
