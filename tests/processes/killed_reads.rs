//! A read runs again when its worker died before it was recorded (R27): asking twice does no harm.

use idem_tests::TestStore;
use idem_tests::vendor::Keys;

use crate::killed::{Aftermath, Told, kill_at};
use crate::order::Point;

async fn check(store: TestStore, point: Point, requests: usize, told: Told) {
    let expected = Aftermath {
        requests,
        effects: requests,
        told,
    };
    let came = kill_at(&store, "read", Keys::Ignored, point).await;
    assert_eq!(came, expected);
}

const EXECUTED: Told = Told::Executed { attempt: 1 };

pub(crate) async fn before_the_wire_it_runs_once(store: TestStore) {
    check(store, Point::BeforeWire, 1, EXECUTED).await;
}

pub(crate) async fn after_the_wire_it_runs_again(store: TestStore) {
    check(store, Point::Sent, 2, EXECUTED).await;
}

pub(crate) async fn before_its_recording_it_runs_again(store: TestStore) {
    check(store, Point::BeforeEnding, 2, EXECUTED).await;
}

pub(crate) async fn after_its_recording_it_is_a_replay(store: TestStore) {
    check(store, Point::Ended, 1, Told::Replayed).await;
}
