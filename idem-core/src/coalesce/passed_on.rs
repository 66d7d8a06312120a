//! Everything that is not grouped goes to the store as it comes.

use super::Coalesced;
use crate::identity::LogicalTurn;
use crate::repository::TurnRepository;

crate::delegate_cards!(Coalesced, store);

crate::pass_on! { TurnRepository for Coalesced, [store], {
    fn turn_age(o: crate::OrganizationId, turn: &LogicalTurn) -> std::time::Duration;
}}
