//! The vendor's reply does not say what happened: a 502, or a connection that breaks. A transaction has no vendor; its
//! tool fails before or after the COMMIT.

use crate::cells::run;
use crate::lost::lose_the_commit;
use crate::table::{Class, Fault};
use crate::told::Told;
use crate::tools::{Plan, Point};
use crate::world::World;
use idem_tests::TestStore;
use idem_tests::vendor::Behaviour;

/// The first call meets this; the others do not.
async fn meet(world: &World, told: &mut Told, (vendor, own): (Behaviour, Plan)) {
    let plan = if world.class == Class::Transactional {
        own
    } else {
        world.vendor.script([vendor]);
        Plan::default()
    };
    let first = world.blueprint(plan).open().await;
    told.hear(first.call().await);
    world.goes_on(told).await;
}

fn bad_gateway(effect: bool) -> Behaviour {
    Behaviour::Status { code: 502, effect }
}

/// R14, P1: a 502 is no failure.
pub(crate) async fn a_502_with_the_effect(store: TestStore) {
    run(store, Fault::BadGatewayDone, async |world, told| {
        let faults = (bad_gateway(true), Plan::fail(Point::AfterWire));
        meet(world, told, faults).await;
    })
    .await;
}

/// R14: nobody can tell it from the one with the effect.
pub(crate) async fn a_502_without_the_effect(store: TestStore) {
    run(store, Fault::BadGatewayNotDone, async |world, told| {
        let faults = (bad_gateway(false), Plan::fail(Point::BeforeWire));
        meet(world, told, faults).await;
    })
    .await;
}

/// R14, contract 20: the connection breaks after the effect. A transaction's COMMIT is what can lose its reply.
pub(crate) async fn the_vendors_reply_is_lost(store: TestStore) {
    run(store, Fault::VendorReplyLost, async |world, told| {
        if world.class == Class::Transactional {
            lose_the_commit(world, told).await;
        } else {
            let faults = (Behaviour::DropReplyAfterEffect, Plan::default());
            meet(world, told, faults).await;
        }
    })
    .await;
}
