//! Opens a store by its address.

use crate::error::RepositoryError;
use crate::repository::Store;
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

/// Opens a store by URL, `sqlite://agent.db` or `postgres://user@host/database`, and asks it whether it can be
/// trusted: reachable, durable, not a replica, its schema known (R19).
///
/// # Errors
///
/// [`RepositoryError`] says what is wrong and what to do.
pub async fn open(url: &str, mode: OpenMode) -> Result<Arc<dyn Store>, RepositoryError> {
    let scheme = url.split_once(':').map_or(url, |(scheme, _)| scheme);
    let store: Arc<dyn Store> = match scheme {
        "sqlite" => sqlite(url, mode).await?,
        "postgres" | "postgresql" => postgres(url, mode).await?,
        _ => {
            return Err(RepositoryError::Address(
                "the store's address begins with neither `sqlite:` nor `postgres:`; write \
                 `sqlite://agent.db` or `postgres://user@host/database`"
                    .to_owned(),
            ));
        }
    };
    store.probe().await?;
    Ok(store)
}

#[cfg(feature = "sqlite")]
async fn sqlite(url: &str, mode: OpenMode) -> Result<Arc<dyn Store>, RepositoryError> {
    use crate::sqlite::SqliteStore;

    match mode {
        OpenMode::Migrate => {
            SqliteStore::migrate(url).await?;
            Ok(Arc::new(SqliteStore::connect(url).await?))
        }
        OpenMode::AsIs => Ok(Arc::new(SqliteStore::connect_existing(url).await?)),
    }
}

#[cfg(not(feature = "sqlite"))]
async fn sqlite(_: &str, _: OpenMode) -> Result<Arc<dyn Store>, RepositoryError> {
    Err(feature_is_off("SQLite", "sqlite"))
}

#[cfg(feature = "postgres")]
async fn postgres(url: &str, mode: OpenMode) -> Result<Arc<dyn Store>, RepositoryError> {
    if mode == OpenMode::Migrate {
        crate::postgres::PostgresStore::migrate(url).await?;
    }
    Ok(Arc::new(
        crate::postgres::PostgresStore::connect(url).await?,
    ))
}

#[cfg(not(feature = "postgres"))]
async fn postgres(_: &str, _: OpenMode) -> Result<Arc<dyn Store>, RepositoryError> {
    Err(feature_is_off("PostgreSQL", "postgres"))
}

#[cfg(not(all(feature = "sqlite", feature = "postgres")))]
fn feature_is_off(store: &str, feature: &str) -> RepositoryError {
    RepositoryError::Address(format!(
        "this program was built without {store}: add the feature `{feature}` to `idem-tools` in Cargo.toml"
    ))
}
