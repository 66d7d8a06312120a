//! The hints of MCP, as far as an effect class vouches for them.

use crate::Effect;
use idem_core::json::{Json, Map};

/// The annotations of a tool of this class.
///
/// A read changes nothing. Of a write nobody knows that it only adds, so it may destroy. And no write is idempotent in the
/// sense of MCP, where a second call with the same arguments has no effect: a repeat inside its turn is answered with the
/// first answer, and the same call in a later turn is meant.
pub(super) fn of(effect: Effect) -> Json {
    let reads = effect == Effect::Read;
    let mut hints = Map::new();
    hints.insert("readOnlyHint", Json::Bool(reads));
    hints.insert("destructiveHint", Json::Bool(!reads));
    hints.insert("idempotentHint", Json::Bool(reads));
    Json::Object(hints)
}
