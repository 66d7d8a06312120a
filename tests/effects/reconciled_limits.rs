//! A vendor that cannot say: how often it is asked, how long, and what the answer is then (R32).

use crate::calls::{DAY, MINUTE, answer, in_flight, of_row};
use crate::reconciled::{Desk, Look, vendor, worker};
use idem_tests::TestStore;
use idem_tests::vendor::{Behaviour, Vendor};
use idem_tools::{RECONCILE_TRIES_MAX, Turn};
use std::time::Duration;

/// A call that was sent, whose outcome is unknown, and whose lease has ended.
async fn in_doubt(store: &TestStore, tool: &str) -> (Vendor, Desk, Turn) {
    let (vendor, desk) = vendor([Behaviour::DropReplyAfterEffect]).await;
    let turn = worker(store, &desk).await;
    in_flight(&turn, tool).await;
    store.age_all(MINUTE).await;
    (vendor, desk, turn)
}

/// R32: `ClaimInFlight` with a backoff that the store's own clock keeps for everybody.
pub(crate) async fn a_look_up_that_cannot_say_keeps_the_lease_for_a_while_and_the_doubt(
    store: TestStore,
) {
    let (vendor, desk, turn) = in_doubt(&store, "send").await;
    desk.looks([Look::CannotSay; 4]);
    let mut last = Duration::ZERO;
    for asked in 1..=4 {
        let wait = in_flight(&turn, "send").await;
        assert!(wait > last, "it grows: {last:?} {wait:?}");
        last = wait;
        assert_eq!(desk.asked(), asked);
        assert_eq!(of_row(&store, "doubt AND dispatched_at IS NULL").await, 1);
        // Others in the meantime are told to wait, and nobody is asked for them.
        assert!(in_flight(&worker(&store, &desk).await, "send").await <= wait);
        assert_eq!(desk.asked(), asked);
        store.age_all(wait).await;
    }
    assert!(answer(&turn, "send").await.value().is_some());
    assert_eq!((vendor.book().effects, desk.asked()), (1, 5));
}

/// R32: none of them says anything about the effect.
pub(crate) async fn an_error_a_panic_and_a_timeout_of_the_look_up_mean_still_unknown(
    store: TestStore,
) {
    let (vendor, desk, turn) = in_doubt(&store, "send").await;
    desk.looks([Look::Fails, Look::Panics, Look::Hangs]);
    for _ in 0..3 {
        in_flight(&turn, "send").await;
        store.age_all(MINUTE).await;
    }
    assert!(answer(&turn, "send").await.value().is_some());
    let book = vendor.book();
    assert_eq!((book.requests, book.effects, desk.asked()), (1, 1, 4));
}

/// R32: a bounded number of tries.
pub(crate) async fn after_ten_tries_the_outcome_is_unknown(store: TestStore) {
    let (vendor, desk, turn) = in_doubt(&store, "send").await;
    desk.looks([Look::CannotSay; 20]);
    for _ in 1..RECONCILE_TRIES_MAX {
        in_flight(&turn, "send").await;
        store.age_all(MINUTE).await;
    }
    ends_unknown(&turn, "send").await;
    assert_eq!(desk.asked(), 10);
    assert_eq!(vendor.book().requests, 1);
}

/// R32: a day after the first dispatch, by the store's clock.
pub(crate) async fn after_a_day_the_outcome_is_unknown(store: TestStore) {
    let (vendor, desk, turn) = in_doubt(&store, "send").await;
    desk.looks([Look::CannotSay; 2]);
    in_flight(&turn, "send").await;
    store.age_all(DAY).await;
    ends_unknown(&turn, "send").await;
    assert_eq!((desk.asked(), vendor.book().requests), (2, 1));
}

/// R32: while the window runs nobody is asked, so the day of asking comes after it.
pub(crate) async fn a_keyed_tool_has_a_day_after_its_window(store: TestStore) {
    let (vendor, desk, turn) = in_doubt(&store, "send_keyed").await;
    desk.looks([Look::CannotSay; 2]);
    store.age_all(DAY).await;
    in_flight(&turn, "send_keyed").await;
    store.age_all(DAY).await;
    ends_unknown(&turn, "send_keyed").await;
    assert_eq!((desk.asked(), vendor.book().requests), (2, 1));
}

async fn ends_unknown(turn: &Turn, tool: &str) {
    for replayed in [false, true] {
        let told = answer(turn, tool).await;
        assert_eq!(told.failure().expect("unknown").code, "outcome_unknown");
        assert_eq!(told.replayed, replayed);
    }
}
