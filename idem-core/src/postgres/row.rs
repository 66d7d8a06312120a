//! Takes a value out of PostgreSQL's row.

use super::sort_error;
use crate::error::RepositoryError;
use crate::stores::row::{Column, StoredRow, get};
use sqlx::postgres::PgRow;
use sqlx::{Decode, Postgres, Row, Type};
use time::OffsetDateTime;

impl<T> Column<T> for PgRow
where
    T: for<'r> Decode<'r, Postgres> + Type<Postgres>,
{
    fn get(&self, column: &'static str) -> Result<T, RepositoryError> {
        self.try_get(column).map_err(sort_error)
    }
}

impl StoredRow for PgRow {
    fn instant(&self, column: &'static str) -> Result<OffsetDateTime, RepositoryError> {
        get(self, column)
    }

    fn maybe_instant(
        &self,
        column: &'static str,
    ) -> Result<Option<OffsetDateTime>, RepositoryError> {
        get(self, column)
    }
}
