//! Every form in which a tool can be written, called through the runtime: what it takes reaches it, and the form is in no
//! key (R20, R21, R24, R28). One case each, on both stores.
#![allow(
    clippy::expect_used,
    clippy::panic,
    reason = "a failed expectation is the test's failure"
)]

mod bench;
mod bodies;
mod moved;
mod one_key;
mod roles;
mod strict;
mod taken;
mod tools;

idem_tests::both_stores! {
    one_key::{
        plain_arguments_and_a_type_by_hand_make_one_call,
        the_order_of_the_arguments_is_not_in_the_key,
        borrowed_and_owned_text_make_one_call,
        state_and_context_are_in_no_key,
        a_default_that_is_written_out_is_the_same_call,
        another_argument_is_another_effect,
    },
    roles::{
        a_reworded_prose_argument_gets_the_first_answer_and_says_so,
        an_argument_outside_the_key_that_differs_is_told_and_not_done_again,
        an_intent_argument_tells_two_equal_calls_apart,
        an_argument_that_does_not_exist_is_refused_by_its_path,
    },
    taken::{
        the_applications_values_reach_the_body,
        a_value_that_nobody_gave_is_refused_at_start_up,
        a_block_of_methods_shares_one_value,
        the_context_reaches_its_place_wherever_it_is,
        a_tool_without_arguments_takes_any_spelling_of_nothing,
    },
    bodies::{
        a_synchronous_body_runs_once,
        a_synchronous_body_that_panics_may_have_made_its_effect,
        a_transaction_commits_with_plain_arguments,
        a_function_that_is_called_as_written_leaves_no_row,
    },
    strict::{every_form_stands_under_the_strictest_lints},
    moved::{
        an_approval_stands_when_a_tool_moves_to_plain_arguments,
        a_look_up_gets_the_input_that_the_macro_wrote,
    },
}
