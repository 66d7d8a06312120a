//! Forward migrations in a table of their own, beside whatever the application keeps (R74).

use super::{PostgresStore, options, sort_error};
use crate::error::RepositoryError;
use crate::open::Migrated;
use sqlx::migrate::{MigrateError, Migration, MigrationType, Migrator};
use sqlx::{Connection, PgConnection, Row, SqlSafeStr};
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

const TABLE: &str = "agent._idem_migrations";

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
    migrator.create_schema("agent");
    // The transaction below lets one migrator in at a time; a session lock would not survive a pooler.
    migrator.set_locking(false);
    migrator
}

impl PostgresStore {
    /// Brings the schema up to this build, and gives the role's sessions the lock timeout that claims need. It
    /// uses a connection of its own, so that the pool's sessions begin with the new defaults. Any number of
    /// processes may migrate at once.
    ///
    /// # Errors
    ///
    /// [`RepositoryError::SchemaNewer`], [`RepositoryError::Migration`], [`RepositoryError::Unavailable`].
    pub async fn migrate(url: &str) -> Result<Migrated, RepositoryError> {
        let server = options(url)?;
        let mut connection = PgConnection::connect_with(&server)
            .await
            .map_err(|error| super::unreachable(&server, &error))?;
        let outcome = run(&mut connection).await;
        // The work is committed or not; a failed goodbye changes nothing.
        let _ = connection.close().await;
        outcome
    }

    /// As [`migrate`](Self::migrate), over a connection of this store's pool. Sessions that the pool opened before
    /// keep their old defaults.
    ///
    /// # Errors
    ///
    /// As [`migrate`](Self::migrate).
    pub async fn migrate_pool(&self) -> Result<Migrated, RepositoryError> {
        let mut connection = self.pool.acquire().await.map_err(sort_error)?;
        run(&mut connection).await
    }
}

async fn run(connection: &mut PgConnection) -> Result<Migrated, RepositoryError> {
    super::probe::check_writable(connection).await?;
    let mut transaction = connection.begin().await.map_err(sort_error)?;
    sqlx::query(include_str!("sql/migrate_begin.sql"))
        .fetch_all(&mut *transaction)
        .await
        .map_err(sort_error)?;
    let from = schema_version(&mut transaction).await?;
    if let Some(found) = from {
        refuse_newer(found)?;
    }
    migrator()
        .run_direct(None, &mut *transaction, false)
        .await
        .map_err(migration_error)?;
    sqlx::raw_sql(include_str!("sql/session_defaults.sql"))
        .execute(&mut *transaction)
        .await
        .map_err(sort_error)?;
    transaction.commit().await.map_err(sort_error)?;
    Ok(Migrated { from, to: NEWEST })
}

/// The newest migration of a database; `None` where Idem was never here.
pub(super) async fn schema_version(
    connection: &mut PgConnection,
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
