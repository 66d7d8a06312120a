//! The vendor is slower than the tool's timeout and does the effect all the same. Two seconds really pass for each.

use crate::cells::run;
use crate::table::{Class, Fault};
use crate::told::{Told, Word};
use crate::tools::{Pace, Plan, Point};
use crate::world::World;
use idem_tests::TestStore;
use idem_tests::vendor::{Behaviour, Gate};

/// A call whose time is over before the vendor is ready; what lands when.
async fn time_out(world: &World, told: &mut Told) -> (Word, Gate) {
    let landing = Gate::new();
    let plan = if world.class == Class::Transactional {
        Plan::hold(Point::BeforeWire)
    } else {
        world.vendor.script([Behaviour::Slow(landing.clone())]);
        Plan::default()
    };
    let mut brief = world.blueprint(plan);
    brief.pace = Pace::Brief;
    let word = told.hear(brief.open().await.call().await);
    (word, landing)
}

/// The vendor does what it was asked for so long ago. A transaction that was given up cannot land any more.
async fn land(world: &World, landing: &Gate) {
    if world.class != Class::Transactional {
        let effects = world.vendor.book().effects;
        landing.open();
        world.vendor.wait_for_effects(effects + 1).await;
    }
}

/// R14, P1: a timeout is no failure.
pub(crate) async fn landing_within_the_lease(store: TestStore) {
    run(store, Fault::TimedOutLandsSoon, async |world, told| {
        let (_, landing) = time_out(world, told).await;
        land(world, &landing).await;
        world.goes_on(told).await;
    })
    .await;
}

/// R14, R32: the next caller comes after the lease and before the effect.
pub(crate) async fn landing_after_the_next_call(store: TestStore) {
    run(store, Fault::TimedOutLandsLate, async |world, told| {
        let (word, landing) = time_out(world, told).await;
        if word == Word::InFlight {
            world.time_passes().await;
        }
        told.hear(world.worker().await.call().await);
        land(world, &landing).await;
        world.goes_on(told).await;
    })
    .await;
}
