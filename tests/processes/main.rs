//! Rules that need more than one process, and the example.
#![allow(
    clippy::expect_used,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a failed expectation is the test's failure"
)]

mod airline;
mod airline_planted;
mod airline_run;
mod airline_tools;
mod airline_vendor;
#[path = "../features/digests.rs"]
mod digests;
mod drains;
mod features;
mod killed;
mod killed_keyed;
mod killed_marked;
mod killed_once;
mod killed_reads;
mod openings;
mod order;
mod program;
#[path = "../schemas/proposals.rs"]
mod proposals;
mod races;
mod reminder;
mod rig;
mod worker;

idem_tests::both_stores! {
    airline_planted::{
        without_a_bug_nothing_is_found,
        a_skipped_claim_is_found,
        a_key_of_the_call_id_is_found,
        a_turn_of_the_inbox_is_found,
        a_forgotten_denial_is_found,
    },
    airline_run::{
        recorded_conversations_come_out_as_recorded,
        chaos_changes_no_answer,
        the_recordings_come_out_as_recorded,
    },
    drains::{
        a_keyed_call_whose_process_dies_while_draining_is_sent_again_under_its_key,
        a_call_whose_process_dies_while_draining_is_not_sent_again,
    },
    killed_reads::{
        before_the_wire_it_runs_once,
        after_the_wire_it_runs_again,
        before_its_recording_it_runs_again,
        after_its_recording_it_is_a_replay,
    },
    killed_keyed::{
        before_the_wire_it_is_sent_once,
        after_the_wire_it_is_sent_again_under_its_key,
        before_its_ending_it_is_sent_again_under_its_key,
        after_its_ending_it_is_a_replay,
    },
    killed_once::{
        before_the_wire_it_is_not_sent,
        after_the_wire_it_is_not_sent_again,
        before_its_ending_it_is_not_sent_again,
        after_its_ending_it_is_a_replay,
    },
    killed_marked::{
        before_the_mark_it_is_sent_once,
        between_the_mark_and_the_wire_it_is_not_sent,
        after_the_wire_it_is_not_sent_again,
        before_its_ending_it_is_not_sent_again,
        after_its_ending_it_is_a_replay,
    },
    openings::{
        four_processes_open_one_fresh_database_at_once,
    },
    races::{
        twenty_callers_in_four_processes_make_one_effect,
        one_caller_owns_the_key_while_another_process_writes,
    },
    reminder::{
        with_idem_each_effect_happens_once,
    },
}
