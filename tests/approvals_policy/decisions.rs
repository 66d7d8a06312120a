//! What the policy says against what a person says (R41, R43 to R45).

use crate::support::{House, code};
use idem_tests::TestStore;
use idem_tools::Ask;
use idem_tools::approval::CardStatus;

const ASKS: &str = "default = \"ask\"";
const ALLOWS: &str = "default = \"ask\"\n[[rule]]\nname = \"pay\"\ntool = \"pay\"\nallow = true";
const DENIES: &str =
    "default = \"ask\"\n[[rule]]\nname = \"pay\"\ntool = \"pay\"\ndeny = \"the account is closed\"";
const PAY: &str = r#"{"to":"eve","amount":5}"#;

/// R41: a policy that denies now beats a person's standing yes, and says so itself.
pub(crate) async fn a_deny_beats_a_standing_yes(store: TestStore) {
    let house = House::new(store);
    let worker = house.worker(ASKS).await;
    let card = worker.waits("run", "pay", PAY).await;
    worker.approve(&card).await;

    let stricter = house.worker(DENIES).await;
    let answer = stricter.answer("run", "pay", PAY).await;
    assert_eq!(code(&answer), "denied");
    assert_eq!(answer.failure().unwrap().message, "the account is closed");
    assert!(house.effects.made().is_empty());

    // Nothing of it is stored: the yes is there where the policy is again as it was.
    let answer = house.worker(ASKS).await.answer("run", "pay", PAY).await;
    assert_eq!(answer.approval, Some(card.id));
    assert_eq!(house.effects.made(), ["pay eve 5"]);
}

/// R41: an allow withdraws an open card, and the call runs.
pub(crate) async fn an_allow_takes_an_open_card_back(store: TestStore) {
    let house = House::new(store);
    let worker = house.worker(ASKS).await;
    let card = worker.waits("run", "pay", PAY).await;
    assert_eq!(worker.open_cards().await, 1);

    let milder = house.worker(ALLOWS).await;
    let answer = milder.answer("run", "pay", PAY).await;
    assert_eq!(answer.approval, None);
    assert_eq!(house.effects.made(), ["pay eve 5"]);
    assert_eq!(milder.card(&card).await.status, CardStatus::Withdrawn);
    assert_eq!(milder.open_cards().await, 0);
    assert!(milder.answer("run", "pay", PAY).await.replayed);
}

/// R45: a person's no to this very call is given again in its turn, though the policy asks no more. Other content is
/// another call.
pub(crate) async fn an_allow_gives_a_no_again(store: TestStore) {
    let house = House::new(store);
    let worker = house.worker(ASKS).await;
    let card = worker.waits("run", "pay", PAY).await;
    worker.deny(&card).await;

    let milder = house.worker(ALLOWS).await;
    let answer = milder.answer("run", "pay", PAY).await;
    assert_eq!(code(&answer), "denied");
    assert!(answer.failure().unwrap().message.contains("not this one"));
    assert!(house.effects.made().is_empty());
    milder
        .answer("run", "pay", r#"{"to":"eve","amount":6}"#)
        .await;
    assert_eq!(house.effects.made(), ["pay eve 6"]);
}

/// R43: a call that a person edited into another identity and that ran is answered by what ran. Its own key is not in
/// the journal, so a policy that allows it now would make it a second time.
pub(crate) async fn an_allow_does_not_repeat_a_call_that_ran_edited(store: TestStore) {
    let house = House::new(store);
    let worker = house.worker(ASKS).await;
    let card = worker.waits("run", "pay", PAY).await;
    worker.edit(&card, r#"{"to":"eve","amount":2}"#).await;
    let card = worker.waits("run", "pay", PAY).await;
    assert!(card.is_edited());
    worker.approve(&card).await;

    // The yes is there and the call has not run: it runs as it was approved.
    let milder = house.worker(ALLOWS).await;
    let answer = milder.answer("run", "pay", PAY).await;
    assert!(answer.ran_instead.is_some());
    assert_eq!(house.effects.made(), ["pay eve 2"]);
    // And it has run: it is answered.
    let answer = house.worker(ALLOWS).await.answer("run", "pay", PAY).await;
    assert!(answer.replayed && answer.ran_instead.is_some());
    assert_eq!(house.effects.made(), ["pay eve 2"]);
}

/// The tool's word comes on top of the policy's: always asks where it allows, never runs where it asks, and neither
/// passes a denial.
pub(crate) async fn a_tools_own_word_stands_beside_the_policy(store: TestStore) {
    let house = House::new(store);
    let about = r#"{"about":"it"}"#;
    let worker = house.worker("default = \"allow\"").await;
    worker.waits("run", "sell", about).await;
    let worker = house.worker(ASKS).await;
    worker.answer("run", "note", about).await;
    assert_eq!(house.effects.made(), ["note it"]);
    let worker = house.worker("default = \"deny\"").await;
    for tool in ["sell", "note"] {
        let answer = worker.answer("run", tool, r#"{"about":"other"}"#).await;
        assert_eq!(code(&answer), "denied", "{tool}");
    }
    assert_eq!(house.effects.made(), ["note it"]);
}

pub(crate) async fn a_ready_policy_asks_about_whatever_may_write(store: TestStore) {
    let house = House::new(store);
    let worker = house.worker_under(Ask::writes()).await;
    worker.answer("run", "look", r#"{"about":"it"}"#).await;
    worker.waits("run", "pay", PAY).await;
    worker.waits("run", "write", r#"{"to":"eve"}"#).await;
    assert!(house.effects.made().is_empty());
}
