//! Forward migrations in a table of their own, beside whatever the application keeps (R74).

use super::waiting::{BUSY_SLICE, Patience, patiently};
use super::{SqliteStore, options, sort_error};
use crate::error::RepositoryError;
use crate::open::Migrated;
use sqlx::migrate::{MigrateError, Migration, MigrationType, Migrator};
use sqlx::{Connection, Row, SqlSafeStr, SqliteConnection};
use std::borrow::Cow;

/// The newest migration this build knows.
pub(super) const NEWEST: i64 = 4;

/// Number, title and text of each migration, in order: append only (R74).
const MIGRATIONS: [(i64, &str, &str); 4] = [
    (
        1,
        "idempotency_keys",
        include_str!("migrations/0001_idempotency_keys.sql"),
    ),
    (
        2,
        "approvals",
        include_str!("migrations/0002_approvals.sql"),
    ),
    (
        3,
        "keys_of_a_run",
        include_str!("migrations/0003_keys_of_a_run.sql"),
    ),
    (4, "runs", include_str!("migrations/0004_runs.sql")),
];

const TABLE: &str = "_idem_migrations";

fn migration(&(number, title, text): &(i64, &'static str, &'static str)) -> Migration {
    let title = Cow::Borrowed(title);
    Migration::new(
        number,
        title,
        MigrationType::Simple,
        text.into_sql_str(),
        false,
    )
}

fn migrator() -> Migrator {
    let mut migrator = Migrator::with_migrations(MIGRATIONS.iter().map(migration).collect());
    migrator.dangerous_set_table_name(TABLE);
    // The transaction below lets one migrator in at a time: SQLite's migrator has no lock of its own.
    migrator.set_locking(false);
    migrator
}

impl SqliteStore {
    /// Brings the file's schema up to this build. Any number of processes may migrate at once.
    ///
    /// # Errors
    ///
    /// [`RepositoryError::SchemaNewer`], [`RepositoryError::Migration`], [`RepositoryError::Unavailable`].
    pub async fn migrate(url: &str) -> Result<Migrated, RepositoryError> {
        let options = options(url)?.busy_timeout(BUSY_SLICE);
        let mut connection = patiently(url, || SqliteConnection::connect_with(&options)).await?;
        let outcome = run(&mut connection).await;
        // The work is committed or not; a failed goodbye changes nothing.
        let _ = connection.close().await;
        outcome
    }

    /// As [`migrate`](Self::migrate), over a connection of this store's pool.
    ///
    /// # Errors
    ///
    /// As [`migrate`](Self::migrate).
    pub async fn migrate_pool(&self) -> Result<Migrated, RepositoryError> {
        let mut connection = self.writer.acquire().await.map_err(sort_error)?;
        run(&mut connection).await
    }
}

async fn run(connection: &mut SqliteConnection) -> Result<Migrated, RepositoryError> {
    sqlx::raw_sql(include_str!("sql/session_defaults.sql"))
        .execute(&mut *connection)
        .await
        .map_err(sort_error)?;
    let (begin, patience) = (include_str!("sql/migrate_begin.sql"), Patience::new());
    let mut transaction = loop {
        match connection.begin_with(begin).await {
            Err(error) if patience.waits_out(&error).await => {}
            begun => break begun.map_err(sort_error)?,
        }
    };
    let from = schema_version(&mut transaction).await?;
    if let Some(found) = from {
        refuse_newer(found)?;
    }
    migrator()
        .run_direct(None, &mut *transaction, false)
        .await
        .map_err(migration_error)?;
    transaction.commit().await.map_err(sort_error)?;
    Ok(Migrated { from, to: NEWEST })
}

/// The newest migration of a database; `None` where Idem was never here.
pub(super) async fn schema_version(
    connection: &mut SqliteConnection,
) -> Result<Option<i64>, RepositoryError> {
    let known = sqlx::query(include_str!("sql/schema_exists.sql"))
        .fetch_all(&mut *connection)
        .await
        .map_err(sort_error)?;
    let known: bool = known
        .first()
        .map_or(Ok(false), |row| row.try_get("known"))
        .map_err(sort_error)?;
    if !known {
        return Ok(None);
    }
    let rows = sqlx::query(include_str!("sql/schema_version.sql"))
        .fetch_all(connection)
        .await
        .map_err(sort_error)?;
    rows.first()
        .map_or(Ok(None), |row| row.try_get("version"))
        .map_err(sort_error)
}

pub(super) fn refuse_newer(found: i64) -> Result<(), RepositoryError> {
    if found > NEWEST {
        return Err(RepositoryError::SchemaNewer {
            found,
            known: NEWEST,
        });
    }
    Ok(())
}

fn migration_error(error: MigrateError) -> RepositoryError {
    match error {
        MigrateError::VersionMissing(found) => RepositoryError::SchemaNewer {
            found,
            known: NEWEST,
        },
        other => RepositoryError::Migration(other.into()),
    }
}
