//! Puts the rows that a group's statement gave into the order in which they were asked for.

use super::record_row::{record, record_with_input};
use super::row::{StoredRow, corrupt, get};
use crate::error::RepositoryError;
use crate::record::Record;
use crate::repository::Held;
use std::collections::{HashMap, HashSet};
use time::OffsetDateTime;
use uuid::Uuid;

/// What get_many.sql found, each at its place.
pub(crate) fn found(
    rows: &[impl StoredRow],
    asked: usize,
) -> Result<Vec<Option<Record>>, RepositoryError> {
    let mut records = Vec::new();
    records.resize_with(asked, || None);
    for row in rows {
        let place = usize::try_from(get::<i64>(row, "place")? - 1).ok();
        let slot = place.and_then(|place| records.get_mut(place));
        *slot.ok_or_else(|| corrupt("place"))? = Some(record_with_input(row)?);
    }
    Ok(records)
}

/// What try_claim_many.sql claimed, by the ids that were asked for.
pub(crate) fn claimed(
    rows: &[impl StoredRow],
    asked: impl Iterator<Item = Uuid>,
) -> Result<Vec<Option<Record>>, RepositoryError> {
    let records = rows.iter().map(|row| Ok((get(row, "id")?, record(row)?)));
    let mut records = records.collect::<Result<HashMap<Uuid, Record>, RepositoryError>>()?;
    Ok(asked.map(|id| records.remove(&id)).collect())
}

/// When complete_many.sql stored the answers.
pub(crate) fn completed<'h>(
    rows: &[impl StoredRow],
    asked: impl Iterator<Item = &'h Held>,
) -> Result<Vec<Option<OffsetDateTime>>, RepositoryError> {
    let instants = rows
        .iter()
        .map(|row| Ok((get(row, "id")?, row.instant("completed_at")?)));
    let instants = instants.collect::<Result<HashMap<Uuid, _>, RepositoryError>>()?;
    Ok(asked
        .map(|held| instants.get(&held.id.as_uuid()).copied())
        .collect())
}

/// Which claims release_many.sql forgot.
pub(crate) fn released(
    rows: &[impl StoredRow],
    asked: &[Held],
) -> Result<Vec<bool>, RepositoryError> {
    let gone = rows.iter().map(|row| get(row, "id"));
    let gone = gone.collect::<Result<HashSet<Uuid>, RepositoryError>>()?;
    Ok(asked
        .iter()
        .map(|held| gone.contains(&held.id.as_uuid()))
        .collect())
}
