//! The plane's rules, one case each, on both stores, each alone and with its verbs grouped.
#![allow(
    clippy::expect_used,
    clippy::panic,
    reason = "a failed expectation is the test's failure"
)]

mod answers;
mod claims;
mod clocks;
mod endings;
mod instants;
mod lossy;
mod lost_replies;
mod plane;
mod reads;
mod reclaims;
mod records;
mod rows;
mod serialisation;
mod session;
mod settlements;
mod silence;
mod sweeps;
mod table;
mod takeovers;
mod tenants;
mod turns;

idem_tests::both_stores_and_grouped! {
    claims::{
        twenty_concurrent_claims_have_one_owner,
        concurrent_claims_with_two_contents_have_one_owner,
        a_live_lease_cannot_be_stolen,
        a_live_lease_on_the_callers_own_key_is_in_flight,
        the_same_key_with_other_content_is_a_conflict,
        two_tenants_and_two_scopes_never_share_a_row,
        a_keys_text_is_bounded_and_without_control_characters,
    },
    reads::{
        a_completed_duplicate_gets_the_stored_resource_and_response,
        a_resource_alone_is_an_answer,
        a_read_writes_no_row,
        a_read_answers_absent_for_a_passed_lease,
        an_answer_is_readable_after_its_lease_while_retention_holds,
        content_is_compared_before_status_and_lease,
    },
    reclaims::{
        a_passed_lease_is_reclaimed_by_exactly_one_of_twenty,
        a_reclaim_needs_the_content_the_seen_token_and_a_passed_lease,
        an_answered_or_a_forgotten_row_is_not_reclaimed,
        a_reclaim_moves_the_lease_and_never_shortens_the_retention,
        a_takeover_says_what_is_known_of_the_attempts_before,
        a_mark_survives_reclaims,
        an_ended_lease_is_reclaimable_at_once,
    },
    endings::{
        a_release_keeps_a_raised_epoch,
        a_worker_whose_claim_was_reclaimed_cannot_complete,
        a_late_completion_that_nobody_replaced_is_stored,
        a_worker_cannot_release_the_claim_another_holds,
        a_released_key_executes_again_as_a_first_attempt,
        a_business_failure_is_the_answer_of_every_repeat,
        nothing_ends_a_completed_row_again,
        a_release_in_doubt_keeps_row_content_and_doubt,
        an_ended_lease_clears_what_it_says_and_nothing_else,
        a_raised_epoch_changes_the_vendor_key_and_only_that,
        an_abandoned_claim_is_counted_and_logged,
    },
    tenants::{
        another_tenant_cannot_end_or_mark_a_claim,
        another_tenant_cannot_see_or_take_a_row,
    },
    takeovers::{
        a_row_is_taken_over_for_the_reason_that_holds_and_for_no_other,
        what_did_not_happen_reopens_for_a_caller_that_says_so,
        other_content_claims_over_what_lapsed_without_doubt,
        a_take_over_that_comes_too_late_is_judged_anew,
        a_forgotten_row_is_claimed_as_if_it_were_absent,
        nothing_of_a_forgotten_row_is_left,
        a_forgotten_row_is_taken_over_by_exactly_one_of_twenty,
    },
    records::{
        the_first_writer_wins_and_the_losers_get_its_answer,
        a_recorded_answer_is_read_back_by_read_and_claim,
        a_forgotten_row_is_recorded_over,
        a_record_under_a_live_claim_is_in_flight,
        a_record_takes_a_lapsed_claim_over,
    },
    lost_replies::{
        a_claim_whose_reply_was_lost_is_the_callers,
        a_reclaim_whose_reply_was_lost_is_the_callers,
        a_take_over_whose_reply_was_lost_is_the_callers,
        a_record_whose_reply_was_lost_is_the_callers,
        a_completion_whose_reply_was_lost_is_done,
        a_release_whose_reply_was_lost_is_done,
        an_ended_lease_whose_reply_was_lost_is_done,
        a_mark_whose_reply_was_lost_is_the_callers,
        a_call_that_never_arrived_is_made_again,
        a_repeated_ending_does_not_touch_the_next_owner,
    },
    silence::{
        a_claim_that_stays_unheard_is_given_up,
        a_reclaim_that_is_given_up_keeps_the_doubt_before_it,
        a_claim_that_cannot_be_given_up_lapses,
        giving_up_does_not_touch_another_owner,
        a_refused_statement_is_not_asked_again,
        an_ending_that_stays_unheard_hands_the_claim_back,
        a_mark_a_read_and_a_record_ask_a_bounded_number_of_times,
        a_claim_that_is_always_outrun_answers_processing,
        a_takeover_that_is_always_outrun_answers_processing,
        a_completion_that_is_always_outrun_is_not_done,
    },
    serialisation::{
        a_claim_waits_for_an_uncommitted_one_and_sees_it,
        a_claim_that_was_rolled_back_leaves_the_key_free,
        a_reclaim_waits_for_an_uncommitted_one_and_loses_to_it,
        a_repeat_is_told_while_another_session_writes,
    },
    instants::{
        read_and_claim_agree_at_the_instant_a_lease_ends,
        read_and_claim_agree_at_the_instant_a_retention_ends,
        lease_and_retention_may_end_at_the_same_instant,
        the_other_verbs_turn_at_the_same_instants,
    },
    clocks::{
        a_lease_and_a_retention_are_as_long_as_asked,
        retention_is_raised_to_a_longer_lease,
        every_instant_is_the_stores,
        the_table_refuses_a_row_that_makes_no_sense,
    },
    answers::{
        exact_bytes_come_back,
        the_largest_answer_comes_back_whole,
        a_resource_is_whole_or_refused,
    },
    settlements::{
        a_settlement_completes_a_lapsed_claim,
        a_settlement_stands_beside_the_first_answer,
        there_is_nothing_to_settle_elsewhere,
        a_settlement_may_name_a_resource,
        one_of_twenty_settlements_is_written_down,
    },
    turns::{
        a_turn_begins_with_its_first_look_and_grows_older,
        each_turn_of_each_tenant_has_its_own_beginning,
        twenty_first_looks_write_one_row,
    },
    sweeps::{
        a_sweep_deletes_only_what_is_past_its_retention,
        a_sweep_is_bounded_and_begins_with_the_oldest,
        a_sweep_skips_what_is_locked_and_passes_readers,
        a_sweep_never_deletes_what_was_claimed_meanwhile,
    },
    table::{
        every_state_and_verb_is_as_the_table_says,
        a_passed_lease_is_as_the_table_says,
    },
}
