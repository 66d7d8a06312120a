//! What can go wrong around a transactional call's commit, and that it leaves no effect or one (R14, R32, R33).

use crate::calls::{
    MINUTE, answer, call, create_table, keys, of_row, on_a_runtime_that_dies, schedules,
};
use crate::transactional::{Schedule, Script, Step, worker};
use idem_tests::TestStore;
use idem_tools::CallError;

/// R33: the fence comes before the first write, and the stale worker's caller gets what is stored.
pub(crate) async fn a_worker_that_stalled_past_its_lease_writes_nothing_and_answers_from_the_journal(
    store: TestStore,
) {
    create_table(&store).await;
    let script = Script::of([Step::WaitThenCommit]);
    let stale = worker(&store, &script).await;
    let stale = tokio::spawn(async move { answer(&stale, "create_schedule").await });
    script.reached.opened().await;
    store.age_all(MINUTE).await;
    let taken_over = answer(&worker(&store, &script).await, "create_schedule").await;
    assert_eq!((taken_over.attempt, taken_over.replayed), (2, false));
    script.go.open();
    let stale = stale.await.expect("the stale call ends");
    assert!(stale.replayed, "its own result is not the answer");
    assert_eq!(stale.result, taken_over.result);
    let by = store.number(
        "SELECT made_by::bigint FROM schedules",
        "SELECT made_by FROM schedules",
    );
    assert_eq!((schedules(&store).await, by.await), (1, 2));
}

/// R32: a takeover runs again, and what the dead worker wrote is not there.
pub(crate) async fn a_crash_between_the_effect_and_its_commit_leaves_one_effect_after_the_takeover(
    store: TestStore,
) {
    create_table(&store).await;
    let script = Script::of([Step::WriteThenWait]);
    let (doomed, told) = (store.clone(), script.clone());
    on_a_runtime_that_dies(async move {
        let turn = worker(&doomed, &told).await;
        tokio::spawn(async move { call(&turn, "create_schedule").await });
        told.reached.opened().await;
    })
    .await;
    assert_eq!((schedules(&store).await, keys(&store).await), (0, 1));
    let next = worker(&store, &script).await;
    let refused = call(&next, "create_schedule").await;
    assert!(matches!(refused, Err(CallError::ClaimInFlight { .. })));
    store.age_all(MINUTE).await;
    let told = answer(&next, "create_schedule").await;
    assert_eq!((told.attempt, told.value().is_some()), (2, true));
    assert_eq!((schedules(&store).await, script.runs()), (1, 2));
}

/// R14: an error, an unknown one too, and a panic are nothing where the commit was not sent.
pub(crate) async fn every_failure_before_the_commit_rolls_back_and_releases(store: TestStore) {
    create_table(&store).await;
    for (step, code) in [
        (Step::WriteThenNoEffect, "busy"),
        (Step::WriteThenUnknown, "not_committed"),
        (Step::WriteThenForeign, "not_committed"),
        (Step::WriteTwice, "not_committed"),
        (Step::WriteThenPanic, "not_committed"),
    ] {
        let script = Script::of([step]);
        let failed = answer(&worker(&store, &script).await, "create_schedule").await;
        let failure = failed.failure().expect("a failure");
        assert_eq!(
            (failure.code.as_str(), failure.retryable),
            (code, true),
            "{step:?}"
        );
        assert_eq!(
            (schedules(&store).await, keys(&store).await),
            (0, 0),
            "{step:?}"
        );
    }
    let script = Script::default();
    let done = answer(&worker(&store, &script).await, "create_schedule").await;
    assert_eq!((done.attempt, schedules(&store).await), (1, 1));
}

/// R13: the failure is the call's answer, and the write of its transaction is gone.
pub(crate) async fn a_business_failure_before_the_commit_rolls_back_and_is_the_answer(
    store: TestStore,
) {
    create_table(&store).await;
    let script = Script::of([Step::WriteThenAnswer]);
    let turn = worker(&store, &script).await;
    for replayed in [false, true] {
        let failed = answer(&turn, "create_schedule").await;
        assert_eq!(failed.failure().expect("a failure").code, "full");
        assert_eq!(failed.replayed, replayed);
    }
    assert_eq!((schedules(&store).await, script.runs()), (0, 1));
}

/// R14: a body that was stopped before its commit made nothing.
pub(crate) async fn a_timeout_before_the_commit_rolls_back_and_releases(store: TestStore) {
    create_table(&store).await;
    let script = Script::of([Step::WriteThenHang]);
    let turn = worker(&store, &script).await;
    let failed = answer(&turn, "create_soon").await;
    let failure = failed.failure().expect("a failure");
    assert_eq!(
        (failure.code.as_str(), failure.retryable),
        ("not_committed", true)
    );
    assert_eq!((schedules(&store).await, keys(&store).await), (0, 0));
    assert!(answer(&turn, "create_soon").await.value().is_some());
    assert_eq!(schedules(&store).await, 1);
}

/// R32: five seconds at most, whatever the tool's own timeout is, so that nobody waits for its locks longer.
pub(crate) async fn a_transaction_held_for_too_long_is_ended(store: TestStore) {
    create_table(&store).await;
    let script = Script::of([Step::WriteThenHang]);
    let turn = worker(&store, &script).await;
    let failed = answer(&turn, "create_schedule").await;
    let failure = failed.failure().expect("a failure");
    assert_eq!(
        (failure.code.as_str(), failure.retryable),
        ("not_committed", true)
    );
    assert!(
        failure.message.contains("transaction"),
        "{}",
        failure.message
    );
    assert_eq!((schedules(&store).await, keys(&store).await), (0, 0));
}

/// R14, R32: once the commit is acknowledged the call has its answer.
pub(crate) async fn whatever_the_body_does_after_the_commit_the_committed_answer_stands(
    store: TestStore,
) {
    create_table(&store).await;
    for (step, tool) in [
        (Step::CommitThenFail, "create_schedule"),
        (Step::CommitThenPanic, "create_schedule"),
        (Step::CommitThenHang, "create_soon"),
    ] {
        store.execute("DELETE FROM schedules", "").await;
        let script = Script::of([step]);
        let turn = worker(&store, &script).await;
        let done = answer(&turn, tool).await;
        assert!(!done.replayed, "{step:?}");
        assert_eq!(
            done.decode::<Schedule>().expect("a schedule").note,
            "nnn",
            "{step:?}"
        );
        assert_eq!(schedules(&store).await, 1, "{step:?}");
        assert!(answer(&turn, tool).await.replayed, "{step:?}");
        assert_eq!(script.runs(), 1, "{step:?}");
        forget(&store).await;
    }
}

/// Empties the plane, so that the same call is a new one.
async fn forget(store: &TestStore) {
    let rows = store.execute(
        "DELETE FROM agent.idempotency_keys",
        "DELETE FROM agent_idempotency_keys",
    );
    assert_eq!(rows.await, 1);
}

/// R14: a refusal of the commit itself is an answer: nothing was stored, and the key is free.
pub(crate) async fn a_commit_that_the_store_refuses_releases(store: TestStore) {
    create_table(&store).await;
    let children = "CREATE TABLE children (parent text NOT NULL
        REFERENCES schedules (name) DEFERRABLE INITIALLY DEFERRED)";
    store.execute(children, "").await;
    let script = Script::default();
    let turn = worker(&store, &script).await;
    let refused = answer(&turn, "create_refused").await;
    let failure = refused.failure().expect("a failure");
    assert_eq!(
        (failure.code.as_str(), failure.retryable),
        ("not_committed", true)
    );
    assert_eq!((schedules(&store).await, keys(&store).await), (0, 0));
    // The connection of the refused commit serves the next call.
    assert!(answer(&turn, "create_schedule").await.value().is_some());
    assert_eq!(of_row(&store, "attempt").await, 1);
}
