//! Roles of arguments, and a person who is asked (R41 to R44).

use idem_core::approval::CardStatus;
use idem_tests::TestStore;

use crate::bench::{Bench, answer, call, intent, proposed, waits};

const FIRST: &str = r#"{"to":"ann","template":{"id":"welcome","version":1},"note":"Hello"}"#;

/// R41, R44: another wording returns the same card; what was approved runs, and who worded it differently is told.
pub(crate) async fn other_words_return_the_same_card_and_the_approved_ones_run(store: TestStore) {
    let bench = Bench::new(store);
    let idem = bench.asking().await;
    let turn = bench.turn_of(&idem);
    let reworded = FIRST.replace("Hello", "Good morning");
    let card = waits(&turn, proposed("send_letter", FIRST)).await;
    let again = waits(&turn, proposed("send_letter", &reworded)).await;
    assert_eq!(again.id, card.id);
    assert!(again.effective.input.contains("Hello"));
    bench.decide(&idem, &card).await;
    let told = call(&turn, "send_letter", &reworded).await;
    assert_eq!((told.replayed, told.approval), (false, Some(card.id)));
    assert_eq!(told.reworded, ["note"]);
    assert!(told.ran_instead.is_none());
    let replayed = call(&turn, "send_letter", FIRST).await;
    assert!(replayed.replayed && replayed.reworded.is_empty());
    assert_eq!(bench.ledger.effects(), ["ann welcome.1 0 Hello"]);
}

/// R41: other content under the same key is asked about anew, on a card that names the one it replaces.
pub(crate) async fn other_content_opens_another_card(store: TestStore) {
    let bench = Bench::new(store);
    let idem = bench.asking().await;
    let turn = bench.turn_of(&idem);
    let card = waits(&turn, proposed("send_letter", FIRST)).await;
    let other = FIRST.replace("\"version\":1", "\"version\":2");
    let another = waits(&turn, proposed("send_letter", &other)).await;
    assert_eq!(another.supersedes, Some(card.id));
    assert_eq!(another.proposed.key, card.proposed.key);
    let desk = idem.approvals(bench.organization);
    let first = desk.show(card.id).await.expect("the store answers");
    assert_eq!(first.map(|card| card.status), Some(CardStatus::Withdrawn));
    bench.decide(&idem, &another).await;
    call(&turn, "send_letter", &other).await;
    assert_eq!(bench.ledger.effects(), ["ann welcome.2 0 Hello"]);
}

/// R43: an edit of an argument that is only checked keeps the key, and the original gets its answer all the same.
pub(crate) async fn a_checked_argument_that_a_person_edited_answers_the_original(store: TestStore) {
    let bench = Bench::new(store);
    let idem = bench.asking().await;
    let turn = bench.turn_of(&idem);
    let card = waits(&turn, proposed("send_letter", FIRST)).await;
    bench
        .edit(
            &idem,
            &card,
            &FIRST.replace("\"version\":1", "\"version\":2"),
        )
        .await;
    let card = waits(&turn, proposed("send_letter", FIRST)).await;
    assert!(card.is_edited());
    assert_eq!(card.effective.key, card.proposed.key);
    bench.decide(&idem, &card).await;
    for replayed in [false, true] {
        let told = call(&turn, "send_letter", FIRST).await;
        assert!(told.result.is_ok(), "{}", told.to_model_text());
        assert_eq!(told.replayed, replayed);
        assert!(told.ran_instead.is_some() && told.reworded.is_empty());
    }
    assert_eq!(bench.ledger.effects(), ["ann welcome.2 0 Hello"]);
}

/// R26, R40: two equal calls of two intents wait on two cards.
pub(crate) async fn an_intent_is_on_its_card(store: TestStore) {
    let bench = Bench::new(store);
    let idem = bench.asking().await;
    let turn = bench.turn_of(&idem);
    let greeting = || proposed("greet", r#"{"to":"ann"}"#);
    let second = || greeting().with_intent(intent("the second greeting"));
    let one = waits(&turn, greeting()).await;
    let two = waits(&turn, second()).await;
    assert_ne!((one.id, one.proposed.key), (two.id, two.proposed.key));
    assert_eq!(waits(&turn, second()).await.id, two.id);
    bench.decide(&idem, &two).await;
    assert_eq!(answer(&turn, second()).await.key, Some(two.proposed.key));
    assert_eq!(waits(&turn, greeting()).await.id, one.id);
    assert_eq!(bench.ledger.effects(), ["greet ann"]);
}
