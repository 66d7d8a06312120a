//! Opens a store by its address.

use crate::boundary::BoundaryStore;
use crate::error::RepositoryError;
use crate::repository::Store;
use std::path::PathBuf;
use std::sync::Arc;

/// Whether opening may change the schema.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum OpenMode {
    /// Bring the schema up to this build first: the default, also where many processes start at once.
    #[default]
    Migrate,
    /// Touch nothing, and refuse a schema that is not this build's: for roles that may not alter tables.
    AsIs,
}

/// What a migration did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Migrated {
    /// The schema version that was found; `None` where Idem had never been there.
    pub from: Option<i64>,
    /// The version that it is at now, this build's.
    pub to: i64,
}

/// Brings a store's schema up to this build, by URL, and does nothing else. It only ever goes forward, and any number
/// of processes may do so at once.
///
/// # Errors
///
/// [`RepositoryError::SchemaNewer`] for a schema of a newer build, [`RepositoryError::Migration`], and what keeps a
/// store from being opened.
pub async fn migrate(url: &str) -> Result<Migrated, RepositoryError> {
    match scheme(url)? {
        Scheme::Sqlite => migrate_sqlite(url).await,
        Scheme::Postgres => migrate_postgres(url).await,
    }
}

/// Opens a store by URL, `sqlite://agent.db` or `postgres://user@host/database`, and asks it whether it can be
/// trusted: reachable, durable, not a replica, its schema known (R19).
///
/// # Errors
///
/// [`RepositoryError`] says what is wrong and what to do.
pub async fn open(url: &str, mode: OpenMode) -> Result<Arc<dyn Store>, RepositoryError> {
    let store = connect(url, mode).await?;
    store.probe().await?;
    Ok(store)
}

/// Connects to a store without asking whether it can be trusted.
pub(crate) async fn connect(
    url: &str,
    mode: OpenMode,
) -> Result<Arc<dyn BoundaryStore>, RepositoryError> {
    match scheme(url)? {
        Scheme::Sqlite => sqlite(url, mode).await,
        Scheme::Postgres => postgres(url, mode).await,
    }
}

/// The file of a SQLite store that this address names and that is not there: a mistyped path, or a store that nobody has
/// made yet. `None` for every other address.
#[must_use]
pub fn missing_file(url: &str) -> Option<PathBuf> {
    match scheme(url).ok()? {
        #[cfg(feature = "sqlite")]
        Scheme::Sqlite => crate::sqlite::missing_file(url),
        _ => None,
    }
}

#[derive(Clone, Copy)]
pub(crate) enum Scheme {
    Sqlite,
    Postgres,
}

pub(crate) fn scheme(url: &str) -> Result<Scheme, RepositoryError> {
    match url.split_once(':').map_or(url, |(scheme, _)| scheme) {
        "sqlite" => Ok(Scheme::Sqlite),
        "postgres" | "postgresql" => Ok(Scheme::Postgres),
        _ => Err(RepositoryError::Address(
            "the store's address begins with neither `sqlite:` nor `postgres:`; write \
             `sqlite://agent.db` or `postgres://user@host/database`"
                .to_owned(),
        )),
    }
}

#[cfg(feature = "sqlite")]
async fn sqlite(url: &str, mode: OpenMode) -> Result<Arc<dyn BoundaryStore>, RepositoryError> {
    if mode == OpenMode::Migrate {
        migrate_sqlite(url).await?;
    }
    // Opening as it is changes nothing, so it makes no file either.
    let store = match mode {
        OpenMode::Migrate => crate::sqlite::SqliteStore::connect(url).await?,
        OpenMode::AsIs => crate::sqlite::SqliteStore::connect_existing(url).await?,
    };
    Ok(Arc::new(store))
}

#[cfg(feature = "sqlite")]
async fn migrate_sqlite(url: &str) -> Result<Migrated, RepositoryError> {
    crate::sqlite::SqliteStore::migrate(url).await
}

#[cfg(not(feature = "sqlite"))]
async fn migrate_sqlite(_: &str) -> Result<Migrated, RepositoryError> {
    Err(feature_is_off("SQLite", "sqlite"))
}

#[cfg(not(feature = "sqlite"))]
async fn sqlite(_: &str, _: OpenMode) -> Result<Arc<dyn BoundaryStore>, RepositoryError> {
    Err(feature_is_off("SQLite", "sqlite"))
}

#[cfg(feature = "postgres")]
async fn postgres(url: &str, mode: OpenMode) -> Result<Arc<dyn BoundaryStore>, RepositoryError> {
    if mode == OpenMode::Migrate {
        migrate_postgres(url).await?;
    }
    Ok(Arc::new(
        crate::postgres::PostgresStore::connect(url).await?,
    ))
}

#[cfg(feature = "postgres")]
async fn migrate_postgres(url: &str) -> Result<Migrated, RepositoryError> {
    crate::postgres::PostgresStore::migrate(url).await
}

#[cfg(not(feature = "postgres"))]
async fn migrate_postgres(_: &str) -> Result<Migrated, RepositoryError> {
    Err(feature_is_off("PostgreSQL", "postgres"))
}

#[cfg(not(feature = "postgres"))]
async fn postgres(_: &str, _: OpenMode) -> Result<Arc<dyn BoundaryStore>, RepositoryError> {
    Err(feature_is_off("PostgreSQL", "postgres"))
}

#[cfg(not(all(feature = "sqlite", feature = "postgres")))]
fn feature_is_off(store: &str, feature: &str) -> RepositoryError {
    RepositoryError::Address(format!(
        "this program was built without {store}: add the feature `{feature}` to `idem-tools` in Cargo.toml"
    ))
}
