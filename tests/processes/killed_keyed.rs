//! A keyed effect is sent again under the same key, and the vendor makes it once (R29, R32; contract 20).

use idem_tests::TestStore;
use idem_tests::vendor::Keys;

use crate::killed::{Aftermath, Told, kill_at};
use crate::order::Point;

async fn check(store: TestStore, point: Point, requests: usize, told: Told) {
    let expected = Aftermath {
        requests,
        effects: 1,
        told,
    };
    let came = kill_at(&store, "keyed", Keys::Kept, point).await;
    assert_eq!(came, expected);
}

const TAKEN_OVER: Told = Told::Executed { attempt: 2 };

pub(crate) async fn before_the_wire_it_is_sent_once(store: TestStore) {
    check(store, Point::BeforeWire, 1, TAKEN_OVER).await;
}

pub(crate) async fn after_the_wire_it_is_sent_again_under_its_key(store: TestStore) {
    check(store, Point::Sent, 2, TAKEN_OVER).await;
}

pub(crate) async fn before_its_ending_it_is_sent_again_under_its_key(store: TestStore) {
    check(store, Point::BeforeEnding, 2, TAKEN_OVER).await;
}

pub(crate) async fn after_its_ending_it_is_a_replay(store: TestStore) {
    check(store, Point::Ended, 1, Told::Replayed).await;
}
