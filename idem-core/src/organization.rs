//! The tenant and what else says on whose behalf an effect is made.

use std::fmt;
use std::sync::Arc;
use uuid::Uuid;

/// The longest principal, in bytes (R75).
pub const PRINCIPAL_BYTES_MAX: usize = 256;

/// The tenant: first in every key and in every statement. There is no ambient one and no default.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct OrganizationId(Uuid);

/// The nil uuid names no tenant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the nil uuid names no organization: pass the tenant's own id")]
pub struct NilOrganization;

impl OrganizationId {
    /// Names a tenant.
    ///
    /// # Errors
    ///
    /// [`NilOrganization`]: a nil uuid is what an unset field looks like.
    pub fn new(id: Uuid) -> Result<Self, NilOrganization> {
        if id.is_nil() {
            Err(NilOrganization)
        } else {
            Ok(Self(id))
        }
    }

    /// A tenant that nobody else has: for tests and examples.
    #[must_use]
    pub fn random() -> Self {
        Self(Uuid::new_v4())
    }

    /// The uuid.
    #[must_use]
    pub fn as_uuid(&self) -> Uuid {
        self.0
    }
}

/// Why a text names no tenant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "an organization is a uuid other than the nil one, such as 7f3c0d9e-4d0b-4b2a-9c55-0c5f4b1d2a10"
)]
pub struct OrganizationIdError;

impl std::str::FromStr for OrganizationId {
    type Err = OrganizationIdError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let id = text.parse::<Uuid>().map_err(|_| OrganizationIdError)?;
        Self::new(id).map_err(|_| OrganizationIdError)
    }
}

impl TryFrom<Uuid> for OrganizationId {
    type Error = NilOrganization;

    fn try_from(id: Uuid) -> Result<Self, Self::Error> {
        Self::new(id)
    }
}

impl fmt::Display for OrganizationId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.hyphenated().fmt(f)
    }
}

impl fmt::Debug for OrganizationId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "OrganizationId({})", self.0)
    }
}

/// On whose behalf a call is made, inside an organization: a user id, a service name. Not a secret.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Principal(Arc<str>);

/// Why a principal was refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a principal is 1 to 256 bytes of text without control characters")]
pub struct PrincipalError;

impl Principal {
    /// Names a principal.
    ///
    /// # Errors
    ///
    /// [`PrincipalError`]: empty, longer than 256 bytes, or with a control character.
    pub fn new(name: &str) -> Result<Self, PrincipalError> {
        let fits = !name.is_empty() && name.len() <= PRINCIPAL_BYTES_MAX;
        if fits && !name.chars().any(char::is_control) {
            Ok(Self(name.into()))
        } else {
            Err(PrincipalError)
        }
    }

    /// The name.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for Principal {
    /// Says how long it is and not what it is: a principal is often an e-mail address.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Principal({} bytes)", self.0.len())
    }
}
