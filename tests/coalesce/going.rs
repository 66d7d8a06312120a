//! Callers that go away, and a program that ends.

use crate::bench::{Bench, all, settled};
use idem_core::IdempotencyRepository;
use idem_tests::TestStore;

/// Cancel safety: the verb is done, and nobody hears of it.
pub(crate) async fn a_caller_that_goes_away_leaves_its_verb_to_finish(test: TestStore) {
    let bench = Bench::shut(&test).await;
    let busy = bench.busy_with_claims().await;
    let gone = bench.ask_claim("gone");
    let stays = vec![bench.ask_claim("stays")];
    settled(&stays, &bench.grouped, 2).await;
    gone.abort();
    assert!(gone.await.unwrap_err().is_cancelled());
    bench.gated.let_through_all();
    assert!(all(stays).await[0].is_some());
    all(busy).await;
    let key = bench.request("gone").key;
    assert!(bench.store.get(&key).await.unwrap().is_some());
    assert_eq!(bench.gated.seen_of("try_claim_many"), [2]);
}

/// One whose own statement was under way leaves its place to those who wait.
pub(crate) async fn a_lone_caller_that_goes_away_makes_way(test: TestStore) {
    let bench = Bench::shut(&test).await;
    let busy = bench.busy_with_gets().await;
    let waits = vec![bench.ask_get("a"), bench.ask_get("b")];
    settled(&waits, &bench.grouped, 2).await;
    for task in busy {
        task.abort();
        assert!(task.await.unwrap_err().is_cancelled());
    }
    bench.gated.wait_for(3).await;
    bench.gated.let_through_all();
    assert!(all(waits).await.iter().all(Option::is_none));
    assert_eq!(bench.gated.seen_of("get_many"), [2]);
    assert_eq!(bench.grouped.waiting(), 0);
}

/// Shutdown: what was asked is answered, and who comes after it is served without groups.
pub(crate) async fn a_drain_waits_for_every_answer_and_what_comes_later_is_done_too(
    test: TestStore,
) {
    let bench = Bench::shut(&test).await;
    let busy = bench.busy_with_claims().await;
    let claims: Vec<_> = (0..3).map(|k| bench.ask_claim(&format!("k{k}"))).collect();
    settled(&claims, &bench.grouped, 3).await;
    let grouped = bench.grouped.clone();
    let drain = tokio::spawn(async move { grouped.drain().await });
    tokio::task::yield_now().await;
    assert!(!drain.is_finished(), "five verbs are not answered yet");
    bench.gated.let_through_all();
    drain.await.expect("an end");
    assert!(all(claims).await.iter().all(Option::is_some));
    all(busy).await;
    bench.grouped.drain().await;
    let late = bench.request("late");
    assert!(bench.grouped.get(&late.key).await.unwrap().is_none());
    assert_eq!(bench.gated.seen().last(), Some(&("get", 1)));
}
