//! A policy in the path of a call, one case each, on both stores: what it says against what a person says, and what it
//! remembers of a run.
#![allow(
    clippy::expect_used,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a failed expectation is the test's failure"
)]

mod decisions;
mod first_use;
mod inspection;
mod limits;
mod support;

idem_tests::both_stores! {
    decisions::{
        a_deny_beats_a_standing_yes,
        an_allow_takes_an_open_card_back,
        an_allow_gives_a_no_again,
        an_allow_does_not_repeat_a_call_that_ran_edited,
        a_tools_own_word_stands_beside_the_policy,
        a_ready_policy_asks_about_whatever_may_write,
    },
    first_use::{
        it_asks_once_a_run_and_survives_a_restart,
        side_by_side_each_is_the_first_and_what_a_person_said_stands,
        a_failure_to_try_again_leaves_it_the_first,
    },
    limits::{
        an_amount_over_the_limit_asks_and_one_below_runs,
        an_argument_that_cannot_be_tested_does_not_run,
    },
    inspection::{only_an_answer_of_this_scope_and_run_counts},
}
