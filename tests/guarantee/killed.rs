//! A worker dies in the middle of its call.

use crate::cells::run;
use crate::process::Process;
use crate::table::Fault;
use crate::told::Told;
use crate::tools::{Plan, Point};
use crate::world::World;
use idem_tests::TestStore;

/// It dies there; the next caller comes while its lease lives, and again afterwards.
async fn at(point: Point, world: &World, told: &mut Told) {
    let plan = Plan::hold(point);
    let process = Process::call(world.blueprint(plan.clone()));
    plan.reached.opened().await;
    process.vanish();
    world.goes_on(told).await;
}

/// R32: without a mark nothing was sent.
pub(crate) async fn before_the_mark(store: TestStore) {
    run(store, Fault::KilledBeforeMark, async |world, told| {
        at(Point::BeforeMark, world, told).await;
    })
    .await;
}

/// R32: with the mark the class decides, although nothing was sent.
pub(crate) async fn between_the_mark_and_the_wire(store: TestStore) {
    run(store, Fault::KilledBeforeWire, async |world, told| {
        at(Point::BeforeWire, world, told).await;
    })
    .await;
}

/// R27, R32, contract 10 and 20: the effect is there, and its answer is not.
pub(crate) async fn after_the_wire(store: TestStore) {
    run(store, Fault::KilledAfterWire, async |world, told| {
        at(Point::AfterWire, world, told).await;
    })
    .await;
}
