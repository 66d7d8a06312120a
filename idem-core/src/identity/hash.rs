//! The request hash, and what it shares with the key: 32 bytes, written as hexadecimal.

use sha2::{Digest, Sha256};

/// SHA-256 of a text.
pub(super) fn sha256(text: &str) -> [u8; 32] {
    Sha256::digest(text.as_bytes()).into()
}

/// Bytes as lower-case hexadecimal.
pub(super) fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Reads 64 hexadecimal digits, of either case.
pub(super) fn read_hex(text: &str) -> Option<[u8; 32]> {
    let mut bytes = [0; 32];
    let (pairs, rest) = text.as_bytes().as_chunks::<2>();
    if pairs.len() != bytes.len() || !rest.is_empty() {
        return None;
    }
    for (byte, [high, low]) in bytes.iter_mut().zip(pairs) {
        let digit = |digit: u8| {
            char::from(digit)
                .to_digit(16)
                .and_then(|d| u8::try_from(d).ok())
        };
        *byte = digit(*high)? << 4 | digit(*low)?;
    }
    Some(bytes)
}

/// Gives a tuple struct of 32 bytes its constructors and its text forms.
macro_rules! digest_type {
    ($name:ident, $what:literal) => {
        impl $name {
            #[doc = concat!("The ", $what, " from its 32 bytes, as they are stored.")]
            #[must_use]
            pub const fn from_bytes(bytes: [u8; 32]) -> Self {
                Self(bytes)
            }

            #[doc = concat!("The 32 bytes of the ", $what, ".")]
            #[must_use]
            pub const fn as_bytes(&self) -> &[u8; 32] {
                &self.0
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.pad(&$crate::identity::hash::hex(&self.0))
            }
        }

        /// The first eight digits: enough to tell two apart in a log.
        impl std::fmt::Debug for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                let [first, second, third, fourth, ..] = self.0;
                let short = $crate::identity::hash::hex(&[first, second, third, fourth]);
                write!(f, "{}({short})", stringify!($name))
            }
        }

        impl std::str::FromStr for $name {
            type Err = $crate::identity::IdentityError;

            fn from_str(text: &str) -> Result<Self, Self::Err> {
                $crate::identity::hash::read_hex(text)
                    .map(Self)
                    .ok_or($crate::identity::IdentityError::NotHex { what: $what })
            }
        }
    };
}

pub(super) use digest_type;

/// SHA-256 of a call's canonical content: the same key with another hash is a conflict.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct RequestHash([u8; 32]);

impl RequestHash {
    /// The version that [`request_hash`] computes. A row names the version of its hash.
    pub const VERSION: u16 = 1;
}

digest_type!(RequestHash, "request hash");

/// The hash of a canonical text in [`Form::Hash`](crate::canonical::Form::Hash).
#[must_use]
pub fn request_hash(canonical_hash_form: &str) -> RequestHash {
    RequestHash(sha256(&format!("h1\n{canonical_hash_form}")))
}

/// SHA-256 of any bytes as lower-case hex: to name an answer that is not kept.
#[must_use]
pub fn digest_hex(bytes: &[u8]) -> String {
    use sha2::{Digest, Sha256};
    hex(Sha256::digest(bytes).as_slice())
}

/// SHA-256 of everything that a person is shown of a call: a decision names it (R40, R42).
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ShownHash([u8; 32]);

digest_type!(ShownHash, "shown hash");

impl ShownHash {
    /// The hash of a call as it is shown: scope, tool, and every argument, defaults included.
    #[must_use]
    pub fn new(scope: &str, tool: &str, shown: &str) -> Self {
        Self(sha256(&format!("a1\n{scope}\n{tool}\n{shown}")))
    }
}
