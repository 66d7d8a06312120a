//! Another program that writes to the same database without a pause.

use std::time::Duration;

use sqlx::sqlite::{SqliteConnectOptions, SqliteJournalMode, SqliteSynchronous};
use sqlx::{Connection, PgConnection, SqliteConnection, query, raw_sql};

use crate::Lines;
use crate::order::Event;
use crate::tell;

/// How long the writer itself waits for the file.
const BUSY_TIMEOUT: Duration = Duration::from_secs(60);
const TABLE: &str = "CREATE TABLE IF NOT EXISTS noise (n integer)";
const ROW: &str = "INSERT INTO noise (n) VALUES (1)";

/// Writes until the next line; it says so when it has begun, and how much it wrote.
pub(crate) async fn write(url: &str, lines: &mut Lines) {
    let wrote = if url.starts_with("sqlite:") {
        to_sqlite(url, lines).await
    } else {
        to_postgres(url, lines).await
    };
    tell(&match wrote {
        Ok(rows) => Event::Wrote(rows),
        Err(error) => Event::Failed(error.to_string()),
    });
}

async fn to_sqlite(url: &str, lines: &mut Lines) -> Result<u64, sqlx::Error> {
    let options: SqliteConnectOptions = url.parse()?;
    let options = options.create_if_missing(true).busy_timeout(BUSY_TIMEOUT);
    let options = options.journal_mode(SqliteJournalMode::Wal);
    let options = options.synchronous(SqliteSynchronous::Full);
    let mut connection = SqliteConnection::connect_with(&options).await?;
    raw_sql(TABLE).execute(&mut connection).await?;
    let mut rows = 0;
    while lines.try_recv().is_err() {
        rows += query(ROW).execute(&mut connection).await?.rows_affected();
        begun(rows);
    }
    Ok(rows)
}

async fn to_postgres(url: &str, lines: &mut Lines) -> Result<u64, sqlx::Error> {
    let mut connection = PgConnection::connect(url).await?;
    raw_sql(TABLE).execute(&mut connection).await?;
    let mut rows = 0;
    while lines.try_recv().is_err() {
        rows += query(ROW).execute(&mut connection).await?.rows_affected();
        begun(rows);
    }
    Ok(rows)
}

fn begun(rows: u64) {
    if rows == 1 {
        tell(&Event::Ready);
    }
}
