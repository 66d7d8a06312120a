//! Two equal calls of one turn are one effect, unless somebody says that they are meant (R26, C43).

use idem_core::identity::{IdempotencyKey, KeyKind, ToolName};
use idem_tests::TestStore;

use crate::bench::{Bench, answer, assert_same_answer, call, code, intent, proposed};

const ANN: &str = r#"{"to":"ann"}"#;

/// C43 (a): one response with two equal calls makes one effect, and both ids get its answer.
pub(crate) async fn two_equal_sends_of_one_response_are_one_effect(store: TestStore) {
    let bench = Bench::new(store);
    let calls = ["a", "b"].map(|id| idem_tools::ProposedCall::new(id, "greet", ANN));
    let settled = bench.turn().await.call_all(calls.to_vec()).await;
    let answers = settled
        .into_iter()
        .map(|settled| settled.expect("settled").answer());
    let answers: Vec<_> = answers.map(|answer| answer.expect("an answer")).collect();
    let ids: Vec<_> = answers
        .iter()
        .map(|answer| answer.call_id.as_deref())
        .collect();
    assert_eq!(ids, [Some("a"), Some("b")]);
    assert_same_answer(&answers[0], &answers[1]);
    assert_eq!(bench.ledger.effects(), ["greet ann"]);
}

/// C43 (c): the harness says that the second one is meant, and a restart repeats neither.
pub(crate) async fn an_intent_makes_the_second_equal_send_an_effect_of_its_own(store: TestStore) {
    let bench = Bench::new(store);
    let second = || proposed("greet", ANN).with_intent(intent("the second greeting"));
    let turn = bench.turn().await;
    let one = call(&turn, "greet", ANN).await;
    let two = answer(&turn, second()).await;
    assert_ne!(one.key, two.key);
    assert_eq!(bench.ledger.effects().len(), 2);
    let turn = bench.turn().await;
    assert_same_answer(&one, &call(&turn, "greet", ANN).await);
    assert_same_answer(&two, &answer(&turn, second()).await);
    assert_eq!(bench.ledger.effects().len(), 2);
}

/// C43 (c): the model says it in an argument of the tool; without it, calls are told apart as ever.
pub(crate) async fn an_argument_that_names_the_intent_tells_two_equal_sends_apart(
    store: TestStore,
) {
    let bench = Bench::new(store);
    let second = r#"{"to":"ann","occasion":"the second invitation"}"#;
    let first = call(&bench.turn().await, "invite", ANN).await;
    let other = call(&bench.turn().await, "invite", second).await;
    assert_ne!(first.key, other.key);
    for (stored, arguments) in [
        (&first, ANN),
        (&first, r#"{"to":"ann","occasion":null}"#),
        (&other, second),
    ] {
        assert_same_answer(
            stored,
            &call(&bench.turn().await, "invite", arguments).await,
        );
    }
    call(&bench.turn().await, "invite", r#"{"to":"bob"}"#).await;
    assert_eq!(bench.ledger.effects().len(), 3);
}

/// R20, R26: the key holds the intent in place of the arguments, and they are all checked.
pub(crate) async fn an_intent_stands_in_for_the_arguments_and_they_are_checked(store: TestStore) {
    let bench = Bench::new(store);
    let turn = bench.turn().await;
    let sent = call(&turn, "invite", r#"{"to":"ann","occasion":"spring"}"#).await;
    let (spring, name) = (intent("spring"), ToolName::new("invite").expect("a name"));
    let kind = KeyKind::Intent {
        turn: turn.id(),
        intent: &spring,
    };
    assert_eq!(sent.key, Some(IdempotencyKey::new(kind, &name, "{}")));
    let told = call(&turn, "invite", r#"{"to":"bob","occasion":"spring"}"#).await;
    assert_eq!(code(&told), "already_done_differently");
    assert_eq!(bench.ledger.effects().len(), 1);
}

/// R26: where both say one, the harness's is the intent and the argument is one more that is checked.
pub(crate) async fn the_harnesses_intent_stands_above_the_arguments(store: TestStore) {
    let bench = Bench::new(store);
    let turn = bench.turn().await;
    let spring = r#"{"to":"ann","occasion":"spring"}"#;
    let harness = |arguments: &str| proposed("invite", arguments).with_intent(intent("op-7"));
    let first = answer(&turn, harness(spring)).await;
    assert_same_answer(&first, &answer(&turn, harness(spring)).await);
    let told = answer(&turn, harness(&spring.replace("spring", "autumn"))).await;
    assert_eq!(code(&told), "already_done_differently");
    assert_ne!(call(&turn, "invite", spring).await.key, first.key);
    assert_eq!(bench.ledger.effects().len(), 2);
}

/// R26, R37: a text that cannot be an intent is told to the model; there is no row and no effect.
pub(crate) async fn an_intent_that_cannot_be_one_is_invalid_input(store: TestStore) {
    let bench = Bench::new(store);
    let turn = bench.turn().await;
    for wrong in ["", "two\\nlines", &"x".repeat(513)] {
        let arguments = format!(r#"{{"to":"ann","occasion":"{wrong}"}}"#);
        let refused = call(&turn, "invite", &arguments).await;
        assert_eq!(code(&refused), "invalid_input");
        let message = &refused.failure().expect("a refusal").message;
        assert!(message.starts_with("$.occasion: "), "{message}");
    }
    assert_eq!((bench.rows().await, bench.ledger.effects().len()), (0, 0));
}

/// R27: a read's key is its step and its arguments.
pub(crate) async fn a_read_has_no_use_for_an_intent(store: TestStore) {
    let bench = Bench::new(store);
    let turn = bench.turn().await;
    let rain = || proposed("look", r#"{"about":"rain"}"#);
    let first = answer(&turn, rain()).await;
    let again = answer(&turn, rain().with_intent(intent("look again"))).await;
    assert_same_answer(&first, &again);
    assert_eq!(bench.ledger.effects().len(), 1);
}
