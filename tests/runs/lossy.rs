//! The verbs on runs of a store that loses a reply, or does not hear, where the case says so.

use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use async_trait::async_trait;
use idem_core::identity::{MessageId, RunId};
use idem_core::runs::{
    BegunTurn, EndRun, LeaveAs, NewMessage, NewRun, RunRecord, RunRepository, RunTurn,
    SegmentToken, StartKey, StoredMessage,
};
use idem_core::{OrganizationId, RepositoryError, Store};

/// What goes wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fault {
    /// It is carried out and committed, and the reply is lost.
    ReplyLost,
    /// It never arrives.
    NoAnswer,
}

/// The store under test behind a list of verbs that go wrong once. It counts the verbs that write.
#[derive(Debug)]
pub(crate) struct Lossy {
    inner: Arc<dyn Store>,
    fault: Fault,
    broken: Mutex<HashSet<&'static str>>,
    calls: Mutex<HashMap<&'static str, u32>>,
}

impl Lossy {
    pub(crate) fn new(inner: Arc<dyn Store>, fault: Fault) -> Arc<Self> {
        Arc::new(Self {
            inner,
            fault,
            broken: Mutex::default(),
            calls: Mutex::default(),
        })
    }

    /// The next one of these goes wrong.
    pub(crate) fn break_next(&self, call: &'static str) {
        self.broken.lock().unwrap().insert(call);
    }

    /// How often a verb was asked.
    pub(crate) fn calls(&self, call: &'static str) -> u32 {
        self.calls.lock().unwrap().get(call).copied().unwrap_or(0)
    }

    async fn pass<Reply>(
        &self,
        call: &'static str,
        carried_out: impl Future<Output = Result<Reply, RepositoryError>>,
    ) -> Result<Reply, RepositoryError> {
        *self.calls.lock().unwrap().entry(call).or_default() += 1;
        if !self.broken.lock().unwrap().remove(call) {
            return carried_out.await;
        }
        if self.fault == Fault::ReplyLost {
            carried_out.await?;
        }
        Err(RepositoryError::Unavailable("the reply was lost".into()))
    }
}

#[async_trait]
impl RunRepository for Lossy {
    async fn admit_run(&self, run: &NewRun) -> Result<Option<RunRecord>, RepositoryError> {
        let asked = self.inner.admit_run(run);
        self.pass("admit", asked).await
    }

    async fn run(
        &self,
        organization: OrganizationId,
        run: &RunId,
    ) -> Result<Option<RunRecord>, RepositoryError> {
        self.inner.run(organization, run).await
    }

    async fn run_of_start(
        &self,
        organization: OrganizationId,
        key: &StartKey,
    ) -> Result<Option<RunRecord>, RepositoryError> {
        self.inner.run_of_start(organization, key).await
    }

    async fn ready_runs(
        &self,
        organization: Option<OrganizationId>,
        rows_max: u32,
    ) -> Result<Vec<RunRecord>, RepositoryError> {
        self.inner.ready_runs(organization, rows_max).await
    }

    async fn take_segment(
        &self,
        organization: OrganizationId,
        run: &RunId,
        token: SegmentToken,
        lease: Duration,
    ) -> Result<Option<RunRecord>, RepositoryError> {
        let asked = self.inner.take_segment(organization, run, token, lease);
        self.pass("take", asked).await
    }

    async fn renew_segment(
        &self,
        organization: OrganizationId,
        run: &RunId,
        token: SegmentToken,
        lease: Duration,
    ) -> Result<Option<RunRecord>, RepositoryError> {
        let asked = self.inner.renew_segment(organization, run, token, lease);
        self.pass("renew", asked).await
    }

    async fn leave_segment(
        &self,
        organization: OrganizationId,
        run: &RunId,
        token: SegmentToken,
        how: &LeaveAs,
    ) -> Result<Option<RunRecord>, RepositoryError> {
        let asked = self.inner.leave_segment(organization, run, token, how);
        self.pass("leave", asked).await
    }

    async fn end_run(
        &self,
        organization: OrganizationId,
        run: &RunId,
        token: Option<SegmentToken>,
        how: &EndRun,
    ) -> Result<Option<RunRecord>, RepositoryError> {
        let asked = self.inner.end_run(organization, run, token, how);
        self.pass("end", asked).await
    }

    async fn request_cancel(
        &self,
        organization: OrganizationId,
        run: &RunId,
        by: &str,
    ) -> Result<Option<RunRecord>, RepositoryError> {
        let asked = self.inner.request_cancel(organization, run, by);
        self.pass("cancel", asked).await
    }

    async fn post_message(
        &self,
        organization: OrganizationId,
        run: &RunId,
        message: &NewMessage,
    ) -> Result<Option<StoredMessage>, RepositoryError> {
        let asked = self.inner.post_message(organization, run, message);
        self.pass("post", asked).await
    }

    async fn message(
        &self,
        organization: OrganizationId,
        id: &MessageId,
    ) -> Result<Option<StoredMessage>, RepositoryError> {
        self.inner.message(organization, id).await
    }

    async fn messages(
        &self,
        organization: OrganizationId,
        run: &RunId,
        behind: u32,
    ) -> Result<Vec<StoredMessage>, RepositoryError> {
        self.inner.messages(organization, run, behind).await
    }

    async fn begin_run_turn(
        &self,
        organization: OrganizationId,
        run: &RunId,
        token: SegmentToken,
        turn: &BegunTurn,
    ) -> Result<Option<RunTurn>, RepositoryError> {
        let asked = self.inner.begin_run_turn(organization, run, token, turn);
        self.pass("begin", asked).await
    }

    async fn end_run_turn(
        &self,
        organization: OrganizationId,
        run: &RunId,
        number: u32,
    ) -> Result<Option<RunTurn>, RepositoryError> {
        let asked = self.inner.end_run_turn(organization, run, number);
        self.pass("end_turn", asked).await
    }

    async fn run_turns(
        &self,
        organization: OrganizationId,
        run: &RunId,
    ) -> Result<Vec<RunTurn>, RepositoryError> {
        self.inner.run_turns(organization, run).await
    }

    async fn withdraw_cards_of_run(
        &self,
        organization: OrganizationId,
        run: &RunId,
        reason: &str,
    ) -> Result<u64, RepositoryError> {
        let asked = self.inner.withdraw_cards_of_run(organization, run, reason);
        self.pass("withdraw", asked).await
    }
}
