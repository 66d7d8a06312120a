//! The stable identity of one intended effect: its key, its request hash, its vendor key.
//!
//! All three are SHA-256 of a text of lines, and every line is a type that refuses newlines, so no
//! two different sets of parts have the same text. The first line names the form; a form that is
//! in use never changes. `vectors/` holds values that another language's program computed.

mod hash;
mod key;
mod names;
mod turn;
mod vendor_key;

#[cfg(test)]
mod tests;
#[cfg(test)]
mod vector_tests;

pub use hash::{RequestHash, ShownHash, digest_hex, request_hash};
pub use key::{IdempotencyKey, KeyKind, free_text_key};
pub use names::{IdentityError, Intent, MessageId, RunId, ToolName};
pub use turn::LogicalTurn;
pub use vendor_key::VendorKey;
