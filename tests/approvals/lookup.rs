//! R41, R45: which card speaks about a call.

use crate::bench::{Bench, done, new_card, principal, proposal};
use idem_core::approval::table::CardState;
use idem_core::approval::{Approval, ApprovalId, CardCall, NewCard};
use idem_core::identity::LogicalTurn;
use idem_tests::TestStore;
use std::time::Duration;

async fn find(bench: &Bench, card: &NewCard) -> Option<Approval> {
    let call = CardCall {
        scope: &card.scope,
        principal: &card.principal,
        proposed: &card.proposed,
    };
    let place = (&card.run, &card.turn);
    bench
        .store
        .find_card(card.organization, place, call)
        .await
        .unwrap()
}

/// R41: a second card is not opened beside an open one, whatever it shows; it is once that one is decided.
pub(crate) async fn at_most_one_card_is_open_for_a_call(store: TestStore) {
    let bench = Bench::new(store.open().await);
    let first = bench.open(1).await;
    for content in [1, 2] {
        let card = new_card(bench.organization, proposal(1, content));
        let opened = bench.store.open_card(ApprovalId::mint(), &card).await;
        assert!(opened.unwrap().is_none());
    }
    done(bench.deny(&first, "no").await);
    bench.open(1).await;
}

/// R44, R45: a decision about this very content is found behind newer cards of other content, until one replaces it.
pub(crate) async fn a_yes_is_found_behind_newer_cards_of_other_content(store: TestStore) {
    let bench = Bench::new(store.open().await);
    let own = new_card(bench.organization, proposal(1, 1));
    let other = new_card(bench.organization, proposal(1, 2));
    let card = bench.open_as(&own).await;
    done(bench.approve(&card).await);
    let newer = bench.open_as(&other).await;
    assert_eq!(find(&bench, &own).await.unwrap().id, card.id);
    assert_eq!(find(&bench, &other).await.unwrap().id, newer.id);

    done(bench.deny(&newer, "no").await);
    let third = bench
        .open_as(&new_card(bench.organization, proposal(1, 3)))
        .await;
    assert_eq!(find(&bench, &other).await.unwrap().id, newer.id);
    done(bench.desk.withdraw(third.id, "").await.unwrap());

    let replacing = NewCard {
        supersedes: Some(card.id),
        ..own.clone()
    };
    let replacing = bench.open_as(&replacing).await;
    assert_eq!(find(&bench, &own).await.unwrap().id, replacing.id);
}

/// R42: a yes is for the principal on whose behalf it was asked; a no is for everybody.
pub(crate) async fn a_yes_covers_its_principal_only(store: TestStore) {
    let bench = Bench::new(store.open().await);
    let anns = new_card(bench.organization, proposal(1, 1));
    let bobs = NewCard {
        principal: principal("bob"),
        ..anns.clone()
    };
    let yes = bench.open_as(&anns).await;
    done(bench.approve(&yes).await);
    let open = bench.open_as(&bobs).await;
    assert_eq!(find(&bench, &anns).await.unwrap().id, yes.id);
    assert_eq!(find(&bench, &bobs).await.unwrap().id, open.id);
    let no = bench
        .desk
        .decide(&crate::bench::says_no(&open, "eve", "no"))
        .await;
    assert_eq!(done(no.unwrap()).id, open.id);
    assert_eq!(find(&bench, &bobs).await.unwrap().id, open.id);
}

/// R41: an open card of another turn that is over is shown to whoever asks, so that it can be closed and replaced.
pub(crate) async fn an_expired_card_of_another_turn_is_not_in_the_way(store: TestStore) {
    let bench = Bench::new(store.open().await);
    let first = new_card(bench.organization, proposal(1, 1));
    let later = NewCard {
        turn: LogicalTurn::numbered(&first.run, 2),
        ..first.clone()
    };
    let card = bench.open_as(&first).await;
    assert_eq!(find(&bench, &later).await.unwrap().id, card.id);
    store.age_cards(Duration::from_secs(8 * 24 * 60 * 60)).await;
    let found = find(&bench, &later).await;
    assert_eq!(CardState::of(found.as_ref()), CardState::Expired);
    let closed = bench.store.expire_card(bench.organization, card.id).await;
    assert!(closed.unwrap().is_some());
    assert!(find(&bench, &later).await.is_none());
    let opened = bench.open_as(&later).await;
    assert_eq!(find(&bench, &later).await.unwrap().id, opened.id);
}
