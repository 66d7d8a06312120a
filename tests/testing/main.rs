//! What a user's own tests are given, by the users' own means: stores, a vendor, a scripted model, workers that vanish
//! and the twin run. One case each, on both stores.
#![allow(
    clippy::expect_used,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a failed expectation is the test's failure"
)]

mod crashes;
mod example;
mod models;
mod page;
mod parts;
mod stores;
mod transactions;
mod twins;
mod volatile;

idem_tests::both_stores! {
    stores::{
        every_store_is_fresh_and_gone_with_its_test,
        a_passed_lease_lets_the_next_worker_in_and_leaves_the_vendors_window_open,
        leases_do_not_pass_where_nobody_holds_one,
        a_lease_that_passed_already_does_not_pass_again,
        a_database_may_be_made_again_under_its_name,
        everything_grows_old_together,
        a_yes_grows_old,
        a_turn_grows_too_old_to_replay,
    },
    crashes::{
        before_the_wire_nothing_was_sent,
        after_the_wire_the_effect_is_there_and_its_answer_is_not,
        after_the_ending_the_answer_is_there_and_nobody_has_heard,
        a_read_is_held_at_each_point_too,
        a_worker_that_only_stalled_goes_on_and_is_given_the_journals_answer,
        a_worker_that_vanishes_takes_every_call_under_way_with_it,
    },
    transactions::{
        a_transactional_tool_has_its_answer_after_the_wire,
    },
    twins::{
        a_turn_that_is_said_otherwise_makes_its_effects_once,
        an_argument_that_changes_at_each_sampling_is_caught_and_named,
        reworded_prose_is_another_call_and_is_caught,
        two_runs_of_one_store_are_two_turns,
        an_effect_that_was_refused_first_may_be_made_the_second_time,
        a_turn_without_an_effect_shows_nothing,
        another_answer_than_the_stored_one_is_caught,
    },
}
