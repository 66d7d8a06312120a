//! R49: which messages a turn answers is written down once.

use idem_core::identity::{LogicalTurn, MessageId};
use idem_core::runs::{BegunTurn, RunTurn, SegmentToken};
use tokio::task::JoinSet;

use crate::bench::{Bench, LEASE, id, ready_now};

fn turn(number: u32, message: &str, upto: u32) -> BegunTurn {
    BegunTurn {
        number,
        turn: LogicalTurn::of_messages(&[MessageId::new(message).unwrap()]).unwrap(),
        upto,
    }
}

async fn begin(bench: &Bench, token: SegmentToken, turn: &BegunTurn) -> Option<RunTurn> {
    let begun = bench
        .store
        .begin_run_turn(bench.organization, &id("run-1"), token, turn)
        .await;
    begun.unwrap()
}

async fn turns(bench: &Bench) -> Vec<RunTurn> {
    let turns = bench
        .store
        .run_turns(bench.organization, &id("run-1"))
        .await;
    turns.unwrap()
}

/// R49: a later message waits for the next turn; what is written stays.
pub(crate) async fn a_turn_is_written_down_once(bench: Bench) {
    bench.admitted("run-1").await;
    bench.post("run-1", "m1").await;
    let token = bench.take("run-1").await;
    let begun = begin(&bench, token, &turn(1, "m1", 1)).await.unwrap();
    assert_eq!((begun.number, begun.upto, begun.ended_at), (1, 1, None));
    bench.post("run-1", "m2").await;
    assert!(begin(&bench, token, &turn(1, "m2", 2)).await.is_none());
    assert_eq!(turns(&bench).await, [begun.clone()]);
    let next = begin(&bench, token, &turn(2, "m2", 2)).await.unwrap();
    assert_eq!(turns(&bench).await, [begun, next]);
}

/// R49, R51: two that believe they own the run write one row; all read the same.
pub(crate) async fn two_owners_write_one_turn(bench: Bench) {
    bench.admitted("run-1").await;
    let token = bench.take("run-1").await;
    let mut writers = JoinSet::new();
    for upto in 1..=20 {
        let bench = bench.clone();
        writers.spawn(async move { begin(&bench, token, &turn(1, "m1", upto)).await });
    }
    let written: Vec<_> = writers.join_all().await.into_iter().flatten().collect();
    assert_eq!(written.len(), 1);
    assert_eq!(turns(&bench).await, written);
}

/// R51: the fence of the segment is the right to begin a turn.
pub(crate) async fn only_the_owner_begins_a_turn(bench: Bench) {
    bench.admitted("run-1").await;
    let stale = bench.take("run-1").await;
    bench.pass(LEASE).await;
    let owner = bench.take("run-1").await;
    for stranger in [stale, SegmentToken::mint()] {
        assert!(begin(&bench, stranger, &turn(1, "m1", 1)).await.is_none());
    }
    assert!(begin(&bench, owner, &turn(1, "m1", 1)).await.is_some());
    bench.leave("run-1", owner, &ready_now()).await.unwrap();
}

pub(crate) async fn a_turn_is_over_once(bench: Bench) {
    bench.admitted("run-1").await;
    let token = bench.take("run-1").await;
    begin(&bench, token, &turn(1, "m1", 1)).await.unwrap();
    let (organization, run) = (bench.organization, id("run-1"));
    let over = bench
        .store
        .end_run_turn(organization, &run, 1)
        .await
        .unwrap();
    assert!(over.unwrap().ended_at.is_some());
    for number in [1, 2] {
        let again = bench.store.end_run_turn(organization, &run, number).await;
        assert_eq!(again.unwrap(), None);
    }
}
