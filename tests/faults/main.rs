//! What a store, a network or a vendor can do wrong, one case each, on both stores.
#![allow(
    clippy::expect_used,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a failed expectation is the test's failure"
)]

mod addresses;
mod agent;
mod clocks;
mod connections;
mod defaults;
mod files;
mod lost_calls;
mod lost_replies;
mod migrations;
mod only;
mod plane;
mod refused_answers;
mod refused_commits;
mod refused_endings;
mod role;
mod schemas;

idem_tests::both_stores! {
    addresses::{
        an_unknown_scheme_is_refused_with_the_accepted_forms,
        an_address_that_cannot_be_read_keeps_its_password,
    },
    clocks::{
        a_lease_is_judged_by_the_stores_clock_alone,
        the_wait_for_a_lease_is_told_by_the_stores_clock,
        a_worker_whose_clock_is_an_hour_off_writes_a_whole_lease,
        nothing_is_swept_before_the_stores_clock_says_so,
        a_turn_grows_old_by_the_stores_clock,
    },
    migrations::{
        eight_tasks_open_one_fresh_database_at_once,
        an_applications_own_migrations_are_undisturbed,
        migrating_twice_changes_nothing,
    },
    refused_answers::{
        an_answer_that_the_store_refuses_becomes_a_note_for_the_first_caller_and_every_other,
        a_failure_that_the_store_refuses_becomes_the_same_note,
    },
    refused_commits::{
        a_claim_whose_commit_fails_is_an_error_and_stores_nothing,
        a_takeover_whose_commit_fails_is_an_error_and_changes_nothing,
        a_record_whose_commit_fails_is_an_error_and_stores_nothing,
        a_call_whose_claim_is_not_committed_sends_nothing,
    },
    refused_endings::{
        a_completion_whose_commit_fails_hands_the_claim_back,
        a_release_whose_commit_fails_hands_the_claim_back,
        a_mark_whose_commit_fails_is_an_error_and_nothing_is_sent,
        an_answer_whose_commit_fails_is_lost_and_its_effect_is_not_repeated,
    },
    schemas::{
        a_newer_schema_is_refused_with_both_numbers,
        a_missing_schema_is_refused_where_nothing_may_be_changed,
        an_older_schema_is_refused_where_nothing_may_be_changed,
        the_schema_of_this_build_opens_as_it_is,
    },
}
