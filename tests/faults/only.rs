//! Cases that only one of the stores can show, each under the name of its store, and why.

macro_rules! cases {
    ($kind:ident: $($group:ident::{$($case:ident),+ $(,)?}),+ $(,)?) => {
        $(mod $group { $(
            #[test]
            fn $case() { idem_tests::run_case(idem_tests::StoreKind::$kind, crate::$group::$case); }
        )+ })+
    };
}

/// There is a wire between PostgreSQL and its client, so a reply can be lost after the commit, and
/// connections can end while a body runs; a SQLite file has none of this, and its twin is a
/// commit that fails, see `refused_commits`. What a session has set comes from its role and its database,
/// which SQLite does not have either.
mod postgres {
    cases! { Postgres:
        connections::{
            a_server_that_is_down_is_unavailable_and_the_password_stays_secret,
            connections_that_end_while_the_body_runs_cost_the_answer_nothing,
            a_call_after_every_connection_ended_is_made_once,
            runs_and_cards_are_there_after_every_connection_ended,
        },
        defaults::{
            commits_that_are_not_synchronous_are_refused_until_the_told_statement_ran,
            a_databases_default_is_mended_by_the_told_statement_too,
            another_isolation_level_is_refused_until_the_told_statement_ran,
            a_read_only_role_is_refused_until_the_told_statement_ran,
            a_lock_timeout_of_zero_is_refused_until_the_told_statement_ran,
            a_role_that_may_not_alter_itself_is_told_the_statement,
        },
        lost_calls::{
            a_call_sends_once_whichever_reply_is_lost,
            a_call_sends_once_whichever_request_is_lost,
            a_read_is_recorded_once_whichever_reply_is_lost,
            a_release_whose_reply_is_lost_lets_the_next_attempt_send,
            a_takeover_whose_reply_is_lost_sends_once,
        },
        lost_replies::{
            a_claim_whose_reply_is_lost_is_the_callers,
            a_claim_whose_request_is_lost_is_asked_again,
            a_reclaim_whose_reply_is_lost_is_the_callers,
            a_reclaim_whose_request_is_lost_is_asked_again,
            a_take_over_whose_reply_is_lost_is_the_callers,
            a_take_over_whose_request_is_lost_is_asked_again,
            a_completion_whose_reply_is_lost_is_done,
            a_completion_whose_request_is_lost_is_asked_again,
            a_release_whose_reply_is_lost_is_done,
            a_release_whose_request_is_lost_is_asked_again,
            a_mark_whose_reply_is_lost_is_written,
            a_mark_whose_request_is_lost_is_asked_again,
            a_record_whose_reply_is_lost_is_this_callers,
            a_record_whose_request_is_lost_is_asked_again,
            a_read_whose_reply_is_lost_is_asked_again,
        },
        schemas::{
            the_stores_have_the_same_tables_and_columns,
        },
    }
}

/// These are about the file itself and about the settings of a connection to it.
mod sqlite {
    cases! { Sqlite:
        files::{
            a_database_in_memory_is_refused,
            an_address_that_names_no_file_is_refused,
            a_folder_that_is_missing_is_named,
            a_file_that_is_no_database_is_refused_and_untouched,
            a_file_that_is_read_only_is_refused,
            a_connection_that_may_only_query_is_refused,
            a_pool_that_does_not_sync_every_commit_is_refused,
            a_pool_without_a_write_ahead_log_is_refused,
            a_pool_in_memory_is_refused,
        },
    }
}
