//! R41: asking.

use crate::bench::done;
use crate::tools::{LookUp, SetAlarm, WriteFile};
use crate::world::{Mode, World, waits};
use idem_core::Scope;
use idem_core::approval::table::CardState;
use idem_core::approval::{NewCard, Proposal};
use idem_core::identity::RequestHash;
use idem_tests::TestStore;
use idem_tools::{CallError, ProposedCall, codes};
use tokio::task::JoinSet;

const FILE: &str = r#"{"path":"a.txt"}"#;

/// R41: one card, which shows every argument, and nothing in the plane while a person thinks.
pub(crate) async fn asking_opens_one_card_and_no_row_in_the_plane(store: TestStore) {
    let world = World::new(store).await;
    let idem = world.idem::<WriteFile>().await;
    let card = world.asks(&idem, "write_file", FILE).await;
    assert_eq!(&*card.proposed.input, r#"{"path":"a.txt","text":""}"#);
    assert_eq!(
        (
            card.principal.as_str(),
            card.rule.as_str(),
            card.run.as_str()
        ),
        ("ann", "the rules ask", "run-1")
    );
    assert_eq!((world.cards().await, world.rows().await), (1, 0));
    assert!(world.ledger.effects().is_empty());
}

/// R41: the same call after a restart waits on the same card, however it is spelled.
pub(crate) async fn asking_again_after_a_restart_returns_the_same_card(store: TestStore) {
    let world = World::new(store).await;
    let card = world
        .asks(&world.idem::<WriteFile>().await, "write_file", FILE)
        .await;
    let again = world.idem::<WriteFile>().await;
    let spelled = r#"{ "text": "", "path": "a\u002etxt" }"#;
    assert_eq!(world.asks(&again, "write_file", spelled).await.id, card.id);
    assert_eq!((world.cards().await, world.rows().await), (1, 0));
}

/// R41: whoever asks at the same time gets the one card.
pub(crate) async fn twenty_askers_get_one_card(store: TestStore) {
    let world = World::new(store).await;
    let (one, other) = (
        world.idem::<WriteFile>().await,
        world.idem::<WriteFile>().await,
    );
    let mut askers = JoinSet::new();
    for asker in 0..20 {
        let idem = if asker % 2 == 0 { &one } else { &other };
        let turn = world.turn(idem, "ann", 1);
        askers.spawn(async move { crate::world::call(&turn, "write_file", FILE).await });
    }
    let mut cards: Vec<_> = askers.join_all().await.into_iter().map(waits).collect();
    cards.dedup_by_key(|card| card.id);
    assert_eq!((cards.len(), world.cards().await), (1, 1));
}

/// R41: other content under the key takes the open card back, and the new one names it.
pub(crate) async fn other_content_supersedes_the_open_card(store: TestStore) {
    let world = World::new(store).await;
    let idem = world.idem::<WriteFile>().await;
    let first = world.asks(&idem, "write_file", FILE).await;
    let bench = world.bench();
    done(bench.desk.withdraw(first.id, "").await.unwrap());
    let other = bench
        .open_as(&NewCard {
            scope: Scope::new(&first.scope).unwrap(),
            ..crate::bench::new_card(
                world.organization,
                Proposal {
                    hash: RequestHash::from_bytes([7; 32]),
                    ..first.proposed.clone()
                },
            )
        })
        .await;
    let card = world.asks(&idem, "write_file", FILE).await;
    assert_eq!(card.supersedes, Some(other.id));
    let other = bench.show(other.id).await;
    assert_eq!(CardState::of(Some(&other)), CardState::Withdrawn);
    assert!(other.reason.unwrap().contains("another call"));
}

/// R41: the policy comes first: where it allows the call now, an open card is taken back and the call runs.
pub(crate) async fn an_allow_takes_an_open_card_back(store: TestStore) {
    let world = World::new(store).await;
    let idem = world.idem::<WriteFile>().await;
    let card = world.asks(&idem, "write_file", FILE).await;
    world.rules.set(Mode::Allow);
    world.answered(&idem, "write_file", FILE).await;
    assert_eq!(world.ledger.effects().len(), 1);
    let card = world.bench().show(card.id).await;
    assert_eq!(CardState::of(Some(&card)), CardState::Withdrawn);
}

/// R41: a deny beats a standing yes, and the yes is there again when the policy asks again.
pub(crate) async fn a_policys_deny_beats_a_yes(store: TestStore) {
    let world = World::new(store).await;
    let idem = world.idem::<WriteFile>().await;
    let card = world.asks(&idem, "write_file", FILE).await;
    world.approve(&card).await;
    world.rules.set(Mode::Deny);
    assert_eq!(world.fails(&idem, "write_file", FILE).await, codes::DENIED);
    assert_eq!((world.rows().await, world.ledger.effects().len()), (0, 0));
    world.rules.set(Mode::Ask);
    world.answered(&idem, "write_file", FILE).await;
    assert_eq!(world.ledger.effects().len(), 1);
}

/// R41, R27: a read is asked about like any call; what it saw is recorded once, and a later step asks anew.
pub(crate) async fn a_read_asks_too(store: TestStore) {
    let world = World::new(store).await;
    let idem = world.idem::<LookUp>().await;
    let about = r#"{"about":"bob"}"#;
    let card = world.asks(&idem, "look_up", about).await;
    world.approve(&card).await;
    let first = world.answered(&idem, "look_up", about).await;
    let again = world.answered(&idem, "look_up", about).await;
    assert_eq!((first.replayed, again.replayed), (false, true));
    assert_eq!(world.ledger.effects(), ["look bob"]);
    let card = world.bench().show(card.id).await;
    assert_eq!(CardState::of(Some(&card)), CardState::Spent);
    let next = world.turn(&idem, "ann", 1).step(1);
    let other = waits(crate::world::call(&next, "look_up", about).await);
    assert_ne!(other.id, card.id);
}

/// R44: what a person sees is what runs; a tool whose input does not read its own form back cannot be asked about.
pub(crate) async fn what_cannot_be_read_back_is_not_asked(store: TestStore) {
    let world = World::new(store).await;
    let idem = world.idem::<SetAlarm>().await;
    let turn = world.turn(&idem, "ann", 1);
    let proposed = ProposedCall::new("call-1", "set_alarm", r#"{"at":1700000000}"#);
    let refused = turn.call(proposed).await;
    assert!(
        matches!(refused, Err(CallError::NotShowable { ref tool }) if tool == "set_alarm"),
        "{refused:?}"
    );
    assert_eq!((world.cards().await, world.rows().await), (0, 0));
}
