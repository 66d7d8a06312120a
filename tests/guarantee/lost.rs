//! The store did what it was asked, and its reply is lost: on the wire to PostgreSQL, and on SQLite, where there is no
//! wire, between the store and its caller.

use crate::cells::run;
use crate::losing::{Losing, Verb};
use crate::table::{Class, Fault};
use crate::told::Told;
use crate::tools::{Plan, Point};
use crate::world::World;
use idem_tests::proxy::Proxy;
use idem_tests::{StoreKind, TestStore};

/// The first call's worker loses one reply of its store.
async fn lose(world: &World, told: &mut Told, verb: Verb) {
    match world.store.kind {
        StoreKind::Postgres => lose_on_the_wire(world, told, (verb.statement(), 1)).await,
        StoreKind::Sqlite => {
            let losing = Losing::new(world.store.open().await, verb);
            let first = world.blueprint(Plan::default()).over(losing.clone()).await;
            told.hear(first.call().await);
            assert!(losing.has_lost(), "{verb:?} was not asked");
        }
    }
    world.goes_on(told).await;
}

async fn lose_on_the_wire(world: &World, told: &mut Told, (marker, nth): (&str, usize)) {
    let proxy = Proxy::start(&world.store.url).await;
    let mut blueprint = world.blueprint(Plan::default());
    proxy.url().clone_into(&mut blueprint.store.url);
    let first = blueprint.open().await;
    proxy.cut_after_request_containing(marker, nth);
    told.hear(first.call().await);
    proxy.wait_for_cuts(1).await;
}

/// A transaction's COMMIT is done and nobody hears of it. On SQLite a COMMIT that is done has been heard of, and what
/// can be lost after it is the body.
pub(crate) async fn lose_the_commit(world: &World, told: &mut Told) {
    match world.store.kind {
        // The first COMMIT that a call names is the READ COMMITTED of its transaction's beginning.
        StoreKind::Postgres => lose_on_the_wire(world, told, ("COMMIT", 2)).await,
        StoreKind::Sqlite => {
            let plan = Plan::panic(Point::AfterWire);
            let first = world.blueprint(plan).open().await;
            told.hear(first.call().await);
        }
    }
    world.goes_on(told).await;
}

/// R11, P19: a live row with the own token is the own claim. A read takes none: its look at the journal is lost.
pub(crate) async fn the_reply_of_the_claim(store: TestStore) {
    run(store, Fault::ClaimReplyLost, async |world, told| {
        let verb = match world.class {
            Class::Read => Verb::Get,
            _ => Verb::TryClaim,
        };
        lose(world, told, verb).await;
    })
    .await;
}

/// R11, P19: a completed row with the own token is the own success.
pub(crate) async fn the_reply_of_the_ending(store: TestStore) {
    run(
        store,
        Fault::EndingReplyLost,
        async |world, told| match world.class {
            Class::Read => lose(world, told, Verb::Record).await,
            Class::Transactional => lose_the_commit(world, told).await,
            _ => lose(world, told, Verb::Complete).await,
        },
    )
    .await;
}
