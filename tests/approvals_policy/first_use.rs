//! The first use in a run, as the store remembers it.

use crate::support::{House, code};
use idem_tests::TestStore;
use idem_tools::approval::CardStatus;

const FIRST: &str = r#"
default = "allow"

[[rule]]
name = "the first letter"
scope = "tool.letter.send"
first_in_run = true
ask = "the first letter of this run"
"#;

/// A person is asked about the first letter of a run and about none after it, whichever process comes next; another run
/// asks anew.
pub(crate) async fn it_asks_once_a_run_and_survives_a_restart(store: TestStore) {
    let house = House::new(store);
    let card = house
        .worker(FIRST)
        .await
        .waits("run", "write", r#"{"to":"eve"}"#)
        .await;
    // It waits, so nothing is used; a worker that starts anew finds the same card.
    let worker = house.worker(FIRST).await;
    let again = worker.waits("run", "write", r#"{"to":"eve"}"#).await;
    assert_eq!(again.id, card.id);
    worker.approve(&card).await;
    let answer = worker.answer("run", "write", r#"{"to":"eve"}"#).await;
    assert_eq!(answer.approval, Some(card.id));

    let worker = house.worker(FIRST).await;
    let answer = worker.answer("run", "write", r#"{"to":"bob"}"#).await;
    assert_eq!(answer.approval, None);
    assert!(
        worker
            .answer("run", "write", r#"{"to":"eve"}"#)
            .await
            .replayed
    );
    assert_eq!(house.effects.made(), ["write eve", "write bob"]);

    worker.waits("other run", "write", r#"{"to":"eve"}"#).await;
    assert_eq!(house.effects.made().len(), 2);
}

/// Of calls side by side each is the first. Once one has run, a no and an edit of the others stand, and what is still
/// open is taken back.
pub(crate) async fn side_by_side_each_is_the_first_and_what_a_person_said_stands(store: TestStore) {
    let house = House::new(store);
    let worker = house.worker(FIRST).await;
    let to = |name: &str| format!(r#"{{"to":"{name}"}}"#);
    let yes = worker.waits("run", "write", &to("yes")).await;
    let no = worker.waits("run", "write", &to("no")).await;
    let edited = worker.waits("run", "write", &to("edited")).await;
    let open = worker.waits("run", "write", &to("open")).await;
    worker.deny(&no).await;
    worker.edit(&edited, &to("instead")).await;
    let edited = worker.waits("run", "write", &to("edited")).await;
    worker.approve(&edited).await;
    worker.approve(&yes).await;

    let worker = house.worker(FIRST).await;
    worker.answer("run", "write", &to("yes")).await;
    assert_eq!(
        code(&worker.answer("run", "write", &to("no")).await),
        "denied"
    );
    let answer = worker.answer("run", "write", &to("edited")).await;
    assert_eq!(answer.approval, Some(edited.id));
    worker.answer("run", "write", &to("open")).await;
    assert_eq!(worker.card(&open).await.status, CardStatus::Withdrawn);
    // All of it once more, by another worker.
    let worker = house.worker(FIRST).await;
    for name in ["yes", "no", "edited", "open"] {
        worker.answer("run", "write", &to(name)).await;
    }
    assert_eq!(
        house.effects.made(),
        ["write yes", "write instead", "write open"]
    );
}

/// A call that failed without an effect, to be tried again, was no use: the yes to it is not spent, and another call is
/// still the first.
pub(crate) async fn a_failure_to_try_again_leaves_it_the_first(store: TestStore) {
    let house = House::new(store);
    let worker = house.worker(FIRST).await;
    let busy = r#"{"to":"busy"}"#;
    let card = worker.waits("run", "write", busy).await;
    worker.approve(&card).await;
    let failed = worker.answer("run", "write", busy).await;
    assert!(failed.failure().unwrap().retryable);
    worker.waits("run", "write", r#"{"to":"eve"}"#).await;
    let answer = worker.answer("run", "write", busy).await;
    assert_eq!(answer.approval, Some(card.id));
    worker.answer("run", "write", r#"{"to":"eve"}"#).await;
    assert_eq!(house.effects.made(), ["busy", "write busy", "write eve"]);
}
