//! Tools as providers are told about them, against the tools that run: what a call may say, and what its schema says it
//! may (R36, R67).
#![allow(
    clippy::expect_used,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a failed expectation is the test's failure"
)]

mod bench;
mod checked;
mod classes;
mod corpus;
mod documents;
mod names;
mod nulls;
mod proposals;
mod readers;
mod shapes;
