//! R42: spent is what the journal says.

use crate::tools::WriteFile;
use crate::versions;
use crate::world::World;
use idem_core::approval::table::CardState;
use idem_tests::TestStore;
use idem_tools::codes;
use std::time::Duration;

const FILE: &str = r#"{"path":"a.txt"}"#;
const PAY: &str = r#"{"to":"x","amount":7}"#;
const DAY: Duration = Duration::from_secs(24 * 60 * 60);

/// R42: the process ended after the answer and before the note: the journal answers, and the note is not missed.
pub(crate) async fn a_crash_before_the_spent_note_changes_nothing(store: TestStore) {
    let world = World::new(store).await;
    let idem = world.idem::<WriteFile>().await;
    let card = world.asks(&idem, "write_file", FILE).await;
    world.approve(&card).await;
    let first = world.answered(&idem, "write_file", FILE).await;
    assert_eq!(world.set_cards("spent_at = NULL").await, 1);
    world.store.age_cards(8 * DAY).await;
    let again = world
        .answered(&world.idem::<WriteFile>().await, "write_file", FILE)
        .await;
    assert_eq!((again.replayed, again.value()), (true, first.value()));
    assert_eq!(world.ledger.effects().len(), 1);
    // The note may still be written: the answer is there.
    let bench = world.bench();
    let noted = bench.store.spend_card(world.organization, card.id).await;
    let noted = noted.unwrap();
    assert_eq!(CardState::of(noted.as_ref()), CardState::Spent);
}

/// R42: a spent yes whose answer is forgotten does not run again.
pub(crate) async fn a_spent_yes_past_retention_answers_expired(store: TestStore) {
    let world = World::new(store).await;
    let idem = world.idem::<WriteFile>().await;
    let card = world.asks(&idem, "write_file", FILE).await;
    world.approve(&card).await;
    world.answered(&idem, "write_file", FILE).await;
    world.store.age_all(31 * DAY).await;
    let told = world.answered(&idem, "write_file", FILE).await;
    let failure = told.failure().unwrap();
    assert_eq!(failure.code, codes::APPROVAL_EXPIRED);
    assert!(failure.message.contains("no longer kept"), "{failure}");
    assert_eq!(world.ledger.effects().len(), 1);
}

/// Leaves the row of an approved call as a worker that was killed in the middle leaves it.
async fn lose_the_worker(world: &World) {
    let lost = "status = 'processing', outcome_kind = NULL, completed_at = NULL, response = NULL, \
                response_encoding = NULL";
    let postgres = format!("UPDATE agent.idempotency_keys SET {lost}");
    let sqlite = postgres.replace("agent.idempotency_keys", "agent_idempotency_keys");
    assert_eq!(world.store.execute(&postgres, &sqlite).await, 1);
    world.store.age_all(Duration::from_secs(60)).await;
    assert_eq!(world.set_cards("spent_at = NULL").await, 1);
}

/// R14, R41: a yes ran out whose attempt vanished in the middle: nobody says that it was not done.
pub(crate) async fn an_attempt_in_doubt_is_not_told_as_undone(store: TestStore) {
    let world = World::new(store).await;
    let idem = world.idem::<WriteFile>().await;
    let card = world.asks(&idem, "write_file", FILE).await;
    world.approve(&card).await;
    world.answered(&idem, "write_file", FILE).await;
    lose_the_worker(&world).await;
    world.store.age_cards(8 * DAY).await;
    let code = world.fails(&idem, "write_file", FILE).await;
    assert_eq!(code, codes::OUTCOME_UNKNOWN);
    assert_eq!(world.ledger.effects().len(), 1);
}

/// R32, R42: while the yes stands, whoever comes after a lost worker does what the effect class says, and is not asked.
pub(crate) async fn an_approved_call_that_lapsed_follows_its_effect_class(store: TestStore) {
    let world = World::new(store).await;
    let idem = world.idem::<versions::keyed::pay>().await;
    let card = world.asks(&idem, "pay", PAY).await;
    world.approve(&card).await;
    world.answered(&idem, "pay", PAY).await;
    lose_the_worker(&world).await;
    let again = world.answered(&idem, "pay", PAY).await;
    assert_eq!((again.attempt, again.approval), (2, Some(card.id)));
    // The vendor is the one that recognises the key; this ledger counts requests.
    assert_eq!(world.ledger.effects().len(), 2);
    let card = world.bench().show(card.id).await;
    assert_eq!(CardState::of(Some(&card)), CardState::Spent);
}
