//! SQLite files and connections that cannot be trusted with a claim (R1, R19; C57a).

use std::path::PathBuf;
use std::sync::Arc;

use idem_core::sqlite::SqliteStore;
use idem_core::{OpenMode, RepositoryError, open};
use idem_tests::TestStore;
use idem_tools::Idem;
use sqlx::sqlite::{
    SqliteConnectOptions, SqliteJournalMode, SqlitePool, SqlitePoolOptions, SqliteSynchronous,
};

fn path(store: &TestStore) -> PathBuf {
    let path = store.url.strip_prefix("sqlite://").expect("a SQLite URL");
    PathBuf::from(path)
}

async fn refusal(url: &str) -> RepositoryError {
    let opened = open(url, OpenMode::Migrate).await;
    opened.err().unwrap_or_else(|| panic!("{url} opens"))
}

/// C57(a): refused at the start, in every way of writing it.
pub(crate) async fn a_database_in_memory_is_refused(_: TestStore) {
    for url in [
        "sqlite::memory:",
        "sqlite://:memory:",
        "sqlite://agent.db?mode=memory",
        "sqlite://file:agent?mode=memory&cache=shared",
    ] {
        let error = refusal(url).await;
        assert!(matches!(error, RepositoryError::Address(_)), "{error}");
        assert!(error.to_string().contains("sqlite://agent.db"), "{error}");
    }
}

pub(crate) async fn an_address_that_names_no_file_is_refused(_: TestStore) {
    for url in [
        "sqlite:",
        "sqlite:/",
        "sqlite://",
        "sqlite:///",
        "sqlite://?mode=rwc",
    ] {
        let error = refusal(url).await;
        assert!(
            matches!(error, RepositoryError::Address(_)),
            "{url}: {error}"
        );
    }
}

/// A folder that is not there, and one in which nothing can be made.
pub(crate) async fn a_folder_that_is_missing_is_named(store: TestStore) {
    let missing = format!("{}.d/agent.db", store.url);
    for url in [missing.as_str(), "sqlite:///proc/agent.db"] {
        let error = refusal(url).await;
        assert!(matches!(error, RepositoryError::Unavailable(_)), "{error}");
        let text = error.to_string();
        assert!(text.contains(url) && text.contains("folder"), "{text}");
    }
}

pub(crate) async fn a_file_that_is_no_database_is_refused_and_untouched(store: TestStore) {
    let text = "this is a letter and no database, long enough to be looked at: ".repeat(100);
    std::fs::write(path(&store), &text).unwrap();
    let error = refusal(&store.url).await;
    assert!(matches!(error, RepositoryError::Address(_)), "{error:?}");
    let told = error.to_string();
    assert!(
        told.contains("not a database") && told.contains(&store.url),
        "{told}"
    );
    assert!(!error.is_transient(), "asking again does not help");
    assert_eq!(std::fs::read_to_string(path(&store)).unwrap(), text);
}

/// A file on a read-only disk opens and reads; it is refused before the first claim would fail.
pub(crate) async fn a_file_that_is_read_only_is_refused(store: TestStore) {
    store.open().await;
    for how in ["mode=ro", "immutable=true"] {
        let url = format!("{}?{how}", store.url);
        for mode in [OpenMode::AsIs, OpenMode::Migrate] {
            let error = open(&url, mode).await.expect_err("it cannot be written to");
            assert!(
                matches!(error, RepositoryError::ReadOnly(_)),
                "{how}, {mode:?}: {error:?}"
            );
            assert!(error.to_string().contains("read-only"), "{error}");
        }
    }
}

async fn pool(options: SqliteConnectOptions) -> SqlitePool {
    let pool = SqlitePoolOptions::new().max_connections(1);
    pool.connect_with(options).await.unwrap()
}

fn durable(store: &TestStore) -> SqliteConnectOptions {
    let options: SqliteConnectOptions = store.url.parse().unwrap();
    let options = options.create_if_missing(true);
    let options = options.journal_mode(SqliteJournalMode::Wal);
    options.synchronous(SqliteSynchronous::Full)
}

async fn with_pool(pool: SqlitePool) -> Result<(), RepositoryError> {
    let store = SqliteStore::from_pool(pool);
    Idem::with_store(Arc::new(store)).await.map(|_| ())
}

pub(crate) async fn a_connection_that_may_only_query_is_refused(store: TestStore) {
    store.open().await;
    let error = with_pool(pool(durable(&store).pragma("query_only", "on")).await).await;
    let error = error.expect_err("it cannot be written to");
    assert!(matches!(error, RepositoryError::ReadOnly(_)), "{error:?}");
    assert!(error.to_string().contains("query_only"), "{error}");
}

/// R19, P16: a power cut would take answers back that were given.
pub(crate) async fn a_pool_that_does_not_sync_every_commit_is_refused(store: TestStore) {
    store.open().await;
    for (synchronous, word) in [
        (SqliteSynchronous::Off, "OFF"),
        (SqliteSynchronous::Normal, "NORMAL"),
    ] {
        let error = with_pool(pool(durable(&store).synchronous(synchronous)).await).await;
        let error = error.expect_err("an answer could be lost");
        let RepositoryError::NotDurable { setting, found, .. } = &error else {
            panic!("{word} is refused as not durable: {error}");
        };
        assert_eq!((*setting, found.as_str()), ("PRAGMA synchronous", word));
        let text = error.to_string();
        assert!(text.contains("SqliteSynchronous::Full"), "{text}");
    }
    with_pool(pool(durable(&store)).await).await.unwrap();
    let extra = durable(&store).synchronous(SqliteSynchronous::Extra);
    with_pool(pool(extra).await).await.unwrap();
}

pub(crate) async fn a_pool_without_a_write_ahead_log_is_refused(store: TestStore) {
    let own = pool(durable(&store)).await;
    SqliteStore::from_pool(own.clone())
        .migrate_pool()
        .await
        .unwrap();
    for mode in ["DELETE", "TRUNCATE", "PERSIST", "MEMORY"] {
        let pragma = sqlx::AssertSqlSafe(format!("PRAGMA journal_mode = {mode}"));
        sqlx::raw_sql(pragma).execute(&own).await.unwrap();
        let error = with_pool(own.clone())
            .await
            .expect_err("no write-ahead log");
        let RepositoryError::Session { setting, .. } = &error else {
            panic!("{mode} is refused as a setting: {error}");
        };
        assert_eq!(*setting, "PRAGMA journal_mode");
        assert!(
            error.to_string().contains("SqliteJournalMode::Wal"),
            "{error}"
        );
    }
    sqlx::raw_sql("PRAGMA journal_mode = WAL")
        .execute(&own)
        .await
        .unwrap();
    with_pool(own).await.unwrap();
}

/// An application's pool can hold a database in memory that has every table.
pub(crate) async fn a_pool_in_memory_is_refused(_: TestStore) {
    let options: SqliteConnectOptions = "sqlite::memory:".parse().unwrap();
    let own = pool(options.synchronous(SqliteSynchronous::Full)).await;
    SqliteStore::from_pool(own.clone())
        .migrate_pool()
        .await
        .unwrap();
    let error = with_pool(own)
        .await
        .expect_err("it is gone with the process");
    assert!(matches!(error, RepositoryError::Address(_)), "{error:?}");
    assert!(error.to_string().contains("memory"), "{error}");
}
