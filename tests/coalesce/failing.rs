//! A group in which something goes wrong.

use crate::bench::{Bench, all, settled, text};
use idem_core::coalesce::Coalesced;
use idem_core::{ClaimOutcome, Held, IdempotencyRepository, IdempotencyService, RepositoryError};
use idem_tests::{StoreKind, TestStore};
use std::sync::Arc;
use std::time::Duration;

const LEASE: Duration = Duration::from_secs(60);

/// R81: the table refuses one row, and the other rows of its group are written.
pub(crate) async fn one_bad_row_fails_alone(test: TestStore) {
    let bench = Bench::shut(&test).await;
    test.execute(
        "ALTER TABLE agent.idempotency_keys ADD CONSTRAINT no_bad CHECK (key_text <> 'bad')",
        "CREATE TRIGGER no_bad BEFORE INSERT ON agent_idempotency_keys WHEN NEW.key_text = 'bad' \
         BEGIN SELECT RAISE(ABORT, 'a bad row'); END",
    )
    .await;
    let busy = bench.busy_with_claims().await;
    let good: Vec<_> = (0..9).map(|k| bench.ask_claim(&format!("k{k}"))).collect();
    settled(&good, &bench.grouped, 9).await;
    let bad = bench.ask_claim("bad");
    settled(&good, &bench.grouped, 10).await;
    bench.gated.let_through_all();
    assert!(all(good).await.iter().all(Option::is_some));
    let error = bad.await.unwrap().expect_err("a refusal");
    assert!(matches!(error, RepositoryError::Refused(_)), "{error}");
    all(busy).await;
    assert_eq!(bench.gated.seen_of("try_claim_many"), [10]);
    assert_eq!(test.count_rows("idempotency_keys").await, 11);
}

/// R11, R81: the group may have been carried out; each row asked again finds its own.
pub(crate) async fn a_group_whose_reply_was_lost_is_asked_row_by_row(test: TestStore) {
    let bench = Bench::shut(&test).await;
    let busy = bench.busy_with_completions().await;
    let mut done = Vec::new();
    let mut held = Vec::new();
    for number in 0..5 {
        held.push(bench.claimed(&format!("k{number}")).await);
        done.push(bench.ask_complete(held[number], text("sent")));
    }
    settled(&done, &bench.grouped, 5).await;
    bench.gated.lose_reply_of("complete_many");
    bench.gated.let_through_all();
    // Zero rows now, as of any completion whose reply was lost: the service reads, and finds its token.
    assert_eq!(all(done).await, [false; 5]);
    all(busy).await;
    for (number, held) in held.iter().enumerate() {
        let key = bench.request(&format!("k{number}")).key;
        let row = bench.store.get(&key).await.unwrap().expect("a row");
        assert_eq!(row.lease_token, held.token);
        assert!(row.response.is_some(), "it was carried out");
    }
}

/// R81: a group skips a row that is locked, and that one goes out alone and waits for itself. SQLite has no row locks:
/// there the others wait for the file as they do without groups.
pub(crate) async fn a_row_that_another_session_holds_holds_nobody_up(test: TestStore) {
    if test.kind == StoreKind::Sqlite {
        return all_wait_for_the_file(&test).await;
    }
    let bench = Bench::shut(&test).await;
    let service = IdempotencyService::new(bench.store.clone());
    let locked = bench.request("locked");
    let ClaimOutcome::Claimed(claim) = service.claim(&locked, LEASE).await.unwrap() else {
        panic!("a free key");
    };
    let row = bench.store.get(&locked.key).await.unwrap();
    let locked = bench.held(&row.expect("a row"));
    let mut held = Vec::new();
    for key in ["a", "b", "c"] {
        held.push(bench.claimed(key).await);
    }
    let store = idem_core::postgres::PostgresStore::connect(&test.url)
        .await
        .unwrap();
    let mut session = store.begin().await.unwrap();
    assert!(
        store
            .fence_in(session.connection(), &claim.fence())
            .await
            .unwrap()
    );
    let busy = bench.busy_with_completions().await;
    let locked = bench.ask_complete(locked, text("late"));
    let free: Vec<_> = held
        .iter()
        .map(|h| bench.ask_complete(*h, text("sent")))
        .collect();
    settled(&free, &bench.grouped, 4).await;
    bench.gated.let_through_all();
    assert_eq!(all(free).await, [true; 3], "while the lock is held");
    assert!(!locked.is_finished());
    drop(session);
    assert!(locked.await.unwrap().unwrap());
    service.leave_in_doubt(claim);
    all(busy).await;
    assert_eq!(bench.gated.seen_of("complete_many"), [4]);
}

async fn all_wait_for_the_file(test: &TestStore) {
    let bench = Bench::shut(test).await;
    let busy = bench.busy_with_completions().await;
    let mut done = Vec::new();
    for number in 0..4 {
        let held = bench.claimed(&format!("k{number}")).await;
        done.push(bench.ask_complete(held, text("sent")));
    }
    settled(&done, &bench.grouped, 4).await;
    let store = idem_core::sqlite::SqliteStore::connect(&test.url)
        .await
        .unwrap();
    let session = store.begin().await.unwrap();
    bench.gated.let_through_all();
    assert!(done.iter().all(|task| !task.is_finished()));
    drop(session);
    assert_eq!(all(done).await, [true; 4]);
    all(busy).await;
}

/// R81: groups lock their rows in one order, so two of them never wait for each other in a circle.
pub(crate) async fn two_processes_that_complete_the_same_rows_in_other_orders_both_end(
    test: TestStore,
) {
    let bench = Bench::shut(&test).await;
    bench.gated.let_through_all();
    let twin = Coalesced::over(test.open().await);
    let grouped = [bench.grouped.clone(), twin];
    for round in 0..20 {
        let mut held = Vec::new();
        for number in 0..30 {
            held.push(bench.claimed(&format!("round {round} k{number}")).await);
        }
        let mut back = held.clone();
        back.reverse();
        let orders: [Vec<Held>; 2] = [held, back];
        let line = Arc::new(tokio::sync::Barrier::new(60));
        let mut ends = Vec::new();
        for (side, order) in orders.into_iter().enumerate() {
            for held in order {
                let (grouped, line) = (grouped[side].clone(), line.clone());
                ends.push(tokio::spawn(async move {
                    line.wait().await;
                    Ok(grouped.complete(&held, &text("sent")).await?.is_some())
                }));
            }
        }
        let stored = all(ends).await.into_iter().filter(|stored| *stored).count();
        assert_eq!(stored, 30, "round {round}: each row once");
    }
}
