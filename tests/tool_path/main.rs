//! The rules of a tool call, one case each, on both stores.
