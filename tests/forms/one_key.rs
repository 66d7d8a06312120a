//! The form of a tool is in no key: whoever writes it otherwise gets the answers that were stored (R20, R21).

use idem_tests::TestStore;

use crate::bench::{Bench, call, text};
use crate::tools::{by_hand, in_another_order, plain};

const LETTER: &str = r#"{"to":"ann","template":{"id":"welcome","version":1},"subject":"Hello"}"#;

/// R20, R21: the input that the macro writes has the canonical form of the same type written by hand.
pub(crate) async fn plain_arguments_and_a_type_by_hand_make_one_call(store: TestStore) {
    let bench = Bench::new(store);
    let by_hand = bench.turn_with(|idem| idem.tool::<by_hand>()).await;
    let plain = bench.turn_with(|idem| idem.tool::<plain>()).await;
    let first = call(&by_hand, "send", LETTER).await;
    let again = call(&plain, "send", LETTER).await;
    assert!(!first.replayed && again.replayed);
    assert_eq!(first.key, again.key);
    assert_eq!(text(&first), text(&again));
    assert_eq!(bench.ledger.effects(), ["ann welcome.1 Hello x1"]);
    assert_eq!(bench.rows().await, 1);
}

/// R20: the order of a signature is the order of nothing that is hashed.
pub(crate) async fn the_order_of_the_arguments_is_not_in_the_key(store: TestStore) {
    let bench = Bench::new(store);
    let plain = bench.turn_with(|idem| idem.tool::<plain>()).await;
    let other = bench
        .turn_with(|idem| idem.tool::<in_another_order>())
        .await;
    let first = call(&plain, "send", LETTER).await;
    let turned = r#"{"subject":"Hello","template":{"version":1,"id":"welcome"},"to":"ann"}"#;
    let again = call(&other, "send", turned).await;
    assert!(again.replayed);
    assert_eq!(first.key, again.key);
    assert_eq!(bench.ledger.effects().len(), 1);
}

/// R20: `&str` and `Option<&str>` are text, as `String` is.
pub(crate) async fn borrowed_and_owned_text_make_one_call(store: TestStore) {
    let bench = Bench::new(store);
    let borrows = bench
        .turn_with(|idem| idem.tool::<in_another_order>())
        .await;
    let owns = bench.turn_with(|idem| idem.tool::<plain>()).await;
    for subject in ["null", r#""Hello""#] {
        let letter = LETTER.replace(r#""Hello""#, subject);
        let first = call(&borrows, "send", &letter).await;
        let again = call(&owns, "send", &letter).await;
        assert!(!first.replayed && again.replayed);
        assert_eq!(first.key, again.key);
    }
    let told = ["ann welcome.1 - x1", "ann welcome.1 Hello x1"];
    assert_eq!(bench.ledger.effects(), told);
}

/// R20: what the runtime hands over is no argument of the model's.
pub(crate) async fn state_and_context_are_in_no_key(store: TestStore) {
    let bench = Bench::new(store);
    let with_context = bench.turn_with(|idem| idem.tool::<plain>()).await;
    let with_state = bench
        .turn_with(|idem| idem.tool::<in_another_order>().state(7_u8))
        .await;
    let first = call(&with_state, "send", LETTER).await;
    assert_eq!(first.key, call(&with_context, "send", LETTER).await.key);
}

/// R21: a default is left out of the key, also where the model writes it.
pub(crate) async fn a_default_that_is_written_out_is_the_same_call(store: TestStore) {
    let bench = Bench::new(store);
    let turn = bench.turn_with(|idem| idem.tool::<plain>()).await;
    let first = call(&turn, "send", LETTER).await;
    let written = LETTER.replace(r#""to""#, r#""copies":1,"to""#);
    let again = call(&turn, "send", &written).await;
    assert!(again.replayed);
    assert_eq!(first.key, again.key);
    let two = call(&turn, "send", &written.replace(":1,\"to\"", ":2,\"to\"")).await;
    assert!(!two.replayed);
    assert_ne!(first.key, two.key);
}

/// R20: every argument that has no role is identity.
pub(crate) async fn another_argument_is_another_effect(store: TestStore) {
    let bench = Bench::new(store);
    let turn = bench
        .turn_with(|idem| idem.tool::<in_another_order>())
        .await;
    let mut keys = Vec::new();
    for (from, to) in [
        ("ann", "bo"),
        ("welcome", "bye"),
        ("1}", "2}"),
        ("Hello", "Hi"),
    ] {
        let answered = call(&turn, "send", &LETTER.replace(from, to)).await;
        assert!(!answered.replayed);
        keys.push(answered.key.expect("a key"));
    }
    keys.dedup();
    assert_eq!(keys.len(), 4);
    assert_eq!(bench.ledger.effects().len(), 4);
}
