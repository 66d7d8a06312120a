//! `idem show`.

use super::paper::{facts, indented, instant, length, object, safe, table};
use super::show_json::json;
use super::{Exit, Report};
use idem_core::approval::render::arguments;
use idem_core::inspection::{Inspected, Inspection, KeyPrefix};
use idem_core::json::Json;
use idem_core::states::RowState;
use idem_core::{OrganizationId, OutcomeKind, RepositoryError, Status};
use std::fmt::Write as _;

/// More keys than a person tells apart by eye.
const ROWS_MAX: usize = 10;

/// Shows a key. Arguments and answer may hold personal data: without `values` their sizes are shown.
///
/// # Errors
///
/// [`RepositoryError`].
pub async fn show_key(
    rows: &dyn Inspection,
    organization: OrganizationId,
    key: &KeyPrefix,
    scope: Option<&str>,
    values: bool,
) -> Result<Report, RepositoryError> {
    // One more than is shown says that there are more.
    let rows_max = u32::try_from(ROWS_MAX + 1).unwrap_or(u32::MAX);
    let mut found = rows.find_keys(organization, key, scope, rows_max).await?;
    let more = found.len() > ROWS_MAX;
    found.truncate(ROWS_MAX);
    let (exit, text) = match found.as_slice() {
        [] => (
            Exit::Refused,
            "Nothing is kept under this key for this organization: it was never claimed, was given up without an \
             effect, or is forgotten.\n"
                .to_owned(),
        ),
        [row] => (Exit::Done, one(row, values)),
        several => (Exit::Refused, many(several, more)),
    };
    let found: Vec<_> = found.iter().map(|row| json(row, values)).collect();
    Ok(Report {
        exit,
        text,
        json: object([
            ("keys", Json::Array(found)),
            ("limit_reached", Json::from(more)),
        ]),
    })
}

/// The state in one word for a program, and in a sentence for a person.
pub(super) fn state(row: &Inspected) -> (&'static str, &'static str) {
    match RowState::of(Some(&row.record)) {
        RowState::Live => ("live", "at work; nothing was sent"),
        RowState::LiveMarked => ("live_marked", "at work; its effect may be under way"),
        RowState::LiveInDoubt => (
            "live_in_doubt",
            "at work; an earlier attempt may have made the effect",
        ),
        RowState::Lapsed => ("lapsed", "its worker vanished; nothing was sent"),
        RowState::LapsedMarked => (
            "lapsed_marked",
            "its worker vanished, and may have made the effect",
        ),
        RowState::LapsedInDoubt => (
            "lapsed_in_doubt",
            "its worker vanished; an earlier attempt may have made the effect",
        ),
        RowState::Completed => ("completed", "it has its answer"),
        RowState::OutcomeUnknown => (
            "outcome_unknown",
            "nobody knows whether it happened: idem settle",
        ),
        RowState::Settled => ("settled", "somebody found out what became of it"),
        _ => (
            "past_retention",
            "past its retention: forgotten by everybody but the sweep",
        ),
    }
}

fn many(rows: &[Inspected], more: bool) -> String {
    let cells: Vec<_> = rows
        .iter()
        .map(|row| {
            vec![
                row.key.to_string(),
                safe(&row.scope),
                state(row).0.to_owned(),
            ]
        })
        .collect();
    let table = table(&["KEY", "SCOPE", "STATE"], &cells);
    let end = if more {
        format!("\nThere are more: only {ROWS_MAX} are shown.\n")
    } else {
        String::new()
    };
    format!("Several keys begin so: give more digits, or --scope.\n\n{table}{end}")
}

fn one(row: &Inspected, values: bool) -> String {
    let record = &row.record;
    let mut said = vec![
        ("scope", safe(&row.scope)),
        ("state", state(row).1.to_owned()),
        ("attempts", record.attempt.to_string()),
        ("first claimed", instant(record.first_claimed_at)),
        ("last claimed", instant(record.claimed_at)),
        ("doubt", if record.doubt { "yes" } else { "no" }.to_owned()),
        ("vendor key", format!("number {}", record.epoch)),
    ];
    let mut add = |name, value: Option<String>| said.extend(value.map(|value| (name, value)));
    add("lease", lease(row));
    add("given key", row.key_text.as_deref().map(safe));
    add("dispatched", record.first_dispatched_at.map(instant));
    add(
        "outcome",
        record.outcome.map(|kind| outcome(kind).to_owned()),
    );
    add("answered", record.completed_at.map(instant));
    add("run", record.origin.run.as_deref().map(safe));
    add("on behalf of", record.origin.principal.as_deref().map(safe));
    add(
        "resource",
        record
            .resource
            .as_ref()
            .map(|named| format!("{} {}", safe(named.kind()), safe(named.id()))),
    );
    add(
        "settled",
        record.settled.as_ref().map(|settled| {
            let what = if settled.happened {
                "it happened"
            } else {
                "it did not happen"
            };
            let by = settled
                .by
                .as_deref()
                .map_or_else(|| "somebody".to_owned(), safe);
            format!("{what}, says {by}, {}", instant(settled.at))
        }),
    );
    add("note", row.settled_note.as_deref().map(safe));
    add("kept until", Some(instant(row.retain_until)));
    let mut out = format!("Key {}\n\n{}", row.key, facts(&said));
    for (name, bytes) in value_parts(row) {
        value(&mut out, name, bytes, values);
    }
    out
}

/// Of a row that has its answer, the lease says nothing any more.
fn lease(row: &Inspected) -> Option<String> {
    let record = &row.record;
    let at = instant(row.lease_expires_at);
    match (record.status, record.live) {
        (Status::Completed, _) => None,
        (Status::Processing, true) => Some(format!("ends in {} ({at})", length(record.lease_left))),
        (Status::Processing, false) => Some(format!("ended {at}")),
    }
}

fn outcome(kind: OutcomeKind) -> &'static str {
    match kind {
        OutcomeKind::Answer => "the effect's own answer",
        OutcomeKind::OutcomeUnknown => "unknown",
        OutcomeKind::NotStored => "it happened, and its answer could not be stored",
        _ => "of a newer version of Idem",
    }
}

pub(super) fn value_parts(row: &Inspected) -> [(&'static str, Option<&[u8]>); 3] {
    let record = &row.record;
    let settled = record
        .settled
        .as_ref()
        .and_then(|settled| settled.response.as_deref());
    [
        ("input", row.input.as_deref()),
        (
            "answer",
            record.response.as_ref().map(|response| &*response.bytes),
        ),
        ("settled_answer", settled),
    ]
}

fn value(out: &mut String, name: &str, bytes: Option<&[u8]>, values: bool) {
    let name = name.replace('_', " ");
    let Some(bytes) = bytes else {
        return;
    };
    if values {
        let shown = arguments(&String::from_utf8_lossy(bytes));
        let _ = write!(out, "\n  {name}\n\n{}", indented(&shown.text));
    } else {
        let _ = writeln!(
            out,
            "  {name}: {} bytes (--values prints them)",
            bytes.len()
        );
    }
}
