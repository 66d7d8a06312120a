//! What the cases share: a gated store, groups over it, and calls under way.

use crate::gated::Gated;
use idem_core::coalesce::Coalesced;
use idem_core::identity::request_hash;
use idem_core::{
    Answer, ClaimId, ClaimKey, Held, IdempotencyRepository, LeaseTerms, LeaseToken, OrganizationId,
    OutcomeKind, Record, RepositoryError, Request, Scope, Store, TOOL_RETENTION,
};
use idem_tests::TestStore;
use std::sync::Arc;
use std::time::Duration;
use tokio::task::JoinHandle;

/// Statements of one verb that may be under way at once.
pub(crate) const FLIGHTS: usize = 2;

pub(crate) type Asked<T> = JoinHandle<Result<T, RepositoryError>>;

pub(crate) struct Bench {
    pub(crate) store: Arc<dyn Store>,
    pub(crate) gated: Arc<Gated>,
    pub(crate) grouped: Coalesced,
    pub(crate) organization: OrganizationId,
}

impl Bench {
    /// Groups over a gate that is shut.
    pub(crate) async fn shut(test: &TestStore) -> Self {
        let store = test.open().await;
        let gated = Gated::shut(store.clone());
        let grouped = Coalesced::over(gated.clone());
        let organization = OrganizationId::random();
        Self {
            store,
            gated,
            grouped,
            organization,
        }
    }

    pub(crate) fn request(&self, key: &str) -> Request {
        let scope = Scope::new("tool.email.send").unwrap();
        let key = ClaimKey::from_text(self.organization, scope, key).unwrap();
        Request::new(key, request_hash(r#"{"to":"ann"}"#))
    }

    /// A claim's row, made behind the groups.
    pub(crate) async fn claimed(&self, key: &str) -> Held {
        let terms = terms();
        let row = self
            .store
            .try_claim(&self.request(key), ClaimId::mint(), &terms)
            .await;
        self.held(&row.unwrap().expect("a free key"))
    }

    pub(crate) fn held(&self, row: &Record) -> Held {
        Held {
            organization: self.organization,
            id: row.id,
            token: row.lease_token,
        }
    }

    /// Asks for a key on a task of its own.
    pub(crate) fn ask_get(&self, key: &str) -> Asked<Option<Record>> {
        let (grouped, request) = (self.grouped.clone(), self.request(key));
        tokio::spawn(async move { grouped.get(&request.key).await })
    }

    pub(crate) fn ask_claim(&self, key: &str) -> Asked<Option<Record>> {
        self.ask_claim_of(self.request(key))
    }

    pub(crate) fn ask_claim_of(&self, request: Request) -> Asked<Option<Record>> {
        let grouped = self.grouped.clone();
        tokio::spawn(async move { grouped.try_claim(&request, ClaimId::mint(), &terms()).await })
    }

    pub(crate) fn ask_complete(&self, held: Held, answer: Answer) -> Asked<bool> {
        let grouped = self.grouped.clone();
        tokio::spawn(async move { Ok(grouped.complete(&held, &answer).await?.is_some()) })
    }

    pub(crate) fn ask_release(&self, held: Held) -> Asked<bool> {
        let grouped = self.grouped.clone();
        tokio::spawn(async move { grouped.release(&held).await })
    }

    /// Keeps both ways to the store busy with reads, so that what is asked next has to wait.
    pub(crate) async fn busy_with_gets(&self) -> Vec<Asked<Option<Record>>> {
        self.busy(|number| self.ask_get(&format!("busy {number}")))
            .await
    }

    /// As [`busy_with_gets`](Self::busy_with_gets), with claims.
    pub(crate) async fn busy_with_claims(&self) -> Vec<Asked<Option<Record>>> {
        self.busy(|number| self.ask_claim(&format!("busy {number}")))
            .await
    }

    /// As [`busy_with_gets`](Self::busy_with_gets), with completions.
    pub(crate) async fn busy_with_completions(&self) -> Vec<Asked<bool>> {
        let mut held = Vec::new();
        for number in 0..FLIGHTS {
            held.push(self.claimed(&format!("busy {number}")).await);
        }
        self.busy(|number| self.ask_complete(held[number], text("busy")))
            .await
    }

    /// As [`busy_with_gets`](Self::busy_with_gets), with releases.
    pub(crate) async fn busy_with_releases(&self) -> Vec<Asked<bool>> {
        let mut held = Vec::new();
        for number in 0..FLIGHTS {
            held.push(self.claimed(&format!("busy release {number}")).await);
        }
        self.busy(|number| self.ask_release(held[number])).await
    }

    async fn busy<T>(&self, ask: impl Fn(usize) -> Asked<T>) -> Vec<Asked<T>> {
        let before = self.gated.seen().len();
        let mut busy = Vec::new();
        for number in 0..FLIGHTS {
            busy.push(ask(number));
            self.gated.wait_for(before + number + 1).await;
        }
        busy
    }
}

/// Waits until so many verbs stand in the queues.
pub(crate) async fn settled<T>(tasks: &[Asked<T>], grouped: &Coalesced, waiting: usize) {
    while grouped.waiting() < waiting {
        assert!(
            tasks.iter().all(|task| !task.is_finished()),
            "one did not wait"
        );
        tokio::task::yield_now().await;
    }
}

pub(crate) fn terms() -> LeaseTerms {
    LeaseTerms {
        token: LeaseToken::mint(),
        lease: Duration::from_secs(60),
        retain: TOOL_RETENTION,
        dispatched: true,
    }
}

pub(crate) fn text(text: &str) -> Answer {
    Answer::json(OutcomeKind::Answer, format!("\"{text}\"")).unwrap()
}

pub(crate) async fn all<T>(tasks: Vec<Asked<T>>) -> Vec<T> {
    let mut replies = Vec::new();
    for task in tasks {
        replies.push(task.await.unwrap().expect("an answer"));
    }
    replies
}
