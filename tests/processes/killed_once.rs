//! An effect at most once is never sent again where it may have been sent (R14, R32). Its claim says
//! that it may begin, so a worker that died before the wire leaves doubt too; `killed_marked` does not.

use idem_tests::TestStore;
use idem_tests::vendor::Keys;

use crate::killed::{Aftermath, Told, kill_at};
use crate::order::Point;

async fn check(store: TestStore, point: Point, effects: usize, told: Told) {
    let expected = Aftermath {
        requests: effects,
        effects,
        told,
    };
    let came = kill_at(&store, "once", Keys::Ignored, point).await;
    assert_eq!(came, expected);
}

pub(crate) async fn before_the_wire_it_is_not_sent(store: TestStore) {
    check(store, Point::BeforeWire, 0, Told::Unknown).await;
}

pub(crate) async fn after_the_wire_it_is_not_sent_again(store: TestStore) {
    check(store, Point::Sent, 1, Told::Unknown).await;
}

pub(crate) async fn before_its_ending_it_is_not_sent_again(store: TestStore) {
    check(store, Point::BeforeEnding, 1, Told::Unknown).await;
}

pub(crate) async fn after_its_ending_it_is_a_replay(store: TestStore) {
    check(store, Point::Ended, 1, Told::Replayed).await;
}
