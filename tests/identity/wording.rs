//! Prose is in neither key nor hash: a reworded repeat gets the first answer and is told which words differed (R24, R47).

use std::time::Duration;

use idem_tests::TestStore;

use crate::bench::{Bench, assert_same_answer, call, code, proposed};
use crate::tools::Hold;

const FIRST: &str = r#"{"to":"ann","template":{"id":"welcome","version":1},"note":"Hello"}"#;

fn reworded() -> String {
    FIRST.replace("Hello", "Good morning")
}

/// R24, R47: a re-sampled turn with other words repeats no effect. The value is the stored one; the mark is beside it.
pub(crate) async fn a_reworded_repeat_gets_the_first_answer_and_says_what_differed(
    store: TestStore,
) {
    let bench = Bench::new(store);
    let turn = bench.turn().await;
    let first = call(&turn, "send_letter", FIRST).await;
    assert!(first.reworded.is_empty() && !first.replayed);
    for turn in [turn, bench.turn().await] {
        let again = call(&turn, "send_letter", &reworded()).await;
        assert!(again.replayed);
        assert_same_answer(&first, &again);
        assert_eq!(again.reworded, ["note"]);
        let told = r#"{"it_ran_with_other_words_in":["note"],"result":"effect-1"}"#;
        assert_eq!(again.to_model_text(), told);
        let same = call(&turn, "send_letter", FIRST).await;
        assert!(same.reworded.is_empty());
        assert_eq!(same.to_model_text(), first.to_model_text());
    }
    assert_eq!(bench.ledger.effects(), ["ann welcome.1 0 Hello"]);
}

/// R24: prose may stand in a list and in a variant; missing words are other words.
pub(crate) async fn the_words_that_differ_are_named_by_their_place(store: TestStore) {
    let bench = Bench::new(store);
    let turn = bench.turn().await;
    let order = r#"{"lines":[{"sku":"a","remark":"red"},{"sku":"b","remark":"big"}],
        "delivery":{"Post":{"address":"1 Main St","greeting":"Dear Ann"}}}"#;
    let first = call(&turn, "place_order", order).await;
    let other = order
        .replace(",\"remark\":\"big\"", "")
        .replace("Dear Ann", "Hi");
    let again = call(&turn, "place_order", &other).await;
    assert_same_answer(&first, &again);
    assert_eq!(
        again.reworded,
        ["lines[1].remark", "delivery.Post.greeting"]
    );
    let elsewhere = call(&turn, "place_order", &order.replace("1 Main", "2 Main")).await;
    assert!(!elsewhere.replayed);
    assert_eq!(bench.ledger.effects().len(), 2);
}

/// R24, R34: a call that joins an equal one under way is marked by its own words.
pub(crate) async fn whoever_joins_is_told_of_its_own_words(store: TestStore) {
    let bench = Bench::new(store);
    let hold = Hold::closed();
    let turn = bench.turn_of(&bench.idem_that(&hold).await);
    let leader = turn.clone();
    let leads = tokio::spawn(async move { call(&leader, "send_letter", FIRST).await });
    hold.reached.opened().await;
    let calls = vec![
        proposed("send_letter", &reworded()),
        proposed("send_letter", FIRST),
    ];
    let joins = tokio::spawn(async move { turn.call_all(calls).await });
    hold.go.open();
    let first = leads.await.expect("a task that ends");
    let joined = joins.await.expect("a task that ends").into_iter();
    let joined = joined.map(|settled| settled.expect("settled").answer().expect("an answer"));
    let marks: Vec<_> = joined
        .inspect(|answer| assert_same_answer(&first, answer))
        .map(|answer| answer.reworded)
        .collect();
    assert_eq!(marks, [vec!["note".to_owned()], Vec::new()]);
    assert!(first.reworded.is_empty());
    assert_eq!(bench.ledger.effects().len(), 1);
}

/// R24, R32: what may have been sent is sent again in the same words, under the same key; what was not, in new ones.
pub(crate) async fn a_takeover_sends_the_words_that_may_have_been_sent(store: TestStore) {
    for (tool, words) in [("send_keyed", "Hello"), ("send_marked", "Good morning")] {
        let bench = Bench::new(store.clone());
        let hold = Hold::closed();
        let turn = bench.turn_of(&bench.idem_that(&hold).await);
        let vanished = turn.clone();
        let vanished = tokio::spawn(async move { vanished.call(proposed(tool, FIRST)).await });
        hold.reached.opened().await;
        bench.store.age_all(Duration::from_secs(60)).await;
        let turn = bench.turn().await;
        let again = call(&turn, tool, &reworded()).await;
        assert_eq!(again.attempt, 2);
        assert_eq!(bench.ledger.effects(), [words]);
        let told: Vec<_> = again.reworded.iter().map(String::as_str).collect();
        assert_eq!(
            told,
            if words == "Hello" {
                vec!["note"]
            } else {
                vec![]
            }
        );
        let first = call(&turn, tool, FIRST).await;
        assert_eq!(first.reworded.is_empty(), words == "Hello");
        // It is still held, and sends nothing.
        vanished.abort();
    }
}

/// R24, R27: a read's recorded answer says so too.
pub(crate) async fn a_reworded_read_gets_the_recorded_answer(store: TestStore) {
    let bench = Bench::new(store);
    let turn = bench.turn().await;
    let first = call(&turn, "look", r#"{"about":"rain"}"#).await;
    let again = call(&turn, "look", r#"{"about":"rain","why":"a picnic"}"#).await;
    assert_same_answer(&first, &again);
    assert_eq!(
        (again.replayed, again.reworded),
        (true, vec!["why".to_owned()])
    );
    assert_eq!(bench.ledger.effects().len(), 1);
}

/// R24: where the content differs, other words are no news.
pub(crate) async fn content_that_differs_says_nothing_of_words(store: TestStore) {
    let bench = Bench::new(store);
    let turn = bench.turn().await;
    call(&turn, "send_letter", FIRST).await;
    let other = reworded().replace("\"version\":1", "\"version\":2");
    let told = call(&turn, "send_letter", &other).await;
    assert_eq!(code(&told), "already_done_differently");
    assert!(told.reworded.is_empty());
}

/// R24: what a row does not keep is not guessed.
pub(crate) async fn a_row_without_its_input_names_no_words(store: TestStore) {
    let bench = Bench::new(store);
    let turn = bench.turn().await;
    let first = call(&turn, "send_letter", FIRST).await;
    let forget = |table: &str| format!("UPDATE {table} SET input = NULL");
    let postgres = forget("agent.idempotency_keys");
    bench
        .store
        .execute(&postgres, &forget("agent_idempotency_keys"))
        .await;
    let again = call(&turn, "send_letter", &reworded()).await;
    assert_same_answer(&first, &again);
    assert!(again.reworded.is_empty());
}
