//! A policy in the path of a call, one case each, on both stores: what it says against what a person says, and what it
//! remembers of a run.
#![allow(
    clippy::expect_used,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a failed expectation is the test's failure"
)]

mod decisions;
mod edits;
mod files;
mod first_use;
mod inspection;
mod limits;
mod names;
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
    files::{
        a_file_that_never_asks_gives_a_no_again,
        a_file_that_never_asks_does_not_repeat_a_call_that_ran_edited,
        a_file_that_never_asks_takes_an_open_card_back,
        a_function_that_allows_gives_a_no_again,
    },
    edits::{
        an_edit_that_the_policy_denies_is_refused,
        an_edit_under_another_rule_is_refused,
        an_edit_is_taken_where_the_rule_has_other_words_now,
        a_deny_beats_a_yes_to_edited_arguments,
        an_edit_about_which_the_policy_fails_stays_unchecked,
        a_refusal_is_stored_without_what_a_store_cannot_hold,
        a_rule_is_stored_without_what_a_store_cannot_hold,
        an_edit_has_the_name_of_its_author_only,
    },
    names::{
        a_guard_that_fits_no_tool_keeps_the_program_from_starting,
        a_rule_that_names_no_tool_may_fit_none,
        a_shared_file_may_speak_of_other_tools,
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
