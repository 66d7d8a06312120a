//! What a reader of rows asks of a row, whichever store it came from.

use crate::error::RepositoryError;
use std::time::Duration;
use time::OffsetDateTime;
use uuid::Uuid;

/// A value of this type stands in a column.
pub(crate) trait Column<T> {
    fn get(&self, column: &'static str) -> Result<T, RepositoryError>;
}

/// A row of a store. The two differ in how an instant is written.
pub(crate) trait StoredRow:
    Column<bool>
    + Column<i16>
    + Column<Option<i16>>
    + Column<i32>
    + Column<i64>
    + Column<Option<i64>>
    + Column<String>
    + Column<Option<String>>
    + Column<Uuid>
    + Column<Option<Uuid>>
    + Column<Vec<u8>>
    + Column<Option<Vec<u8>>>
{
    fn instant(&self, column: &'static str) -> Result<OffsetDateTime, RepositoryError>;

    fn maybe_instant(
        &self,
        column: &'static str,
    ) -> Result<Option<OffsetDateTime>, RepositoryError>;
}

pub(crate) fn get<T>(row: &impl Column<T>, column: &'static str) -> Result<T, RepositoryError> {
    row.get(column)
}

/// A duration that has passed already is zero.
pub(crate) fn micros(us: i64) -> Duration {
    Duration::from_micros(u64::try_from(us).unwrap_or(0))
}

pub(crate) fn array<const N: usize>(
    bytes: &[u8],
    column: &str,
) -> Result<[u8; N], RepositoryError> {
    bytes.try_into().map_err(|_| corrupt(column))
}

pub(crate) fn number<S, T: TryFrom<S>>(value: S, column: &str) -> Result<T, RepositoryError> {
    T::try_from(value).map_err(|_| corrupt(column))
}

pub(crate) fn corrupt(column: &str) -> RepositoryError {
    RepositoryError::Corrupt(format!("column {column}"))
}
