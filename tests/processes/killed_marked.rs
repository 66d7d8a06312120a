//! A tool that marks its dispatch just before the wire runs again where it had not marked (R32).

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
    let came = kill_at(&store, "marked", Keys::Ignored, point).await;
    assert_eq!(came, expected);
}

pub(crate) async fn before_the_mark_it_is_sent_once(store: TestStore) {
    check(store, Point::BeforeWire, 1, Told::Executed { attempt: 2 }).await;
}

pub(crate) async fn between_the_mark_and_the_wire_it_is_not_sent(store: TestStore) {
    check(store, Point::Marked, 0, Told::Unknown).await;
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
