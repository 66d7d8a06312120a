//! A crate that has nothing but tests.
