//! The rules of a tool call, one case each, on both stores, with equal calls of one process joined and apart.
#![allow(
    clippy::expect_used,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a failed expectation is the test's failure"
)]

mod answers;
mod arguments;
mod canonical_numbers;
mod checkpoint;
mod conflicts;
mod counting;
mod drains;
mod dropped_callers;
mod endings;
mod error_classes;
mod fan_out;
mod http_stub;
mod leases;
mod lost_fence;
mod outputs;
mod panics;
mod pools;
mod process;
mod reads;
mod repeats;
mod second_looks;
mod setting;
mod setup;
mod statements;
mod tools;
mod turns;
mod unknown_outcomes;
mod vanished_workers;
mod vendor_keys;

/// Lists each case four times: `sqlite::joined::group::case`, `sqlite::apart::…`, and the same on PostgreSQL. Joined
/// and apart is whether equal calls of one process share an execution: the promise may not depend on it (R34).
macro_rules! cases {
    (@store $kind:ident, $($listed:tt)+) => {
        mod joined { cases!(@mode $kind, true, $($listed)+); }
        mod apart { cases!(@mode $kind, false, $($listed)+); }
    };
    (@mode $kind:ident, $sharing:literal, $($group:ident::{$($case:ident),+ $(,)?}),+ $(,)?) => {
        $(mod $group { $(
            #[test]
            fn $case() {
                idem_tests::run_case(idem_tests::StoreKind::$kind, |store| {
                    let setting = crate::setting::Setting { store, sharing: $sharing };
                    crate::setting::bounded(crate::$group::$case(setting))
                });
            }
        )+ })+
    };
    ($($listed:tt)+) => {
        mod sqlite { cases!(@store Sqlite, $($listed)+); }
        mod postgres { cases!(@store Postgres, $($listed)+); }
    };
}

cases! {
    second_looks::{
        a_second_dispatch_does_not_release_what_the_first_one_sent,
        a_refusal_at_the_door_is_no_answer_to_an_attempt_in_doubt,
        without_a_policy_anothers_answer_is_not_given_away,
        a_default_that_changes_is_refused,
        a_failure_that_does_not_fit_is_cut_and_replays_the_same,
        content_before_its_tag_is_read_exactly,
        a_window_without_room_for_a_second_attempt_is_refused,
    },
    endings::{
        a_call_without_effect_is_released_and_the_next_attempt_executes,
        a_refused_connection_is_released_and_the_next_attempt_executes,
        a_business_failure_is_stored_and_repeats_say_when_it_first_ran,
        a_success_is_replayed_equal_typed_and_as_json,
        an_answer_names_the_call_that_it_is_for,
        a_completed_key_keeps_answering_whatever_the_code_declares_now,
        every_attempt_executes_until_one_has_an_answer,
    },
    unknown_outcomes::{
        an_unknown_outcome_of_an_at_most_once_tool_is_stored_and_never_sent_again,
        a_timeout_of_an_at_most_once_tool_is_never_sent_again_though_it_lands_late,
        an_effect_that_lands_after_an_error_is_not_made_twice,
        an_unknown_outcome_of_a_keyed_tool_is_held_and_then_sent_under_the_same_key,
        a_timeout_of_a_keyed_tool_makes_one_effect_though_it_lands_late,
        a_vendor_still_at_work_under_our_key_is_not_stored_as_a_failure,
        a_conflict_at_the_vendor_is_an_answer_where_nothing_is_in_doubt,
        a_release_after_a_doubtful_attempt_keeps_the_doubt,
        a_stopped_body_cancels_what_it_handed_over,
    },
    vendor_keys::{
        every_attempt_hands_the_vendor_the_same_key,
        a_vendor_key_is_short_plain_and_of_one_call_of_one_tenant,
        a_keyed_call_past_its_vendors_window_is_not_sent_again,
        a_keyed_call_is_sent_again_only_while_it_would_end_inside_the_window,
        attempts_in_between_do_not_lengthen_the_window,
        a_failure_that_the_vendor_keeps_gives_the_next_attempt_another_key,
        an_unknown_outcome_never_gets_another_vendor_key,
        another_vendor_key_begins_a_window_of_its_own,
    },
    vanished_workers::{
        a_read_whose_worker_vanished_runs_again,
        a_keyed_call_whose_worker_vanished_is_sent_again_and_is_one_effect,
        an_at_most_once_call_whose_worker_vanished_is_unknown_and_not_sent_again,
        a_worker_that_vanished_before_its_mark_left_no_doubt,
        a_worker_that_vanished_after_its_mark_is_judged_by_class,
        whatever_happens_before_the_mark_releases,
        a_mark_after_the_lease_was_taken_over_sends_nothing,
    },
    lost_fence::{
        an_overtaken_worker_gets_the_journals_answer_and_not_its_own,
        a_late_success_does_not_replace_an_unknown_outcome,
        an_overtaken_worker_without_an_answer_in_the_journal_is_told_to_call_again,
        a_late_answer_does_not_bring_a_released_key_back,
        an_overtaken_worker_waits_for_the_one_that_is_at_work,
        a_late_answer_that_nobody_overtook_is_stored,
    },
    leases::{
        a_lease_is_the_timeout_and_the_margin,
        a_read_holds_no_lease_and_is_remembered_as_long,
        a_body_has_its_timeout_and_not_its_lease,
    },
    checkpoint::{
        a_completed_call_does_not_ask_the_policy,
        a_denied_call_has_no_row_and_no_effect,
        a_call_in_flight_does_not_ask_the_policy,
        an_answer_of_another_principal_passes_the_checkpoint,
        an_answer_made_while_the_policy_was_asked_passes_the_checkpoint_too,
        a_policy_that_fails_allows_nothing,
        the_policy_sees_the_arguments_as_they_would_run,
        a_denied_takeover_leaves_the_key_as_it_was,
    },
    statements::{
        a_lone_call_without_a_policy_is_a_claim_and_an_ending,
        a_lone_call_with_a_policy_reads_claims_and_ends,
        a_lone_call_with_a_policy_that_may_have_asked_looks_for_a_card,
        a_marked_dispatch_is_one_statement_more,
        a_read_is_a_look_at_the_journal_and_one_record,
        a_failure_costs_what_a_success_costs,
        a_refused_call_costs_nothing,
    },
    repeats::{
        a_call_in_other_clothes_is_the_same_effect,
        another_argument_is_another_effect,
        the_turn_and_the_tool_are_part_of_the_identity,
        missing_null_and_default_are_one_effect,
        a_tool_that_tells_null_from_missing_makes_two_effects,
        free_json_is_the_same_in_any_order_and_any_spelling,
        no_arguments_are_one_call_however_they_are_spelled,
    },
    canonical_numbers::{
        the_spelling_of_a_number_does_not_make_a_second_effect,
        a_whole_number_written_as_a_float_is_no_other_effect,
        ids_beyond_a_double_stay_apart,
        an_amount_is_one_effect_whatever_its_zeros,
        amounts_beyond_a_double_stay_apart,
        a_negative_zero_is_zero,
        a_negative_zero_in_an_answer_is_the_same_on_a_replay,
    },
    arguments::{
        a_wrong_argument_is_refused_with_its_path,
        an_unknown_argument_is_refused_with_its_path,
        a_key_that_stands_twice_is_refused_at_every_level,
        arguments_encoded_twice_are_refused_clearly,
        arguments_too_deep_or_too_large_are_refused,
        a_lone_surrogate_is_refused_and_a_nul_is_kept,
        an_unknown_tool_is_answered_with_the_names_of_the_tools,
    },
    answers::{
        an_answer_that_json_cannot_hold_is_one_failure_for_all,
        an_answer_longer_than_a_row_takes_is_kept_as_its_digest,
        an_answer_nested_too_deep_is_one_failure_for_all,
        every_character_of_an_answer_is_kept,
        an_answer_of_nothing_is_replayed_too,
        a_failure_is_kept_with_its_details,
    },
    outputs::{
        every_sort_of_answer_comes_back_byte_for_byte_and_typed,
        an_answer_that_does_not_read_back_is_told_at_once_and_for_ever,
        a_type_that_panics_while_it_reads_back_is_told_too,
        an_answer_names_its_resource,
        a_resource_without_a_name_is_left_out,
    },
    fan_out::{
        two_equal_calls_of_one_response_are_one_effect_and_two_answers,
        calls_of_two_principals_do_not_share_an_execution,
        a_call_in_flight_elsewhere_does_not_cost_its_sibling_the_answer,
        results_stand_in_the_order_of_the_calls,
        each_call_beyond_the_limit_of_a_response_is_refused,
        a_response_without_calls_has_no_results,
        a_live_lease_of_another_process_is_raised_and_never_a_value,
        an_equal_call_of_one_process_joins_or_is_told_to_wait,
    },
    panics::{
        a_panic_is_an_unknown_outcome_of_its_call,
        a_panic_of_a_keyed_tool_is_sent_again_after_the_lease,
        a_panic_of_a_read_keeps_nothing,
        a_panicking_call_does_not_cost_its_siblings_their_answers,
        a_panic_while_the_arguments_are_read_is_an_answer,
    },
    dropped_callers::{
        dropping_a_caller_does_not_cancel_its_call,
        dropping_a_fan_out_does_not_cancel_its_calls,
        those_who_joined_are_answered_when_the_first_caller_is_gone,
    },
    pools::{
        bodies_may_use_the_pool_of_the_store,
        a_body_that_waits_holds_no_connection,
    },
    drains::{
        a_drain_refuses_new_calls_and_joins_the_one_under_way,
        a_drain_past_its_deadline_says_how_many_are_left,
        a_drain_of_nothing_is_over_at_once,
    },
    reads::{
        a_read_has_no_row_while_it_runs_and_is_recorded_once,
        a_read_is_fresh_at_every_step_and_the_same_within_one,
        a_write_is_the_same_at_every_step,
        the_loser_of_a_race_gets_the_winners_answer,
        a_read_that_failed_is_not_recorded_and_may_be_asked_again,
        a_business_failure_of_a_read_is_recorded,
        two_equal_reads_at_once_have_one_answer,
    },
    turns::{
        a_turn_that_is_too_old_is_refused_and_not_executed,
        a_turn_begins_with_its_first_call_that_could_run,
        the_age_of_a_turn_is_of_one_tenant,
    },
    conflicts::{
        what_was_done_differently_is_told_and_not_done_again,
        what_failed_differently_is_told_and_not_tried_again,
        another_content_of_unknown_outcome_is_unknown,
        another_content_that_lapsed_in_doubt_is_unknown,
        another_content_that_lapsed_without_doubt_is_taken_over,
        another_content_at_work_is_waited_for,
        a_read_under_another_content_is_told_so,
        a_worker_overtaken_by_another_content_is_told_what_was_done,
    },
    setup::{
        two_tools_of_one_name_are_refused,
        no_tools_are_refused,
        a_missing_state_has_no_effect_and_says_what_to_add,
        a_retry_plan_is_held_to_the_longest_lease,
        a_model_is_told_the_tools_in_the_order_of_their_names,
        a_tool_written_by_hand_makes_its_effect_once,
        a_body_knows_on_whose_behalf_it_runs,
    },
    error_classes::{
        every_status_has_its_class,
        a_vendors_retry_after_reaches_the_caller,
        a_broken_reply_is_unknown,
        a_timeout_of_the_client_is_unknown,
        a_connection_that_was_never_made_has_no_effect,
        a_foreign_error_is_unknown,
        a_tools_own_failure_has_its_class_and_its_words,
    },
}
