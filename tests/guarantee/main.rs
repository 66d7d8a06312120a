//! The table of `docs/guarantee.md`: every effect class under every fault, on both stores, counted at the vendor.
//!
//! What each cell should be is written down in `table`, by what the rules say, and the cases hold the code to it.
#![allow(
    clippy::expect_used,
    clippy::panic,
    reason = "a failed expectation is the test's failure"
)]

mod broken;
mod cells;
mod killed;
mod losing;
mod lost;
mod page;
mod process;
mod residual;
mod stalled;
mod table;
mod timed_out;
mod told;
mod tools;
mod world;

idem_tests::both_stores! {
    killed::{
        before_the_mark,
        between_the_mark_and_the_wire,
        after_the_wire,
    },
    stalled::{
        before_the_mark,
        between_the_mark_and_the_wire,
        after_the_wire,
    },
    timed_out::{
        landing_within_the_lease,
        landing_after_the_next_call,
    },
    broken::{
        a_502_with_the_effect,
        a_502_without_the_effect,
        the_vendors_reply_is_lost,
    },
    lost::{
        the_reply_of_the_claim,
        the_reply_of_the_ending,
    },
    residual::{
        a_repeat_that_is_paused_past_the_window_is_a_second_effect,
    },
}
