//! Passes the verbs on cards and the questions about the past on, for a test's store that stands before a real one and watches other verbs.

/// Implements `ApprovalRepository` and `Inspection` for a type by the store in one of its fields.
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
