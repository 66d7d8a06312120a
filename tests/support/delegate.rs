//! Passes the verbs on cards and runs and the questions about the past on, for a test's store that stands before a real one
//! and watches other verbs.

/// Implements `ApprovalRepository`, `RunRepository` and `Inspection` for a type by the store in one of its fields.
///
/// ```text
/// idem_tests::delegate_cards!(Counting, store);
/// idem_tests::delegate_cards!(Counting, store, find_card by [asked("find_card")]);
/// ```
#[macro_export]
macro_rules! delegate_cards {
    ($type:ty, $field:ident) => {
        $crate::delegate_cards!($type, $field, find_card by [$field]);
    };
    ($type:ty, $field:ident, find_card by [$($find:tt)+]) => {
        #[::async_trait::async_trait]
        impl ::idem_core::Inspection for $type {
            async fn find_keys(
                &self,
                organization: ::idem_core::OrganizationId,
                prefix: &::idem_core::inspection::KeyPrefix,
                scope: ::std::option::Option<&str>,
                rows_max: u32,
            ) -> ::std::result::Result<
                ::std::vec::Vec<::idem_core::inspection::Inspected>,
                ::idem_core::RepositoryError,
            > {
                self.$field
                    .find_keys(organization, prefix, scope, rows_max)
                    .await
            }
            async fn answered_in_run(
                &self,
                organization: ::idem_core::OrganizationId,
                scope: &::idem_core::Scope,
                run: &::idem_core::identity::RunId,
            ) -> Result<bool, ::idem_core::RepositoryError> {
                self.$field.answered_in_run(organization, scope, run).await
            }
        }

        #[::async_trait::async_trait]
        impl ::idem_core::runs::RunRepository for $type {
            async fn admit_run(
                &self,
                run: &::idem_core::runs::NewRun,
            ) -> ::std::result::Result<
                ::std::option::Option<::idem_core::runs::RunRecord>,
                ::idem_core::RepositoryError,
            > {
                self.$field.admit_run(run).await
            }
            async fn run(
                &self,
                organization: ::idem_core::OrganizationId,
                run: &::idem_core::identity::RunId,
            ) -> ::std::result::Result<
                ::std::option::Option<::idem_core::runs::RunRecord>,
                ::idem_core::RepositoryError,
            > {
                self.$field.run(organization, run).await
            }
            async fn run_of_start(
                &self,
                organization: ::idem_core::OrganizationId,
                start_key: &::idem_core::runs::StartKey,
            ) -> ::std::result::Result<
                ::std::option::Option<::idem_core::runs::RunRecord>,
                ::idem_core::RepositoryError,
            > {
                self.$field.run_of_start(organization, start_key).await
            }
            async fn ready_runs(
                &self,
                organization: ::std::option::Option<::idem_core::OrganizationId>,
                rows_max: u32,
            ) -> ::std::result::Result<
                ::std::vec::Vec<::idem_core::runs::RunRecord>,
                ::idem_core::RepositoryError,
            > {
                self.$field.ready_runs(organization, rows_max).await
            }
            async fn take_segment(
                &self,
                organization: ::idem_core::OrganizationId,
                run: &::idem_core::identity::RunId,
                token: ::idem_core::runs::SegmentToken,
                lease: ::std::time::Duration,
            ) -> ::std::result::Result<
                ::std::option::Option<::idem_core::runs::RunRecord>,
                ::idem_core::RepositoryError,
            > {
                self.$field
                    .take_segment(organization, run, token, lease)
                    .await
            }
            async fn renew_segment(
                &self,
                organization: ::idem_core::OrganizationId,
                run: &::idem_core::identity::RunId,
                token: ::idem_core::runs::SegmentToken,
                lease: ::std::time::Duration,
            ) -> ::std::result::Result<
                ::std::option::Option<::idem_core::runs::RunRecord>,
                ::idem_core::RepositoryError,
            > {
                self.$field
                    .renew_segment(organization, run, token, lease)
                    .await
            }
            async fn leave_segment(
                &self,
                organization: ::idem_core::OrganizationId,
                run: &::idem_core::identity::RunId,
                token: ::idem_core::runs::SegmentToken,
                how: &::idem_core::runs::LeaveAs,
            ) -> ::std::result::Result<
                ::std::option::Option<::idem_core::runs::RunRecord>,
                ::idem_core::RepositoryError,
            > {
                self.$field
                    .leave_segment(organization, run, token, how)
                    .await
            }
            async fn end_run(
                &self,
                organization: ::idem_core::OrganizationId,
                run: &::idem_core::identity::RunId,
                token: ::std::option::Option<::idem_core::runs::SegmentToken>,
                how: &::idem_core::runs::EndRun,
            ) -> ::std::result::Result<
                ::std::option::Option<::idem_core::runs::RunRecord>,
                ::idem_core::RepositoryError,
            > {
                self.$field.end_run(organization, run, token, how).await
            }
            async fn request_cancel(
                &self,
                organization: ::idem_core::OrganizationId,
                run: &::idem_core::identity::RunId,
                by: &str,
            ) -> ::std::result::Result<
                ::std::option::Option<::idem_core::runs::RunRecord>,
                ::idem_core::RepositoryError,
            > {
                self.$field.request_cancel(organization, run, by).await
            }
            async fn post_message(
                &self,
                organization: ::idem_core::OrganizationId,
                run: &::idem_core::identity::RunId,
                message: &::idem_core::runs::NewMessage,
            ) -> ::std::result::Result<
                ::std::option::Option<::idem_core::runs::StoredMessage>,
                ::idem_core::RepositoryError,
            > {
                self.$field.post_message(organization, run, message).await
            }
            async fn message(
                &self,
                organization: ::idem_core::OrganizationId,
                id: &::idem_core::identity::MessageId,
            ) -> ::std::result::Result<
                ::std::option::Option<::idem_core::runs::StoredMessage>,
                ::idem_core::RepositoryError,
            > {
                self.$field.message(organization, id).await
            }
            async fn messages(
                &self,
                organization: ::idem_core::OrganizationId,
                run: &::idem_core::identity::RunId,
                behind: u32,
            ) -> ::std::result::Result<
                ::std::vec::Vec<::idem_core::runs::StoredMessage>,
                ::idem_core::RepositoryError,
            > {
                self.$field.messages(organization, run, behind).await
            }
            async fn begin_run_turn(
                &self,
                organization: ::idem_core::OrganizationId,
                run: &::idem_core::identity::RunId,
                token: ::idem_core::runs::SegmentToken,
                turn: &::idem_core::runs::BegunTurn,
            ) -> ::std::result::Result<
                ::std::option::Option<::idem_core::runs::RunTurn>,
                ::idem_core::RepositoryError,
            > {
                self.$field
                    .begin_run_turn(organization, run, token, turn)
                    .await
            }
            async fn end_run_turn(
                &self,
                organization: ::idem_core::OrganizationId,
                run: &::idem_core::identity::RunId,
                number: u32,
            ) -> ::std::result::Result<
                ::std::option::Option<::idem_core::runs::RunTurn>,
                ::idem_core::RepositoryError,
            > {
                self.$field.end_run_turn(organization, run, number).await
            }
            async fn run_turns(
                &self,
                organization: ::idem_core::OrganizationId,
                run: &::idem_core::identity::RunId,
            ) -> ::std::result::Result<
                ::std::vec::Vec<::idem_core::runs::RunTurn>,
                ::idem_core::RepositoryError,
            > {
                self.$field.run_turns(organization, run).await
            }
            async fn withdraw_cards_of_run(
                &self,
                organization: ::idem_core::OrganizationId,
                run: &::idem_core::identity::RunId,
                reason: &str,
            ) -> ::std::result::Result<u64, ::idem_core::RepositoryError> {
                self.$field
                    .withdraw_cards_of_run(organization, run, reason)
                    .await
            }
        }

        #[::async_trait::async_trait]
        impl ::idem_core::approval::ApprovalRepository for $type {
            async fn open_card(
                &self,
                id: ::idem_core::approval::ApprovalId,
                card: &::idem_core::approval::NewCard,
            ) -> $crate::delegate::MaybeCard {
                self.$field.open_card(id, card).await
            }
            async fn find_card(
                &self,
                organization: ::idem_core::OrganizationId,
                place: (
                    &::idem_core::identity::RunId,
                    &::idem_core::identity::LogicalTurn,
                ),
                call: ::idem_core::approval::CardCall<'_>,
            ) -> $crate::delegate::MaybeCard {
                self.$($find)+.find_card(organization, place, call).await
            }
            async fn cards(
                &self,
                organization: ::idem_core::OrganizationId,
                filter: &::idem_core::approval::CardFilter,
            ) -> ::std::result::Result<
                ::std::vec::Vec<::idem_core::approval::Approval>,
                ::idem_core::RepositoryError,
            > {
                self.$field.cards(organization, filter).await
            }
            async fn take_edit(
                &self,
                organization: ::idem_core::OrganizationId,
                id: ::idem_core::approval::ApprovalId,
                asked: &str,
                taken: &::idem_core::approval::TakenEdit,
            ) -> $crate::delegate::MaybeCard {
                self.$field.take_edit(organization, id, asked, taken).await
            }
            async fn card(
                &self,
                organization: ::idem_core::OrganizationId,
                id: ::idem_core::approval::ApprovalId,
            ) -> $crate::delegate::MaybeCard {
                self.$field.card(organization, id).await
            }
            async fn expire_card(
                &self,
                organization: ::idem_core::OrganizationId,
                id: ::idem_core::approval::ApprovalId,
            ) -> $crate::delegate::MaybeCard {
                self.$field.expire_card(organization, id).await
            }
            async fn spend_card(
                &self,
                organization: ::idem_core::OrganizationId,
                id: ::idem_core::approval::ApprovalId,
            ) -> $crate::delegate::MaybeCard {
                self.$field.spend_card(organization, id).await
            }
            async fn decide_card(
                &self,
                organization: ::idem_core::OrganizationId,
                id: ::idem_core::approval::ApprovalId,
                what: &::idem_core::approval::Decision,
            ) -> $crate::delegate::MaybeCard {
                self.$field.decide_card(organization, id, what).await
            }
            async fn request_edit(
                &self,
                organization: ::idem_core::OrganizationId,
                id: ::idem_core::approval::ApprovalId,
                what: &::idem_core::approval::EditRequest,
            ) -> $crate::delegate::MaybeCard {
                self.$field.request_edit(organization, id, what).await
            }
            async fn withdraw_card(
                &self,
                organization: ::idem_core::OrganizationId,
                id: ::idem_core::approval::ApprovalId,
                what: &str,
            ) -> $crate::delegate::MaybeCard {
                self.$field.withdraw_card(organization, id, what).await
            }
        }
    };
}

/// What most verbs on cards answer.
pub type MaybeCard = Result<Option<idem_core::approval::Approval>, idem_core::RepositoryError>;
