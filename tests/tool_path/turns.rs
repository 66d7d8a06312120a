//! A turn may be replayed while its answers are remembered, and no longer (R49).

use std::time::Duration;

use idem_tests::StoreKind;
use idem_tests::vendor::Keys;
use idem_tools::{CallError, ProposedCall, TURN_REPLAY_MAX};

use crate::setting::{Setting, World, assert_replays, call};

const ANN: &str = r#"{"to":"ann"}"#;
const BOB: &str = r#"{"to":"bob"}"#;
/// How far from the boundary both sides of it are tried; a case takes less time than this.
const NEAR: Duration = Duration::from_secs(120);

/// Moves the beginning of every turn back.
async fn turns_age(setting: &Setting, by: Duration) {
    let postgres = format!(
        "UPDATE agent.turns SET started_at = started_at - interval '{} seconds'",
        by.as_secs()
    );
    let sqlite = format!(
        "UPDATE agent_turns SET started_at = started_at - {}",
        by.as_millis()
    );
    assert_eq!(setting.store.execute(&postgres, &sqlite).await, 1);
}

/// R49: what a turn of 30 days did may be forgotten, so it is refused and not executed again.
pub(crate) async fn a_turn_that_is_too_old_is_refused_and_not_executed(setting: Setting) {
    let world = World::new(&setting, Keys::Ignored).await;
    let first = world.worker().await.answer("send", ANN).await;
    assert!(first.result.is_ok());
    assert_eq!(TURN_REPLAY_MAX, Duration::from_secs((30 * 24 - 1) * 3600));
    turns_age(&setting, TURN_REPLAY_MAX - NEAR).await;
    let next = world.worker().await;
    assert_replays(&first, &next.answer("send", ANN).await);
    assert!(
        next.answer("send", BOB).await.result.is_ok(),
        "it goes on as well"
    );
    turns_age(&setting, NEAR).await;
    let late = world.worker().await;
    for (tool, arguments) in [("send", ANN), ("send", r#"{"to":"eve"}"#), ("look", ANN)] {
        match late.call(tool, arguments).await {
            Err(CallError::TurnTooOld { age, limit }) => {
                assert_eq!(limit, TURN_REPLAY_MAX);
                assert!(age >= limit && age < limit + NEAR, "{age:?}");
            }
            other => panic!("{tool} {arguments} was not refused: {other:?}"),
        }
    }
    let all = vec![
        ProposedCall::new("a", "send", ANN),
        ProposedCall::new("b", "send", BOB),
    ];
    for refused in late.turn().call_all(all).await {
        assert!(
            matches!(refused, Err(CallError::TurnTooOld { .. })),
            "{refused:?}"
        );
    }
    assert_eq!((setting.rows().await, world.counted()), (2, (2, 2)));
    // Another turn of the same run is as young as ever.
    let young = call(&late.turn_of("ann", "run-1", 2), "send", ANN).await;
    assert!(young.is_ok_and(|answer| !answer.replayed));
}

/// R49: a turn begins once, by the store's clock, whoever comes first; refused calls do not begin it.
pub(crate) async fn a_turn_begins_with_its_first_call_that_could_run(setting: Setting) {
    let world = World::new(&setting, Keys::Ignored).await;
    let worker = world.worker().await;
    let turns = async || setting.store.count_rows("turns").await;
    assert!(worker.answer("sned", ANN).await.failure().is_some());
    assert!(worker.answer("send", "[]").await.failure().is_some());
    assert_eq!(turns().await, 0);
    assert!(worker.answer("look", ANN).await.result.is_ok());
    assert!(worker.answer("send", ANN).await.result.is_ok());
    assert!(
        world
            .worker()
            .await
            .answer("send", BOB)
            .await
            .result
            .is_ok()
    );
    assert_eq!(turns().await, 1);
    let stored = "SELECT turn FROM agent.turns";
    let stored = setting
        .store
        .texts(stored, "SELECT turn FROM agent_turns")
        .await;
    assert_eq!(stored, [Some(worker.turn().id().to_string())]);
    let column = match setting.store.kind {
        StoreKind::Postgres => "SELECT count(*) FROM agent.turns WHERE started_at <= now()",
        StoreKind::Sqlite => {
            "SELECT count(*) FROM agent_turns WHERE started_at <= unixepoch() * 1000 + 1000"
        }
    };
    assert_eq!(setting.store.number(column, column).await, 1);
}

/// R49: the age is one tenant's.
pub(crate) async fn the_age_of_a_turn_is_of_one_tenant(setting: Setting) {
    let world = World::new(&setting, Keys::Ignored).await;
    assert!(
        world
            .worker()
            .await
            .answer("send", ANN)
            .await
            .result
            .is_ok()
    );
    turns_age(&setting, TURN_REPLAY_MAX).await;
    let refused = world.worker().await.call("send", ANN).await;
    assert!(
        matches!(refused, Err(CallError::TurnTooOld { .. })),
        "{refused:?}"
    );
    let other = World::new(&setting, Keys::Ignored).await;
    let sent = other.worker().await.answer("send", ANN).await;
    assert!(sent.result.is_ok() && !sent.replayed);
}
