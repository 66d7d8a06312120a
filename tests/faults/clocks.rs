//! One clock decides, the store's (R9; C19, P9). The cases move that clock, where ageing rows would not
//! show who reads it: a statement that took an instant from its caller would not follow.

use std::time::{Duration, Instant};

use idem_core::identity::{LogicalTurn, RunId};
use idem_core::{ClaimOutcome, Ending, ReadOutcome};
use idem_tests::vendor::{Keys, Vendor};
use idem_tests::{StoreKind, TestStore};
use idem_tools::{CallError, TURN_REPLAY_MAX};

use crate::agent::Agent;
use crate::plane::{LEASE, abandon, answer, claim, request, service};

const DAY_S: i64 = 24 * 60 * 60;

/// Puts a clock that can be moved before the store's own. PostgreSQL finds `now` by the search path of
/// the sessions that begin after this; SQLite's statements read a view.
async fn install_clock(store: &TestStore) {
    store.open().await;
    if store.kind == StoreKind::Postgres {
        let name = store.texts("SELECT current_database()::text", "").await;
        let name = name[0].clone().expect("a name");
        for statement in [
            "CREATE SCHEMA clock",
            "CREATE TABLE clock.ahead (seconds bigint NOT NULL)",
            "INSERT INTO clock.ahead VALUES (0)",
            "CREATE FUNCTION clock.now() RETURNS timestamptz LANGUAGE sql STABLE AS \
             $$ SELECT pg_catalog.now() + seconds * interval '1 second' FROM clock.ahead $$",
            &format!("ALTER DATABASE {name} SET search_path = clock, pg_catalog, public"),
        ] {
            store.execute(statement, "").await;
        }
    }
    assert_eq!(clock_ahead(store, 0).await, 0);
}

/// Moves the store's clock to so many seconds ahead of the machine's; what it shows, in full minutes.
async fn clock_ahead(store: &TestStore, seconds: i64) -> i64 {
    match store.kind {
        StoreKind::Postgres => {
            let moved = format!("UPDATE clock.ahead SET seconds = {seconds}");
            store.execute(&moved, "").await;
        }
        StoreKind::Sqlite => {
            store.execute("", "DROP VIEW agent_clock").await;
            let moved = format!(
                "CREATE VIEW agent_clock AS \
                 SELECT CAST(round((unixepoch('now', 'subsec') + {seconds}) * 1000) AS INTEGER) AS now_ms"
            );
            store.execute("", &moved).await;
        }
    }
    store
        .number(
            "SELECT round(extract(epoch FROM now() - pg_catalog.clock_timestamp()) / 60)::bigint",
            "SELECT CAST(round((now_ms / 1000.0 - unixepoch('now', 'subsec')) / 60) AS INTEGER) FROM agent_clock",
        )
        .await
}

/// C19: while the store's clock stands inside the lease, nobody else owns the key, and past it one does.
pub(crate) async fn a_lease_is_judged_by_the_stores_clock_alone(store: TestStore) {
    install_clock(&store).await;
    let service = service(&store.open().await);
    abandon(&service, &request(1)).await;
    for seconds in [30, -600] {
        clock_ahead(&store, seconds).await;
        let read = service.read(&request(1)).await.unwrap();
        assert!(
            matches!(read, ReadOutcome::Processing(_)),
            "{seconds} s: {read:?}"
        );
        let other = service.claim(&request(1), LEASE).await.unwrap();
        assert!(matches!(other, ClaimOutcome::Processing(_)), "{other:?}");
    }
    assert_eq!(clock_ahead(&store, 600).await, 10);
    let read = service.read(&request(1)).await.unwrap();
    assert!(matches!(read, ReadOutcome::Absent), "{read:?}");
    let taken = claim(&service, &request(1)).await;
    assert_eq!(taken.attempt(), 2);
    // The new lease runs by the same clock: it is alive, and its owner can end it.
    let read = service.read(&request(1)).await.unwrap();
    assert!(matches!(read, ReadOutcome::Processing(_)), "{read:?}");
    let ending = service.complete(taken, &answer("done")).await;
    assert_eq!(ending.unwrap(), Ending::Done);
}

/// R31: a driver that waits as long as it is told meets a lease that has passed.
pub(crate) async fn the_wait_for_a_lease_is_told_by_the_stores_clock(store: TestStore) {
    install_clock(&store).await;
    let service = service(&store.open().await);
    abandon(&service, &request(1)).await;
    let mut waits = Vec::new();
    for seconds in [0, 20, 40] {
        clock_ahead(&store, seconds).await;
        let ReadOutcome::Processing(in_flight) = service.read(&request(1)).await.unwrap() else {
            panic!("{seconds} s into a lease of 60 it still runs");
        };
        waits.push(in_flight.retry_after);
    }
    assert!(waits[0] <= LEASE);
    for pair in waits.windows(2) {
        let told = pair[0].checked_sub(pair[1]).expect("it gets shorter");
        assert!(told >= Duration::from_secs(20), "{waits:?}");
    }
}

/// P9: the worker's clock and the store's differ by an hour, either way. The lease is whole by the
/// store's, and the worker bounds itself by a clock of its own that only counts.
pub(crate) async fn a_worker_whose_clock_is_an_hour_off_writes_a_whole_lease(store: TestStore) {
    install_clock(&store).await;
    let service = service(&store.open().await);
    for (content, seconds) in [(1, 3_600), (2, -3_600)] {
        clock_ahead(&store, seconds).await;
        let before = Instant::now();
        let owned = claim(&service, &request(content)).await;
        assert!(owned.lease_ends() >= before + LEASE);
        assert!(owned.lease_ends() <= Instant::now() + LEASE);
        let ReadOutcome::Processing(seen) = service.read(&request(content)).await.unwrap() else {
            panic!("a lease that was just written lives");
        };
        assert!(seen.retry_after <= LEASE && seen.retry_after > LEASE / 2);
        assert_eq!(service.release(owned).await.unwrap(), Ending::Done);
    }
}

/// R70, C19: retention too is the store's to judge.
pub(crate) async fn nothing_is_swept_before_the_stores_clock_says_so(store: TestStore) {
    install_clock(&store).await;
    let opened = store.open().await;
    let service = service(&opened);
    let owned = claim(&service, &request(1)).await;
    let ending = service.complete(owned, &answer("done")).await;
    assert_eq!(ending.unwrap(), Ending::Done);
    clock_ahead(&store, 29 * DAY_S).await;
    assert_eq!(opened.sweep(10).await.unwrap().deleted, 0);
    let read = service.read(&request(1)).await.unwrap();
    assert!(matches!(read, ReadOutcome::Completed(_)), "{read:?}");
    clock_ahead(&store, 31 * DAY_S).await;
    let read = service.read(&request(1)).await.unwrap();
    assert!(matches!(read, ReadOutcome::Absent), "{read:?}");
    assert_eq!(opened.sweep(10).await.unwrap().deleted, 1);
}

/// R49: and so is a turn's age; one whose answers may be forgotten is refused and not executed again.
pub(crate) async fn a_turn_grows_old_by_the_stores_clock(store: TestStore) {
    install_clock(&store).await;
    let vendor = Vendor::start(Keys::Ignored).await;
    assert!(
        !Agent::open(&store.url, &vendor)
            .await
            .call_ok("once", "a")
            .await
    );
    clock_ahead(&store, 29 * DAY_S).await;
    let agent = Agent::open(&store.url, &vendor).await;
    assert!(
        agent.call_ok("once", "a").await,
        "29 days later it is a replay"
    );
    clock_ahead(&store, 31 * DAY_S).await;
    let agent = Agent::open(&store.url, &vendor).await;
    match agent.call("once", "a").await {
        Err(CallError::TurnTooOld { age, .. }) => assert!(age > TURN_REPLAY_MAX),
        other => panic!("the turn is 31 days old, and the call ends with {other:?}"),
    }
    assert_eq!(vendor.book().requests, 1);
    let turn = LogicalTurn::numbered(&RunId::new("another-run").unwrap(), 1);
    let organization = request(1).key.organization();
    let begun = store.open().await.turn_age(organization, &turn).await;
    assert_eq!(
        begun.unwrap(),
        Duration::ZERO,
        "a turn begins when it begins"
    );
}
