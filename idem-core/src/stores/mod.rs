//! What the two stores have in common: how their rows are read, and how the verbs are bound to their statements.
//!
//! A store's own file invokes a `bind_` macro, so that `include_str!("sql/…")` in it is that store's statement. What
//! such a macro asks of the store stands in its `mod.rs`: `Row`, `Statement`, `query`, `span`, `look` and `write`.

pub(crate) mod card_row;
pub(crate) mod cards;
pub(crate) mod inspection;
pub(crate) mod many;
pub(crate) mod record_row;
pub(crate) mod row;
pub(crate) mod run_row;
pub(crate) mod runs;
