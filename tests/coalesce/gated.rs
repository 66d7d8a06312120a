//! The store under test behind a gate: a statement of a listed verb waits until the case lets it through. It writes
//! down which statements came, and with how many rows.

use idem_core::{
    Answer, ClaimId, ClaimKey, EndLease, Held, IdempotencyRepository, LeaseTerms, LeaseToken,
    OrganizationId, Probe, Record, RepositoryError, Request, Settlement, Store, SweepReport,
    TakeOver, TurnRepository,
};
use std::sync::{Arc, Mutex};
use std::time::Duration;
use time::OffsetDateTime;
use tokio::sync::{Notify, Semaphore};

#[derive(Debug)]
pub(crate) struct Gated {
    inner: Arc<dyn Store>,
    gate: Semaphore,
    seen: Mutex<Vec<(&'static str, usize)>>,
    came: Notify,
    lost: Mutex<Option<&'static str>>,
}

impl Gated {
    pub(crate) fn shut(inner: Arc<dyn Store>) -> Arc<Self> {
        Arc::new(Self {
            inner,
            gate: Semaphore::new(0),
            seen: Mutex::default(),
            came: Notify::new(),
            lost: Mutex::default(),
        })
    }

    pub(crate) fn open(inner: Arc<dyn Store>) -> Arc<Self> {
        let gated = Self::shut(inner);
        gated.let_through_all();
        gated
    }

    pub(crate) fn let_through_all(&self) {
        self.gate.add_permits(Semaphore::MAX_PERMITS / 2);
    }

    /// The reply of the next statement of this verb is lost, after its commit.
    pub(crate) fn lose_reply_of(&self, verb: &'static str) {
        *self.lost.lock().unwrap() = Some(verb);
    }

    /// The statements that came, with their rows.
    pub(crate) fn seen(&self) -> Vec<(&'static str, usize)> {
        self.seen.lock().unwrap().clone()
    }

    pub(crate) fn seen_of(&self, verb: &str) -> Vec<usize> {
        let seen = self.seen();
        let of = seen.iter().filter(|(name, _)| *name == verb);
        of.map(|(_, rows)| *rows).collect()
    }

    /// Waits until so many statements came.
    pub(crate) async fn wait_for(&self, statements: usize) {
        loop {
            let came = self.came.notified();
            if self.seen().len() >= statements {
                return;
            }
            came.await;
        }
    }

    async fn pass<Reply>(
        &self,
        verb: &'static str,
        rows: usize,
        statement: impl Future<Output = Result<Reply, RepositoryError>>,
    ) -> Result<Reply, RepositoryError> {
        self.seen.lock().unwrap().push((verb, rows));
        self.came.notify_waiters();
        self.gate.acquire().await.expect("an open gate").forget();
        let reply = statement.await?;
        if self
            .lost
            .lock()
            .unwrap()
            .take_if(|lost| *lost == verb)
            .is_some()
        {
            return Err(RepositoryError::Unavailable("the reply was lost".into()));
        }
        Ok(reply)
    }

    async fn one<Reply>(
        &self,
        verb: &'static str,
        statement: impl Future<Output = Result<Reply, RepositoryError>>,
    ) -> Result<Reply, RepositoryError> {
        self.pass(verb, 1, statement).await
    }
}

idem_core::delegate_cards!(Gated, inner);

idem_core::pass_on! { TurnRepository for Gated, [inner], {
    fn turn_age(o: OrganizationId, turn: &idem_core::identity::LogicalTurn) -> Duration;
}}

idem_core::pass_on! { IdempotencyRepository for Gated, [one around inner], {
    fn try_claim(r: &Request, id: ClaimId, terms: &LeaseTerms) -> Option<Record>;
    fn reclaim(r: &Request, seen: LeaseToken, terms: &LeaseTerms) -> Option<Record>;
    fn get(key: &ClaimKey) -> Option<Record>;
    fn complete(held: &Held, answer: &Answer) -> Option<OffsetDateTime>;
    fn release(held: &Held) -> bool;
    fn end_lease(held: &Held, how: EndLease) -> bool;
    fn mark_dispatched(held: &Held) -> Option<Duration>;
    fn record(r: &Request, id: ClaimId, token: LeaseToken, answer: &Answer) -> Option<Record>;
    fn take_over(r: &Request, take: &TakeOver, terms: &LeaseTerms) -> Option<Record>;
    fn settle(key: &ClaimKey, settlement: &Settlement) -> Option<Record>;
    fn sweep(rows_max: u32) -> SweepReport;
    fn probe() -> Probe;
    fn get_many(keys: &[ClaimKey]) -> Vec<Option<Record>>, by [pass(keys.len()) around inner];
    fn try_claim_many(claims: &[(Request, ClaimId, LeaseTerms)]) -> Vec<Option<Record>>, by [pass(claims.len()) around inner];
    fn complete_many(endings: &[(Held, Answer)]) -> Vec<Option<OffsetDateTime>>, by [pass(endings.len()) around inner];
    fn release_many(held: &[Held]) -> Vec<bool>, by [pass(held.len()) around inner];
}}
