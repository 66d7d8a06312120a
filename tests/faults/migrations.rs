//! Migrations beside an application's own, and by many at once (R74).

use std::borrow::Cow;

use idem_core::{OpenMode, open};
use idem_tests::{StoreKind, TestStore};
use sqlx::migrate::{MigrateError, Migration, MigrationType, Migrator};
use sqlx::{Connection, PgConnection, SqlSafeStr, SqliteConnection};
use tokio::sync::Barrier;
use tokio::task::JoinSet;

use crate::plane::{claim, request, service};

async fn migrations_done(store: &TestStore) -> i64 {
    store
        .number(
            "SELECT count(*) FROM agent._idem_migrations WHERE success",
            "SELECT count(*) FROM _idem_migrations WHERE success",
        )
        .await
}

pub(crate) async fn eight_tasks_open_one_fresh_database_at_once(store: TestStore) {
    let barrier = std::sync::Arc::new(Barrier::new(8));
    let mut tasks = JoinSet::new();
    for _ in 0..8 {
        let (url, barrier) = (store.url.clone(), barrier.clone());
        tasks.spawn(async move {
            barrier.wait().await;
            open(&url, OpenMode::Migrate).await.map(|_| ())
        });
    }
    for opened in tasks.join_all().await {
        opened.unwrap_or_else(|error| panic!("one of eight does not open: {error}"));
    }
    assert_eq!(migrations_done(&store).await, 4);
}

pub(crate) async fn migrating_twice_changes_nothing(store: TestStore) {
    let service_before = service(&store.open().await);
    let claim = claim(&service_before, &request(1)).await;
    service_before.leave_in_doubt(claim);
    store.open().await;
    assert_eq!(migrations_done(&store).await, 4);
    assert_eq!(store.count_rows("idempotency_keys").await, 1);
}

/// The application's own migrator, with the table that the driver gives it by default and with the
/// number that Idem's first migration has too.
async fn migrate_application(store: &TestStore) -> Result<(), MigrateError> {
    let own = Migrator::with_migrations(vec![Migration::new(
        1,
        Cow::Borrowed("the application's"),
        MigrationType::Simple,
        "CREATE TABLE gardens (id integer PRIMARY KEY)".into_sql_str(),
        false,
    )]);
    match store.kind {
        StoreKind::Postgres => {
            let mut connection = PgConnection::connect(&store.url).await?;
            own.run_direct(None, &mut connection, false).await?;
            Ok(connection.close().await?)
        }
        StoreKind::Sqlite => {
            let url = format!("{}?mode=rwc", store.url);
            let mut connection = SqliteConnection::connect(&url).await?;
            own.run_direct(None, &mut connection, false).await?;
            Ok(connection.close().await?)
        }
    }
}

/// A second migrator in the same database is no trouble to either, whoever comes first and again.
pub(crate) async fn an_applications_own_migrations_are_undisturbed(store: TestStore) {
    for _ in 0..2 {
        migrate_application(&store).await.unwrap();
        store.open().await;
    }
    let own = "SELECT count(*) FROM _sqlx_migrations WHERE success";
    assert_eq!(store.number(own, "").await, 1);
    assert_eq!(migrations_done(&store).await, 4);
    assert_eq!(store.number("SELECT count(*) FROM gardens", "").await, 0);
}
