//! R30, R42: what another principal of the same run did, or was allowed.

use crate::bench::{done, says_yes};
use crate::tools::WriteFile;
use crate::world::{Mode, World, call, waits};
use idem_core::approval::Decided;
use idem_tests::TestStore;

const FILE: &str = r#"{"path":"a.txt"}"#;

/// R30: ann's answer is given to bob after a person was asked on his behalf, and nothing runs again.
pub(crate) async fn an_answer_of_another_principal_passes_an_asking_policy(store: TestStore) {
    let world = World::new(store).await;
    let idem = world.idem::<WriteFile>().await;
    world.rules.set(Mode::Allow);
    let anns = world.answered(&idem, "write_file", FILE).await;
    world.rules.set(Mode::Ask);
    assert!(world.answered(&idem, "write_file", FILE).await.replayed);
    assert_eq!(world.cards().await, 0);

    let turn = world.turn(&idem, "bob", 1);
    let card = waits(call(&turn, "write_file", FILE).await);
    assert_eq!(card.principal, "bob");
    let told = world.decide(says_yes(&card, "bob")).await;
    assert!(matches!(told, Decided::NotAllowed(_)));
    done(world.decide(says_yes(&card, "eve")).await);
    for _ in 0..2 {
        let answer = call(&turn, "write_file", FILE).await.answer().unwrap();
        assert_eq!((answer.replayed, answer.value()), (true, anns.value()));
        // It is spent by the answer, so that its expiry takes nothing away.
        let week = std::time::Duration::from_secs(8 * 24 * 60 * 60);
        world.store.age_cards(week).await;
    }
    assert_eq!((world.ledger.effects().len(), world.cards().await), (1, 1));
}

/// R42: bob may say yes to ann's call. That yes is not his own: the same call on his behalf is asked about.
pub(crate) async fn a_yes_for_one_principal_does_not_run_for_another(store: TestStore) {
    let world = World::new(store).await;
    let idem = world.idem::<WriteFile>().await;
    let card = world.asks(&idem, "write_file", FILE).await;
    world.approve(&card).await;
    let bobs = world.turn(&idem, "bob", 1);
    let other = waits(call(&bobs, "write_file", FILE).await);
    assert_eq!(other.principal, "bob");
    assert_eq!(waits(call(&bobs, "write_file", FILE).await).id, other.id);
    assert!(world.ledger.effects().is_empty());
    // Ann's yes is still hers.
    let first = world.answered(&idem, "write_file", FILE).await;
    assert_eq!(first.approval, Some(card.id));
    assert_eq!(waits(call(&bobs, "write_file", FILE).await).id, other.id);
    assert_eq!(world.ledger.effects().len(), 1);
}

/// R43: the answer is there, made for ann; a person lets bob have another call in its place, and that one runs, once.
pub(crate) async fn a_call_that_a_person_changed_runs_in_place_of_anothers_answer(
    store: TestStore,
) {
    let world = World::new(store).await;
    let idem = world.idem::<WriteFile>().await;
    world.rules.set(Mode::Allow);
    world.answered(&idem, "write_file", FILE).await;
    world.rules.set(Mode::Ask);
    let turn = world.turn(&idem, "bob", 1);
    let card = waits(call(&turn, "write_file", FILE).await);
    let edit = idem_core::approval::EditRequest {
        shown_hash: card.effective.shown_hash,
        by: crate::bench::principal("eve"),
        arguments: r#"{"path":"b.txt"}"#.to_owned(),
    };
    done(world.bench().desk.edit(card.id, &edit).await.unwrap());
    let checked = waits(call(&turn, "write_file", FILE).await);
    done(world.decide(says_yes(&checked, "eve")).await);
    for replayed in [false, true] {
        let answer = call(&turn, "write_file", FILE).await.answer().unwrap();
        assert_eq!(
            (answer.replayed, answer.approval),
            (replayed, Some(card.id))
        );
        assert!(answer.to_model_text().contains("b.txt"));
    }
    let effects = world.ledger.effects();
    assert_eq!(effects, [r#"write a.txt """#, r#"write b.txt """#]);
    world.rules.set(Mode::Deny);
    let told = call(&turn, "write_file", FILE).await.answer().unwrap();
    assert_eq!(crate::world::code(&told), idem_tools::codes::DENIED);
}
