//! A repository between the service and the store that misbehaves on request: it loses replies, does not answer, or
//! loses every race.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use async_trait::async_trait;
use idem_core::{
    Answer, ClaimId, ClaimKey, EndLease, Held, IdempotencyRepository, LeaseTerms, LeaseToken,
    Probe, Record, RepositoryError, Request, Settlement, Store, SweepReport, TakeOver,
};
use time::OffsetDateTime;

/// A verb of the repository.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Call {
    TryClaim,
    Reclaim,
    Get,
    Complete,
    Release,
    EndLease,
    Mark,
    Record,
    TakeOver,
}

/// What goes wrong with a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fault {
    /// It is carried out and committed, and the reply is lost.
    ReplyLost,
    /// It never arrives.
    NoAnswer,
    /// It is carried out, and the store says that it refused it: not to be asked again.
    Refused,
    /// Somebody else is always faster: zero rows, and nothing is done.
    Outrun,
}

/// As often as it is asked.
pub(crate) const FOR_EVER: u32 = u32::MAX;

/// The store under test behind a list of faults. It counts every call.
#[derive(Debug)]
pub(crate) struct Lossy {
    inner: Arc<dyn Store>,
    faults: Mutex<HashMap<Call, (Fault, u32)>>,
    calls: Mutex<HashMap<Call, u32>>,
}

impl Lossy {
    pub(crate) fn new(inner: Arc<dyn Store>) -> Arc<Self> {
        Arc::new(Self {
            inner,
            faults: Mutex::default(),
            calls: Mutex::default(),
        })
    }

    /// The next `times` calls of this verb go wrong.
    pub(crate) fn plan(&self, call: Call, fault: Fault, times: u32) {
        let mut faults = self.faults.lock().expect("the faults");
        faults.insert(call, (fault, times));
    }

    /// Every call is answered again.
    pub(crate) fn mend(&self) {
        self.faults.lock().expect("the faults").clear();
    }

    /// How often a verb was asked.
    pub(crate) fn calls(&self, call: Call) -> u32 {
        let calls = self.calls.lock().expect("the counts");
        calls.get(&call).copied().unwrap_or(0)
    }

    /// Counts a call and takes its fault.
    fn fault(&self, call: Call) -> Option<Fault> {
        *self
            .calls
            .lock()
            .expect("the counts")
            .entry(call)
            .or_default() += 1;
        let mut faults = self.faults.lock().expect("the faults");
        let (fault, left) = faults.get_mut(&call).filter(|(_, left)| *left > 0)?;
        if *left != FOR_EVER {
            *left -= 1;
        }
        Some(*fault)
    }

    /// Carries a call out, or not, and answers as the plan says.
    async fn pass<Reply>(
        &self,
        call: Call,
        zero_rows: Reply,
        carried_out: impl Future<Output = Result<Reply, RepositoryError>>,
    ) -> Result<Reply, RepositoryError> {
        match self.fault(call) {
            None => carried_out.await,
            Some(Fault::Outrun) => Ok(zero_rows),
            Some(Fault::NoAnswer) => Err(RepositoryError::Unavailable("no answer".into())),
            Some(Fault::ReplyLost) => {
                carried_out.await?;
                Err(RepositoryError::Unavailable("the reply was lost".into()))
            }
            Some(Fault::Refused) => {
                carried_out.await?;
                Err(RepositoryError::Refused("as the test says".into()))
            }
        }
    }
}

#[async_trait]
impl IdempotencyRepository for Lossy {
    async fn try_claim(
        &self,
        request: &Request,
        id: ClaimId,
        terms: &LeaseTerms,
    ) -> Result<Option<Record>, RepositoryError> {
        let work = self.inner.try_claim(request, id, terms);
        self.pass(Call::TryClaim, None, work).await
    }

    async fn reclaim(
        &self,
        request: &Request,
        seen: LeaseToken,
        terms: &LeaseTerms,
    ) -> Result<Option<Record>, RepositoryError> {
        let work = self.inner.reclaim(request, seen, terms);
        self.pass(Call::Reclaim, None, work).await
    }

    async fn get(&self, key: &ClaimKey) -> Result<Option<Record>, RepositoryError> {
        self.pass(Call::Get, None, self.inner.get(key)).await
    }

    async fn complete(
        &self,
        held: &Held,
        answer: &Answer,
    ) -> Result<Option<OffsetDateTime>, RepositoryError> {
        let work = self.inner.complete(held, answer);
        self.pass(Call::Complete, None, work).await
    }

    async fn release(&self, held: &Held) -> Result<bool, RepositoryError> {
        let work = self.inner.release(held);
        self.pass(Call::Release, false, work).await
    }

    async fn end_lease(&self, held: &Held, how: EndLease) -> Result<bool, RepositoryError> {
        let work = self.inner.end_lease(held, how);
        self.pass(Call::EndLease, false, work).await
    }

    async fn mark_dispatched(&self, held: &Held) -> Result<Option<Duration>, RepositoryError> {
        let work = self.inner.mark_dispatched(held);
        self.pass(Call::Mark, None, work).await
    }

    async fn record(
        &self,
        request: &Request,
        id: ClaimId,
        token: LeaseToken,
        answer: &Answer,
    ) -> Result<Option<Record>, RepositoryError> {
        let work = self.inner.record(request, id, token, answer);
        self.pass(Call::Record, None, work).await
    }

    async fn take_over(
        &self,
        request: &Request,
        take: &TakeOver,
        terms: &LeaseTerms,
    ) -> Result<Option<Record>, RepositoryError> {
        let work = self.inner.take_over(request, take, terms);
        self.pass(Call::TakeOver, None, work).await
    }

    async fn settle(
        &self,
        key: &ClaimKey,
        settlement: &Settlement,
    ) -> Result<Option<Record>, RepositoryError> {
        self.inner.settle(key, settlement).await
    }

    async fn sweep(&self, rows_max: u32) -> Result<SweepReport, RepositoryError> {
        self.inner.sweep(rows_max).await
    }

    async fn probe(&self) -> Result<Probe, RepositoryError> {
        self.inner.probe().await
    }
}
