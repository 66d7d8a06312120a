//! `key(…)`: which arguments tell one effect from another, and what becomes of the others (R20, R24).

use idem_core::identity::{IdempotencyKey, KeyKind, ToolName};
use idem_tests::TestStore;
use idem_tools::Json;

use crate::bench::{Bench, assert_same_answer, call, code};

const FIRST: &str = r#"{"to":"ann","template":{"id":"welcome","version":1},"note":"Hello"}"#;

/// R20, R24: a path leads into a plain struct, and what it does not lead to is not in the key.
pub(crate) async fn the_key_is_made_of_the_named_arguments_alone(store: TestStore) {
    let bench = Bench::new(store);
    let turn = bench.turn().await;
    let sent = call(&turn, "send_letter", FIRST).await;
    let name = ToolName::new("send_letter").expect("a name");
    let identity = r#"{"template":{"id":"welcome"},"to":"ann"}"#;
    let kind = KeyKind::Turn { turn: turn.id() };
    assert_eq!(sent.key, Some(IdempotencyKey::new(kind, &name, identity)));
}

/// R24, R47: what stands in the key and differs is another effect.
pub(crate) async fn another_identity_argument_is_another_effect(store: TestStore) {
    let bench = Bench::new(store);
    let turn = bench.turn().await;
    call(&turn, "send_letter", FIRST).await;
    for other in [
        FIRST.replace("ann", "bob"),
        FIRST.replace("welcome", "goodbye"),
    ] {
        assert!(!call(&turn, "send_letter", &other).await.replayed);
    }
    assert_eq!(bench.ledger.effects().len(), 3);
}

/// R24: what is checked and differs is told what was done, after a restart too, and makes no effect.
pub(crate) async fn a_checked_argument_that_differs_is_told_and_not_done_again(store: TestStore) {
    let bench = Bench::new(store);
    let first = call(&bench.turn().await, "send_letter", FIRST).await;
    let version = FIRST.replace("\"version\":1", "\"version\":2");
    let copies = FIRST.replace("{\"to\"", "{\"copies\":3,\"to\"");
    for other in [version, copies] {
        let told = call(&bench.turn().await, "send_letter", &other).await;
        assert_eq!(code(&told), "already_done_differently");
        let details = told.failure().and_then(|failure| failure.details.clone());
        assert_eq!(details.as_ref(), first.value());
        assert_eq!(told.key, first.key);
    }
    assert_eq!(bench.ledger.effects(), ["ann welcome.1 0 Hello"]);
    assert_eq!(bench.rows().await, 1);
}

/// R21: a named argument with a declared default may be left out.
pub(crate) async fn a_named_argument_that_equals_its_default_is_left_out(store: TestStore) {
    let bench = Bench::new(store);
    let turn = bench.turn().await;
    let first = call(&turn, "look", r#"{"about":"rain"}"#).await;
    let again = call(&turn, "look", r#"{"about":"rain","depth":0}"#).await;
    assert_same_answer(&first, &again);
    let deeper = call(&turn, "look", r#"{"about":"rain","depth":1}"#).await;
    assert_ne!(deeper.key, first.key);
    assert_eq!(bench.ledger.effects().len(), 2);
}

/// R24, R27: a read's key is its step and its identity arguments.
pub(crate) async fn a_read_has_identity_arguments_too(store: TestStore) {
    let bench = Bench::new(store);
    let turn = bench.turn().await;
    let first = call(&turn, "look", r#"{"about":"rain"}"#).await;
    assert_eq!(first.value().and_then(Json::as_str), Some("effect-1"));
    assert!(
        call(&bench.turn().await, "look", r#"{"about":"rain"}"#)
            .await
            .replayed
    );
    assert!(
        !call(&turn.step(1), "look", r#"{"about":"rain"}"#)
            .await
            .replayed
    );
    assert!(!call(&turn, "look", r#"{"about":"snow"}"#).await.replayed);
}
