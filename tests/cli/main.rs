//! The program `idem`, run as a process against both stores.
#![allow(
    clippy::expect_used,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a failed expectation is the test's failure"
)]

mod bounds;
mod cards;
mod keys;
mod news;
mod office;
mod program;
mod settling;
mod shown;
mod standing;
mod transcript;

idem_tests::both_stores! {
    cards::{
        open_ones_are_listed_and_shown_with_what_will_run,
        an_approval_names_what_was_seen_and_a_second_decider_is_told_what_stands,
        a_denial_has_a_reason_and_stands,
        another_hash_than_the_card_shows_decides_nothing,
        the_requester_and_a_stranger_to_the_rule_are_refused,
        another_organization_sees_nothing_and_decides_nothing,
        nobody_is_asked_without_a_terminal,
        the_list_filters_by_scope_and_age_and_leaves_out_what_is_done,
    },
    keys::{
        a_key_is_shown_by_its_first_digits_and_values_only_on_request,
        a_lapsed_claim_is_settled_and_repeats_get_the_answer,
        an_unknown_outcome_is_settled_once_and_keeps_its_first_answer,
        what_did_not_happen_is_told_to_the_next_caller,
        what_is_live_answered_or_absent_is_not_settled_and_says_why,
        another_organization_neither_sees_nor_settles_a_key,
        keys_that_begin_alike_are_told_apart,
    },
    news::{
        a_settlement_reaches_its_run_once,
        an_answer_longer_than_a_message_is_news_all_the_same,
        what_did_not_happen_is_news_too,
        a_settlement_stands_without_a_run_to_tell,
    },
    shown::{
        an_edit_waits_for_a_worker_and_a_new_hash,
        a_replaced_card_is_shown_beside_the_new_one,
        no_escape_sequence_reaches_the_terminal,
    },
    standing::{
        a_yes_that_ran_out_says_so_and_who_said_it,
        an_edit_is_not_put_down_to_who_asked_for_another_one,
        an_edit_from_a_laid_out_file_shows_nothing_hidden,
        a_decision_that_cannot_be_printed_is_still_done,
    },
    settling::{
        a_note_stays_in_the_record_and_out_of_the_answer,
        an_answer_that_cannot_be_stored_settles_nothing,
        what_did_not_happen_keeps_a_first_answer_too_and_says_so,
    },
    transcript::{
        the_session_of_the_page_is_what_the_program_prints,
    },
    bounds::{
        a_list_of_no_rows_is_refused,
        keys_that_are_not_shown_are_mentioned,
        a_note_that_is_too_long_settles_nothing,
        a_denial_without_a_reason_decides_nothing,
    },
    program::{
        a_store_is_migrated_once_and_says_so,
        a_store_without_the_schema_names_the_command,
        an_error_is_one_document_for_a_program,
        a_wrong_command_line_ends_with_two,
    },
}
