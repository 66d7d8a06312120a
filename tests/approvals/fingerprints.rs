//! R44: a yes to the tool as it was, and the tool as it is.

use crate::versions;
use crate::world::World;
use idem_core::approval::Approval;
use idem_core::approval::table::CardState;
use idem_tests::TestStore;
use idem_tools::Tool;
use std::time::Duration;

const PAY: &str = r#"{"to":"x","amount":7}"#;
const DAY: Duration = Duration::from_secs(24 * 60 * 60);

/// A payment that was approved when the tool was young.
async fn approved(world: &World) -> Approval {
    let idem = world.idem::<versions::first::pay>().await;
    let card = world.asks(&idem, "pay", PAY).await;
    world.approve(&card).await;
    card
}

/// The tool became `T`: the yes does not cover it, so that it is asked about anew; the old card says why.
async fn asks_again<T: Tool>(world: &World, arguments: &str) -> (Approval, String) {
    let old = approved(world).await;
    let idem = world.idem::<T>().await;
    let card = world.asks(&idem, "pay", arguments).await;
    assert_ne!(card.id, old.id);
    assert!(world.ledger.effects().is_empty());
    assert_eq!(world.rows().await, 0);
    let old = world.bench().show(old.id).await;
    let why = old.reason.clone().unwrap_or_default();
    // The new yes is for the tool as it is.
    world.approve(&card).await;
    world.answered(&idem, "pay", arguments).await;
    assert_eq!(world.ledger.effects().len(), 1);
    (old, why)
}

/// R44: after two days the tool has two more arguments, each with a default: the yes stands, and the answer names them.
pub(crate) async fn a_new_defaulted_argument_is_covered_and_named(store: TestStore) {
    let world = World::new(store).await;
    let card = approved(&world).await;
    world.store.age_cards(2 * DAY).await;
    world.store.age_turns(2 * DAY).await;
    let idem = world.idem::<versions::defaulted::pay>().await;
    let first = world.answered(&idem, "pay", PAY).await;
    assert_eq!(first.approval, Some(card.id));
    assert_eq!(first.added_defaults, ["memo", "speed"]);
    assert!(world.answered(&idem, "pay", PAY).await.replayed);
    assert_eq!(world.ledger.effects(), ["pay x 7 Card"]);
    assert_eq!(world.cards().await, 1);
}

/// R44: a new variant of an enum is another field.
pub(crate) async fn a_changed_enum_asks_again(store: TestStore) {
    let world = World::new(store).await;
    let (old, why) = asks_again::<versions::enum_changed::pay>(&world, PAY).await;
    assert_eq!(CardState::of(Some(&old)), CardState::Withdrawn);
    assert!(why.contains("`method` changed"), "{why}");
}

/// R44: an argument without a default was not approved. What is proposed with it is another call.
pub(crate) async fn a_new_required_argument_asks_again(store: TestStore) {
    let world = World::new(store).await;
    let with = r#"{"to":"x","amount":7,"purpose":"rent"}"#;
    let (old, _) = asks_again::<versions::required::pay>(&world, with).await;
    assert_eq!(CardState::of(Some(&old)), CardState::Approved);
    let idem = world.idem::<versions::required::pay>().await;
    let without = world.fails(&idem, "pay", PAY).await;
    assert_eq!(without, idem_tools::codes::INVALID_INPUT);
}

/// R44: another effect class promises something else.
pub(crate) async fn another_effect_class_asks_again(store: TestStore) {
    let world = World::new(store).await;
    let (old, why) = asks_again::<versions::keyed::pay>(&world, PAY).await;
    assert_eq!(CardState::of(Some(&old)), CardState::Withdrawn);
    assert!(why.contains("effect class"), "{why}");
}

/// R44: the new card speaks from the moment it is there, also where the process ended before the old one was taken back.
pub(crate) async fn a_stale_yes_is_replaced_also_after_a_crash(store: TestStore) {
    let world = World::new(store).await;
    let old = approved(&world).await;
    let idem = world.idem::<versions::enum_changed::pay>().await;
    let card = world.asks(&idem, "pay", PAY).await;
    assert_eq!(card.supersedes, Some(old.id));
    let postgres = "UPDATE agent.approvals SET status = 'approved', reason = NULL WHERE decided_at IS NOT NULL";
    let sqlite = postgres.replace("agent.approvals", "agent_approvals");
    assert_eq!(world.store.execute(postgres, &sqlite).await, 1);
    assert_eq!(world.asks(&idem, "pay", PAY).await.id, card.id);
    world.deny(&card, "not any more").await;
    assert_eq!(
        world.fails(&idem, "pay", PAY).await,
        idem_tools::codes::DENIED
    );
    assert!(world.ledger.effects().is_empty());
}
