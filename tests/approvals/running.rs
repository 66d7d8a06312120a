//! R42, R44: an approved call.

use crate::tools::{LogHours, WriteFile};
use crate::world::World;
use idem_core::approval::table::CardState;
use idem_tests::TestStore;
use idem_tools::codes;
use std::time::Duration;

const FILE: &str = r#"{"path":"a.txt"}"#;
const DAY: Duration = Duration::from_secs(24 * 60 * 60);

/// R42, R44: the approved call runs once with the arguments of the card, says under which yes, and spends it.
pub(crate) async fn an_approved_call_runs_once_and_is_spent(store: TestStore) {
    let world = World::new(store).await;
    let idem = world.idem::<WriteFile>().await;
    let card = world.asks(&idem, "write_file", FILE).await;
    world.approve(&card).await;
    assert_eq!(world.rows().await, 0);
    let restarted = world.idem::<WriteFile>().await;
    let first = world.answered(&restarted, "write_file", FILE).await;
    assert_eq!((first.approval, first.replayed), (Some(card.id), false));
    assert_eq!(first.ran_instead, None);
    let again = world.answered(&restarted, "write_file", FILE).await;
    assert!(again.replayed);
    assert_eq!(world.ledger.effects(), [r#"write a.txt """#]);
    let card = world.bench().show(card.id).await;
    assert_eq!(CardState::of(Some(&card)), CardState::Spent);
    assert_eq!((world.cards().await, world.rows().await), (1, 1));
}

/// R42: a retryable failure releases the claim and keeps the yes.
pub(crate) async fn a_release_keeps_the_yes(store: TestStore) {
    let world = World::new(store).await;
    let idem = world.idem::<WriteFile>().await;
    let card = world.asks(&idem, "write_file", FILE).await;
    world.approve(&card).await;
    world.ledger.be_busy(1);
    let busy = world.answered(&idem, "write_file", FILE).await;
    assert!(busy.failure().unwrap().retryable);
    let kept = world.bench().show(card.id).await;
    assert_eq!(CardState::of(Some(&kept)), CardState::Approved);
    assert_eq!(world.rows().await, 0);
    world.answered(&idem, "write_file", FILE).await;
    assert_eq!(world.ledger.effects().len(), 1);
}

/// R44, C37: a yes is bound to what it showed: other arguments in its place are another call, which asks.
pub(crate) async fn other_arguments_are_another_call_and_do_not_run(store: TestStore) {
    let world = World::new(store).await;
    let idem = world.idem::<WriteFile>().await;
    let card = world.asks(&idem, "write_file", FILE).await;
    let hosts = r#"{"path":"/etc/hosts"}"#;
    let other = world.asks(&idem, "write_file", hosts).await;
    assert_ne!(other.id, card.id);
    world.approve(&card).await;
    assert_eq!(world.asks(&idem, "write_file", hosts).await.id, other.id);
    assert_eq!((world.rows().await, world.ledger.effects().len()), (0, 0));
    world.answered(&idem, "write_file", FILE).await;
    assert_eq!(world.asks(&idem, "write_file", hosts).await.id, other.id);
    assert_eq!(world.ledger.effects(), [r#"write a.txt """#]);
}

/// R50, contract 21: a call that was approved after more than a day still runs, once.
pub(crate) async fn a_call_approved_after_two_days_runs_once(store: TestStore) {
    let world = World::new(store).await;
    let card = world
        .asks(&world.idem::<WriteFile>().await, "write_file", FILE)
        .await;
    world.store.age_cards(2 * DAY).await;
    world.store.age_turns(2 * DAY).await;
    world.approve(&card).await;
    world.store.age_cards(DAY).await;
    world.store.age_turns(DAY).await;
    let idem = world.idem::<WriteFile>().await;
    let first = world.answered(&idem, "write_file", FILE).await;
    assert_eq!(first.approval, Some(card.id));
    assert!(world.answered(&idem, "write_file", FILE).await.replayed);
    assert_eq!(world.ledger.effects().len(), 1);
}

/// R41: expiry ends what was approved and did not run; the answer stays for that turn, with no row and no new card.
pub(crate) async fn a_yes_that_ran_out_does_not_run(store: TestStore) {
    let world = World::new(store).await;
    let idem = world.idem::<WriteFile>().await;
    let card = world.asks(&idem, "write_file", FILE).await;
    world.approve(&card).await;
    world.store.age_cards(8 * DAY).await;
    for _ in 0..2 {
        let told = world.answered(&idem, "write_file", FILE).await;
        let failure = told.failure().unwrap();
        assert_eq!(failure.code, codes::APPROVAL_EXPIRED);
        assert!(failure.message.contains("ran out"), "{failure}");
    }
    assert_eq!((world.cards().await, world.rows().await), (1, 0));
    assert!(world.ledger.effects().is_empty());
}

/// R41: a card that nobody decided in time is the answer for that turn; a later turn asks anew.
pub(crate) async fn nobody_deciding_in_time_is_the_answer(store: TestStore) {
    let world = World::new(store).await;
    let idem = world.idem::<WriteFile>().await;
    let card = world.asks(&idem, "write_file", FILE).await;
    world.store.age_cards(8 * DAY).await;
    for _ in 0..2 {
        let code = world.fails(&idem, "write_file", FILE).await;
        assert_eq!(code, codes::APPROVAL_EXPIRED);
    }
    let later = world.turn(&idem, "ann", 2);
    let other = crate::world::waits(crate::world::call(&later, "write_file", FILE).await);
    assert_ne!(other.id, card.id);
    assert_eq!(world.rows().await, 0);
}

/// R21, R44, C01: approved as 1.0, proposed again as 1 and as 10E-1: the same call, which runs once.
pub(crate) async fn another_spelling_matches_the_approval(store: TestStore) {
    let world = World::new(store).await;
    let idem = world.idem::<LogHours>().await;
    let card = world
        .asks(&idem, "log_hours", r#"{"task":88,"hours":1.0}"#)
        .await;
    world.approve(&card).await;
    let spelled = r#"{"hours":1,"task":88}"#;
    let first = world.answered(&idem, "log_hours", spelled).await;
    assert_eq!(first.approval, Some(card.id));
    let spelled = r#"{"task":88,"hours":10E-1}"#;
    assert!(world.answered(&idem, "log_hours", spelled).await.replayed);
    let control = r#"{"task":88,"hours":1.5}"#;
    assert_ne!(world.asks(&idem, "log_hours", control).await.id, card.id);
    assert_eq!(world.ledger.effects(), ["log 88 1"]);
}

/// R41: a yes that was taken back does not run, and the model is told so.
pub(crate) async fn a_yes_taken_back_does_not_run(store: TestStore) {
    let world = World::new(store).await;
    let idem = world.idem::<WriteFile>().await;
    let card = world.asks(&idem, "write_file", FILE).await;
    world.approve(&card).await;
    let desk = world.bench().desk;
    crate::bench::done(desk.withdraw(card.id, "the run ended").await.unwrap());
    let code = world.fails(&idem, "write_file", FILE).await;
    assert_eq!(code, codes::APPROVAL_WITHDRAWN);
    assert_eq!((world.rows().await, world.ledger.effects().len()), (0, 0));
}
