//! What the cases share: a plane over the store under test, requests, and looks at rows.

use std::collections::BTreeMap;
use std::future::Future;
use std::sync::Arc;
use std::time::Duration;

use idem_core::identity::request_hash;
use idem_core::states::RowState;
use idem_core::{
    Answer, Claim, ClaimId, ClaimKey, ClaimOutcome, Ending, Held, IdempotencyRepository,
    IdempotencyService, InFlight, LeaseTerms, LeaseToken, OrganizationId, OutcomeKind, Record,
    Request, Scope, Store, StoredAnswer, TOOL_RETENTION,
};
use idem_tests::{StoreKind, TestStore};
use tokio::sync::Barrier;

/// The lease that the cases ask for.
pub(crate) const LEASE: Duration = Duration::from_secs(60);
/// The retention of a tool's scope and a minute: a row aged by it is forgotten.
pub(crate) const FORGOTTEN: Duration = Duration::from_secs(30 * 24 * 60 * 60 + 60);
/// The content of every request, unless a case asks for [`Plane::other`].
const CONTENT: &str = r#"{"to":"ann"}"#;
const OTHER_CONTENT: &str = r#"{"to":"bob"}"#;

/// A plane over one store, for one tenant.
#[derive(Clone, Debug)]
pub(crate) struct Plane {
    pub(crate) store: TestStore,
    pub(crate) repository: Arc<dyn Store>,
    pub(crate) service: IdempotencyService,
    pub(crate) organization: OrganizationId,
    pub(crate) scope: Scope,
}

impl Plane {
    pub(crate) async fn open(store: TestStore) -> Self {
        let repository = store.open().await;
        Self::over(store, repository)
    }

    /// A plane over a store that is open already.
    pub(crate) fn over(store: TestStore, repository: Arc<dyn Store>) -> Self {
        Self {
            store,
            service: IdempotencyService::new(repository.clone()),
            repository,
            organization: OrganizationId::random(),
            scope: Scope::new("tool.email.send").expect("a scope"),
        }
    }

    /// The same plane, whose service asks another repository.
    pub(crate) fn service_over<R: IdempotencyRepository + 'static>(
        &self,
        repository: &Arc<R>,
    ) -> IdempotencyService {
        IdempotencyService::new(repository.clone())
    }

    pub(crate) fn key(&self, text: &str) -> ClaimKey {
        ClaimKey::from_text(self.organization, self.scope.clone(), text).expect("a key")
    }

    /// A request whose claim says itself that the effect may begin.
    pub(crate) fn request(&self, key: &str) -> Request {
        Request::new(self.key(key), request_hash(CONTENT))
    }

    /// The same identity and content, of a tool that marks its own dispatch.
    pub(crate) fn marking(&self, key: &str) -> Request {
        let mut request = self.request(key);
        request.marks_dispatch = true;
        request
    }

    /// The same identity with other content.
    pub(crate) fn other(&self, key: &str) -> Request {
        Request::new(self.key(key), request_hash(OTHER_CONTENT))
    }

    /// Claims a key that is free or whose owner vanished.
    pub(crate) async fn claimed(&self, request: &Request) -> Claim {
        owned(self.service.claim(request, LEASE).await.expect("a claim"))
    }

    /// Claims a key and completes it.
    pub(crate) async fn completed(&self, request: &Request, answer: &Answer) {
        let claim = self.claimed(request).await;
        let ending = self.service.complete(claim, answer).await.expect("an end");
        assert_eq!(ending, Ending::Done);
    }

    pub(crate) async fn row(&self, request: &Request) -> Record {
        let row = self.repository.get(&request.key).await.expect("a look");
        row.expect("a row")
    }

    pub(crate) async fn state(&self, request: &Request) -> RowState {
        let row = self.repository.get(&request.key).await.expect("a look");
        RowState::of(row.as_ref())
    }

    /// What the row's owner shows, whoever it is.
    pub(crate) async fn held(&self, request: &Request) -> Held {
        let row = self.row(request).await;
        Held {
            organization: request.key.organization(),
            id: row.id,
            token: row.lease_token,
        }
    }

    /// Moves a row back in time.
    pub(crate) async fn age(&self, request: &Request, by: Duration) {
        self.store.age_key(&request.key, by).await;
    }

    /// Lets the row's lease pass.
    pub(crate) async fn lapse(&self, request: &Request) {
        self.age(request, LEASE).await;
    }

    /// Every column of every row, by row id: two equal snapshots, and nothing was written between.
    pub(crate) async fn snapshot(&self) -> BTreeMap<String, Vec<Option<String>>> {
        let mut tables = BTreeMap::new();
        for table in ["idempotency_keys", "turns"] {
            // On PostgreSQL with the row's version, so that a write of equal values shows too.
            let postgres =
                format!("SELECT concat(t.ctid, t.xmin, t::text) FROM agent.{table} t ORDER BY 1");
            let columns = match self.store.kind {
                StoreKind::Postgres => Vec::new(),
                StoreKind::Sqlite => {
                    let names = format!("SELECT name FROM pragma_table_info('agent_{table}')");
                    self.store.texts("", &names).await
                }
            };
            let quoted = columns
                .iter()
                .flatten()
                .map(|name| format!("quote({name})"));
            let row = quoted.collect::<Vec<_>>().join(" || ',' || ");
            let sqlite = format!("SELECT {row} FROM agent_{table} ORDER BY 1");
            tables.insert(table.to_owned(), self.store.texts(&postgres, &sqlite).await);
        }
        tables
    }
}

/// The claim in an outcome.
pub(crate) fn owned(outcome: ClaimOutcome) -> Claim {
    match outcome {
        ClaimOutcome::Claimed(claim) => claim,
        other => panic!("the key was not claimed: {other:?}"),
    }
}

/// The owner at work in an outcome.
pub(crate) fn in_flight(outcome: ClaimOutcome) -> InFlight {
    match outcome {
        ClaimOutcome::Processing(in_flight) => in_flight,
        other => panic!("nobody else is at work: {other:?}"),
    }
}

/// The answer in an outcome.
pub(crate) fn answered(outcome: ClaimOutcome) -> Box<StoredAnswer> {
    match outcome {
        ClaimOutcome::Completed(answer) => answer,
        other => panic!("there is no answer: {other:?}"),
    }
}

/// A JSON answer.
pub(crate) fn answer(text: &str) -> Answer {
    Answer::json(OutcomeKind::Answer, text).expect("a small answer")
}

/// The answer that nobody knows whether the effect happened.
pub(crate) fn outcome_unknown() -> Answer {
    Answer::json(OutcomeKind::OutcomeUnknown, "{}").expect("a small answer")
}

/// The bytes of an answer, as text.
pub(crate) fn text(answer: &StoredAnswer) -> String {
    let response = answer.response.as_ref().expect("a response");
    String::from_utf8(response.bytes.to_vec()).expect("text")
}

/// What a fresh attempt asks for.
pub(crate) fn terms() -> LeaseTerms {
    LeaseTerms {
        token: LeaseToken::mint(),
        lease: LEASE,
        retain: TOOL_RETENTION,
        dispatched: true,
    }
}

/// A row's whole content except for the two durations, which shrink while one looks.
pub(crate) fn content(row: &Record) -> Record {
    Record {
        lease_left: Duration::ZERO,
        epoch_age: row.epoch_age.map(|_| Duration::ZERO),
        ..row.clone()
    }
}

/// Asserts that two looks saw the same row.
pub(crate) fn assert_same(before: &Record, after: &Record) {
    let [before, after] = [before, after].map(|row| format!("{:?}", content(row)));
    assert_eq!(before, after);
}

/// The claim's token does not show in `Debug`, so it is compared apart.
pub(crate) fn assert_untouched(before: &Record, after: &Record) {
    assert_same(before, after);
    assert_eq!(before.lease_token, after.lease_token);
}

/// A new row id.
pub(crate) fn new_id() -> ClaimId {
    ClaimId::mint()
}

/// Runs `racers` tasks that start together; their results in order.
pub(crate) async fn race<Output, Running>(
    racers: usize,
    start: impl Fn(usize) -> Running,
) -> Vec<Output>
where
    Output: Send + 'static,
    Running: Future<Output = Output> + Send + 'static,
{
    let line = Arc::new(Barrier::new(racers));
    let tasks: Vec<_> = (0..racers)
        .map(|number| {
            let (line, racer) = (line.clone(), start(number));
            tokio::spawn(async move {
                line.wait().await;
                racer.await
            })
        })
        .collect();
    let mut outputs = Vec::with_capacity(racers);
    for task in tasks {
        outputs.push(task.await.expect("a racer that ends"));
    }
    outputs
}
