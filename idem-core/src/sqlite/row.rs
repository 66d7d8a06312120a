//! Takes a value out of SQLite's row. Instants are milliseconds since 1970.

use super::sort_error;
use crate::error::RepositoryError;
use crate::stores::row::{Column, StoredRow, corrupt, get};
use sqlx::sqlite::SqliteRow;
use sqlx::{Decode, Row, Sqlite, Type};
use time::OffsetDateTime;

impl<T> Column<T> for SqliteRow
where
    T: for<'r> Decode<'r, Sqlite> + Type<Sqlite>,
{
    fn get(&self, column: &'static str) -> Result<T, RepositoryError> {
        self.try_get(column).map_err(sort_error)
    }
}

impl StoredRow for SqliteRow {
    fn instant(&self, column: &'static str) -> Result<OffsetDateTime, RepositoryError> {
        from_millis(get(self, column)?, column)
    }

    fn maybe_instant(
        &self,
        column: &'static str,
    ) -> Result<Option<OffsetDateTime>, RepositoryError> {
        let ms: Option<i64> = get(self, column)?;
        ms.map(|ms| from_millis(ms, column)).transpose()
    }
}

fn from_millis(ms: i64, column: &str) -> Result<OffsetDateTime, RepositoryError> {
    OffsetDateTime::from_unix_timestamp_nanos(i128::from(ms) * 1_000_000)
        .map_err(|_| corrupt(column))
}
