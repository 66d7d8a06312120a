//! The plane's rules, one case each, on both stores.
