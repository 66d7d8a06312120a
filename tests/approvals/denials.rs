//! R45: a person's no.

use crate::bench::done;
use crate::tools::WriteFile;
use crate::world::{World, call, code, waits};
use idem_core::Scope;
use idem_core::approval::{NewCard, Proposal};
use idem_core::identity::{RequestHash, ShownHash};
use idem_tests::TestStore;
use idem_tools::codes;

const FILE: &str = r#"{"path":"a.txt"}"#;

/// Other content under the key of a card, as another version of the tool would propose it.
fn other_content(world: &World, card: &idem_core::approval::Approval) -> NewCard {
    let proposed = Proposal {
        hash: RequestHash::from_bytes([7; 32]),
        shown_hash: ShownHash::from_bytes([7; 32]),
        ..card.proposed.clone()
    };
    NewCard {
        scope: Scope::new(&card.scope).unwrap(),
        ..crate::bench::new_card(world.organization, proposed)
    }
}

/// R45, C55: the same call in the same turn gets the no again, with its reason, without a new card, after a restart too.
pub(crate) async fn a_denial_stands_after_a_restart_without_a_new_card(store: TestStore) {
    let world = World::new(store).await;
    let card = world
        .asks(&world.idem::<WriteFile>().await, "write_file", FILE)
        .await;
    world.deny(&card, "not on a Friday").await;
    for _ in 0..2 {
        let idem = world.idem::<WriteFile>().await;
        let told = world.answered(&idem, "write_file", FILE).await;
        assert_eq!(code(&told), codes::DENIED);
        assert!(told.to_model_text().contains("not on a Friday"));
    }
    assert_eq!((world.cards().await, world.rows().await), (1, 0));
    assert!(world.ledger.effects().is_empty());
}

/// R45: it stands also where other content was asked about in between, and that card stays as it is.
pub(crate) async fn a_denial_outlives_other_content_in_between(store: TestStore) {
    let world = World::new(store).await;
    let idem = world.idem::<WriteFile>().await;
    let card = world.asks(&idem, "write_file", FILE).await;
    world.deny(&card, "no").await;
    let other = world.bench().open_as(&other_content(&world, &card)).await;
    assert_eq!(world.fails(&idem, "write_file", FILE).await, codes::DENIED);
    assert_eq!(world.cards().await, 2);
    let other = world.bench().show(other.id).await;
    assert_eq!(other.status, idem_core::approval::CardStatus::Open);
}

/// R45: other content asks, and its card shows the earlier no.
pub(crate) async fn other_content_asks_again_and_shows_the_earlier_denial(store: TestStore) {
    let world = World::new(store).await;
    let idem = world.idem::<WriteFile>().await;
    let first = world.asks(&idem, "write_file", FILE).await;
    done(world.bench().desk.withdraw(first.id, "").await.unwrap());
    let other = world.bench().open_as(&other_content(&world, &first)).await;
    world.deny(&other, "too much text").await;
    let card = world.asks(&idem, "write_file", FILE).await;
    assert_eq!(card.earlier_denial.as_deref(), Some("too much text"));
    assert_eq!(card.supersedes, None);
}

/// R42, R45, C55: turn 1 was approved and done. Turn 2 asks anew and does not borrow that yes; its no holds there.
pub(crate) async fn a_later_turn_asks_anew_and_borrows_no_yes(store: TestStore) {
    let world = World::new(store).await;
    let idem = world.idem::<WriteFile>().await;
    let card = world.asks(&idem, "write_file", FILE).await;
    world.approve(&card).await;
    world.answered(&idem, "write_file", FILE).await;

    let second = waits(call(&world.turn(&idem, "ann", 2), "write_file", FILE).await);
    assert_ne!(second.id, card.id);
    world.deny(&second, "once is enough").await;
    let idem = world.idem::<WriteFile>().await;
    let told = call(&world.turn(&idem, "ann", 2), "write_file", FILE).await;
    assert_eq!(code(&told.answer().unwrap()), codes::DENIED);
    assert_eq!((world.rows().await, world.ledger.effects().len()), (1, 1));

    let third = waits(call(&world.turn(&idem, "ann", 3), "write_file", FILE).await);
    assert!(![card.id, second.id].contains(&third.id));
}
