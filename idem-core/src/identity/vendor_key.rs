//! The key that a tool hands to its vendor.

use std::fmt;

use uuid::{Builder, Uuid};

use super::IdempotencyKey;
use super::hash::{hex, sha256};

/// The vendor's idempotency key of one effect: the same on every attempt, 64 ASCII characters,
/// without anything that names a person.
///
/// An epoch above zero is a new key for the same effect, for a vendor that has stored a failure
/// under the old one.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct VendorKey {
    digest: [u8; 32],
    text: String,
}

impl VendorKey {
    /// Derives the key.
    #[must_use]
    pub fn new(organization: Uuid, scope: &str, key: &IdempotencyKey, epoch: u32) -> Self {
        let organization = organization.hyphenated();
        let digest = sha256(&format!("v1\n{organization}\n{scope}\n{key}\n{epoch}"));
        Self {
            digest,
            text: hex(&digest),
        }
    }

    /// The key as 64 lower-case hexadecimal digits.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// The key as a UUID, for a vendor that asks for one: the first 16 bytes in the shape of
    /// version 8 (RFC 9562).
    #[must_use]
    pub fn uuid(&self) -> Uuid {
        let [bytes @ .., _, _, _, _, _, _, _, _, _, _, _, _, _, _, _, _] = self.digest;
        Builder::from_custom_bytes(bytes).into_uuid()
    }
}

impl AsRef<str> for VendorKey {
    fn as_ref(&self) -> &str {
        &self.text
    }
}

impl fmt::Display for VendorKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.text)
    }
}

/// The first eight digits: enough to tell two apart in a log.
impl fmt::Debug for VendorKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "VendorKey({})", self.text.get(..8).unwrap_or_default())
    }
}
