//! The harness: runs that wait, crash, are resumed and repeat no effect, on both stores.
#![allow(
    clippy::expect_used,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a failed expectation is the test's failure"
)]

mod crashes;
mod mixed;
mod model;
mod owners;
mod process;
mod recorded;
mod tools;
mod turns;
mod waits;
mod world;

idem_tests::both_stores! {
    turns::{
        a_message_is_answered_and_the_run_is_done,
        a_run_that_stays_open_has_a_second_turn,
        a_run_that_starts_at_once_needs_no_message,
        conversation_and_trace_tell_it_exactly,
        a_message_that_comes_while_the_model_thinks_is_the_next_turn,
        a_message_at_the_last_moment_is_answered,
    },
    waits::{
        a_call_that_waits_ends_the_segment_and_claims_nothing,
        a_decision_resumes_the_run_in_another_process,
        a_decision_after_two_days_is_made_once,
        a_denial_is_the_answer_also_after_a_restart,
        nobody_deciding_is_the_answer,
        what_was_approved_is_not_made_after_the_run_was_cancelled,
    },
    mixed::{
        a_mixed_batch_is_settled_call_by_call_across_restarts,
        a_free_sibling_is_made_once_however_often_the_run_is_looked_at,
    },
    crashes::{
        a_worker_that_vanished_after_it_recorded_a_step_made_no_call,
        a_worker_that_vanished_after_the_effect_left_it_made_once,
        a_worker_that_vanished_after_the_next_record_left_nothing_to_make,
        a_worker_that_vanished_before_it_recorded_anything_is_followed,
    },
    recorded::{
        a_denied_call_whose_next_step_is_recorded_is_never_made,
        a_refused_call_whose_next_step_is_recorded_is_never_made,
        a_call_given_up_whose_next_step_is_recorded_is_never_made,
    },
    owners::{
        a_loser_runs_the_winners_proposals,
        two_drivers_resume_a_run_a_thousand_times,
    },
}
