//! A new policy file in the place of one that asked: what a person said stands, whatever the new one says (R41, R43, R45).

use crate::support::{House, code};
use idem_tests::TestStore;
use idem_tools::approval::CardStatus;
use idem_tools::{Checkpoint, Decision};

const ASKS: &str = "default = \"ask\"";
const NEVER_ASKS: &str = "default = \"allow\"";
const PAY: &str = r#"{"to":"eve","amount":5}"#;

/// R45: a denied call stays denied in its turn, also where no rule of the file in hand asks.
pub(crate) async fn a_file_that_never_asks_gives_a_no_again(store: TestStore) {
    let house = House::new(store);
    let worker = house.worker(ASKS).await;
    let card = worker.waits("run", "pay", PAY).await;
    worker.deny(&card).await;
    let milder = house.worker(NEVER_ASKS).await;
    let answer = milder.answer("run", "pay", PAY).await;
    assert_eq!(code(&answer), "denied");
    assert!(house.effects.made().is_empty());
}

/// R43: a call that ran edited is not made a second time as it was proposed.
pub(crate) async fn a_file_that_never_asks_does_not_repeat_a_call_that_ran_edited(
    store: TestStore,
) {
    let house = House::new(store);
    let worker = house.worker(ASKS).await;
    let card = worker.waits("run", "pay", PAY).await;
    worker.edit(&card, r#"{"to":"eve","amount":2}"#).await;
    let card = worker.waits("run", "pay", PAY).await;
    worker.approve(&card).await;
    worker.answer("run", "pay", PAY).await;
    let milder = house.worker(NEVER_ASKS).await;
    assert!(milder.answer("run", "pay", PAY).await.replayed);
    assert_eq!(house.effects.made(), ["pay eve 2"]);
}

/// R41: an open card is taken back.
pub(crate) async fn a_file_that_never_asks_takes_an_open_card_back(store: TestStore) {
    let house = House::new(store);
    let worker = house.worker(ASKS).await;
    let card = worker.waits("run", "pay", PAY).await;
    let milder = house.worker(NEVER_ASKS).await;
    milder.answer("run", "pay", PAY).await;
    assert_eq!(milder.card(&card).await.status, CardStatus::Withdrawn);
    assert_eq!(house.effects.made(), ["pay eve 5"]);
}

/// R45: a function cannot say whether it ever asks, so it is taken to.
pub(crate) async fn a_function_that_allows_gives_a_no_again(store: TestStore) {
    let house = House::new(store);
    let asks = |_: &Checkpoint<'_>| Decision::ask("every call is asked about");
    let worker = house.worker_under(asks).await;
    let card = worker.waits("run", "pay", PAY).await;
    worker.deny(&card).await;
    let milder = house
        .worker_under(|_: &Checkpoint<'_>| Decision::Allow)
        .await;
    let answer = milder.answer("run", "pay", PAY).await;
    assert_eq!(code(&answer), "denied");
    assert!(house.effects.made().is_empty());
}
