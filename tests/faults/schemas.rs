//! Which schema a store may have (R19, R74): this build's, and no other.

use idem_core::{OpenMode, RepositoryError, open};
use idem_tests::{StoreKind, TestDatabase, TestStore};
use idem_tools::Idem;

/// Far beyond any migration that this build can know.
const LATER: i64 = 999;

pub(crate) async fn a_newer_schema_is_refused_with_both_numbers(store: TestStore) {
    store.open().await;
    let later = format!(
        "INTO {{}} (version, description, success, execution_time, checksum) \
         VALUES ({LATER}, 'later', true, 0, "
    );
    let postgres = format!("INSERT {later}'')").replace("{}", "agent._idem_migrations");
    let sqlite = format!("INSERT {later}x'')").replace("{}", "_idem_migrations");
    store.execute(&postgres, &sqlite).await;
    for mode in [OpenMode::Migrate, OpenMode::AsIs] {
        let error = open(&store.url, mode).await.expect_err("a newer schema");
        let RepositoryError::SchemaNewer { found, known } = error else {
            panic!("a newer schema is refused as one: {error}");
        };
        assert_eq!((found, known), (LATER, 4));
        let text = error.to_string();
        assert!(
            text.contains("999") && text.contains("knows 4") && text.contains("update"),
            "both numbers, and what to do: {text}"
        );
    }
    let error = Idem::open(&store.url).await.err();
    assert!(matches!(error, Some(RepositoryError::SchemaNewer { .. })));
}

async fn tables(store: &TestStore) -> i64 {
    store
        .number(
            "SELECT count(*) FROM information_schema.tables WHERE table_schema = 'agent'",
            "SELECT count(*) FROM sqlite_schema",
        )
        .await
}

async fn assert_older(store: &TestStore) {
    let error = open(&store.url, OpenMode::AsIs)
        .await
        .expect_err("a schema that is not this build's");
    let RepositoryError::SchemaOlder { found, known } = error else {
        panic!("an older schema is refused as one: {error}");
    };
    assert_eq!((found, known), (0, 4));
    assert!(error.to_string().contains("migrat"), "what to do: {error}");
    let error = Idem::open_as_is(&store.url).await.err();
    assert!(matches!(error, Some(RepositoryError::SchemaOlder { .. })));
}

pub(crate) async fn a_missing_schema_is_refused_where_nothing_may_be_changed(store: TestStore) {
    assert_older(&store).await;
    assert_eq!(tables(&store).await, 0, "nothing was made");
}

/// An older database, as one that has begun its migrations and finished none.
pub(crate) async fn an_older_schema_is_refused_where_nothing_may_be_changed(store: TestStore) {
    store.open().await;
    let before = tables(&store).await;
    let undone = "UPDATE agent._idem_migrations SET success = false";
    store
        .execute(undone, "UPDATE _idem_migrations SET success = false")
        .await;
    assert_older(&store).await;
    assert_eq!(tables(&store).await, before);
}

pub(crate) async fn the_schema_of_this_build_opens_as_it_is(store: TestStore) {
    store.open().await;
    open(&store.url, OpenMode::AsIs).await.unwrap();
}

const COLUMNS_POSTGRES: &str = "
    SELECT table_name || '.' || column_name FROM information_schema.columns
     WHERE table_schema = 'agent' ORDER BY 1";
const COLUMNS_SQLITE: &str = "
    SELECT replace(t.name, 'agent_', '') || '.' || c.name
      FROM sqlite_schema t JOIN pragma_table_info(t.name) c
     WHERE t.type = 'table' AND (t.name LIKE 'agent\\_%' ESCAPE '\\' OR t.name = '_idem_migrations')
     ORDER BY 1";

async fn columns(store: &TestStore) -> Vec<String> {
    store.open().await;
    let columns = store.texts(COLUMNS_POSTGRES, COLUMNS_SQLITE).await;
    let mut columns: Vec<_> = columns.into_iter().flatten().collect();
    columns.sort();
    columns
}

/// R74: what a person learns on one store is true on the other.
pub(crate) async fn the_stores_have_the_same_tables_and_columns(store: TestStore) {
    let twin = TestDatabase::create(StoreKind::Sqlite);
    let (postgres, sqlite) = (columns(&store).await, columns(&twin.store()).await);
    assert!(postgres.contains(&"idempotency_keys.lease_token".to_owned()));
    assert!(postgres.contains(&"turns.started_at".to_owned()));
    assert_eq!(postgres, sqlite, "left: PostgreSQL, right: SQLite");
}
