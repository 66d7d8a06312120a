//! The volatile store keeps the plane's rules, as far as a test or a benchmark leans on them.

use super::VolatileStore;
use crate::identity::{IdempotencyKey, KeyKind, ToolName, request_hash};
use crate::states::RowState;
use crate::{
    Answer, ClaimKey, ClaimOutcome, Ending, IdempotencyRepository, IdempotencyService,
    OrganizationId, OutcomeKind, ReadOutcome, Request, Scope,
};
use std::sync::Arc;
use std::time::Duration;

const LEASE: Duration = Duration::from_secs(60);

fn plane() -> (VolatileStore, IdempotencyService, Request) {
    let store = VolatileStore::new();
    let service = IdempotencyService::new(Arc::new(store.clone()));
    let tool = ToolName::new("send").unwrap();
    let key = IdempotencyKey::new(KeyKind::Natural, &tool, "{}");
    let scope = Scope::new("tool.email.send").unwrap();
    let key = ClaimKey::new(OrganizationId::random(), scope, key);
    (store, service, Request::new(key, request_hash("{}")))
}

async fn claim(service: &IdempotencyService, request: &Request) -> crate::Claim {
    match service.claim(request, LEASE).await.unwrap() {
        ClaimOutcome::Claimed(claim) => claim,
        other => panic!("not claimed: {other:?}"),
    }
}

async fn state(store: &VolatileStore, request: &Request) -> RowState {
    RowState::of(store.get(&request.key).await.unwrap().as_ref())
}

fn answer() -> Answer {
    Answer::json(OutcomeKind::Answer, "{}").unwrap()
}

#[tokio::test]
async fn a_key_has_one_owner_and_its_answer_is_kept() {
    let (store, service, request) = plane();
    let owner = claim(&service, &request).await;
    let second = service.claim(&request, LEASE).await.unwrap();
    assert!(matches!(second, ClaimOutcome::Processing(_)));
    assert_eq!(
        service.complete(owner, &answer()).await.unwrap(),
        Ending::Done
    );
    let read = service.read(&request).await.unwrap();
    assert!(matches!(read, ReadOutcome::Completed(_)));
    let other = Request {
        hash: request_hash("1"),
        ..request
    };
    let read = service.read(&other).await.unwrap();
    assert!(matches!(read, ReadOutcome::Conflict(_)));
    assert_eq!(store.len(), 1);
}

#[tokio::test]
async fn a_lapsed_claim_is_taken_over_in_doubt_and_fences_its_owner_out() {
    let (store, service, request) = plane();
    let first = claim(&service, &request).await;
    store.advance(LEASE);
    let second = claim(&service, &request).await;
    assert!(second.in_doubt() && second.attempt() == 2);
    assert_eq!(
        service.complete(first, &answer()).await.unwrap(),
        Ending::LeaseLost
    );
    assert_eq!(service.release(second).await.unwrap(), Ending::Done);
    assert_eq!(state(&store, &request).await, RowState::LapsedInDoubt);
}

#[tokio::test]
async fn a_release_frees_the_key_and_a_late_completion_is_stored() {
    let (store, service, request) = plane();
    let first = claim(&service, &request).await;
    assert_eq!(service.release(first).await.unwrap(), Ending::Done);
    assert_eq!(state(&store, &request).await, RowState::Absent);
    let second = claim(&service, &request).await;
    store.advance(LEASE * 2);
    assert_eq!(
        service.complete(second, &answer()).await.unwrap(),
        Ending::Done
    );
    assert_eq!(state(&store, &request).await, RowState::Completed);
}

#[tokio::test]
async fn what_is_past_its_retention_is_absent_and_swept() {
    let (store, service, request) = plane();
    let first = claim(&service, &request).await;
    assert_eq!(
        service.complete(first, &answer()).await.unwrap(),
        Ending::Done
    );
    store.advance(crate::TOOL_RETENTION);
    let read = service.read(&request).await.unwrap();
    assert!(matches!(read, ReadOutcome::Absent));
    let report = store.sweep(10).await.unwrap();
    assert_eq!((report.read, report.deleted, report.incidents), (1, 1, 0));
    assert!(store.is_empty());
}
