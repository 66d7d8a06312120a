//! Binds the verbs on runs to their statements, and nothing else.

/// Implements `RunRepository` for a store, in a file beside its `sql` folder. The file has `post`, which runs the
/// statement that posts a message and answers no row where somebody posts the same one this very moment.
macro_rules! bind_runs {
    ($store:ident) => {
        use super::{Row, Statement, query, span};
        use async_trait::async_trait;
        use std::time::Duration;
        use $crate::error::RepositoryError;
        use $crate::identity::{MessageId, RunId};
        use $crate::organization::OrganizationId;
        use $crate::runs::{
            BegunTurn, EndRun, LeaveAs, NewMessage, NewRun, RUN_RETENTION, RunRecord,
            RunRepository, RunStatus, RunTurn, SegmentToken, StartKey, StoredMessage,
        };
        use $crate::stores::run_row::{message, run, turn};

        impl $store {
            async fn run_rows<T>(
                &self,
                statement: Statement<'_>,
                read: fn(&Row) -> Result<T, RepositoryError>,
            ) -> Result<Vec<T>, RepositoryError> {
                self.write(statement).await?.iter().map(read).collect()
            }

            async fn one_run(
                &self,
                statement: Statement<'_>,
            ) -> Result<Option<RunRecord>, RepositoryError> {
                Ok(self.run_rows(statement, run).await?.pop())
            }
        }

        fn of_run<'q>(
            sql: &'static str,
            organization: OrganizationId,
            run: &RunId,
        ) -> Statement<'q> {
            let statement = query(sql).bind(organization.as_uuid());
            statement.bind(run.as_ref().to_owned())
        }

        #[async_trait]
        impl RunRepository for $store {
            async fn admit_run(&self, new: &NewRun) -> Result<Option<RunRecord>, RepositoryError> {
                let status = if new.starts_at_once {
                    RunStatus::Ready
                } else {
                    RunStatus::Idle
                };
                let sql = include_str!("sql/run_admit.sql");
                let statement = of_run(sql, new.organization, &new.run)
                    .bind(new.principal.as_str())
                    .bind(new.start_key.as_ref().map(StartKey::as_str))
                    .bind(status.word())
                    .bind(new.starts_at_once)
                    .bind(new.keeps_open)
                    .bind(new.on_message.word())
                    .bind(span(new.duration_max))
                    .bind(span(RUN_RETENTION));
                self.one_run(statement).await
            }

            async fn run(
                &self,
                organization: OrganizationId,
                run: &RunId,
            ) -> Result<Option<RunRecord>, RepositoryError> {
                let sql = include_str!("sql/run_get.sql");
                self.one_run(of_run(sql, organization, run)).await
            }

            async fn run_of_start(
                &self,
                organization: OrganizationId,
                start_key: &StartKey,
            ) -> Result<Option<RunRecord>, RepositoryError> {
                let statement = query(include_str!("sql/run_of_start.sql"))
                    .bind(organization.as_uuid())
                    .bind(start_key.as_str());
                self.one_run(statement).await
            }

            async fn ready_runs(
                &self,
                organization: Option<OrganizationId>,
                rows_max: u32,
            ) -> Result<Vec<RunRecord>, RepositoryError> {
                let statement = query(include_str!("sql/runs_ready.sql"))
                    .bind(organization.map(|organization| organization.as_uuid()))
                    .bind(i64::from(rows_max));
                self.run_rows(statement, run).await
            }

            async fn take_segment(
                &self,
                organization: OrganizationId,
                run: &RunId,
                token: SegmentToken,
                lease: Duration,
            ) -> Result<Option<RunRecord>, RepositoryError> {
                let statement = of_run(include_str!("sql/segment_take.sql"), organization, run)
                    .bind(token.as_uuid())
                    .bind(span(lease));
                self.one_run(statement).await
            }

            async fn renew_segment(
                &self,
                organization: OrganizationId,
                run: &RunId,
                token: SegmentToken,
                lease: Duration,
            ) -> Result<Option<RunRecord>, RepositoryError> {
                let statement = of_run(include_str!("sql/segment_renew.sql"), organization, run)
                    .bind(token.as_uuid())
                    .bind(span(lease));
                self.one_run(statement).await
            }

            async fn leave_segment(
                &self,
                organization: OrganizationId,
                run: &RunId,
                token: SegmentToken,
                how: &LeaveAs,
            ) -> Result<Option<RunRecord>, RepositoryError> {
                let left = how.parts();
                let statement = of_run(include_str!("sql/segment_leave.sql"), organization, run)
                    .bind(token.as_uuid())
                    .bind(left.status.word())
                    .bind(left.cards)
                    .bind(span(left.after))
                    .bind(i64::from(left.failures));
                self.one_run(statement).await
            }

            async fn end_run(
                &self,
                organization: OrganizationId,
                run: &RunId,
                token: Option<SegmentToken>,
                how: &EndRun,
            ) -> Result<Option<RunRecord>, RepositoryError> {
                let statement = of_run(include_str!("sql/run_end.sql"), organization, run)
                    .bind(token.map(|token| token.as_uuid()))
                    .bind(how.status.word())
                    .bind(how.reason.as_deref())
                    .bind(how.answered_upto.map(i64::from));
                self.one_run(statement).await
            }

            async fn request_cancel(
                &self,
                organization: OrganizationId,
                run: &RunId,
                by: &str,
            ) -> Result<Option<RunRecord>, RepositoryError> {
                let statement =
                    of_run(include_str!("sql/run_cancel.sql"), organization, run).bind(by);
                self.one_run(statement).await
            }

            async fn post_message(
                &self,
                organization: OrganizationId,
                run: &RunId,
                new: &NewMessage,
            ) -> Result<Option<StoredMessage>, RepositoryError> {
                let statement = of_run(include_str!("sql/message_post.sql"), organization, run)
                    .bind(new.id.as_ref())
                    .bind(new.kind.word())
                    .bind(&new.body);
                let rows = self.post(statement).await?;
                rows.first().map(message).transpose()
            }

            async fn message(
                &self,
                organization: OrganizationId,
                id: &MessageId,
            ) -> Result<Option<StoredMessage>, RepositoryError> {
                let statement = query(include_str!("sql/message_get.sql"))
                    .bind(organization.as_uuid())
                    .bind(id.as_ref());
                Ok(self.run_rows(statement, message).await?.pop())
            }

            async fn messages(
                &self,
                organization: OrganizationId,
                run: &RunId,
                behind: u32,
            ) -> Result<Vec<StoredMessage>, RepositoryError> {
                let sql = include_str!("sql/messages_behind.sql");
                let statement = of_run(sql, organization, run).bind(i64::from(behind));
                self.run_rows(statement, message).await
            }

            async fn begin_run_turn(
                &self,
                organization: OrganizationId,
                run: &RunId,
                token: SegmentToken,
                begun: &BegunTurn,
            ) -> Result<Option<RunTurn>, RepositoryError> {
                let statement = of_run(include_str!("sql/run_turn_begin.sql"), organization, run)
                    .bind(token.as_uuid())
                    .bind(i64::from(begun.number))
                    .bind(begun.turn.as_ref())
                    .bind(i64::from(begun.upto));
                Ok(self.run_rows(statement, turn).await?.pop())
            }

            async fn end_run_turn(
                &self,
                organization: OrganizationId,
                run: &RunId,
                number: u32,
            ) -> Result<Option<RunTurn>, RepositoryError> {
                let sql = include_str!("sql/run_turn_end.sql");
                let statement = of_run(sql, organization, run).bind(i64::from(number));
                Ok(self.run_rows(statement, turn).await?.pop())
            }

            async fn run_turns(
                &self,
                organization: OrganizationId,
                run: &RunId,
            ) -> Result<Vec<RunTurn>, RepositoryError> {
                let sql = include_str!("sql/run_turns.sql");
                self.run_rows(of_run(sql, organization, run), turn).await
            }

            async fn withdraw_cards_of_run(
                &self,
                organization: OrganizationId,
                run: &RunId,
                reason: &str,
            ) -> Result<u64, RepositoryError> {
                let sql = include_str!("sql/approval_withdraw_run.sql");
                let statement = of_run(sql, organization, run).bind(reason);
                let rows = self.write(statement).await?;
                Ok(u64::try_from(rows.len()).unwrap_or(u64::MAX))
            }
        }
    };
}
pub(crate) use bind_runs;
