//! A look behind the store's back: raw access to a test's rows, and their ageing.

use std::sync::Arc;
use std::time::Duration;

use idem_core::coalesce::Coalesced;
use idem_core::testing::Rows;
use idem_core::{ClaimKey, OpenMode, Store};
use sqlx::sqlite::{SqliteConnectOptions, SqliteRow};
use sqlx::{AssertSqlSafe, Connection, PgConnection, Row, SqliteConnection, query, query_scalar};

use super::StoreKind;

/// What a case gets: where its database is, and raw access to look at rows and to age them.
///
/// Each call opens a connection of its own and closes it, so that nothing of the test's own looking
/// stays connected while the store is at work.
#[derive(Debug, Clone)]
pub struct TestStore {
    /// The URL to open the store with.
    pub url: String,
    /// Which database it is.
    pub kind: StoreKind,
    /// Whether [`open`](Self::open) groups what goes to it.
    pub grouped: bool,
}

impl TestStore {
    /// Opens the store under test, with its tables.
    ///
    /// # Panics
    /// Where it does not open.
    pub async fn open(&self) -> Arc<dyn Store> {
        let opened = idem_core::open(&self.url, OpenMode::Migrate).await;
        let store =
            opened.unwrap_or_else(|error| panic!("the store of the test does not open: {error}"));
        if self.grouped {
            return Arc::new(Coalesced::always(store));
        }
        store
    }

    /// How many rows the plane's table holds; the name without prefix, as in `idempotency_keys`.
    ///
    /// # Panics
    /// Where the statement fails.
    pub async fn count_rows(&self, table: &str) -> i64 {
        let table = self.table(table);
        self.number(&format!("SELECT count(*) FROM {table}"), "")
            .await
    }

    /// One whole number from one row. An empty SQLite text means that PostgreSQL's serves both.
    ///
    /// # Panics
    /// Where the statement fails or answers something else.
    pub async fn number(&self, sql_postgres: &str, sql_sqlite: &str) -> i64 {
        let statement = AssertSqlSafe(self.pick(sql_postgres, sql_sqlite).to_owned());
        match self.kind {
            StoreKind::Postgres => {
                query_scalar(statement)
                    .fetch_one(&mut self.postgres().await)
                    .await
            }
            StoreKind::Sqlite => {
                query_scalar(statement)
                    .fetch_one(&mut self.sqlite().await)
                    .await
            }
        }
        .unwrap_or_else(|error| panic!("looking at the rows failed: {error}"))
    }

    /// The first column of every row as text; the statement casts what is not text.
    ///
    /// # Panics
    /// Where the statement fails or the column is not text.
    pub async fn texts(&self, sql_postgres: &str, sql_sqlite: &str) -> Vec<Option<String>> {
        let statement = AssertSqlSafe(self.pick(sql_postgres, sql_sqlite).to_owned());
        match self.kind {
            StoreKind::Postgres => {
                query_scalar(statement)
                    .fetch_all(&mut self.postgres().await)
                    .await
            }
            StoreKind::Sqlite => {
                query(statement)
                    .try_map(|row: SqliteRow| row.try_get(0))
                    .fetch_all(&mut self.sqlite().await)
                    .await
            }
        }
        .unwrap_or_else(|error| panic!("looking at the rows failed: {error}"))
    }

    /// Changes rows behind the store's back; how many. An empty SQLite text means that PostgreSQL's
    /// serves both.
    ///
    /// # Panics
    /// Where the statement fails.
    pub async fn execute(&self, sql_postgres: &str, sql_sqlite: &str) -> u64 {
        let statement = AssertSqlSafe(self.pick(sql_postgres, sql_sqlite).to_owned());
        match self.kind {
            StoreKind::Postgres => query(statement)
                .execute(&mut self.postgres().await)
                .await
                .map(|done| done.rows_affected()),
            StoreKind::Sqlite => query(statement)
                .execute(&mut self.sqlite().await)
                .await
                .map(|done| done.rows_affected()),
        }
        .unwrap_or_else(|error| panic!("changing the rows failed: {error}"))
    }

    /// Moves every instant of one key's row back, as if `by` had passed.
    ///
    /// # Panics
    /// Where the statement fails or there is no such row: a test that ages nothing proves nothing.
    pub async fn age_key(&self, key: &ClaimKey, by: Duration) {
        let rows = self.age(Rows::Key(key), by).await;
        assert_eq!(rows, 1, "there is no row to age under this key");
    }

    /// Moves every instant of every row back; how many rows.
    ///
    /// # Panics
    /// Where the statement fails.
    pub async fn age_all(&self, by: Duration) -> u64 {
        self.age(Rows::Keys, by).await
    }

    /// Moves every instant of every card back; how many cards.
    ///
    /// # Panics
    /// Where the statement fails or there is no card: a test that ages nothing proves nothing.
    pub async fn age_cards(&self, by: Duration) -> u64 {
        let cards = self.age(Rows::Cards, by).await;
        assert!(cards > 0, "there is no card to age");
        cards
    }

    /// Moves every instant of every run back; how many runs.
    ///
    /// # Panics
    /// Where the statement fails or there is no run.
    pub async fn age_runs(&self, by: Duration) -> u64 {
        let runs = self.age(Rows::Runs, by).await;
        assert!(runs > 0, "there is no run to age");
        runs
    }

    /// Moves the beginning of every turn back; how many turns.
    ///
    /// # Panics
    /// Where the statement fails or there is no turn.
    pub async fn age_turns(&self, by: Duration) -> u64 {
        let turns = self.age(Rows::Turns, by).await;
        assert!(turns > 0, "there is no turn to age");
        turns
    }

    async fn age(&self, rows: Rows<'_>, by: Duration) -> u64 {
        let aged = idem_core::testing::age(&self.url, rows, by).await;
        aged.unwrap_or_else(|error| panic!("ageing {rows:?} failed: {error}"))
    }

    fn table(&self, name: &str) -> String {
        match self.kind {
            StoreKind::Postgres => format!("agent.{name}"),
            StoreKind::Sqlite => format!("agent_{name}"),
        }
    }

    fn pick<'a>(&self, sql_postgres: &'a str, sql_sqlite: &'a str) -> &'a str {
        let own = self.kind == StoreKind::Sqlite && !sql_sqlite.is_empty();
        if own { sql_sqlite } else { sql_postgres }
    }

    async fn postgres(&self) -> PgConnection {
        PgConnection::connect(&self.url)
            .await
            .expect("a connection to the test's database")
    }

    async fn sqlite(&self) -> SqliteConnection {
        let options: SqliteConnectOptions = self.url.parse().expect("the test's own SQLite URL");
        let options = options.create_if_missing(true);
        SqliteConnection::connect_with(&options)
            .await
            .expect("a connection to the test's file")
    }
}
