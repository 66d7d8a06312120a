//! R41: the end of a run takes its cards back, and a cancelled run ends.

use idem_core::approval::{CardStatus, Verdict};
use idem_core::runs::{EndRun, LeaveAs, RunError, RunStatus};

use crate::bench::{Bench, LEASE, id, ready_now};

fn failed() -> EndRun {
    EndRun {
        status: RunStatus::Failed,
        reason: Some("limit_steps: enough".to_owned()),
        answered_upto: None,
    }
}

/// R41: open and approved-unspent cards, and no others.
pub(crate) async fn an_end_takes_back_what_is_open_and_what_was_not_spent(bench: Bench) {
    bench.admitted("run-1").await;
    bench.admitted("run-2").await;
    let mut cards = Vec::new();
    for key in 1..=4 {
        cards.push(bench.card("run-1", key).await);
    }
    let other = bench.card("run-2", 5).await;
    bench.decide(&cards[1], Verdict::Approve).await;
    bench.decide(&cards[2], Verdict::Approve).await;
    let spent = bench
        .store
        .spend_card(bench.organization, cards[2].id)
        .await;
    spent.unwrap().expect("an approved card");
    let no = Verdict::Deny {
        reason: "no".to_owned(),
    };
    bench.decide(&cards[3], no).await;

    let token = bench.take("run-1").await;
    let run = id("run-1");
    let ended = bench
        .desk
        .end(bench.organization, &run, Some(token), &failed())
        .await;
    let record = ended.unwrap().expect("its owner");
    assert_eq!(record.status, RunStatus::Failed);
    assert_eq!(record.reason, failed().reason);
    assert!(record.ended_at.is_some() && !record.live);
    let mut statuses = Vec::new();
    for card in cards.iter().chain([&other]) {
        let shown = bench.cards().show(card.id).await.unwrap().expect("a card");
        statuses.push(shown.status);
    }
    assert_eq!(
        statuses,
        [
            CardStatus::Withdrawn,
            CardStatus::Withdrawn,
            CardStatus::Approved,
            CardStatus::Denied,
            CardStatus::Open,
        ]
    );
    let taken = bench.desk.take(bench.organization, &run, LEASE).await;
    assert!(matches!(taken, Err(RunError::Ended(_))));
}

/// R41: whoever ended it had no time for the cards; a repeat does what is left.
pub(crate) async fn an_end_that_was_cut_short_is_finished(bench: Bench) {
    bench.admitted("run-1").await;
    let card = bench.card("run-1", 1).await;
    let (organization, run) = (bench.organization, id("run-1"));
    let cut = bench
        .store
        .end_run(organization, &run, None, &failed())
        .await;
    cut.unwrap().expect("nobody owns it");
    bench.desk.cancel(organization, &run, "bob").await.unwrap();
    let shown = bench.cards().show(card.id).await.unwrap().expect("a card");
    assert_eq!(shown.status, CardStatus::Withdrawn);
    assert_eq!(bench.get("run-1").await.status, RunStatus::Failed);
}

/// R41: whatever it waits for.
pub(crate) async fn a_cancel_ends_a_run_that_nobody_owns(bench: Bench) {
    bench.admitted("run-1").await;
    let card = bench.card("run-1", 1).await;
    let how = LeaveAs::Waiting {
        cards: vec![card.id],
    };
    bench.left("run-1", &how).await;
    let cancelled = bench
        .desk
        .cancel(bench.organization, &id("run-1"), "bob")
        .await;
    let record = cancelled.unwrap();
    assert_eq!(record.status, RunStatus::Cancelled);
    assert_eq!(record.reason.as_deref(), Some("cancelled by bob"));
    assert!(record.waits_for.is_empty());
    let shown = bench.cards().show(card.id).await.unwrap().expect("a card");
    assert_eq!(shown.status, CardStatus::Withdrawn);
    // A worker that vanished does not own it either.
    bench.admitted("run-2").await;
    bench.take("run-2").await;
    bench.pass(LEASE).await;
    let cancelled = bench
        .desk
        .cancel(bench.organization, &id("run-2"), "bob")
        .await;
    assert_eq!(cancelled.unwrap().status, RunStatus::Cancelled);
}

/// R14, R41: its owner hears it by its next renewal, and ends it.
pub(crate) async fn a_cancel_is_left_to_the_owner(bench: Bench) {
    bench.admitted("run-1").await;
    let token = bench.take("run-1").await;
    let (organization, run) = (bench.organization, id("run-1"));
    let record = bench.desk.cancel(organization, &run, "bob").await.unwrap();
    assert!(record.live && !record.status.has_ended());
    assert_eq!(record.cancel_requested_by.as_deref(), Some("bob"));
    let renewed = bench
        .store
        .renew_segment(organization, &run, token, LEASE)
        .await;
    let told = renewed.unwrap().expect("its owner");
    assert_eq!(told.cancel_requested_by.as_deref(), Some("bob"));
    let left = bench.leave("run-1", token, &ready_now()).await;
    assert_eq!(left.unwrap().cancel_requested_by.as_deref(), Some("bob"));
    let record = bench.desk.cancel(organization, &run, "bob").await.unwrap();
    assert_eq!(record.status, RunStatus::Cancelled);
}

pub(crate) async fn the_first_who_cancels_is_kept(bench: Bench) {
    bench.admitted("run-1").await;
    bench.take("run-1").await;
    let (organization, run) = (bench.organization, id("run-1"));
    for by in ["bob", "carol"] {
        let record = bench.desk.cancel(organization, &run, by).await.unwrap();
        assert_eq!(record.cancel_requested_by.as_deref(), Some("bob"));
    }
    let nowhere = bench.desk.cancel(organization, &id("run-9"), "bob").await;
    assert!(matches!(nowhere, Err(RunError::NotFound(_))));
}

/// R51: without the fence, and while somebody owns it.
pub(crate) async fn a_stale_owner_does_not_end_a_run(bench: Bench) {
    bench.admitted("run-1").await;
    let card = bench.card("run-1", 1).await;
    let stale = bench.take("run-1").await;
    bench.pass(LEASE).await;
    bench.take("run-1").await;
    for token in [Some(stale), None] {
        let ended = bench
            .desk
            .end(bench.organization, &id("run-1"), token, &failed())
            .await;
        assert!(ended.unwrap().is_none());
    }
    let shown = bench.cards().show(card.id).await.unwrap().expect("a card");
    assert_eq!(shown.status, CardStatus::Open);
}
