//! Makes and removes a test's database on the server of `DATABASE_URL`.

use std::time::Duration;

use sqlx::{AssertSqlSafe, Connection, PgConnection, raw_sql};
use uuid::Uuid;

use crate::url;

/// How often a database is asked for while the server is busy with its template.
const CREATE_ATTEMPTS_MAX: u32 = 50;
/// The pause between two attempts.
const CREATE_PAUSE: Duration = Duration::from_millis(100);
/// `object_in_use`: somebody is connected to the template.
const OBJECT_IN_USE: &str = "55006";

fn admin_url() -> String {
    std::env::var("DATABASE_URL")
        .ok()
        .filter(|url| !url.is_empty())
        .unwrap_or_else(|| {
            panic!(
                "DATABASE_URL is not set: run tests/run, which starts a PostgreSQL for the tests"
            )
        })
}

/// Makes an empty database under a random name; its URL and its name.
pub(super) fn create() -> (String, String) {
    let admin = admin_url();
    let name = format!("idem_test_{}", Uuid::new_v4().simple());
    let url = url::with_database(&admin, &name);
    let created = name.clone();
    blocking(async move { create_from_template(&admin, &created).await })
        .unwrap_or_else(|error| panic!("no database for the test: {error}"));
    (url, name)
}

/// Removes a database, with whoever is still connected to it. Called while a panic may be
/// unwinding, when a second one would abort the process; so it only reports.
pub(super) fn remove(name: &str) {
    let admin = admin_url();
    let statement = format!("DROP DATABASE IF EXISTS {name} WITH (FORCE)");
    let removed = blocking(async move {
        let mut connection = PgConnection::connect(&admin).await?;
        raw_sql(AssertSqlSafe(statement))
            .execute(&mut connection)
            .await?;
        connection.close().await
    });
    if let Err(error) = removed {
        eprintln!("the test's database {name} stays behind: {error}");
    }
}

/// `template0`, because nobody can connect to it: the copy of a template fails while anybody but
/// its copier is connected. Only autovacuum ever is.
async fn create_from_template(admin: &str, name: &str) -> Result<(), sqlx::Error> {
    let mut connection = PgConnection::connect(admin).await?;
    let mut attempt = 1;
    loop {
        let statement = AssertSqlSafe(format!("CREATE DATABASE {name} TEMPLATE template0"));
        match raw_sql(statement).execute(&mut connection).await {
            Err(error) if is_busy(&error) && attempt < CREATE_ATTEMPTS_MAX => {
                attempt += 1;
                // Waits for autovacuum to leave the template; nothing announces that.
                tokio::time::sleep(CREATE_PAUSE).await;
            }
            Err(error) => return Err(error),
            Ok(_) => return connection.close().await,
        }
    }
}

fn is_busy(error: &sqlx::Error) -> bool {
    error
        .as_database_error()
        .and_then(|error| error.code())
        .is_some_and(|code| code == OBJECT_IN_USE)
}

/// Runs a future to its end on a thread and a runtime of its own, wherever the caller stands: a
/// test's own runtime may be the one that is going down.
fn blocking<Output, Work>(work: Work) -> Result<Output, sqlx::Error>
where
    Output: Send + 'static,
    Work: Future<Output = Result<Output, sqlx::Error>> + Send + 'static,
{
    let thread = std::thread::spawn(move || {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()?;
        runtime.block_on(work)
    });
    thread
        .join()
        .unwrap_or_else(|_| Err(sqlx::Error::WorkerCrashed))
}
