//! When a logical turn began, by the store's clock.

use std::time::Duration;

use idem_core::OrganizationId;
use idem_core::identity::{LogicalTurn, RunId};
use idem_tests::TestStore;

use crate::plane::race;

const DAY: Duration = Duration::from_secs(24 * 60 * 60);

fn turn(number: u32) -> LogicalTurn {
    LogicalTurn::numbered(&RunId::new("run 1").expect("a run"), number)
}

/// Lets every turn have begun a day earlier.
async fn age_turns(store: &TestStore) -> u64 {
    store
        .execute(
            "UPDATE agent.turns SET started_at = started_at - interval '1 day'",
            "UPDATE agent_turns SET started_at = started_at - 86400000",
        )
        .await
}

/// R49: the first look writes the row, the later ones read it.
pub(crate) async fn a_turn_begins_with_its_first_look_and_grows_older(store: TestStore) {
    let plane = store.open().await;
    let tenant = OrganizationId::random();
    assert_eq!(
        plane.turn_age(tenant, &turn(1)).await.expect("an age"),
        Duration::ZERO
    );
    assert_eq!(store.count_rows("turns").await, 1);
    for days in 1..=3 {
        assert_eq!(age_turns(&store).await, 1);
        let age = plane.turn_age(tenant, &turn(1)).await.expect("an age");
        assert!(
            age >= DAY * days && age < DAY * (days + 1),
            "{age:?} after {days} days"
        );
    }
    assert_eq!(store.count_rows("turns").await, 1);
}

/// R49, S1: each turn of each tenant has its own beginning.
pub(crate) async fn each_turn_of_each_tenant_has_its_own_beginning(store: TestStore) {
    let plane = store.open().await;
    let tenants = [OrganizationId::random(), OrganizationId::random()];
    plane.turn_age(tenants[0], &turn(1)).await.expect("an age");
    assert_eq!(age_turns(&store).await, 1);
    for (tenant, number) in [(tenants[0], 2), (tenants[1], 1), (tenants[1], 2)] {
        let age = plane.turn_age(tenant, &turn(number)).await.expect("an age");
        assert_eq!(age, Duration::ZERO);
    }
    assert!(plane.turn_age(tenants[0], &turn(1)).await.expect("an age") >= DAY);
    assert_eq!(store.count_rows("turns").await, 4);
}

/// R49: twenty first looks write one row, and all of them speak of it.
pub(crate) async fn twenty_first_looks_write_one_row(store: TestStore) {
    let plane = store.open().await;
    for round in 1..=20 {
        let tenant = OrganizationId::random();
        let ages = race(20, |_| {
            let plane = plane.clone();
            async move { plane.turn_age(tenant, &turn(round)).await.expect("an age") }
        })
        .await;
        assert!(
            ages.contains(&Duration::ZERO),
            "somebody began it: {ages:?}"
        );
        assert_eq!(store.count_rows("turns").await, i64::from(round));
    }
}
