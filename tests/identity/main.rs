//! What makes two calls one, and what tells two apart: identity arguments, checked ones and prose, intents, and calls
//! that are not to run side by side (R20, R24, R26, R47, R48). One case each, on both stores.
#![allow(
    clippy::expect_used,
    clippy::panic,
    reason = "a failed expectation is the test's failure"
)]

mod bench;
mod calls;
mod cards;
mod intents;
mod keys;
mod natural;
mod policies;
mod respell;
mod rows;
mod setup;
mod tools;
mod trip;
mod wording;

idem_tests::both_stores! {
    keys::{
        the_key_is_made_of_the_named_arguments_alone,
        another_identity_argument_is_another_effect,
        a_checked_argument_that_differs_is_told_and_not_done_again,
        a_named_argument_that_equals_its_default_is_left_out,
        a_read_has_identity_arguments_too,
    },
    natural::{
        a_natural_key_is_one_effect_in_every_run_and_turn,
        a_natural_key_of_another_value_is_another_effect,
        a_checked_argument_of_a_natural_key_is_told_and_not_done_again,
        a_natural_key_has_no_use_for_an_intent,
        anothers_answer_under_a_natural_key_passes_the_checkpoint,
        what_did_not_happen_under_a_natural_key_may_be_done,
        a_natural_effect_that_others_race_for_is_made_once,
    },
    policies::{
        the_function_and_the_person_see_what_the_policies_wrote,
        what_the_policies_make_one_is_one_call,
        what_no_policy_is_declared_for_stays_as_it_is,
        a_checked_argument_and_prose_have_their_policies_too,
        what_a_policy_refuses_is_invalid_input_with_its_place,
        missing_null_and_a_value_are_three_calls,
        a_default_that_is_written_out_is_the_same_call,
        free_form_arguments_keep_every_digit_and_refuse_a_key_twice,
    },
    calls::{
        random_calls_have_the_keys_of_the_independent_program,
        a_call_that_is_spelled_anew_is_the_same_call,
        near_misses_are_calls_of_their_own,
    },
    wording::{
        a_reworded_repeat_gets_the_first_answer_and_says_what_differed,
        the_words_that_differ_are_named_by_their_place,
        whoever_joins_is_told_of_its_own_words,
        a_takeover_sends_the_words_that_may_have_been_sent,
        a_reworded_read_gets_the_recorded_answer,
        content_that_differs_says_nothing_of_words,
        a_row_without_its_input_names_no_words,
    },
    intents::{
        two_equal_sends_of_one_response_are_one_effect,
        an_intent_makes_the_second_equal_send_an_effect_of_its_own,
        an_argument_that_names_the_intent_tells_two_equal_sends_apart,
        an_intent_stands_in_for_the_arguments_and_they_are_checked,
        the_harnesses_intent_stands_above_the_arguments,
        an_intent_that_cannot_be_one_is_invalid_input,
        a_read_has_no_use_for_an_intent,
    },
    cards::{
        other_words_return_the_same_card_and_the_approved_ones_run,
        other_content_opens_another_card,
        a_checked_argument_that_a_person_edited_answers_the_original,
        an_intent_is_on_its_card,
    },
    rows::{
        the_calls_of_a_serial_tool_run_one_after_the_other,
        a_serial_call_that_fails_does_not_keep_the_next_from_running,
    },
    setup::{
        counting_repeats_is_refused_where_proposals_are_not_journaled,
        a_hand_written_tool_names_fields_that_there_are,
    },
}
