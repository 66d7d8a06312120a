//! One intended effect: which key it has, which content, and who asks.

use crate::identity::{IdempotencyKey, RequestHash, VendorKey};
use crate::organization::OrganizationId;
use crate::record::Origin;
use crate::scope::Scope;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

/// The longest free-text key that a boundary may give, in bytes (R75).
pub const KEY_TEXT_BYTES_MAX: usize = 512;

/// The identity of one intended effect: tenant, scope and key. There is no constructor without a tenant.
///
/// The text of a boundary's key is for people: two keys are one when tenant, scope and key are.
#[derive(Clone)]
pub struct ClaimKey {
    organization: OrganizationId,
    scope: Scope,
    key: IdempotencyKey,
    text: Option<Arc<str>>,
}

impl fmt::Debug for ClaimKey {
    /// Says how long a boundary's text is and not what: it is a stranger's.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ClaimKey")
            .field("organization", &self.organization)
            .field("scope", &self.scope)
            .field("key", &self.key)
            .field("text_bytes", &self.text.as_deref().map(str::len))
            .finish()
    }
}

impl PartialEq for ClaimKey {
    fn eq(&self, other: &Self) -> bool {
        (self.organization, &self.scope, self.key) == (other.organization, &other.scope, other.key)
    }
}

impl Eq for ClaimKey {}

impl Hash for ClaimKey {
    fn hash<H: Hasher>(&self, state: &mut H) {
        (self.organization, &self.scope, self.key).hash(state);
    }
}

/// A free-text key that cannot be kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "a key is 1 to {KEY_TEXT_BYTES_MAX} bytes of text without control characters, and this one has {bytes} bytes"
)]
pub struct KeyTextError {
    /// How long it is.
    pub bytes: usize,
}

impl ClaimKey {
    /// A key inside a tenant and a scope.
    #[must_use]
    pub fn new(organization: OrganizationId, scope: Scope, key: IdempotencyKey) -> Self {
        Self {
            organization,
            scope,
            key,
            text: None,
        }
    }

    /// A key that a boundary was given as text: a delivery id, an `Idempotency-Key` header. It is hashed, and the
    /// text is kept beside it for people.
    ///
    /// # Errors
    ///
    /// [`KeyTextError`].
    pub fn from_text(
        organization: OrganizationId,
        scope: Scope,
        text: &str,
    ) -> Result<Self, KeyTextError> {
        let fits = !text.is_empty() && text.len() <= KEY_TEXT_BYTES_MAX;
        if !fits || text.chars().any(char::is_control) {
            return Err(KeyTextError { bytes: text.len() });
        }
        let key = crate::identity::free_text_key(text);
        Ok(Self {
            organization,
            scope,
            key,
            text: Some(text.into()),
        })
    }

    /// The tenant.
    #[must_use]
    pub fn organization(&self) -> OrganizationId {
        self.organization
    }

    /// The kind of effect.
    #[must_use]
    pub fn scope(&self) -> &Scope {
        &self.scope
    }

    /// The key.
    #[must_use]
    pub fn key(&self) -> IdempotencyKey {
        self.key
    }

    /// The text that a boundary gave, where it gave one.
    #[must_use]
    pub fn text(&self) -> Option<&str> {
        self.text.as_deref()
    }

    /// The key that goes to the vendor in this epoch: the same on every attempt (R29).
    #[must_use]
    pub fn vendor_key(&self, epoch: u32) -> VendorKey {
        VendorKey::new(
            self.organization.as_uuid(),
            self.scope.as_str(),
            &self.key,
            epoch,
        )
    }
}

/// One intended effect with its content, as a caller hands it to the service.
#[derive(Clone)]
pub struct Request {
    /// Its identity.
    pub key: ClaimKey,
    /// Its content.
    pub hash: RequestHash,
    /// Who asks.
    pub origin: Origin,
    /// The canonical form that a person may be shown later.
    pub input: Option<Arc<str>>,
    /// The tool marks its own dispatch, so that a claim alone leaves no doubt (R32).
    pub marks_dispatch: bool,
    /// A row that was settled as "did not happen" may be taken over (R32: keys without a turn).
    pub reopens: bool,
}

impl fmt::Debug for Request {
    /// Leaves the arguments out: they may hold personal data.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Request")
            .field("key", &self.key)
            .field("hash", &self.hash)
            .field("origin", &self.origin)
            .field("input_bytes", &self.input.as_deref().map(str::len))
            .field("marks_dispatch", &self.marks_dispatch)
            .field("reopens", &self.reopens)
            .finish()
    }
}

impl Request {
    /// A request that says nothing but its identity and content.
    #[must_use]
    pub fn new(key: ClaimKey, hash: RequestHash) -> Self {
        Self {
            key,
            hash,
            origin: Origin::default(),
            input: None,
            marks_dispatch: false,
            reopens: false,
        }
    }

    /// The same request, saying who asks.
    #[must_use]
    pub fn by(mut self, origin: Origin) -> Self {
        self.origin = origin;
        self
    }
}
