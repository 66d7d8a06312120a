//! Each test's database is its own, and goes with it.

use std::panic::{AssertUnwindSafe, catch_unwind};

use sqlx::{Connection, PgConnection, query_scalar};

use crate::{StoreKind, TestDatabase, run_case};

fn runtime() -> tokio::runtime::Runtime {
    tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .expect("a runtime")
}

#[test]
fn a_postgres_database_is_empty_and_goes_when_its_test_panics() {
    let name = std::sync::Mutex::new(String::new());
    let ended = catch_unwind(AssertUnwindSafe(|| {
        run_case(StoreKind::Postgres, async |store| {
            let own = store.texts("SELECT current_database()::text", "").await;
            *name.lock().expect("a name") = own[0].clone().expect("a name");
            panic!("as a failing test does");
        });
    }));
    assert!(ended.is_err());
    let name = name
        .into_inner()
        .unwrap_or_else(std::sync::PoisonError::into_inner);
    let left: i64 = runtime().block_on(async {
        let url = std::env::var("DATABASE_URL").expect("DATABASE_URL, see tests/run");
        let mut connection = PgConnection::connect(&url).await.expect("the server");
        let left = query_scalar("SELECT count(*) FROM pg_database WHERE datname = $1");
        left.bind(name)
            .fetch_one(&mut connection)
            .await
            .expect("a count")
    });
    assert_eq!(left, 0);
}

#[test]
fn a_sqlite_folder_goes_with_its_test() {
    let database = TestDatabase::create(StoreKind::Sqlite);
    runtime().block_on(database.store().execute("CREATE TABLE t (a)", ""));
    let file = database.url().trim_start_matches("sqlite://").to_owned();
    let folder = std::path::Path::new(&file)
        .parent()
        .expect("a folder")
        .to_owned();
    assert!(std::path::Path::new(&file).exists());
    drop(database);
    assert!(!folder.exists());
}

#[test]
fn many_databases_can_be_made_at_once() {
    let makers: Vec<_> = (0..8)
        .map(|_| std::thread::spawn(|| TestDatabase::create(StoreKind::Postgres)))
        .collect();
    let made: Vec<_> = makers
        .into_iter()
        .map(|maker| maker.join().expect("a database"))
        .collect();
    let urls: std::collections::HashSet<_> = made.iter().map(TestDatabase::url).collect();
    assert_eq!(urls.len(), made.len());
}
