//! R46: any decision about one of its cards makes a waiting run resumable.

use std::time::Duration;

use idem_core::approval::{Approval, Decided, EditRequest, TakenEdit, Verdict};
use idem_core::runs::{LeaveAs, NewRun, OnMessage, RunStatus};

use crate::bench::{Bench, principal};

/// A run that waits for two cards; a third one is of the same run and not waited for.
async fn waiting(bench: &Bench) -> [Approval; 3] {
    bench.admitted("run-1").await;
    let cards = [
        bench.card("run-1", 1).await,
        bench.card("run-1", 2).await,
        bench.card("run-1", 3).await,
    ];
    let how = LeaveAs::Waiting {
        cards: vec![cards[0].id, cards[1].id],
    };
    let left = bench.left("run-1", &how).await;
    assert_eq!(left.status, RunStatus::Waiting);
    assert_eq!(left.waits_for, [cards[0].id, cards[1].id]);
    assert!(!bench.is_ready("run-1").await);
    cards
}

pub(crate) async fn a_waiting_run_is_ready_when_one_of_its_cards_is_approved(bench: Bench) {
    let cards = waiting(&bench).await;
    bench.decide(&cards[1], Verdict::Approve).await;
    assert!(bench.is_ready("run-1").await);
}

pub(crate) async fn a_waiting_run_is_ready_when_one_of_its_cards_is_denied(bench: Bench) {
    let cards = waiting(&bench).await;
    let no = Verdict::Deny {
        reason: "not today".to_owned(),
    };
    bench.decide(&cards[0], no).await;
    assert!(bench.is_ready("run-1").await);
}

/// R41: judged by the store's clock; nobody has to write it down first.
pub(crate) async fn a_waiting_run_is_ready_when_one_of_its_cards_expires(bench: Bench) {
    waiting(&bench).await;
    bench.cards_pass(Duration::from_secs(600)).await;
    assert!(bench.is_ready("run-1").await);
}

pub(crate) async fn a_waiting_run_is_ready_when_one_of_its_cards_is_withdrawn(bench: Bench) {
    let cards = waiting(&bench).await;
    let taken = bench
        .store
        .withdraw_card(bench.organization, cards[0].id, "no more");
    taken.await.unwrap().expect("an open card");
    assert!(bench.is_ready("run-1").await);
}

/// R43: the driver's process has the tool, and checks what was asked for.
pub(crate) async fn a_waiting_run_is_ready_when_an_edit_of_one_of_its_cards_is_asked_for(
    bench: Bench,
) {
    let cards = waiting(&bench).await;
    let edit = |card: &Approval| EditRequest {
        shown_hash: card.effective.shown_hash,
        arguments: r#"{"path":"9"}"#.to_owned(),
        by: principal("bob"),
    };
    let other = bench.cards().edit(cards[2].id, &edit(&cards[2])).await;
    assert!(matches!(other, Ok(Decided::Done(_))));
    assert!(
        !bench.is_ready("run-1").await,
        "it does not wait for that one"
    );
    let asked = bench.cards().edit(cards[1].id, &edit(&cards[1])).await;
    let Ok(Decided::Done(card)) = asked else {
        panic!("it is open: {asked:?}");
    };
    assert!(bench.is_ready("run-1").await);
    let refused = TakenEdit::Refused("no such file".to_owned());
    bench
        .cards()
        .take_edit(&card, &refused)
        .await
        .unwrap()
        .expect("it is checked");
    assert!(!bench.is_ready("run-1").await, "nothing is left to check");
}

pub(crate) async fn a_decision_about_another_card_does_not_wake_it(bench: Bench) {
    let cards = waiting(&bench).await;
    bench.decide(&cards[2], Verdict::Approve).await;
    bench.admitted("run-2").await;
    let other = bench.card("run-2", 4).await;
    bench.decide(&other, Verdict::Approve).await;
    assert!(!bench.is_ready("run-1").await);
}

/// R41: a message queues behind a turn that waits, unless the run says otherwise.
pub(crate) async fn a_message_wakes_a_waiting_run_only_where_it_ends_the_turn(bench: Bench) {
    waiting(&bench).await;
    bench.post("run-1", "m1").await;
    assert!(!bench.is_ready("run-1").await);

    let ends = NewRun {
        on_message: OnMessage::EndsTheTurn,
        ..bench.new_run("run-2")
    };
    bench.admit(&ends).await;
    let card = bench.card("run-2", 4).await;
    let how = LeaveAs::Waiting {
        cards: vec![card.id],
    };
    bench.left("run-2", &how).await;
    assert!(!bench.is_ready("run-2").await);
    bench.post("run-2", "m2").await;
    assert_eq!(bench.ready().await, ["run-2"]);
}
