//! A duplicate that the table has no room for, since two things go wrong; `docs/guarantee.md` names it.

use crate::table::Class;
use crate::told::{Told, Word};
use crate::tools::{Plan, Point};
use crate::world::World;
use idem_tests::TestStore;
use idem_tests::vendor::Behaviour;

/// R32: an attempt is held against the window when it is claimed; nothing can hold back what is paused after that.
pub(crate) async fn a_repeat_that_is_paused_past_the_window_is_a_second_effect(store: TestStore) {
    store.open().await;
    let world = World::new(&store, Class::KeyedPast).await;
    world.vendor.script([Behaviour::DropReplyAfterEffect]);
    let mut told = Told::default();
    let first = told.hear(world.worker().await.call().await);
    assert_eq!(first, Word::InFlight);
    world.lease_passes().await;
    let plan = Plan::hold(Point::BeforeWire);
    let paused = world.blueprint(plan.clone()).open().await;
    let paused = tokio::spawn(async move { paused.call().await });
    plan.reached.opened().await;
    world.time_passes().await;
    world.goes_on(&mut told).await;
    assert_eq!(told.words, [Word::InFlight, Word::OutcomeUnknown]);
    plan.go.open();
    told.is_told_again(&paused.await.expect("a task that ends"));
    let book = world.vendor.book();
    assert_eq!((book.distinct_keys, book.effects), (1, 2));
}
