//! The store's own word on what a run used.

use idem_core::identity::{IdempotencyKey, KeyKind, LogicalTurn, RunId, ToolName, request_hash};
use idem_core::volatile::VolatileStore;
use idem_core::{
    Answer, ClaimKey, ClaimOutcome, IdempotencyService, OrganizationId, Origin, OutcomeKind,
    Request, Scope, Store,
};
use idem_tests::TestStore;
use std::sync::Arc;
use std::time::Duration;

/// A claim is no use of a scope, its answer is; and of no other scope, run or organization. What the store no longer
/// answers for was not used either. The store in memory says the same.
pub(crate) async fn only_an_answer_of_this_scope_and_run_counts(store: TestStore) {
    let long = Duration::from_secs(31 * 86_400);
    let opened = store.open().await;
    let (organization, scope, run) = used_once(&opened).await;
    store.age_all(long).await;
    let used = opened.answered_in_run(organization, &scope, &run).await;
    assert!(!used.unwrap());

    let volatile = VolatileStore::new();
    let opened: Arc<dyn Store> = Arc::new(volatile.clone());
    let (organization, scope, run) = used_once(&opened).await;
    volatile.advance(long);
    let used = opened.answered_in_run(organization, &scope, &run).await;
    assert!(!used.unwrap());
}

/// Makes one answer, and asks before and after about it and about everything beside it.
async fn used_once(opened: &Arc<dyn Store>) -> (OrganizationId, Scope, RunId) {
    let organization = OrganizationId::random();
    let (scope, other) = (
        Scope::new("tool.letter.send").unwrap(),
        Scope::new("tool.letter.look").unwrap(),
    );
    let run = RunId::new("run").unwrap();
    let turn = LogicalTurn::numbered(&run, 1);
    let tool = ToolName::new("write").unwrap();
    let key = IdempotencyKey::new(KeyKind::Turn { turn: &turn }, &tool, "{}");
    let key = ClaimKey::new(organization, scope.clone(), key);
    let request = Request::new(key, request_hash("{}")).by(Origin {
        run: Some("run".into()),
        ..Origin::default()
    });
    let service = IdempotencyService::new(opened.clone());
    let used = async |organization, scope: &Scope, run: &str| {
        let run = RunId::new(run).unwrap();
        opened
            .answered_in_run(organization, scope, &run)
            .await
            .unwrap()
    };

    assert!(!used(organization, &scope, "run").await);
    let lease = Duration::from_secs(30);
    let ClaimOutcome::Claimed(claim) = service.claim(&request, lease).await.unwrap() else {
        panic!("the key is free");
    };
    assert!(!used(organization, &scope, "run").await);
    let answer = Answer::json(OutcomeKind::Answer, "\"done\"").unwrap();
    let _ = service.complete(claim, &answer).await.unwrap();
    assert!(used(organization, &scope, "run").await);
    assert!(!used(organization, &other, "run").await);
    assert!(!used(organization, &scope, "other run").await);
    assert!(!used(OrganizationId::random(), &scope, "run").await);
    (organization, scope, run)
}
