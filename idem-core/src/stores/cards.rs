//! Binds the verbs on cards to their statements, and nothing else.

use crate::json::Json;
use crate::organization::Principal;

/// Names as a JSON array: both stores look a name up in it.
pub(crate) fn names(principals: &[Principal]) -> String {
    let names = principals.iter();
    let names = names.map(|principal| principal.as_str().into()).collect();
    Json::Array(names).to_text()
}

/// Implements `ApprovalRepository` for a store, in a file beside its `sql` folder.
macro_rules! bind_cards {
    ($store:ident) => {
        use super::{Statement, query, span};
        use async_trait::async_trait;
        use $crate::approval::{
            Approval, ApprovalId, ApprovalRepository, CardCall, CardFilter, CardStatus, Decision,
            EditRequest, NewCard, TakenEdit,
        };
        use $crate::error::RepositoryError;
        use $crate::identity::{LogicalTurn, RunId};
        use $crate::organization::OrganizationId;
        use $crate::scope::Scope;
        use $crate::stores::card_row::approval;
        use $crate::stores::cards::names;

        impl $store {
            async fn cards_of(
                &self,
                statement: Statement<'_>,
            ) -> Result<Vec<Approval>, RepositoryError> {
                let rows = self.write(statement).await?;
                rows.iter().map(approval).collect()
            }

            async fn one_card(
                &self,
                statement: Statement<'_>,
            ) -> Result<Option<Approval>, RepositoryError> {
                Ok(self.cards_of(statement).await?.pop())
            }
        }

        #[async_trait]
        impl ApprovalRepository for $store {
            async fn open_card(
                &self,
                id: ApprovalId,
                card: &NewCard,
            ) -> Result<Option<Approval>, RepositoryError> {
                let statement = query(include_str!("sql/approval_ask.sql"))
                    .bind(id.as_uuid())
                    .bind(card.organization.as_uuid())
                    .bind(card.run.as_ref())
                    .bind(card.turn.as_ref())
                    .bind(card.scope.as_str())
                    .bind(&card.tool)
                    .bind(&card.effect)
                    .bind(card.principal.as_str())
                    .bind(&card.rule)
                    .bind(card.approvers.requester_may_decide)
                    .bind(card.approvers.named.as_deref().map(names))
                    .bind(&card.fingerprint)
                    .bind(card.proposed.key.as_bytes().as_slice())
                    .bind(card.proposed.hash.as_bytes().as_slice())
                    .bind(card.proposed.shown_hash.as_bytes().as_slice())
                    .bind(&*card.proposed.input)
                    .bind(card.supersedes.map(|id| id.as_uuid()))
                    .bind(card.earlier_denial.as_deref())
                    .bind(span(card.expires_in));
                self.one_card(statement).await
            }

            async fn find_card(
                &self,
                organization: OrganizationId,
                (run, turn): (&RunId, &LogicalTurn),
                call: CardCall<'_>,
            ) -> Result<Option<Approval>, RepositoryError> {
                let statement = query(include_str!("sql/approval_find.sql"))
                    .bind(organization.as_uuid())
                    .bind(run.as_ref())
                    .bind(turn.as_ref())
                    .bind(call.scope.as_str())
                    .bind(call.proposed.key.as_bytes().as_slice())
                    .bind(call.proposed.hash.as_bytes().as_slice())
                    .bind(call.proposed.shown_hash.as_bytes().as_slice())
                    .bind(call.principal.as_str());
                self.one_card(statement).await
            }

            async fn card(
                &self,
                organization: OrganizationId,
                id: ApprovalId,
            ) -> Result<Option<Approval>, RepositoryError> {
                self.one_card(bind_card(
                    include_str!("sql/approval_get.sql"),
                    organization,
                    id,
                ))
                .await
            }

            async fn cards(
                &self,
                organization: OrganizationId,
                filter: &CardFilter,
            ) -> Result<Vec<Approval>, RepositoryError> {
                let statement = query(include_str!("sql/approval_list.sql"))
                    .bind(organization.as_uuid())
                    .bind(filter.scope.as_ref().map(Scope::as_str))
                    .bind(span(filter.min_age))
                    .bind(filter.all)
                    .bind(i64::from(filter.rows_max));
                self.cards_of(statement).await
            }

            async fn decide_card(
                &self,
                organization: OrganizationId,
                id: ApprovalId,
                decision: &Decision,
            ) -> Result<Option<Approval>, RepositoryError> {
                let status = if decision.approves {
                    CardStatus::Approved
                } else {
                    CardStatus::Denied
                };
                let statement =
                    bind_card(include_str!("sql/approval_decide.sql"), organization, id)
                        .bind(decision.shown_hash.as_bytes().as_slice())
                        .bind(status.word())
                        .bind(decision.by.as_str())
                        .bind(decision.reason.as_deref());
                self.one_card(statement).await
            }

            async fn request_edit(
                &self,
                organization: OrganizationId,
                id: ApprovalId,
                edit: &EditRequest,
            ) -> Result<Option<Approval>, RepositoryError> {
                let statement = bind_card(
                    include_str!("sql/approval_request_edit.sql"),
                    organization,
                    id,
                )
                .bind(edit.shown_hash.as_bytes().as_slice())
                .bind(&edit.arguments)
                .bind(edit.by.as_str());
                self.one_card(statement).await
            }

            async fn take_edit(
                &self,
                organization: OrganizationId,
                id: ApprovalId,
                asked: &str,
                taken: &TakenEdit,
            ) -> Result<Option<Approval>, RepositoryError> {
                let statement = match taken {
                    TakenEdit::Effective(effective) => {
                        bind_card(include_str!("sql/approval_take_edit.sql"), organization, id)
                            .bind(asked)
                            .bind(effective.key.as_bytes().as_slice())
                            .bind(effective.hash.as_bytes().as_slice())
                            .bind(effective.shown_hash.as_bytes().as_slice())
                            .bind(&*effective.input)
                    }
                    TakenEdit::Refused(why) => bind_card(
                        include_str!("sql/approval_refuse_edit.sql"),
                        organization,
                        id,
                    )
                    .bind(asked)
                    .bind(why),
                };
                self.one_card(statement).await
            }

            async fn withdraw_card(
                &self,
                organization: OrganizationId,
                id: ApprovalId,
                why: &str,
            ) -> Result<Option<Approval>, RepositoryError> {
                let text = include_str!("sql/approval_withdraw.sql");
                self.one_card(bind_card(text, organization, id).bind(why))
                    .await
            }

            async fn expire_card(
                &self,
                organization: OrganizationId,
                id: ApprovalId,
            ) -> Result<Option<Approval>, RepositoryError> {
                self.one_card(bind_card(
                    include_str!("sql/approval_expire.sql"),
                    organization,
                    id,
                ))
                .await
            }

            async fn spend_card(
                &self,
                organization: OrganizationId,
                id: ApprovalId,
            ) -> Result<Option<Approval>, RepositoryError> {
                self.one_card(bind_card(
                    include_str!("sql/approval_spend.sql"),
                    organization,
                    id,
                ))
                .await
            }
        }

        fn bind_card<'q>(
            text: &'static str,
            organization: OrganizationId,
            id: ApprovalId,
        ) -> Statement<'q> {
            query(text).bind(organization.as_uuid()).bind(id.as_uuid())
        }
    };
}
pub(crate) use bind_cards;
