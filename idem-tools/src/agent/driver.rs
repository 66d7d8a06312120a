//! The driver for a plain process: it resumes what can be resumed.

use super::error::HarnessError;
use super::harness::AgentHarness;
use super::outcome::SegmentOutcome;
use idem_core::identity::RunId;
use idem_core::runs::{RunError, RunRecord};
use idem_core::{OrganizationId, insist};
use std::collections::HashSet;
use std::time::Duration;
use tokio::task::JoinSet;
use tokio::time::{Instant, sleep_until};
use tokio_util::sync::CancellationToken;

/// How often a driver looks for runs at least: so long may a decision go unnoticed (R46).
pub const POLL_MAX: Duration = Duration::from_secs(2);

/// How many runs a driver works on at the same time, unless it is told otherwise.
const PARALLEL_RUNS: usize = 8;

/// Looks for runs that can go on, and works on them: ready ones, waiting ones about which somebody decided, idle ones
/// with a message, and those that should end. Any number of drivers, in any number of processes, may share a store.
#[derive(Clone, Debug)]
pub struct Driver {
    harness: AgentHarness,
    organization: Option<OrganizationId>,
    parallel: usize,
    poll: Duration,
}

/// The end of one segment, of whichever run.
type Ended = (
    (OrganizationId, RunId),
    Result<SegmentOutcome, HarnessError>,
);

impl AgentHarness {
    /// A driver of this harness's runs, of all tenants.
    #[must_use]
    pub fn driver(&self) -> Driver {
        Driver {
            harness: self.clone(),
            organization: None,
            parallel: PARALLEL_RUNS,
            poll: POLL_MAX,
        }
    }
}

impl Driver {
    /// Of this tenant's runs only.
    #[must_use]
    pub fn of(mut self, organization: OrganizationId) -> Self {
        self.organization = Some(organization);
        self
    }

    /// How many runs it works on at the same time, at least one.
    #[must_use]
    pub fn parallel_runs(mut self, runs: usize) -> Self {
        self.parallel = runs.max(1);
        self
    }

    /// How often it looks for runs, at most every [`POLL_MAX`].
    #[must_use]
    pub fn poll(mut self, poll: Duration) -> Self {
        self.poll = poll.min(POLL_MAX);
        self
    }

    /// Works until no run can go on now: each waits, rests, or has ended. Says how many segments it ran.
    ///
    /// # Errors
    ///
    /// [`HarnessError::Store`], where runs cannot be looked for. What goes wrong in a run is logged and left to its next
    /// segment.
    ///
    /// # Cancel safety
    ///
    /// As [`AgentHarness::segment`].
    pub async fn until_nothing_is_ready(&self) -> Result<usize, HarnessError> {
        let (mut busy, mut tasks, mut ran) = (HashSet::new(), JoinSet::new(), 0);
        loop {
            self.begin(&mut busy, &mut tasks).await?;
            match tasks.join_next().await {
                Some(Ok((run, outcome))) => {
                    note(&run.1, &outcome);
                    busy.remove(&run);
                    ran += 1;
                }
                // A segment that panicked: its lease runs out.
                Some(Err(_)) => ran += 1,
                None => return Ok(ran),
            }
        }
    }

    /// Works until the token fires, then lets the segments under way come to their ends.
    ///
    /// # Cancel safety
    ///
    /// As [`AgentHarness::segment`].
    pub async fn until(&self, stop: &CancellationToken) {
        let (mut busy, mut tasks) = (HashSet::new(), JoinSet::new());
        while !stop.is_cancelled() {
            let next_look = Instant::now() + self.poll;
            if let Err(error) = self.begin(&mut busy, &mut tasks).await {
                tracing::warn!(%error, "runs could not be looked for");
            }
            tokio::select! {
                () = stop.cancelled() => {}
                () = sleep_until(next_look) => {}
                Some(joined) = tasks.join_next(), if !tasks.is_empty() => {
                    if let Ok((run, outcome)) = joined {
                        note(&run.1, &outcome);
                        busy.remove(&run);
                    }
                }
            }
        }
        while tasks.join_next().await.is_some() {}
    }

    /// Begins segments for runs that are ready, up to the bound.
    async fn begin(
        &self,
        busy: &mut HashSet<(OrganizationId, RunId)>,
        tasks: &mut JoinSet<Ended>,
    ) -> Result<(), HarnessError> {
        let free = self.parallel.saturating_sub(tasks.len());
        if free == 0 {
            return Ok(());
        }
        let rows_max = u32::try_from(self.parallel + free).unwrap_or(u32::MAX);
        let store = self.harness.core.runs.store();
        let ready = insist(|| store.ready_runs(self.organization, rows_max)).await?;
        let is_free =
            |record: &RunRecord| !busy.contains(&(record.organization, record.run.clone()));
        let free: Vec<_> = ready.into_iter().filter(is_free).take(free).collect();
        for record in free {
            let run = (record.organization, record.run);
            busy.insert(run.clone());
            let harness = self.harness.clone();
            tasks.spawn(async move {
                let outcome = harness.segment(run.0, &run.1).await;
                (run, outcome)
            });
        }
        Ok(())
    }
}

fn note(run: &RunId, outcome: &Result<SegmentOutcome, HarnessError>) {
    match outcome {
        Ok(outcome) => tracing::info!(%run, outcome = outcome.word(), "a segment is over"),
        // Another driver was quicker.
        Err(HarnessError::Run(error))
            if matches!(
                **error,
                RunError::SegmentInFlight { .. } | RunError::Ended(_)
            ) => {}
        Err(error) => tracing::warn!(%run, %error, "a segment came to no outcome"),
    }
}
