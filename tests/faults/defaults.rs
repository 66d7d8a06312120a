//! What a PostgreSQL session has to have set (R9, R19; P16, P18): refused at the start with the
//! statement that mends it, and that statement does.

use idem_core::{OpenMode, RepositoryError, open};
use idem_tests::TestStore;

use crate::role::{Role, statement_in, told_statement, with_role};

/// Sets a default, has the store refused, runs what it was told, and opens.
async fn refused_until_mended(role: Role, setting: &str, is_right: fn(&RepositoryError) -> bool) {
    role.set(setting).await;
    for mode in [OpenMode::AsIs, OpenMode::Migrate] {
        let error = open(&role.url, mode).await.err();
        let error = error.unwrap_or_else(|| panic!("{setting} is accepted with {mode:?}"));
        assert!(is_right(&error), "{setting}, {mode:?}: {error:?}");
        assert!(!error.is_transient(), "asking again does not help");
        let told = told_statement(&error);
        let (name, database) = (&role.name, &role.database);
        let form = format!("ALTER ROLE \"{name}\" IN DATABASE \"{database}\" SET ");
        assert!(told.starts_with(&form), "{told}");
    }
    let error = open(&role.url, OpenMode::AsIs).await.expect_err(setting);
    role.store.execute(&told_statement(&error), "").await;
    let mended = open(&role.url, OpenMode::AsIs).await;
    mended.unwrap_or_else(|error| panic!("{setting} is mended, and it says: {error}"));
}

async fn with_tables(store: TestStore, setting: &'static str, right: fn(&RepositoryError) -> bool) {
    with_role(store, move |role| async move {
        open(&role.url, OpenMode::Migrate).await.unwrap();
        refused_until_mended(role, setting, right).await;
    })
    .await;
}

fn not_durable(error: &RepositoryError) -> bool {
    matches!(error, RepositoryError::NotDurable { setting, .. } if *setting == "synchronous_commit")
}

pub(crate) async fn commits_that_are_not_synchronous_are_refused_until_the_told_statement_ran(
    store: TestStore,
) {
    with_tables(store, "synchronous_commit = off", not_durable).await;
}

/// A role's default in a database goes before the database's own.
pub(crate) async fn a_databases_default_is_mended_by_the_told_statement_too(store: TestStore) {
    with_role(store, |role| async move {
        let database = &role.database;
        let altered = format!("ALTER DATABASE \"{database}\" SET synchronous_commit = off");
        role.store.execute(&altered, "").await;
        let error = open(&role.url, OpenMode::Migrate).await;
        let error = error.expect_err("an answer could be lost");
        assert!(not_durable(&error), "{error:?}");
        role.store.execute(&told_statement(&error), "").await;
        open(&role.url, OpenMode::AsIs).await.unwrap();
    })
    .await;
}

fn isolation(error: &RepositoryError) -> bool {
    matches!(error, RepositoryError::Session { setting, .. }
        if *setting == "default_transaction_isolation")
}

/// P18: at another level a claim fails where it should meet the other's row.
pub(crate) async fn another_isolation_level_is_refused_until_the_told_statement_ran(
    store: TestStore,
) {
    let setting = "default_transaction_isolation = 'repeatable read'";
    with_tables(store, setting, isolation).await;
}

fn read_only(error: &RepositoryError) -> bool {
    matches!(error, RepositoryError::ReadOnly(_))
}

pub(crate) async fn a_read_only_role_is_refused_until_the_told_statement_ran(store: TestStore) {
    with_tables(store, "default_transaction_read_only = on", read_only).await;
}

/// Opening with migration on sets the lock timeout itself, so this is about roles that open as is.
pub(crate) async fn a_lock_timeout_of_zero_is_refused_until_the_told_statement_ran(
    store: TestStore,
) {
    with_role(store, |role| async move {
        open(&role.url, OpenMode::Migrate).await.unwrap();
        let (name, database) = (&role.name, &role.database);
        for value in ["0", "'1min'"] {
            let wrong = format!(
                "ALTER ROLE \"{name}\" IN DATABASE \"{database}\" SET lock_timeout = {value}"
            );
            role.store.execute(&wrong, "").await;
            let error = open(&role.url, OpenMode::AsIs).await;
            let error = error.expect_err("a wait could eat a lease");
            assert!(
                matches!(&error, RepositoryError::Session { setting, .. }
                    if *setting == "lock_timeout"),
                "{error:?}"
            );
            role.store.execute(&told_statement(&error), "").await;
            open(&role.url, OpenMode::AsIs).await.unwrap();
            role.store.execute(&wrong, "").await;
            open(&role.url, OpenMode::Migrate).await.unwrap();
        }
    })
    .await;
}

/// A session that acts as a group has no right to its login role's defaults. Migration goes through,
/// and what it could not set is told.
pub(crate) async fn a_role_that_may_not_alter_itself_is_told_the_statement(store: TestStore) {
    with_role(store, |role| async move {
        let (name, database) = (&role.name, &role.database);
        let group = format!("{name}-group");
        for statement in [
            format!("CREATE ROLE \"{group}\""),
            format!("GRANT \"{group}\" TO \"{name}\""),
            format!("GRANT CREATE ON DATABASE \"{database}\" TO \"{group}\""),
            format!("ALTER ROLE \"{name}\" SET role = '{group}'"),
        ] {
            role.store.execute(&statement, "").await;
        }
        let refused = open(&role.url, OpenMode::Migrate).await;
        let told = refused.as_ref().err().and_then(statement_in);
        if let Some(told) = &told {
            role.store.execute(told, "").await;
        }
        let mended = open(&role.url, OpenMode::Migrate).await.map(|_| ());
        for statement in ["DROP OWNED BY", "DROP ROLE"] {
            let statement = format!("{statement} \"{group}\"");
            role.store.execute(&statement, "").await;
        }
        let told = told.expect("the lock timeout could not be set");
        let form = format!("ALTER ROLE \"{name}\" IN DATABASE \"{database}\" SET lock_timeout = ");
        assert!(told.starts_with(&form), "{told}");
        mended.unwrap();
    })
    .await;
}
