//! The driver for a plain process: it resumes what can be resumed.

use super::error::HarnessError;
use super::harness::AgentHarness;
use super::outcome::SegmentOutcome;
use idem_core::identity::RunId;
use idem_core::runs::{RunError, RunRecord};
use idem_core::{OrganizationId, insist};
use std::collections::HashMap;
use std::time::Duration;
use tokio::task::{Id, JoinError, JoinSet};
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

/// The segments under way, and whose they are.
#[derive(Default)]
struct Working {
    tasks: JoinSet<Result<SegmentOutcome, HarnessError>>,
    runs: HashMap<Id, (OrganizationId, RunId)>,
}

impl Working {
    fn on(&self, record: &RunRecord) -> bool {
        let is_it = |(organization, run): &(OrganizationId, RunId)| {
            *organization == record.organization && *run == record.run
        };
        self.runs.values().any(is_it)
    }

    fn begin(&mut self, harness: AgentHarness, record: RunRecord) {
        let (organization, run) = (record.organization, record.run);
        let its = run.clone();
        let task = async move { harness.segment(organization, &its).await };
        self.runs
            .insert(self.tasks.spawn(task).id(), (organization, run));
    }

    /// Waits for the end of a segment. `None`: there is none.
    async fn one_ends(&mut self) -> Option<()> {
        let joined = self.tasks.join_next_with_id().await?;
        let id = match &joined {
            Ok((id, _)) => *id,
            Err(error) => error.id(),
        };
        if let Some((_, run)) = self.runs.remove(&id) {
            note(&run, joined.map(|(_, outcome)| outcome));
        }
        Some(())
    }
}

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
        let (mut working, mut ran) = (Working::default(), 0);
        loop {
            self.begin(&mut working).await?;
            if working.one_ends().await.is_none() {
                return Ok(ran);
            }
            ran += 1;
        }
    }

    /// Works until the token fires, then lets the segments under way come to their ends.
    ///
    /// # Cancel safety
    ///
    /// As [`AgentHarness::segment`].
    pub async fn until(&self, stop: &CancellationToken) {
        let mut working = Working::default();
        while !stop.is_cancelled() {
            let next_look = Instant::now() + self.poll;
            if let Err(error) = self.begin(&mut working).await {
                tracing::warn!(%error, "runs could not be looked for");
            }
            tokio::select! {
                () = stop.cancelled() => {}
                () = sleep_until(next_look) => {}
                Some(()) = working.one_ends() => {}
            }
        }
        while working.one_ends().await.is_some() {}
    }

    /// Begins segments for runs that are ready, up to the bound.
    async fn begin(&self, working: &mut Working) -> Result<(), HarnessError> {
        let free = self.parallel.saturating_sub(working.tasks.len());
        if free == 0 {
            return Ok(());
        }
        let rows_max = u32::try_from(self.parallel + free).unwrap_or(u32::MAX);
        let store = self.harness.core.runs.store();
        let ready = insist(|| store.ready_runs(self.organization, rows_max)).await?;
        let mut free = free;
        for record in ready {
            if free > 0 && !working.on(&record) {
                working.begin(self.harness.clone(), record);
                free -= 1;
            }
        }
        Ok(())
    }
}

fn note(run: &RunId, ended: Result<Result<SegmentOutcome, HarnessError>, JoinError>) {
    match ended {
        Ok(Ok(outcome)) => tracing::info!(%run, outcome = outcome.word(), "a segment is over"),
        // Another driver was quicker.
        Ok(Err(HarnessError::Run(error)))
            if matches!(
                *error,
                RunError::SegmentInFlight { .. } | RunError::Ended(_)
            ) => {}
        Ok(Err(error)) => tracing::warn!(%run, %error, "a segment came to no outcome"),
        Err(error) => tracing::error!(%run, %error, "a segment panicked; its lease runs out"),
    }
}
