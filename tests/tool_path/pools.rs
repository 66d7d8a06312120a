//! No connection is held while a body runs, so a body may use the very pool of the store (R19, C21).

use std::sync::Arc;
use std::time::Duration;

use idem_core::Store;
use idem_core::postgres::PostgresStore;
use idem_core::sqlite::SqliteStore;
use idem_tests::StoreKind;
use idem_tests::vendor::Keys;
use idem_tools::{Idem, ToolContext, ToolError, tool, tool_input};
use serde_json::json;
use sqlx::postgres::{PgPool, PgPoolOptions};
use sqlx::sqlite::{
    SqliteConnectOptions, SqliteJournalMode, SqlitePool, SqlitePoolOptions, SqliteSynchronous,
};

use crate::setting::{Setting, World, call};
use crate::tools::post;

const CALLS: usize = 20;
const ACQUIRE_TIMEOUT: Duration = Duration::from_secs(10);

/// The pool that the store and the tools share.
#[derive(Debug, Clone)]
enum Pool {
    Sqlite(SqlitePool),
    Postgres(PgPool),
}

impl Pool {
    async fn open(setting: &Setting, connections: u32) -> (Self, Arc<dyn Store>) {
        // Makes the tables.
        drop(setting.store.open().await);
        let url = &setting.store.url;
        match setting.store.kind {
            StoreKind::Sqlite => {
                let options: SqliteConnectOptions = url.parse().expect("the test's URL");
                let options = options
                    .journal_mode(SqliteJournalMode::Wal)
                    .synchronous(SqliteSynchronous::Full)
                    .busy_timeout(ACQUIRE_TIMEOUT);
                let pool = SqlitePoolOptions::new()
                    .max_connections(connections)
                    .acquire_timeout(ACQUIRE_TIMEOUT);
                let pool = pool.connect_with(options).await.expect("a pool");
                let store = SqliteStore::from_pool(pool.clone());
                (Self::Sqlite(pool), Arc::new(store))
            }
            StoreKind::Postgres => {
                let pool = PgPoolOptions::new()
                    .max_connections(connections)
                    .acquire_timeout(ACQUIRE_TIMEOUT);
                let pool = pool.connect(url).await.expect("a pool");
                let store = PostgresStore::from_pool(pool.clone());
                (Self::Postgres(pool), Arc::new(store))
            }
        }
    }

    async fn add(&self, a: i64, b: i64) -> Result<i64, sqlx::Error> {
        let sum = "SELECT CAST($1 AS BIGINT) + CAST($2 AS BIGINT)";
        match self {
            Self::Sqlite(pool) => {
                let sum = sqlx::query_scalar(sum).bind(a).bind(b);
                sum.fetch_one(pool).await
            }
            Self::Postgres(pool) => {
                let sum = sqlx::query_scalar(sum).bind(a).bind(b);
                sum.fetch_one(pool).await
            }
        }
    }
}

#[tool_input]
struct Number {
    n: i64,
}

/// Asks the database before and after it asks the vendor.
#[tool(scope = "tool.number.double", timeout_s = 60)]
async fn double(ctx: &ToolContext, input: Number) -> Result<i64, ToolError> {
    let pool = ctx.state::<Pool>()?;
    let twice = pool.add(input.n, input.n).await?;
    post(ctx, json!(input.n)).await?;
    Ok(pool.add(twice, 0).await?)
}

/// R19, C21: twenty calls at once whose bodies use the store's own pool, of one connection and of two.
pub(crate) async fn bodies_may_use_the_pool_of_the_store(setting: Setting) {
    for connections in [1, 2] {
        let world = World::new(&setting, Keys::Ignored).await;
        let (pool, store) = Pool::open(&setting, connections).await;
        let builder = Idem::with_store(store).await.expect("a good store");
        let builder = world.equip(builder).state(pool).tool::<double>();
        let worker = world.worker_of(builder.build().expect("one tool"));
        let turn = worker.turn();
        let calls: Vec<_> = (0..CALLS)
            .map(|n| {
                let turn = turn.clone();
                tokio::spawn(async move {
                    let answer = call(&turn, "double", &format!(r#"{{"n":{n}}}"#)).await;
                    (n, answer)
                })
            })
            .collect();
        for task in calls {
            let (n, answer) = task.await.expect("a task that ends");
            let answer = answer.unwrap_or_else(|error| panic!("{n}: {error}"));
            let doubled = answer.decode::<usize>();
            assert_eq!(doubled.expect("a number"), 2 * n);
        }
        assert_eq!(world.counted(), (CALLS, CALLS), "{connections} connections");
    }
}

/// R19: while a body waits, the pool of one connection is free, and no transaction stands open.
pub(crate) async fn a_body_that_waits_holds_no_connection(setting: Setting) {
    let world = World::new(&setting, Keys::Ignored).await;
    let (pool, store) = Pool::open(&setting, 1).await;
    let builder = Idem::with_store(store).await.expect("a good store");
    let builder = world.equip(builder).state(pool.clone()).tool::<double>();
    let worker = world.worker_of(builder.build().expect("one tool"));
    let gate = world.next_is_slow();
    let waiting = worker.begin("double", r#"{"n":1}"#);
    world.vendor.wait_for_requests(1).await;
    assert_eq!(pool.add(20, 22).await.expect("the one connection"), 42);
    let other = worker.answer("double", r#"{"n":2}"#).await;
    assert_eq!(other.decode::<i64>().expect("a number"), 4);
    gate.open();
    let first = waiting.await.expect("a task that ends").expect("an answer");
    assert_eq!(first.decode::<i64>().expect("a number"), 2);
    assert_eq!(world.counted(), (2, 2));
}
