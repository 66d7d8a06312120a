//! A run that this process owns, by a lease that a timer renews (R51).

use super::error::HarnessError;
use idem_core::OrganizationId;
use idem_core::identity::RunId;
use idem_core::runs::{RunDesk, RunRecord, SegmentToken};
use std::sync::{Arc, OnceLock};
use std::time::Duration;
use tokio::task::JoinHandle;
use tokio::time::{Instant, sleep, timeout_at};
use tokio_util::sync::CancellationToken;

/// How many times a lease is renewed in its length.
const RENEWALS: u32 = 3;

/// A run under this process's lease. Dropping it ends the renewals: the lease then runs out.
#[derive(Debug)]
pub(crate) struct Owned {
    pub(crate) organization: OrganizationId,
    pub(crate) run: RunId,
    pub(crate) token: SegmentToken,
    /// Fires when the lease is lost, or may be.
    pub(crate) lost: CancellationToken,
    /// Fires when somebody asked the run to end.
    pub(crate) cancelled: CancellationToken,
    /// Who that was.
    cancelled_by: Arc<OnceLock<String>>,
    renewal: JoinHandle<()>,
}

impl Owned {
    /// Takes a run.
    pub(crate) async fn take(
        desk: &RunDesk,
        (organization, run): (OrganizationId, &RunId),
        lease: Duration,
    ) -> Result<(Self, RunRecord), HarnessError> {
        // Before the statement: the store's lease begins later than this.
        let taken_at = Instant::now();
        let (record, token) = desk.take(organization, run, lease).await?;
        let (lost, cancelled) = (CancellationToken::new(), CancellationToken::new());
        let cancelled_by = Arc::new(OnceLock::new());
        let renewer = Renewer {
            desk: desk.clone(),
            organization,
            run: run.clone(),
            token,
            lease,
            lost: lost.clone(),
            cancelled: cancelled.clone(),
            cancelled_by: cancelled_by.clone(),
        };
        let owned = Self {
            organization,
            run: run.clone(),
            token,
            lost,
            cancelled,
            cancelled_by,
            renewal: tokio::spawn(renewer.renew(taken_at + lease)),
        };
        Ok((owned, record))
    }

    /// Whether the run is still this process's to work on.
    pub(crate) fn check(&self) -> Result<(), HarnessError> {
        if self.lost.is_cancelled() {
            return Err(HarnessError::SegmentLost(self.run.clone()));
        }
        Ok(())
    }

    /// Who asked the run to end, where the last renewal said so.
    pub(crate) fn cancelled_by(&self) -> Option<&str> {
        self.cancelled_by.get().map(String::as_str)
    }
}

impl Drop for Owned {
    fn drop(&mut self) {
        self.renewal.abort();
    }
}

struct Renewer {
    desk: RunDesk,
    organization: OrganizationId,
    run: RunId,
    token: SegmentToken,
    lease: Duration,
    lost: CancellationToken,
    cancelled: CancellationToken,
    cancelled_by: Arc<OnceLock<String>>,
}

impl Renewer {
    /// Renews until the lease is lost: by the store's word, or because the store did not say in time.
    async fn renew(self, mut until: Instant) {
        let mut wait = self.lease / RENEWALS;
        loop {
            sleep(wait).await;
            let asked = Instant::now();
            let store = self.desk.store();
            let renewed = store.renew_segment(self.organization, &self.run, self.token, self.lease);
            match timeout_at(until, renewed).await {
                Ok(Ok(Some(record))) => {
                    until = asked + self.lease;
                    wait = self.lease / RENEWALS;
                    if let Some(by) = record.cancel_requested_by {
                        // The first who asked is kept.
                        let _ = self.cancelled_by.set(by);
                        self.cancelled.cancel();
                    }
                }
                Ok(Err(error)) if Instant::now() < until => {
                    tracing::warn!(%error, run = %self.run, "a run's lease was not renewed; it is tried again");
                    wait = self.lease / (RENEWALS * 4);
                }
                Ok(Ok(None) | Err(_)) | Err(_) => {
                    tracing::warn!(run = %self.run, "a run's lease was lost");
                    self.lost.cancel();
                    return;
                }
            }
        }
    }
}
