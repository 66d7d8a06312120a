//! A role of a case's own on the PostgreSQL server of the test, removed at the end of the case.

use std::future::Future;
use std::panic::resume_unwind;

use idem_tests::TestStore;
use idem_tests::url;
use uuid::Uuid;

/// A role that may make a schema in the test's database, and log in.
#[derive(Debug, Clone)]
pub(crate) struct Role {
    pub(crate) name: String,
    pub(crate) database: String,
    pub(crate) url: String,
    pub(crate) store: TestStore,
}

impl Role {
    /// Changes a default of the role's sessions, as an administrator.
    pub(crate) async fn set(&self, setting: &str) {
        let role = &self.name;
        let altered = format!("ALTER ROLE \"{role}\" SET {setting}");
        self.store.execute(&altered, "").await;
    }
}

/// Runs a case with a role of its own. Roles belong to the server and not to the database, so it goes
/// also when the case fails.
pub(crate) async fn with_role<Case, Running>(store: TestStore, case: Case)
where
    Case: FnOnce(Role) -> Running,
    Running: Future<Output = ()> + Send + 'static,
{
    // A name that has to be quoted, as a role may have.
    let name = format!("Idem-test-{}", Uuid::new_v4().simple());
    let database = store.texts("SELECT current_database()::text", "").await;
    let database = database[0].clone().expect("a name");
    for statement in [
        format!("CREATE ROLE \"{name}\" LOGIN PASSWORD 'pass-{name}'"),
        format!("GRANT CREATE ON DATABASE \"{database}\" TO \"{name}\""),
    ] {
        store.execute(&statement, "").await;
    }
    let address = url::address(&store.url);
    let role = Role {
        url: format!("postgres://{name}:pass-{name}@{address}/{database}"),
        name: name.clone(),
        database,
        store: store.clone(),
    };
    let played = tokio::spawn(case(role)).await;
    for statement in ["DROP OWNED BY", "DROP ROLE"] {
        store.execute(&format!("{statement} \"{name}\""), "").await;
    }
    if let Err(failed) = played {
        resume_unwind(failed.into_panic());
    }
}

/// The statement that a refusal tells the reader to run, where it tells one.
pub(crate) fn statement_in(error: &impl ToString) -> Option<String> {
    let text = error.to_string();
    let (_, told) = text.split_once("run `")?;
    told.split_once('`').map(|(told, _)| told.to_owned())
}

/// The statement that a refusal has to tell.
#[track_caller]
pub(crate) fn told_statement(error: &impl ToString) -> String {
    let told = statement_in(error);
    told.unwrap_or_else(|| panic!("no statement is told: {}", error.to_string()))
}
