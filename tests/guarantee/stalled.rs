//! A worker stalls past its lease, another takes the call over, and the first one comes back late.

use crate::cells::run;
use crate::table::{Class, Fault};
use crate::told::Told;
use crate::tools::{Plan, Point};
use crate::world::World;
use idem_tests::TestStore;

/// It stalls there until the call is settled by another worker; then it goes on, and its caller is told what is stored.
async fn at(point: Point, world: &World, told: &mut Told) {
    // A transaction is ended long before its lease, so whoever stalls past a lease stalls before it began.
    let inside = world.class == Class::Transactional && point == Point::BeforeWire;
    let plan = Plan::hold(if inside { Point::BeforeMark } else { point });
    let slow = world.blueprint(plan.clone()).open().await;
    let late = tokio::spawn(async move { slow.call().await });
    plan.reached.opened().await;
    world.goes_on(told).await;
    let requests = world.vendor.book().requests;
    plan.go.open();
    told.is_told_again(&late.await.expect("a task that ends"));
    let sent = world.vendor.book().requests - requests;
    assert_eq!(
        sent,
        usize::from(sends_late(world.class, point)),
        "{:?}",
        world.class
    );
}

/// Only a mark that is refused, or a fence, can stop whoever was overtaken before the wire.
fn sends_late(class: Class, point: Point) -> bool {
    match point {
        Point::BeforeMark => class != Class::Transactional && !class.marks(),
        Point::BeforeWire => class != Class::Transactional,
        Point::AfterWire => false,
    }
}

/// R32, R33: its mark is refused, so it sends nothing.
pub(crate) async fn before_the_mark(store: TestStore) {
    run(store, Fault::StalledBeforeMark, async |world, told| {
        at(Point::BeforeMark, world, told).await;
    })
    .await;
}

/// R33: nothing stops what it sends then; the vendor merges it, or it is the only one, or it is the second.
pub(crate) async fn between_the_mark_and_the_wire(store: TestStore) {
    run(store, Fault::StalledBeforeWire, async |world, told| {
        at(Point::BeforeWire, world, told).await;
    })
    .await;
}

/// R7, R33: its answer is not stored over another's.
pub(crate) async fn after_the_wire(store: TestStore) {
    run(store, Fault::StalledAfterWire, async |world, told| {
        at(Point::AfterWire, world, told).await;
    })
    .await;
}
