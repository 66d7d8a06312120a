//! What the tests of Idem share: a database of its own for each test, on each store; a vendor that
//! counts effects and misbehaves on request; a proxy that loses acknowledgements; the end of a
//! killed process.
//!
//! A failed expectation in here is the failure of the test that called it, so this crate panics
//! where a library would return an error.
#![allow(
    clippy::expect_used,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a failed expectation here is the calling test's failure"
)]

pub mod database;
pub mod process;
pub mod proxy;
pub mod source;
mod stores;
#[cfg(test)]
mod tests;
pub mod url;

pub use idem_tools::testing::vendor;

pub use database::{StoreKind, TestDatabase, TestStore};
pub use stores::{run_case, run_grouped};
