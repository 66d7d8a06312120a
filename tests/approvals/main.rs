//! A person in the loop: cards, their decisions, and the calls that wait for them, on both stores.
#![allow(
    clippy::expect_used,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a failed expectation is the test's failure"
)]

mod acknowledgements;
mod another;
mod answers;
mod asking;
mod bench;
mod decisions;
mod denials;
mod edits;
mod example;
mod fingerprints;
mod lookup;
mod page;
mod races;
mod running;
mod table;
mod tools;
mod versions;
mod world;

idem_tests::both_stores! {
    decisions::{
        the_first_decision_stands_and_later_ones_are_told,
        a_decision_names_what_was_seen,
        the_requester_may_not_decide_unless_the_rule_says_so,
        only_named_approvers_decide,
        another_organization_has_no_such_card,
        a_contradictory_request_changes_nothing,
        nothing_is_decided_after_the_end,
        a_reason_is_cut_and_stored,
        cards_are_listed_by_scope_age_and_state,
    },
    lookup::{
        at_most_one_card_is_open_for_a_call,
        a_yes_is_found_behind_newer_cards_of_other_content,
        a_yes_covers_its_principal_only,
        an_expired_card_of_another_turn_is_not_in_the_way,
    },
    table::{
        every_state_and_act_is_as_the_table_says,
        every_state_and_proposal_is_as_the_table_says,
    },
    races::{
        twenty_deciders_have_one_winner_a_thousand_times,
        approve_and_expire_race_at_the_instant,
    },
    asking::{
        asking_opens_one_card_and_no_row_in_the_plane,
        asking_again_after_a_restart_returns_the_same_card,
        twenty_askers_get_one_card,
        other_content_supersedes_the_open_card,
        an_allow_takes_an_open_card_back,
        a_policys_deny_beats_a_yes,
        a_read_asks_too,
        what_cannot_be_read_back_is_not_asked,
    },
    running::{
        an_approved_call_runs_once_and_is_spent,
        a_release_keeps_the_yes,
        other_arguments_are_another_call_and_do_not_run,
        a_call_approved_after_two_days_runs_once,
        a_yes_that_ran_out_does_not_run,
        nobody_deciding_in_time_is_the_answer,
        another_spelling_matches_the_approval,
        a_yes_taken_back_does_not_run,
    },
    denials::{
        a_denial_stands_after_a_restart_without_a_new_card,
        a_denial_outlives_other_content_in_between,
        other_content_asks_again_and_shows_the_earlier_denial,
        a_later_turn_asks_anew_and_borrows_no_yes,
    },
    edits::{
        an_edited_call_runs_under_its_own_key_and_the_original_gets_its_answer,
        a_refused_edit_says_why_and_changes_nothing,
        the_old_hash_approves_nothing_after_an_edit,
        an_edited_call_runs_once_also_where_the_policy_allows_it_later,
        an_edited_answer_is_given_after_its_card_ran_out,
        an_edited_answer_is_given_whatever_the_tool_declares_now,
        the_model_is_told_what_ran_also_where_it_failed,
    },
    fingerprints::{
        a_new_defaulted_argument_is_covered_and_named,
        a_changed_enum_asks_again,
        a_new_required_argument_asks_again,
        another_effect_class_asks_again,
        a_stale_yes_is_replaced_also_after_a_crash,
    },
    answers::{
        a_crash_before_the_spent_note_changes_nothing,
        a_spent_yes_past_retention_answers_expired,
        an_attempt_in_doubt_is_not_told_as_undone,
        an_approved_call_that_lapsed_follows_its_effect_class,
    },
    another::{
        an_answer_of_another_principal_passes_an_asking_policy,
        a_yes_for_one_principal_does_not_run_for_another,
        a_call_that_a_person_changed_runs_in_place_of_anothers_answer,
    },
}
