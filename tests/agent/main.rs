//! The harness: runs that wait, crash, are resumed and repeat no effect, on both stores.
#![allow(
    clippy::expect_used,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a failed expectation is the test's failure"
)]

mod asked_again;
mod cancels;
mod changes;
mod contradicted;
mod crashes;
mod driving;
mod events;
mod holding;
mod limits;
mod mixed;
mod model;
mod owners;
mod process;
mod recorded;
mod resampled;
mod retries;
mod rivals;
mod siblings;
mod tools;
mod turns;
mod versions;
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
        an_edit_that_a_person_asks_for_is_checked_by_the_driver,
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
    siblings::{
        a_sibling_in_flight_elsewhere_costs_the_others_nothing,
        empty_arguments_are_one_call_however_they_are_spelled,
        a_missing_argument_is_refused_before_anybody_is_asked,
        equal_calls_of_one_response_have_an_answer_in_each_place,
    },
    retries::{
        a_failure_that_may_be_tried_again_is_and_costs_are_bounded,
        a_vendor_that_asks_for_more_patience_than_there_is_gets_none,
        a_claim_in_flight_elsewhere_is_waited_out_and_costs_no_attempt,
        a_model_that_is_overloaded_is_asked_again,
        a_model_that_stays_away_fails_the_run_after_bounded_segments,
        a_model_that_refuses_fails_the_run_at_once,
        a_model_whose_code_panics_is_a_failure_like_another,
        failures_in_a_row_are_counted_anew_after_progress,
    },
    limits::{
        a_turn_has_so_many_responses,
        a_turn_has_so_many_calls,
        a_run_has_so_many_tokens,
        a_run_has_so_many_turns_and_may_use_the_last,
        a_run_lasts_so_long,
        a_run_that_rests_ends_when_its_time_is_over,
        a_reason_that_a_store_does_not_take_ends_the_run_all_the_same,
        a_limit_takes_the_cards_of_the_run_back,
        a_model_timeout_longer_than_a_run_is_refused,
    },
    cancels::{
        a_tool_that_runs_hears_it_and_is_an_unknown_outcome,
        a_run_that_waits_ends_at_once_and_its_card_goes,
        an_idle_run_ends_at_once,
        a_cancel_that_came_while_the_owner_left_is_kept,
        a_message_queues_behind_a_turn_that_waits,
        a_message_ends_a_turn_that_waits_where_the_run_says_so,
    },
    changes::{
        a_new_defaulted_argument_runs_what_was_proposed,
        a_completed_call_of_a_removed_tool_keeps_its_answer,
        a_waiting_call_of_a_removed_tool_is_told_so,
        a_call_in_doubt_of_a_removed_tool_is_unknown,
        a_value_that_is_no_longer_taken_is_told_so,
        an_input_that_does_not_read_its_own_form_runs,
    },
    driving::{
        runs_of_two_tenants_are_driven_until_none_is_ready,
        a_driver_of_one_tenant_leaves_the_others,
        a_driver_stops_when_it_is_told_to,
        a_plan_whose_last_gap_is_within_the_lease_is_refused,
        a_step_says_what_the_orchestrator_does_next,
        a_step_that_is_made_again_after_its_run_ended_is_done,
    },
    events::{
        events_come_in_order_and_a_replay_is_marked,
        a_watcher_that_lags_holds_nobody_up,
    },
    resampled::{
        what_was_never_recorded_is_sampled_anew_and_effects_stay,
        another_key_is_another_effect,
    },
    asked_again::{
        last_words_of_a_turn_that_is_not_over_are_asked_for_again,
        last_words_are_taken_where_model_turns_are_replayed,
        stored_proposals_are_made_and_never_asked_for_again,
        confirmed_words_are_never_asked_for_again,
        what_was_denied_before_the_words_is_not_made_after_them,
        a_turn_without_a_response_left_keeps_its_words,
    },
    rivals::{
        one_asks_again_while_the_others_proposals_run,
        words_that_were_asked_for_again_end_no_turn,
        words_that_were_confirmed_meanwhile_stand,
    },
    contradicted::{
        a_yes_and_a_no_at_once_have_one_winner_that_the_run_obeys,
    },
    owners::{
        a_loser_runs_the_winners_proposals,
        a_loser_that_said_the_same_makes_nothing_that_has_its_answer,
        a_stale_owner_does_not_end_a_turn_that_goes_on,
        two_drivers_resume_a_run_a_thousand_times,
    },
}
