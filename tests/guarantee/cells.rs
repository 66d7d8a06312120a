//! Runs one row of the table, class by class, and compares.

use crate::table::{Class, Fault};
use crate::told::Told;
use crate::world::World;
use idem_tests::TestStore;
use std::time::Duration;

/// Longer than any row takes on a busy machine.
const ROW_MAX: Duration = Duration::from_secs(400);

/// Every class under one fault: what became of the effect, and what the callers were told.
pub(crate) async fn run(
    store: TestStore,
    fault: Fault,
    happen: impl AsyncFn(&World, &mut Told) -> (),
) {
    store.open().await;
    let table = "CREATE TABLE letters (recipient text NOT NULL)";
    store.execute(table, "").await;
    let row = async {
        let mut wrong = Vec::new();
        for class in Class::ALL {
            let world = World::new(&store, class).await;
            let mut told = Told::default();
            happen(&world, &mut told).await;
            let expected = fault.cell(class);
            let found = (world.effects().await, &*told.words);
            if found != (expected.effects, expected.told) {
                wrong.push(format!("{class:?}: {found:?}, and not {expected:?}"));
            }
        }
        assert!(wrong.is_empty(), "{fault:?}\n{}", wrong.join("\n"));
    };
    let ended = tokio::time::timeout(ROW_MAX, Box::pin(row)).await;
    assert!(ended.is_ok(), "the row waits for what does not come");
}
