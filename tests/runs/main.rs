//! The rules of a run's rows: its admission, messages, turns and segments, on both stores and on the volatile one.
#![allow(
    clippy::expect_used,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a failed expectation is the test's failure"
)]

mod admission;
mod bench;
mod endings;
mod leases;
mod lossy;
mod lost_replies;
mod messages;
mod ready;
mod ready_cards;
mod tenants;
mod turns;

/// Lists each case three times: `sqlite::group::case`, `postgres::…` and `volatile::…`.
macro_rules! cases {
    (@store $kind:ident, $($group:ident::{$($case:ident),+ $(,)?}),+ $(,)?) => {
        $(mod $group { $(
            #[test]
            fn $case() {
                idem_tests::run_case(idem_tests::StoreKind::$kind, |store| async {
                    crate::$group::$case(crate::bench::Bench::over(store).await).await;
                });
            }
        )+ })+
    };
    ($($group:ident::{$($case:ident),+ $(,)?}),+ $(,)?) => {
        mod sqlite { cases!(@store Sqlite, $($group::{$($case),+}),+); }
        mod postgres { cases!(@store Postgres, $($group::{$($case),+}),+); }
        mod volatile { $(mod $group { $(
            #[test]
            fn $case() {
                crate::bench::in_memory(crate::$group::$case);
            }
        )+ })+ }
    };
}

cases! {
    admission::{
        a_start_that_is_repeated_is_one_run,
        another_principal_or_start_key_is_refused,
        twenty_starts_at_once_are_one_run,
        a_run_is_admitted_as_it_says,
        a_run_longer_than_answers_are_remembered_is_refused,
        an_admission_writes_no_row_in_the_plane,
    },
    messages::{
        a_message_is_stored_once_for_its_id,
        the_same_id_with_another_content_is_refused,
        an_id_of_another_run_is_refused,
        twenty_posters_leave_no_gap,
        twenty_posters_of_one_message_store_one,
        an_ended_run_takes_no_message,
        a_message_has_a_size,
        a_message_that_a_store_does_not_take_is_refused_by_each,
        a_run_does_not_complete_past_a_message,
        a_message_and_an_end_never_pass_each_other,
    },
    turns::{
        a_turn_is_written_down_once,
        two_owners_write_one_turn,
        only_the_owner_begins_a_turn,
        a_turn_is_over_once,
    },
    leases::{
        one_of_twenty_takes_a_run,
        a_live_lease_refuses_and_says_for_how_long,
        a_lapsed_lease_is_taken_over_and_the_stale_owner_changes_nothing,
        an_owner_whose_lease_lapsed_is_still_the_owner,
        a_lease_that_was_given_back_is_not_renewed,
        one_of_twenty_takes_a_lapsed_run,
        taking_and_looking_agree_at_the_instant,
        a_run_that_its_owner_left_is_taken_at_once,
    },
    ready::{
        a_new_run_is_ready_if_it_starts_at_once,
        an_idle_run_is_ready_when_a_message_comes,
        a_run_that_rests_is_ready_when_it_is_due,
        a_run_rests_no_longer_than_it_may_last,
        an_owned_run_is_not_ready_until_its_lease_ends,
        a_run_whose_worker_vanished_is_ready_whatever_it_was,
        a_run_that_should_end_is_ready_in_every_state,
        an_ended_run_is_never_ready,
        failures_are_counted_until_one_makes_progress,
        ready_runs_are_listed_oldest_first_and_bounded,
    },
    ready_cards::{
        a_waiting_run_is_ready_when_one_of_its_cards_is_approved,
        a_waiting_run_is_ready_when_one_of_its_cards_is_denied,
        a_waiting_run_is_ready_when_one_of_its_cards_expires,
        a_waiting_run_is_ready_when_one_of_its_cards_is_withdrawn,
        a_waiting_run_is_ready_when_an_edit_of_one_of_its_cards_is_asked_for,
        a_decision_about_another_card_does_not_wake_it,
        a_message_wakes_a_waiting_run_only_where_it_ends_the_turn,
    },
    endings::{
        an_end_takes_back_what_is_open_and_what_was_not_spent,
        an_end_that_was_cut_short_is_finished,
        a_cancel_ends_a_run_that_nobody_owns,
        a_cancel_is_left_to_the_owner,
        the_first_who_cancels_is_kept,
        a_stale_owner_does_not_end_a_run,
    },
    tenants::{
        a_tenant_sees_and_changes_its_own_runs_only,
        a_tenant_is_listed_its_own_runs_only,
        a_start_key_is_of_one_tenant,
    },
    lost_replies::{
        an_admission_whose_reply_was_lost_is_not_made_twice,
        a_message_whose_reply_was_lost_is_stored_once,
        a_take_whose_reply_was_lost_is_the_callers,
        an_end_whose_reply_was_lost_is_done,
        a_leave_that_is_repeated_counts_once,
        a_turn_whose_reply_was_lost_is_written_once,
        what_never_arrived_is_asked_again,
    },
}
