//! R43: a person wants other arguments.

use crate::bench::says_yes;
use crate::tools::WriteFile;
use crate::versions;
use crate::world::{Mode, World};
use idem_core::approval::table::CardState;
use idem_core::approval::{Approval, CardStatus, Decided};
use idem_tests::TestStore;
use idem_tools::{Idem, Tool};
use std::time::Duration;

const FILE: &str = r#"{"path":"a.txt"}"#;
const OTHER: &str = r#"{"path":"b.txt"}"#;
const WEEK: Duration = Duration::from_secs(8 * 24 * 60 * 60);

/// A call that was asked about, changed, checked by the next ask and approved as it is now.
async fn edited<T: Tool>(world: &World, (from, to): (&str, &str)) -> (Idem, Approval) {
    let idem = world.idem::<T>().await;
    let tool = T::SPEC.name();
    let card = world.asks(&idem, tool, from).await;
    world.edit(&card, to).await;
    let checked = world.asks(&idem, tool, from).await;
    assert_eq!((checked.id, checked.edit_request.clone()), (card.id, None));
    assert!(checked.is_edited());
    world.approve(&checked).await;
    (idem, checked)
}

/// R43: what a person changed is checked, shown and runs, under its own key; the original gets that answer and is told.
pub(crate) async fn an_edited_call_runs_under_its_own_key_and_the_original_gets_its_answer(
    store: TestStore,
) {
    let world = World::new(store).await;
    let (idem, card) = edited::<WriteFile>(&world, (FILE, OTHER)).await;
    assert_eq!(&*card.effective.input, r#"{"path":"b.txt","text":""}"#);
    assert_ne!(card.effective.key, card.proposed.key);
    let first = world.answered(&idem, "write_file", FILE).await;
    assert_eq!(first.key, Some(card.effective.key));
    let again = world
        .answered(&world.idem::<WriteFile>().await, "write_file", FILE)
        .await;
    assert_eq!((first.replayed, again.replayed), (false, true));
    for told in [first, again] {
        let text = told.to_model_text();
        assert!(
            text.contains("b.txt") && text.contains("effect-1"),
            "{text}"
        );
        assert_eq!(told.approval, Some(card.id));
    }
    // Who proposes what ran gets its answer from the journal.
    let other = world.answered(&idem, "write_file", OTHER).await;
    assert!(other.replayed && other.ran_instead.is_none());
    assert_eq!(world.ledger.effects(), [r#"write b.txt """#]);
    assert_eq!((world.cards().await, world.rows().await), (1, 1));
}

/// R43: what the tool does not take is refused with the reason, and the card shows what it showed.
pub(crate) async fn a_refused_edit_says_why_and_changes_nothing(store: TestStore) {
    let world = World::new(store).await;
    let idem = world.idem::<WriteFile>().await;
    let card = world.asks(&idem, "write_file", FILE).await;
    for (wrong, why) in [
        (r#"{"path":7}"#, "path"),
        ("{", ""),
        (r#"{"to":"b"}"#, "to"),
    ] {
        world.edit(&card, wrong).await;
        let checked = world.asks(&idem, "write_file", FILE).await;
        assert_eq!((checked.id, checked.edit_request.clone()), (card.id, None));
        assert!(checked.edit_refusal.as_ref().unwrap().contains(why));
        assert!(!checked.is_edited());
    }
    world.approve(&card).await;
    world.answered(&idem, "write_file", FILE).await;
    assert_eq!(world.ledger.effects(), [r#"write a.txt """#]);
}

/// R42, R43: an edit is final only by the hash of what is shown since.
pub(crate) async fn the_old_hash_approves_nothing_after_an_edit(store: TestStore) {
    let world = World::new(store).await;
    let idem = world.idem::<WriteFile>().await;
    let card = world.asks(&idem, "write_file", FILE).await;
    world.edit(&card, OTHER).await;
    world.asks(&idem, "write_file", FILE).await;
    let told = world.decide(says_yes(&card, "eve")).await;
    let Decided::ShowsOther(shown) = told else {
        panic!("the old hash decided");
    };
    assert_eq!(shown.status, CardStatus::Open);
    world.approve(&shown).await;
    world.answered(&idem, "write_file", FILE).await;
    assert_eq!(world.ledger.effects(), [r#"write b.txt """#]);
}

/// R43: where the policy allows the original later, it is not made beside the call that a person put in its place.
pub(crate) async fn an_edited_call_runs_once_also_where_the_policy_allows_it_later(
    store: TestStore,
) {
    let world = World::new(store).await;
    let (idem, card) = edited::<WriteFile>(&world, (FILE, OTHER)).await;
    world.rules.set(Mode::Allow);
    let first = world.answered(&idem, "write_file", FILE).await;
    for days_later in [false, true] {
        if days_later {
            assert_eq!(world.set_cards("spent_at = NULL").await, 1);
            world.store.age_cards(WEEK).await;
        }
        let again = world.answered(&idem, "write_file", FILE).await;
        assert_eq!((again.replayed, again.value()), (true, first.value()));
        assert_eq!(world.ledger.effects(), [r#"write b.txt """#]);
    }
    let card = world.bench().show(card.id).await;
    assert_eq!(CardState::of(Some(&card)), CardState::Spent);
}

/// R42, R43: spent is what the journal says, also where the note is missing and the card's time is over.
pub(crate) async fn an_edited_answer_is_given_after_its_card_ran_out(store: TestStore) {
    let world = World::new(store).await;
    let (idem, card) = edited::<WriteFile>(&world, (FILE, OTHER)).await;
    world.answered(&idem, "write_file", FILE).await;
    for status in ["approved", "withdrawn"] {
        let unnoted = format!("spent_at = NULL, status = '{status}'");
        assert_eq!(world.set_cards(&unnoted).await, 1);
        world.store.age_cards(WEEK).await;
        let told = world.answered(&idem, "write_file", FILE).await;
        assert!(told.replayed && told.value().is_some(), "{told:?}");
    }
    assert_eq!(world.bench().show(card.id).await.spent_at, None);
    assert_eq!(world.ledger.effects().len(), 1);
}

/// R30, R43: a completed key keeps answering whatever the code now declares, also where a person had changed the call.
pub(crate) async fn an_edited_answer_is_given_whatever_the_tool_declares_now(store: TestStore) {
    let world = World::new(store).await;
    let from = r#"{"to":"x","amount":9}"#;
    let to = r#"{"to":"x","amount":1,"method":"Cash"}"#;
    let (idem, _) = edited::<versions::first::pay>(&world, (from, to)).await;
    let first = world.answered(&idem, "pay", from).await;
    assert_eq!(world.set_cards("spent_at = NULL").await, 1);
    // Nobody takes cash any more, and what is proposed is the same.
    let idem = world.idem::<versions::no_cash::pay>().await;
    let again = world.answered(&idem, "pay", from).await;
    assert_eq!((again.replayed, again.value()), (true, first.value()));
    assert_eq!(world.ledger.effects(), ["pay x 1 Cash"]);
}

/// R43: the model is told what ran, also where that failed.
pub(crate) async fn the_model_is_told_what_ran_also_where_it_failed(store: TestStore) {
    let world = World::new(store).await;
    let missing = r#"{"path":"missing"}"#;
    let (idem, _) = edited::<WriteFile>(&world, (FILE, missing)).await;
    let told = world.answered(&idem, "write_file", FILE).await;
    let text = told.to_model_text();
    assert!(
        text.contains("not_found") && text.contains(r#""path":"missing""#),
        "{text}"
    );
}
