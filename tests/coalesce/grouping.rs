//! What goes out together, and who is answered what.

use crate::bench::{Bench, all, settled, text};
use crate::gated::Gated;
use idem_core::coalesce::Coalesced;
use idem_core::{Answer, IdempotencyRepository, OutcomeKind, Record, Status};
use idem_tests::TestStore;
use std::sync::Arc;

fn keys(rows: &[Option<Record>]) -> usize {
    rows.iter().filter(|row| row.is_some()).count()
}

/// R81: no timer and no added wait, so the group is what came while both ways were taken.
pub(crate) async fn what_waits_while_the_store_is_busy_is_one_statement(test: TestStore) {
    let bench = Bench::shut(&test).await;
    let busy = bench.busy_with_claims().await;
    let claims: Vec<_> = (0..20).map(|k| bench.ask_claim(&format!("k{k}"))).collect();
    settled(&claims, &bench.grouped, 20).await;
    assert_eq!(bench.gated.seen().len(), 2, "the groups wait for a way");
    bench.gated.let_through_all();
    assert_eq!(keys(&all(claims).await), 20);
    all(busy).await;
    assert_eq!(bench.gated.seen_of("try_claim"), [1, 1]);
    assert_eq!(bench.gated.seen_of("try_claim_many"), [20]);
}

/// The endings too: each kind has a queue of its own.
pub(crate) async fn endings_that_wait_are_one_statement_of_each_kind(test: TestStore) {
    let bench = Bench::shut(&test).await;
    let mut held = Vec::new();
    for number in 0..20 {
        held.push(bench.claimed(&format!("k{number}")).await);
    }
    let (done, forgotten) = held.split_at(10);
    let busy = bench.busy_with_completions().await;
    let done: Vec<_> = done
        .iter()
        .map(|h| bench.ask_complete(*h, text("sent")))
        .collect();
    settled(&done, &bench.grouped, 10).await;
    let busy_too = bench.busy_with_releases().await;
    let forgotten: Vec<_> = forgotten.iter().map(|h| bench.ask_release(*h)).collect();
    settled(&forgotten, &bench.grouped, 20).await;
    bench.gated.let_through_all();
    assert_eq!(all(done).await, [true; 10]);
    assert_eq!(all(forgotten).await, [true; 10]);
    assert_eq!(all(busy).await, [true; 2]);
    assert_eq!(all(busy_too).await, [true; 2]);
    assert_eq!(bench.gated.seen_of("complete_many"), [10]);
    assert_eq!(bench.gated.seen_of("release_many"), [10]);
    assert_eq!(
        test.count_rows("idempotency_keys").await,
        12,
        "10 answers and 2"
    );
}

/// R81: at most one row of a key in a group; the second asks after the first.
pub(crate) async fn the_rows_of_one_key_never_share_a_group(test: TestStore) {
    let bench = Bench::shut(&test).await;
    let busy = bench.busy_with_claims().await;
    let claims: Vec<_> = ["a", "b", "a", "b", "a"]
        .map(|key| bench.ask_claim(key))
        .into();
    settled(&claims, &bench.grouped, 5).await;
    bench.gated.let_through_all();
    assert_eq!(keys(&all(claims).await), 2, "one owner a key");
    all(busy).await;
    let mut groups = bench.gated.seen_of("try_claim_many");
    groups.extend(bench.gated.seen_of("try_claim").split_off(2));
    groups.sort_unstable();
    assert_eq!(groups, [1, 2, 2]);
}

/// R75, R81: a group has 256 rows and 1 MiB at most; a row that is larger goes alone.
pub(crate) async fn a_group_is_bounded_in_rows_and_in_bytes(test: TestStore) {
    let bench = Bench::shut(&test).await;
    let busy = bench.busy_with_gets().await;
    let gets: Vec<_> = (0..300).map(|k| bench.ask_get(&format!("k{k}"))).collect();
    settled(&gets, &bench.grouped, 300).await;
    bench.gated.let_through_all();
    all(gets).await;
    all(busy).await;
    let mut groups = bench.gated.seen_of("get_many");
    groups.sort_unstable();
    assert_eq!(groups, [44, 256]);

    let bench = Bench::shut(&test).await;
    let busy = bench.busy_with_completions().await;
    let large = "x".repeat(600 * 1024);
    let mut done = Vec::new();
    for number in 0..3 {
        let held = bench.claimed(&format!("large {number}")).await;
        done.push(bench.ask_complete(held, text(&large)));
    }
    settled(&done, &bench.grouped, 3).await;
    bench.gated.let_through_all();
    assert_eq!(all(done).await, [true; 3]);
    all(busy).await;
    assert_eq!(
        bench.gated.seen_of("complete_many"),
        [0; 0],
        "each is too large for a second"
    );
}

/// R17: the exact bytes, and each caller the row that it asked for, whether it is there or not.
pub(crate) async fn every_caller_gets_its_own_answer(test: TestStore) {
    let bench = Bench::shut(&test).await;
    let odd = ["\\u0000", "ä\\n\\\"", "", "]],[[", "null"];
    for (number, said) in odd.iter().enumerate() {
        let held = bench.claimed(&format!("k{number}")).await;
        bench.store.complete(&held, &text(said)).await.unwrap();
    }
    let busy = bench.busy_with_gets().await;
    let asked: Vec<_> = (0..10).map(|k| format!("k{}", 9 - k)).collect();
    let gets: Vec<_> = asked.iter().map(|key| bench.ask_get(key)).collect();
    settled(&gets, &bench.grouped, 10).await;
    bench.gated.let_through_all();
    for (key, row) in asked.iter().zip(all(gets).await) {
        let number: usize = key[1..].parse().unwrap();
        let bytes = row.map(|row| row.response.expect("an answer").bytes.to_vec());
        let said = odd
            .get(number)
            .map(|said| format!("\"{said}\"").into_bytes());
        assert_eq!(bytes, said, "{key}");
    }
    all(busy).await;
}

/// R81: the commits are shared, and every row is as one that was written alone.
pub(crate) async fn a_thousand_callers_are_answered_by_few_statements(test: TestStore) {
    let store = test.open().await;
    let gated = Gated::open(store.clone());
    let bench = Bench {
        grouped: Coalesced::over(gated.clone()),
        organization: idem_core::OrganizationId::random(),
        gated,
        store,
    };
    let bench = Arc::new(bench);
    let calls: Vec<_> = (0..1_000)
        .map(|number| {
            let bench = bench.clone();
            tokio::spawn(async move {
                let key = format!("k{number}");
                let row = bench.ask_claim(&key).await.unwrap()?.expect("a free key");
                let answer = Answer::json(OutcomeKind::Answer, number.to_string()).unwrap();
                let done = bench.grouped.complete(&bench.held(&row), &answer).await?;
                assert!(done.is_some(), "{key}");
                bench.grouped.get(&bench.request(&key).key).await
            })
        })
        .collect();
    for (number, row) in all(calls).await.into_iter().enumerate() {
        let row = row.expect("a row");
        let bytes = row.response.expect("an answer").bytes;
        assert_eq!(&*bytes, number.to_string().as_bytes());
        assert_eq!(row.status, Status::Completed);
        assert_eq!(row.attempt, 1);
    }
    assert_eq!(test.count_rows("idempotency_keys").await, 1_000);
    let statements = bench.gated.seen().len();
    assert!(
        statements < 1_500,
        "{statements} statements for 3,000 verbs"
    );
}
