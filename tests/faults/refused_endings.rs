//! A commit that fails under an ending (R1, R15): the ending was not written, so the claim comes back,
//! and an effect that was made is not made again.

use idem_core::Ending;
use idem_tests::TestStore;
use idem_tests::vendor::{Keys, Vendor};
use idem_tools::{CallError, codes};

use crate::agent::Agent;
use crate::plane::{PAST_LEASE, answer, claim, marked_request, request, service};
use crate::refused_commits::{accept_commits, assert_refused, refuse_commits_of};

/// R1, R15, for complete: an answer that is not stored is not done.
pub(crate) async fn a_completion_whose_commit_fails_hands_the_claim_back(store: TestStore) {
    let service = service(&store.open().await);
    let claim = claim(&service, &request(1)).await;
    refuse_commits_of(&store, "UPDATE").await;
    let refused = service.complete(claim, &answer("done")).await;
    let refused = refused.expect_err("nothing was stored");
    assert_refused(&refused.source);
    let completed = "SELECT count(*) FROM agent.idempotency_keys WHERE status = 'completed'";
    let completed_here = "SELECT count(*) FROM agent_idempotency_keys WHERE status = 'completed'";
    assert_eq!(store.number(completed, completed_here).await, 0);
    accept_commits(&store).await;
    let ending = service.complete(*refused.claim, &answer("done")).await;
    assert_eq!(ending.unwrap(), Ending::Done);
    assert_eq!(store.number(completed, completed_here).await, 1);
}

/// R1, R15, for release: a key that is not free again is not said to be.
pub(crate) async fn a_release_whose_commit_fails_hands_the_claim_back(store: TestStore) {
    let service = service(&store.open().await);
    let claim = claim(&service, &request(1)).await;
    refuse_commits_of(&store, "DELETE").await;
    let refused = service.release(claim).await;
    let refused = refused.expect_err("nothing was deleted");
    assert_refused(&refused.source);
    assert_eq!(store.count_rows("idempotency_keys").await, 1);
    accept_commits(&store).await;
    let ending = service.release(*refused.claim).await;
    assert_eq!(ending.unwrap(), Ending::Done);
    assert_eq!(store.count_rows("idempotency_keys").await, 0);
}

/// R1, R32, for mark_dispatched: what is not marked is not sent.
pub(crate) async fn a_mark_whose_commit_fails_is_an_error_and_nothing_is_sent(store: TestStore) {
    let plane = service(&store.open().await);
    let claim = claim(&plane, &marked_request(1)).await;
    refuse_commits_of(&store, "UPDATE").await;
    let refused = plane.mark_dispatched(&claim.fence()).await;
    assert_refused(&refused.expect_err("nothing was marked"));
    plane.leave_in_doubt(claim);

    let vendor = Vendor::start(Keys::Ignored).await;
    let agent = Agent::open(&store.url, &vendor).await;
    let unsent = agent.call("marked", "a").await.unwrap();
    let failure = unsent.failure().expect("it was not sent");
    assert!(failure.retryable, "nothing happened: {failure}");
    assert_eq!(vendor.book().requests, 0);
    accept_commits(&store).await;
    assert!(!agent.call_ok("marked", "a").await);
    assert_eq!(vendor.book().effects, 1);
}

/// R1, R14, R17: the effect is made and no completion is stored, not even a note. The caller is told
/// so, and whoever takes the call over does not make the effect again.
pub(crate) async fn an_answer_whose_commit_fails_is_lost_and_its_effect_is_not_repeated(
    store: TestStore,
) {
    let vendor = Vendor::start(Keys::Ignored).await;
    let agent = Agent::open(&store.url, &vendor).await;
    refuse_commits_of(&store, "UPDATE").await;
    match agent.call("once", "a").await {
        Err(CallError::AnswerLost(error)) => assert_refused(&error),
        other => panic!("the answer was not stored, and the call ends with {other:?}"),
    }
    accept_commits(&store).await;
    match agent.call("once", "a").await {
        Err(CallError::ClaimInFlight { .. }) => {}
        other => panic!("the lease still runs, and the call ends with {other:?}"),
    }
    store.age_all(PAST_LEASE + PAST_LEASE).await;
    for replayed in [false, true] {
        let answered = agent.call("once", "a").await.unwrap();
        let failure = answered.failure().expect("nobody knows");
        assert_eq!(failure.code, codes::OUTCOME_UNKNOWN);
        assert_eq!(answered.replayed, replayed);
    }
    assert_eq!(vendor.book().requests, 1);
}
