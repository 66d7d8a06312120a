//! Looking at what is stored, for people who operate and for policies: reads only, never a step of the protocol.

use crate::error::RepositoryError;
use crate::identity::{IdempotencyKey, RunId};
use crate::organization::OrganizationId;
use crate::record::Record;
use crate::scope::Scope;
use async_trait::async_trait;
use std::fmt;
use std::str::FromStr;
use std::sync::Arc;
use time::OffsetDateTime;

/// The fewest digits that name a key: 48 bits, so that two keys of one organization hardly ever share them.
pub const KEY_PREFIX_DIGITS_MIN: usize = 12;

const KEY_DIGITS: usize = 64;

/// The first digits of a key, as a person copies them from a log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeyPrefix {
    low: IdempotencyKey,
    high: IdempotencyKey,
}

/// Why a text is no key and no beginning of one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a key is 64 hexadecimal digits, or its first {KEY_PREFIX_DIGITS_MIN} or more")]
pub struct KeyPrefixError;

impl KeyPrefix {
    /// The first and the last key that begin so.
    #[must_use]
    pub fn range(&self) -> (IdempotencyKey, IdempotencyKey) {
        (self.low, self.high)
    }
}

impl FromStr for KeyPrefix {
    type Err = KeyPrefixError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let digits = text.chars().all(|c| c.is_ascii_hexdigit());
        if !digits || !(KEY_PREFIX_DIGITS_MIN..=KEY_DIGITS).contains(&text.len()) {
            return Err(KeyPrefixError);
        }
        let filled = |with: &str| {
            let text = text.to_owned() + &with.repeat(KEY_DIGITS - text.len());
            text.parse().map_err(|_| KeyPrefixError)
        };
        Ok(Self {
            low: filled("0")?,
            high: filled("f")?,
        })
    }
}

impl From<IdempotencyKey> for KeyPrefix {
    fn from(key: IdempotencyKey) -> Self {
        Self {
            low: key,
            high: key,
        }
    }
}

/// A row with what the protocol itself never reads.
#[derive(Clone)]
pub struct Inspected {
    /// The kind of effect.
    pub scope: String,
    /// The key.
    pub key: IdempotencyKey,
    /// The text that a boundary gave, where it gave one.
    pub key_text: Option<String>,
    /// The row.
    pub record: Record,
    /// When its lease ends, or ended.
    pub lease_expires_at: OffsetDateTime,
    /// Until when it is remembered.
    pub retain_until: OffsetDateTime,
    /// Why it was settled as it was.
    pub settled_note: Option<String>,
    /// The arguments, where they were kept.
    pub input: Option<Arc<[u8]>>,
}

impl fmt::Debug for Inspected {
    /// Leaves the values out: they may hold personal data.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Inspected")
            .field("scope", &self.scope)
            .field("key", &self.key)
            .field("record", &self.record)
            .finish_non_exhaustive()
    }
}

/// The verbs that only look.
#[async_trait]
pub trait Inspection: Send + Sync + fmt::Debug {
    /// The rows of an organization whose keys begin so, past their retention or not, of one scope where it is given.
    /// At most `rows_max`, the newest claim first. Without a scope it reads all the organization's keys: for people,
    /// not for a hot path.
    ///
    /// # Errors
    ///
    /// [`RepositoryError`].
    async fn find_keys(
        &self,
        organization: OrganizationId,
        prefix: &KeyPrefix,
        scope: Option<&str>,
        rows_max: u32,
    ) -> Result<Vec<Inspected>, RepositoryError>;

    /// Whether a call of this scope has its answer in this run, of whatever kind: a success, a failure that is an
    /// answer, or an outcome that nobody knows. A call that is under way, or that was given up, does not count.
    ///
    /// # Errors
    ///
    /// [`RepositoryError`].
    async fn answered_in_run(
        &self,
        organization: OrganizationId,
        scope: &Scope,
        run: &RunId,
    ) -> Result<bool, RepositoryError>;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_prefix_is_twelve_to_sixty_four_digits_even_or_odd_many() {
        let prefix: KeyPrefix = "0123456789abc".parse().unwrap();
        let (low, high) = prefix.range();
        assert_eq!(low.to_string(), format!("0123456789abc{}", "0".repeat(51)));
        assert_eq!(high.to_string(), format!("0123456789abc{}", "f".repeat(51)));
        for text in [
            "",
            "0123456789a",
            "0123456789ag",
            "é123456789ab",
            &"0".repeat(65),
        ] {
            assert_eq!(text.parse::<KeyPrefix>(), Err(KeyPrefixError), "{text}");
        }
        assert_eq!(
            "AB".repeat(32)
                .parse::<KeyPrefix>()
                .unwrap()
                .range()
                .0
                .to_string(),
            "ab".repeat(32)
        );
    }
}
