//! R81: what waits for a store goes out together. The rules of the plane with every verb grouped are in `contract`.
#![allow(
    clippy::expect_used,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a failed expectation is the test's failure"
)]

mod alone;
mod bench;
mod failing;
mod gated;
mod going;
mod grouping;

idem_tests::both_stores! {
    grouping::{
        what_waits_while_the_store_is_busy_is_one_statement,
        endings_that_wait_are_one_statement_of_each_kind,
        the_rows_of_one_key_never_share_a_group,
        a_group_is_bounded_in_rows_and_in_bytes,
        every_caller_gets_its_own_answer,
        a_thousand_callers_are_answered_by_few_statements,
    },
    alone::{
        a_caller_who_is_alone_goes_straight_through,
        every_other_verb_goes_to_the_store_as_it_comes,
        a_tool_set_is_grouped_by_one_line,
    },
    failing::{
        one_bad_row_fails_alone,
        a_group_whose_reply_was_lost_is_asked_row_by_row,
        a_row_that_another_session_holds_holds_nobody_up,
        two_processes_that_complete_the_same_rows_in_other_orders_both_end,
    },
    going::{
        a_caller_that_goes_away_leaves_its_verb_to_finish,
        a_lone_caller_that_goes_away_makes_way,
        a_drain_waits_for_every_answer_and_what_comes_later_is_done_too,
    },
}
