//! Where effects enter and leave without a tool: deliveries, callbacks, starts, natural keys, messages and commands.
//!
//! A caller here does not raise (R60): what it learns of a duplicate, a conflict or a claim in flight is a value, and
//! so is every reason to drop. Nothing here knows HTTP.

mod store;

pub use store::{BoundaryStore, open_boundaries};
