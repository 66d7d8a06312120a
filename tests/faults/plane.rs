//! What the cases of the plane share: one key, its requests and an answer.

use std::sync::Arc;
use std::time::Duration;

use idem_core::identity::{IdempotencyKey, RequestHash};
use idem_core::{
    Answer, Claim, ClaimKey, ClaimOutcome, IdempotencyService, OrganizationId, OutcomeKind,
    Request, Scope, Store,
};
use uuid::Uuid;

/// The lease of the cases.
pub(crate) const LEASE: Duration = Duration::from_secs(60);
/// Longer than the lease.
pub(crate) const PAST_LEASE: Duration = Duration::from_secs(61);

const ORGANIZATION: Uuid = Uuid::from_u128(0x1de3);

/// A request for the one key of the cases, with content of this number.
pub(crate) fn request(content: u8) -> Request {
    let organization = OrganizationId::new(ORGANIZATION).unwrap();
    let scope = Scope::new("tool.email.send").unwrap();
    let key = IdempotencyKey::from_bytes([7; 32]);
    let key = ClaimKey::new(organization, scope, key);
    Request::new(key, RequestHash::from_bytes([content; 32]))
}

/// The same, for a tool that marks its dispatch itself.
pub(crate) fn marked_request(content: u8) -> Request {
    Request {
        marks_dispatch: true,
        ..request(content)
    }
}

/// An answer that can be told from another.
pub(crate) fn answer(text: &str) -> Answer {
    Answer::json(OutcomeKind::Answer, format!("{{\"ok\":\"{text}\"}}")).unwrap()
}

pub(crate) fn service(store: &Arc<dyn Store>) -> IdempotencyService {
    IdempotencyService::new(store.clone())
}

/// Claims, where nothing stands in the way.
pub(crate) async fn claim(service: &IdempotencyService, request: &Request) -> Claim {
    match service.claim(request, LEASE).await.unwrap() {
        ClaimOutcome::Claimed(claim) => claim,
        other => panic!("the key is not free: {other:?}"),
    }
}

/// Claims and vanishes, as a worker that died.
pub(crate) async fn abandon(service: &IdempotencyService, request: &Request) {
    let claim = claim(service, request).await;
    service.leave_in_doubt(claim);
}
