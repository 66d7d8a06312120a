//! The store that needs no database serves workers and twin runs too.

use std::time::Duration;

use idem_tools::testing::{
    CrashPoint, Keys, Proposal, ScriptedModel, Vendor, VolatileStore, Worker, twin_run,
};

use crate::parts::{answered, equip, proposed};

#[tokio::test]
async fn a_worker_vanishes_on_the_volatile_store_and_its_lease_passes() {
    let (store, vendor) = (VolatileStore::new(), Vendor::start(Keys::Kept).await);
    let dies = Worker::start_stopping_at(CrashPoint::AfterWire, &store, equip(&vendor)).await;
    dies.turn(1).begin(vec![proposed("send_keyed")]);
    dies.reached().await;
    dies.vanish();
    store.advance(Duration::from_secs(71));
    let next = Worker::start(&store, equip(&vendor)).await;
    let sent = answered(next.turn(1).call(proposed("send_keyed")).await);
    assert_eq!((sent.attempt, sent.result.is_ok()), (2, true));
    assert_eq!(vendor.book().effects, 1);
}

#[tokio::test]
async fn a_twin_run_needs_no_database() {
    let (store, vendor) = (VolatileStore::new(), Vendor::start(Keys::Ignored).await);
    let model = ScriptedModel::new().step([Proposal::new("send", r#"{"to": "ann"}"#)]);
    let report = twin_run(&store, &model, equip(&vendor), || vendor.book().effects).await;
    report.assert_once();
    assert_eq!(report.effects_after_second, 1);
}
