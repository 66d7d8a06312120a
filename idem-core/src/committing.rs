//! Claims whose answer a transaction stores together with the effect, by a store's own `complete_in` (R32).

use crate::claim::Claim;
use crate::error::RepositoryError;
use crate::service::{IdempotencyService, insist};
use crate::states::{Party, Reply, RowState, Verb, decide};

impl IdempotencyService {
    /// Ends a claim whose answer a transaction has committed. Nothing is written.
    pub fn committed(&self, claim: Claim) {
        claim.end();
    }

    /// Whether the answer of this very claim is stored: for a commit, or any completion, whose reply was lost (R11).
    /// `false` while a commit that was sent has not arrived: then leave the claim to its lease.
    ///
    /// # Errors
    ///
    /// [`RepositoryError`].
    ///
    /// # Cancel safety
    ///
    /// Safe: nothing is written.
    pub async fn is_completed(&self, claim: &Claim) -> Result<bool, RepositoryError> {
        insist(|| self.completed_by(claim)).await
    }

    /// A completion whose acknowledgement was lost finds its own token on the completed row (R11).
    pub(crate) async fn completed_by(&self, claim: &Claim) -> Result<bool, RepositoryError> {
        let row = self.store.get(claim.key()).await?;
        let owner = row
            .as_ref()
            .is_some_and(|row| row.lease_token == claim.token());
        let party = if owner {
            Party::Owner
        } else {
            Party::FencedOut
        };
        // A row that is still at work is what `decide` would let the owner complete: it is not completed yet.
        let state = RowState::of(row.as_ref());
        let answered = state.is_answered() || state == RowState::PastRetention;
        Ok(answered && decide(state, Verb::Complete, party).reply == Reply::Stored)
    }
}
