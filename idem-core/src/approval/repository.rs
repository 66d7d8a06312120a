//! The verbs on cards that a store keeps atomic.

use super::{Approval, ApprovalId, NewCard, Proposal};
use crate::error::RepositoryError;
use crate::identity::{LogicalTurn, RunId, ShownHash};
use crate::organization::{OrganizationId, Principal};
use crate::scope::Scope;
use async_trait::async_trait;
use std::fmt;
use std::time::Duration;

/// A decision on what was shown.
#[derive(Clone, Debug)]
pub struct Decision {
    /// Yes or no.
    pub approves: bool,
    /// What the approver saw.
    pub shown_hash: ShownHash,
    /// Who decides.
    pub by: Principal,
    /// Why.
    pub reason: Option<String>,
}

/// Other arguments for what was shown.
#[derive(Clone, Debug)]
pub struct EditRequest {
    /// What the approver saw.
    pub shown_hash: ShownHash,
    /// Who asks.
    pub by: Principal,
    /// The arguments, as JSON text.
    pub arguments: String,
}

/// An edit that was checked by a process that has the tool.
#[derive(Clone, Debug)]
pub enum TakenEdit {
    /// This would run.
    Effective(Proposal),
    /// It cannot, and this is why.
    Refused(String),
}

/// Which cards to list.
#[derive(Clone, Debug)]
pub struct CardFilter {
    /// Of this scope only.
    pub scope: Option<Scope>,
    /// Asked at least this long ago.
    pub min_age: Duration,
    /// Decided and closed ones too.
    pub all: bool,
    /// At most this many.
    pub rows_max: u32,
}

impl Default for CardFilter {
    fn default() -> Self {
        Self {
            scope: None,
            min_age: Duration::ZERO,
            all: false,
            rows_max: 100,
        }
    }
}

/// A call whose card is looked up.
#[derive(Clone, Copy, Debug)]
pub struct CardCall<'a> {
    /// The kind of effect.
    pub scope: &'a Scope,
    /// On whose behalf it is made: a yes covers nobody else.
    pub principal: &'a Principal,
    /// Its identity and content.
    pub proposed: &'a Proposal,
}

/// The verbs on cards. Zero rows are a value in each of them, never an error.
#[async_trait]
pub trait ApprovalRepository: Send + Sync + fmt::Debug {
    /// Opens a card. `None`: one is open for this call already.
    ///
    /// # Errors
    ///
    /// [`RepositoryError`].
    async fn open_card(
        &self,
        id: ApprovalId,
        card: &NewCard,
    ) -> Result<Option<Approval>, RepositoryError>;

    /// The card that speaks about a call in its turn. A decision about this very content comes first: a yes given for
    /// this principal, a no to exactly what is shown (R45), as long as no other card replaced it. Otherwise it is the
    /// newest card under the key; one that is open may be of another turn.
    ///
    /// # Errors
    ///
    /// [`RepositoryError`].
    async fn find_card(
        &self,
        organization: OrganizationId,
        place: (&RunId, &LogicalTurn),
        call: CardCall<'_>,
    ) -> Result<Option<Approval>, RepositoryError>;

    /// Reads a card.
    ///
    /// # Errors
    ///
    /// [`RepositoryError`].
    async fn card(
        &self,
        organization: OrganizationId,
        id: ApprovalId,
    ) -> Result<Option<Approval>, RepositoryError>;

    /// Lists cards, the oldest first.
    ///
    /// # Errors
    ///
    /// [`RepositoryError`].
    async fn cards(
        &self,
        organization: OrganizationId,
        filter: &CardFilter,
    ) -> Result<Vec<Approval>, RepositoryError>;

    /// Decides: first, in time, on what was shown, by somebody whom the rule allows, all in one statement. `None`:
    /// one of these does not hold.
    ///
    /// # Errors
    ///
    /// [`RepositoryError`].
    async fn decide_card(
        &self,
        organization: OrganizationId,
        id: ApprovalId,
        decision: &Decision,
    ) -> Result<Option<Approval>, RepositoryError>;

    /// Asks for other arguments, under the conditions of a decision.
    ///
    /// # Errors
    ///
    /// [`RepositoryError`].
    async fn request_edit(
        &self,
        organization: OrganizationId,
        id: ApprovalId,
        edit: &EditRequest,
    ) -> Result<Option<Approval>, RepositoryError>;

    /// Makes the arguments that were asked for effective, or says why they cannot be.
    ///
    /// # Errors
    ///
    /// [`RepositoryError`].
    async fn take_edit(
        &self,
        organization: OrganizationId,
        id: ApprovalId,
        asked: &str,
        taken: &TakenEdit,
    ) -> Result<Option<Approval>, RepositoryError>;

    /// Takes a card back that is open, or approved and not spent, and whose time is not over.
    ///
    /// # Errors
    ///
    /// [`RepositoryError`].
    async fn withdraw_card(
        &self,
        organization: OrganizationId,
        id: ApprovalId,
        why: &str,
    ) -> Result<Option<Approval>, RepositoryError>;

    /// Closes a card whose time is over, so that another one can be open in its place.
    ///
    /// # Errors
    ///
    /// [`RepositoryError`].
    async fn expire_card(
        &self,
        organization: OrganizationId,
        id: ApprovalId,
    ) -> Result<Option<Approval>, RepositoryError>;

    /// Notes that an approved call has its answer, also where its time ran out meanwhile.
    ///
    /// # Errors
    ///
    /// [`RepositoryError`].
    async fn spend_card(
        &self,
        organization: OrganizationId,
        id: ApprovalId,
    ) -> Result<Option<Approval>, RepositoryError>;
}
