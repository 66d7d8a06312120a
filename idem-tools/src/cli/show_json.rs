//! A key as a program reads it: field names are stable.

use super::paper::{json_instant, maybe, object};
use super::show::{state, value_parts};
use idem_core::OutcomeKind;
use idem_core::inspection::Inspected;
use idem_core::json::{Json, Limits};

pub(super) fn json(row: &Inspected, values: bool) -> Json {
    let record = &row.record;
    let settled = record.settled.as_ref();
    let [input, answer, settled_answer] = value_parts(row).map(|(_, bytes)| part(bytes, values));
    object([
        ("key", Json::from(row.key.to_string())),
        ("key_text", maybe(row.key_text.clone())),
        ("scope", Json::from(row.scope.as_str())),
        ("state", Json::from(state(row).0)),
        ("attempts", Json::from(u64::from(record.attempt))),
        ("epoch", Json::from(u64::from(record.epoch))),
        ("doubt", Json::from(record.doubt)),
        ("lease_live", Json::from(record.live)),
        ("lease_expires_at", json_instant(row.lease_expires_at)),
        ("claimed_at", json_instant(record.claimed_at)),
        ("first_claimed_at", json_instant(record.first_claimed_at)),
        (
            "dispatched_at",
            record.dispatched_at.map_or(Json::Null, json_instant),
        ),
        (
            "first_dispatched_at",
            record.first_dispatched_at.map_or(Json::Null, json_instant),
        ),
        (
            "completed_at",
            record.completed_at.map_or(Json::Null, json_instant),
        ),
        ("retain_until", json_instant(row.retain_until)),
        ("outcome", maybe(record.outcome.map(OutcomeKind::word))),
        ("run", maybe(record.origin.run.as_deref())),
        ("on_behalf_of", maybe(record.origin.principal.as_deref())),
        (
            "resource_type",
            maybe(record.resource.as_ref().map(idem_core::Resource::kind)),
        ),
        (
            "resource_id",
            maybe(record.resource.as_ref().map(idem_core::Resource::id)),
        ),
        (
            "settled_happened",
            maybe(settled.map(|settled| settled.happened)),
        ),
        (
            "settled_at",
            settled.map_or(Json::Null, |settled| json_instant(settled.at)),
        ),
        (
            "settled_by",
            maybe(settled.and_then(|settled| settled.by.clone())),
        ),
        ("settled_note", maybe(row.settled_note.clone())),
        ("input", input),
        ("answer", answer),
        ("settled_answer", settled_answer),
    ])
}

/// How many bytes; the value where it was asked for, as text where it is no JSON.
fn part(bytes: Option<&[u8]>, values: bool) -> Json {
    let Some(bytes) = bytes else {
        return Json::Null;
    };
    let size = u64::try_from(bytes.len()).unwrap_or(u64::MAX);
    let value = || {
        Json::parse_bytes(bytes, Limits::ANSWER)
            .unwrap_or_else(|_| Json::from(String::from_utf8_lossy(bytes).into_owned()))
    };
    let value = if values { value() } else { Json::Null };
    object([("bytes", Json::from(size)), ("value", value)])
}
