//! Names that cannot be part of an identity.

use idem_core::PrincipalError;
use idem_core::identity::IdentityError;

/// A name that cannot be part of an identity.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum TurnError {
    /// Not a principal.
    #[error(transparent)]
    Principal(#[from] PrincipalError),
    /// Not a run's id.
    #[error(transparent)]
    Identity(#[from] IdentityError),
}
