//! The effect classes that promise more than a vendor lets them: a transaction in the store's own database, and a
//! vendor that is asked. One case each, on both stores.
#![allow(
    clippy::expect_used,
    clippy::panic,
    reason = "a failed expectation is the test's failure"
)]

mod calls;
mod lost_commits;
mod misused;
mod planes;
mod reconciled;
mod reconciled_limits;
mod transactional;
mod transactional_faults;

idem_tests::both_stores! {
    planes::{
        a_fence_that_moved_on_is_seen_inside_the_transaction,
        an_answer_completed_in_a_transaction_is_stored_by_its_commit_alone,
        a_late_fence_that_nobody_took_commits,
        a_held_lease_ends_after_the_while_it_was_given_and_never_later,
    },
    transactional::{
        the_effect_and_its_answer_commit_together_and_replay,
        twenty_concurrent_equal_calls_in_two_runtimes_make_one_row,
        a_transactional_claim_is_not_marked_dispatched,
        a_transactional_tool_of_another_store_is_refused_by_name,
        an_answer_that_a_row_cannot_take_is_replaced_by_a_note_and_the_effect_stands,
        an_answer_that_does_not_read_back_commits_the_effect_and_says_so,
        a_second_transaction_beside_an_open_one_is_refused,
        doubt_left_by_an_earlier_class_is_not_run_again,
    },
    transactional_faults::{
        a_worker_that_stalled_past_its_lease_writes_nothing_and_answers_from_the_journal,
        a_crash_between_the_effect_and_its_commit_leaves_one_effect_after_the_takeover,
        every_failure_before_the_commit_rolls_back_and_releases,
        a_business_failure_before_the_commit_rolls_back_and_is_the_answer,
        a_timeout_before_the_commit_rolls_back_and_releases,
        a_transaction_held_for_too_long_is_ended,
        whatever_the_body_does_after_the_commit_the_committed_answer_stands,
        a_commit_that_the_store_refuses_releases,
    },
    misused::{
        a_transaction_that_was_given_up_while_it_began_is_rolled_back,
        another_calls_transaction_is_not_committed,
        a_transaction_that_the_body_ended_is_an_unknown_outcome,
        a_statement_that_fails_never_makes_a_success_without_its_effect,
        a_yes_that_ran_out_under_a_stalled_commit_is_an_unknown_outcome,
    },
    reconciled::{
        what_happened_is_the_answer_and_nothing_is_sent_again,
        what_did_not_happen_is_executed,
        nobody_is_asked_before_the_earlier_lease_has_ended,
        nobody_is_asked_where_there_is_no_doubt,
        a_release_after_a_look_up_keeps_the_doubt,
        an_earlier_request_that_lands_after_the_look_up_is_the_residual,
        a_keyed_tool_asks_once_its_window_is_over,
        a_keyed_tool_sends_again_within_its_window_and_asks_nobody,
    },
    reconciled_limits::{
        a_look_up_that_cannot_say_keeps_the_lease_for_a_while_and_the_doubt,
        an_error_a_panic_and_a_timeout_of_the_look_up_mean_still_unknown,
        after_ten_tries_the_outcome_is_unknown,
        after_a_day_the_outcome_is_unknown,
        a_keyed_tool_has_a_day_after_its_window,
    },
}
