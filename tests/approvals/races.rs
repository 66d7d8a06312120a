//! R42: one winner, and none after the instant.

use crate::bench::{Bench, says_no, says_yes};
use idem_core::approval::table::CardState;
use idem_core::approval::{Approval, CardFilter, CardStatus, Decision, Verdict};
use idem_tests::{StoreKind, TestStore};
use std::sync::Arc;
use std::time::Duration;
use tokio::task::JoinSet;

const ROUNDS: u32 = 1_000;
const DECIDERS: usize = 20;
/// Cards whose time is over at the same instant.
const AT_ONCE: usize = 20;

async fn open_many(bench: &Bench) -> Arc<Vec<Approval>> {
    let mut cards = Vec::new();
    for key in 0..ROUNDS {
        cards.push(bench.open(key).await);
    }
    Arc::new(cards)
}

fn decision(card: &Approval, approves: bool, by: &str) -> Decision {
    let request = if approves {
        says_yes(card, by)
    } else {
        says_no(card, by, by)
    };
    Decision {
        approves,
        shown_hash: request.shown_hash,
        reason: match &request.verdict {
            Verdict::Approve => None,
            Verdict::Deny { reason } => Some(reason.clone()),
        },
        by: request.by,
    }
}

/// R42: of 20 people who say yes and no to the same card at once, one decides it, and the card says what that one said.
pub(crate) async fn twenty_deciders_have_one_winner_a_thousand_times(store: TestStore) {
    let bench = Arc::new(Bench::new(store.open().await));
    let cards = open_many(&bench).await;
    let mut deciders = JoinSet::new();
    for decider in 0..DECIDERS {
        let (bench, cards) = (bench.clone(), cards.clone());
        deciders.spawn(async move {
            let name = format!("decider-{decider}");
            let mut won = Vec::new();
            for (round, card) in cards.iter().enumerate() {
                let approves = (decider + round) % 2 == 0;
                let decision = decision(card, approves, &name);
                let told = bench
                    .store
                    .decide_card(bench.organization, card.id, &decision)
                    .await;
                if let Some(card) = told.unwrap() {
                    won.push((card.id, approves, name.clone()));
                }
            }
            won
        });
    }
    let mut won: Vec<_> = deciders.join_all().await.into_iter().flatten().collect();
    won.sort();
    let all = CardFilter {
        all: true,
        rows_max: 2 * ROUNDS,
        ..CardFilter::default()
    };
    let mut stored: Vec<_> = bench
        .desk
        .list(&all)
        .await
        .unwrap()
        .into_iter()
        .map(|card| {
            let approved = card.status == CardStatus::Approved;
            (card.id, approved, card.decided_by.unwrap())
        })
        .collect();
    stored.sort();
    assert_eq!(won.len(), ROUNDS as usize, "one winner a card");
    assert_eq!(won, stored, "the winner is the one that the card names");
}

/// Makes the time of these cards be over in a moment (PostgreSQL), or at the next step of the clock (SQLite).
async fn arm(store: &TestStore, first: usize, last: usize) {
    let soon = "now() + interval '2 milliseconds'";
    store
        .execute(
            &format!(
                "UPDATE agent.approvals SET expires_at = {soon} WHERE id IN \
                 (SELECT id FROM agent.approvals ORDER BY id OFFSET {first} LIMIT {})",
                last - first
            ),
            &format!(
                "UPDATE agent_approvals SET expires_at = (SELECT now_ms FROM agent_clock) + 1 \
                 WHERE id IN (SELECT id FROM agent_approvals ORDER BY id LIMIT {} OFFSET {first})",
                last - first
            ),
        )
        .await;
}

/// Replaces SQLite's clock by one that the test moves.
async fn take_the_clock(store: &TestStore) {
    if store.kind == StoreKind::Sqlite {
        for statement in [
            "CREATE TABLE test_clock AS SELECT now_ms FROM agent_clock",
            "DROP VIEW agent_clock",
            "CREATE VIEW agent_clock AS SELECT now_ms FROM test_clock",
        ] {
            store.execute(statement, "").await;
        }
    }
}

async fn step_the_clock(store: &TestStore) {
    if store.kind == StoreKind::Sqlite {
        store
            .execute("UPDATE test_clock SET now_ms = now_ms + 1", "")
            .await;
    }
}

/// Closes a card as soon as its time is over, unless it is decided before.
async fn expire(bench: &Bench, card: &Approval) -> bool {
    loop {
        let closed = bench.store.expire_card(bench.organization, card.id).await;
        if closed.unwrap().is_some() {
            return true;
        }
        let now = bench.show(card.id).await;
        if CardState::of(Some(&now)) == CardState::Approved {
            return false;
        }
        tokio::task::yield_now().await;
    }
}

/// R42: a yes and the end of the time meet at the instant: one of them wins, and no yes is of the instant or later.
pub(crate) async fn approve_and_expire_race_at_the_instant(store: TestStore) {
    let bench = Arc::new(Bench::new(store.open().await));
    let cards = open_many(&bench).await;
    take_the_clock(&store).await;
    let (mut approved, mut expired) = (0, 0);
    for first in (0..cards.len()).step_by(AT_ONCE) {
        arm(&store, first, first + AT_ONCE).await;
        let mut races = JoinSet::new();
        for at in first..first + AT_ONCE {
            let (bench, cards) = (bench.clone(), cards.clone());
            races.spawn(async move {
                let yes = decision(&cards[at], true, "bob");
                let decide = bench
                    .store
                    .decide_card(bench.organization, cards[at].id, &yes);
                let (decided, expired) = tokio::join!(decide, expire(&bench, &cards[at]));
                (decided.unwrap().is_some(), expired)
            });
        }
        step_the_clock(&store).await;
        for (decided, ended) in races.join_all().await {
            // A card that was approved in time is closed as well once its time is over, and keeps its yes.
            assert!(decided || ended, "neither won");
            approved += u32::from(decided);
            expired += u32::from(!decided);
        }
    }
    assert_eq!(approved + expired, ROUNDS);
    let late = "SELECT count(*) FROM agent.approvals WHERE decided_at >= expires_at \
                OR (decided_at IS NULL) <> (decided_by IS NULL)";
    let late_sqlite = late.replace("agent.approvals", "agent_approvals");
    assert_eq!(store.number(late, &late_sqlite).await, 0);
    let yes = "SELECT count(*) FROM agent.approvals WHERE decided_by = 'bob'";
    let yes_sqlite = yes.replace("agent.approvals", "agent_approvals");
    assert_eq!(store.number(yes, &yes_sqlite).await, i64::from(approved));
    assert!(store.age_cards(Duration::ZERO).await >= u64::from(ROUNDS));
}
