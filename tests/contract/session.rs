//! One database session that stays inside one transaction, as a whole store: for rows that are written and not yet
//! committed, and, on PostgreSQL, for a clock that stands still.

use std::sync::Arc;
use std::time::Duration;

use idem_core::Store;
use idem_core::postgres::PostgresStore;
use idem_core::sqlite::SqliteStore;
use idem_tests::{StoreKind, TestStore};
use sqlx::postgres::{PgPool, PgPoolOptions};
use sqlx::sqlite::{SqliteConnectOptions, SqlitePool, SqlitePoolOptions};
use sqlx::{AssertSqlSafe, raw_sql};

/// A store over one connection on which a transaction is open. Its writes hold their locks until
/// [`commit`](Session::commit) or [`roll_back`](Session::roll_back).
#[derive(Debug)]
pub(crate) struct Session {
    pub(crate) repository: Arc<dyn Store>,
    pool: Pool,
}

#[derive(Debug)]
enum Pool {
    Postgres(PgPool),
    Sqlite(SqlitePool),
}

impl Session {
    /// Opens a connection to a store that has its tables, and begins a transaction that writes.
    pub(crate) async fn begin(store: &TestStore) -> Self {
        let session = Self::connect(store).await;
        let began = session.execute("BEGIN", "BEGIN IMMEDIATE").await;
        began.expect("a transaction");
        session
    }

    /// Opens a connection, outside of any transaction.
    pub(crate) async fn connect(store: &TestStore) -> Self {
        match store.kind {
            StoreKind::Postgres => {
                let options = PgPoolOptions::new().max_connections(1);
                let pool = options.connect(&store.url).await.expect("a session");
                Self {
                    repository: Arc::new(PostgresStore::from_pool(pool.clone())),
                    pool: Pool::Postgres(pool),
                }
            }
            StoreKind::Sqlite => {
                let file: SqliteConnectOptions = store.url.parse().expect("the test's own URL");
                let file = file.busy_timeout(Duration::from_secs(5));
                let options = SqlitePoolOptions::new().max_connections(1);
                let pool = options.connect_with(file).await.expect("a session");
                Self {
                    repository: Arc::new(SqliteStore::from_pool(pool.clone())),
                    pool: Pool::Sqlite(pool),
                }
            }
        }
    }

    /// Runs a statement on the session. An empty SQLite text means that PostgreSQL's serves both.
    pub(crate) async fn execute(&self, postgres: &str, sqlite: &str) -> Result<u64, sqlx::Error> {
        match &self.pool {
            Pool::Postgres(pool) => raw_sql(AssertSqlSafe(postgres.to_owned()))
                .execute(pool)
                .await
                .map(|done| done.rows_affected()),
            Pool::Sqlite(pool) => {
                let sql = if sqlite.is_empty() { postgres } else { sqlite };
                raw_sql(AssertSqlSafe(sql.to_owned()))
                    .execute(pool)
                    .await
                    .map(|done| done.rows_affected())
            }
        }
    }

    pub(crate) async fn commit(self) {
        self.execute("COMMIT", "").await.expect("a commit");
        self.close().await;
    }

    pub(crate) async fn roll_back(self) {
        self.execute("ROLLBACK", "").await.expect("a rollback");
        self.close().await;
    }

    async fn close(self) {
        match self.pool {
            Pool::Postgres(pool) => pool.close().await,
            Pool::Sqlite(pool) => pool.close().await,
        }
    }
}
