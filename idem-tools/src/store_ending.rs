//! Writes an ending down, and does not give up while the claim's lease lives: the effect is made already.

use crate::envelope::{self, Encoded};
use crate::runtime::Core;
use idem_core::{Answer, Claim, EndLease, Ending, EndingError, OutcomeKind, RepositoryError};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// The first wait between two tries to write an ending; it doubles up to the last.
const WAIT_FIRST: Duration = Duration::from_millis(50);
const WAIT_LAST: Duration = Duration::from_secs(2);

/// Which ending.
#[derive(Clone, Copy)]
pub(crate) enum End<'a> {
    /// The answer is stored.
    Complete(&'a Answer),
    /// The key is given up: no effect was made.
    Release,
    /// As well, and the vendor keeps the failure under the key: the next attempt gets another.
    RaiseEpoch,
    /// Nothing was sent, an earlier attempt stays in doubt, and nobody asks again before this has passed.
    AskAgain(Duration),
}

/// How it went.
pub(crate) enum Ended {
    /// It is written.
    Done,
    /// The journal holds another answer than the one that was to be written: read it.
    ReadAgain,
    /// The store refused the answer's bytes and took this note in their place.
    Noted(Encoded),
    /// The store did not take it while the lease lived.
    NotWritten(Arc<RepositoryError>),
}

pub(crate) async fn end(core: &Core, mut claim: Claim, how: End<'_>) -> Ended {
    let give_up_at = claim.lease_ends();
    let mut wait = WAIT_FIRST;
    loop {
        let error = match once(core, claim, how).await {
            Ok(Ending::Done) => return Ended::Done,
            Ok(Ending::LeaseLost) => return Ended::ReadAgain,
            Err(error) => error,
        };
        tracing::warn!(error = %error.source, "an ending was not written");
        // A primary that fails over is read-only for a moment.
        let waits = matches!(error.source, RepositoryError::ReadOnly(_));
        if !error.source.is_transient() && !waits {
            return refused(core, error, how).await;
        }
        if Instant::now() + wait >= give_up_at {
            return Ended::NotWritten(Arc::new(error.source));
        }
        tokio::time::sleep(wait).await;
        wait = (wait * 2).min(WAIT_LAST);
        claim = *error.claim;
    }
}

/// A store that refuses the bytes of an answer takes a note in their place: a row that cannot be completed would make
/// every later caller do it again (R17).
async fn refused(core: &Core, error: EndingError, how: End<'_>) -> Ended {
    let End::Complete(answer) = how else {
        return Ended::NotWritten(Arc::new(error.source));
    };
    let bytes = answer.response().map(|response| &*response.bytes);
    let text = bytes.and_then(|bytes| std::str::from_utf8(bytes).ok());
    let note = match answer.kind() {
        OutcomeKind::OutcomeUnknown => envelope::outcome_unknown("the store refused to say more"),
        _ => envelope::not_stored("the store refused it", text),
    };
    match once(core, *error.claim, End::Complete(&note.answer)).await {
        Ok(Ending::Done) => Ended::Noted(note),
        Ok(Ending::LeaseLost) => Ended::ReadAgain,
        Err(_) => Ended::NotWritten(Arc::new(error.source)),
    }
}

async fn once(core: &Core, claim: Claim, how: End<'_>) -> Result<Ending, EndingError> {
    match how {
        End::Complete(answer) => core.service.complete(claim, answer).await,
        End::Release => core.service.release(claim).await,
        End::RaiseEpoch => {
            let how = EndLease {
                clear_mark: true,
                // The vendor answered for the very key of the earlier attempts: they made no effect either.
                clear_doubt: true,
                raise_epoch: true,
                ..EndLease::default()
            };
            core.service.end_lease(claim, how).await
        }
        End::AskAgain(after) => {
            let how = EndLease {
                clear_mark: true,
                after,
                ..EndLease::default()
            };
            core.service.end_lease(claim, how).await
        }
    }
}
