//! Roles that stand in a signature do what those of a type do (R24, R26, R37).

use idem_tests::TestStore;

use crate::bench::{Bench, call, code, text};
use crate::tools::remind;

const REMINDER: &str = r#"{"to":"ann","template":{"id":"due","version":1},"note":"Hello"}"#;

/// R24: `#[arg(prose)]` on an argument.
pub(crate) async fn a_reworded_prose_argument_gets_the_first_answer_and_says_so(store: TestStore) {
    let bench = Bench::new(store);
    let turn = bench.turn_with(|idem| idem.tool::<remind>()).await;
    let first = call(&turn, "remind", REMINDER).await;
    let again = call(&turn, "remind", &REMINDER.replace("Hello", "Good morning")).await;
    assert!(again.replayed);
    assert_eq!(again.reworded, ["note"]);
    assert_eq!(text(&first), text(&again));
    assert_eq!(bench.ledger.effects(), ["ann due.1  Hello"]);
}

/// R24: `key(…)` names arguments, and the others are checked.
pub(crate) async fn an_argument_outside_the_key_that_differs_is_told_and_not_done_again(
    store: TestStore,
) {
    let bench = Bench::new(store);
    let turn = bench.turn_with(|idem| idem.tool::<remind>()).await;
    let first = call(&turn, "remind", REMINDER).await;
    let other = call(&turn, "remind", &REMINDER.replace(":1}", ":2}")).await;
    assert_eq!(code(&other), "already_done_differently");
    assert_eq!(first.key, other.key);
    assert_eq!(bench.ledger.effects().len(), 1);
}

/// R26: `intent = argument`.
pub(crate) async fn an_intent_argument_tells_two_equal_calls_apart(store: TestStore) {
    let bench = Bench::new(store);
    let turn = bench.turn_with(|idem| idem.tool::<remind>()).await;
    let second = REMINDER.replace(r#""to""#, r#""occasion":"the second","to""#);
    let first = call(&turn, "remind", REMINDER).await;
    let other = call(&turn, "remind", &second).await;
    assert!(!other.replayed);
    assert_ne!(first.key, other.key);
    assert!(call(&turn, "remind", &second).await.replayed);
    assert_eq!(bench.ledger.effects().len(), 2);
}

/// R37: the input that the macro writes is as strict as one by hand.
pub(crate) async fn an_argument_that_does_not_exist_is_refused_by_its_path(store: TestStore) {
    let bench = Bench::new(store);
    let turn = bench.turn_with(|idem| idem.tool::<remind>()).await;
    for (more, path) in [(r#""cc":"bo","to""#, "cc"), (r#""to":"bo","to""#, "to")] {
        let refused = call(&turn, "remind", &REMINDER.replace(r#""to""#, more)).await;
        assert_eq!(code(&refused), "invalid_input");
        let failure = refused.failure().expect("a failure");
        assert!(failure.message.contains(path), "{}", failure.message);
    }
    let missing = call(&turn, "remind", r#"{"to":"ann"}"#).await;
    assert_eq!(code(&missing), "invalid_input");
    assert!(bench.ledger.effects().is_empty());
    assert_eq!(bench.rows().await, 0);
}
