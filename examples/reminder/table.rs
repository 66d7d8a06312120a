//! The application's own table of reminders, on either store. Idem knows nothing of it.

use sqlx::postgres::PgConnectOptions;
use sqlx::sqlite::{SqliteConnectOptions, SqliteJournalMode, SqliteSynchronous};
use sqlx::{ConnectOptions, Connection, PgConnection, SqliteConnection};

use crate::Outcome;

const CREATE: &str = include_str!("sql/create_table.sql");
const INSERT: &str = include_str!("sql/insert_reminder.sql");
const COUNT: &str = include_str!("sql/count_reminders.sql");

/// One row of the table.
#[derive(Clone, Debug)]
pub(crate) struct Row {
    pub(crate) id: String,
    pub(crate) organization: String,
    pub(crate) text: String,
    pub(crate) hour: u8,
    pub(crate) minute: u8,
    pub(crate) every: String,
}

/// What the application does with its table, over a driver's connection: a pool's, or a transaction's.
pub(crate) trait Reminders: Send {
    /// Makes the table where it is missing.
    async fn create_table(&mut self) -> sqlx::Result<()>;

    /// Writes one reminder.
    fn insert(&mut self, row: &Row) -> impl Future<Output = sqlx::Result<()>> + Send;

    /// How many reminders an organization has.
    async fn count(&mut self, organization: &str) -> sqlx::Result<i64>;
}

/// The statements are the same text for both drivers; only the connection's type differs.
macro_rules! reminders {
    ($connection:ty) => {
        impl Reminders for $connection {
            async fn create_table(&mut self) -> sqlx::Result<()> {
                sqlx::query(CREATE).execute(self).await.map(|_| ())
            }

            async fn insert(&mut self, row: &Row) -> sqlx::Result<()> {
                let statement = sqlx::query(INSERT)
                    .bind(row.id.as_str())
                    .bind(row.organization.as_str())
                    .bind(row.text.as_str())
                    .bind(i32::from(row.hour))
                    .bind(i32::from(row.minute))
                    .bind(row.every.as_str());
                statement.execute(self).await.map(|_| ())
            }

            async fn count(&mut self, organization: &str) -> sqlx::Result<i64> {
                let count = sqlx::query_scalar(COUNT).bind(organization);
                count.fetch_one(self).await
            }
        }
    };
}

reminders!(SqliteConnection);
reminders!(PgConnection);

/// Opens the file as Idem does, so that every commit is synced, and makes it where it is missing.
pub(crate) async fn sqlite(url: &str) -> sqlx::Result<SqliteConnection> {
    let options: SqliteConnectOptions = url.parse()?;
    let options = options.create_if_missing(true);
    let options = options.journal_mode(SqliteJournalMode::Wal);
    options.synchronous(SqliteSynchronous::Full).connect().await
}

/// Makes the table where it is missing.
pub(crate) async fn create(url: &str) -> Outcome<()> {
    if is_sqlite(url) {
        let mut connection = sqlite(url).await?;
        connection.create_table().await?;
        connection.close().await?;
    } else {
        let mut connection = postgres(url).await?;
        connection.create_table().await?;
        connection.close().await?;
    }
    Ok(())
}

/// How many reminders an organization has, as anybody sees it: what is not committed does not count.
pub(crate) async fn count(url: &str, organization: &str) -> Outcome<u32> {
    let rows = if is_sqlite(url) {
        let mut connection = sqlite(url).await?;
        let rows = connection.count(organization).await?;
        connection.close().await?;
        rows
    } else {
        let mut connection = postgres(url).await?;
        let rows = connection.count(organization).await?;
        connection.close().await?;
        rows
    };
    Ok(u32::try_from(rows)?)
}

async fn postgres(url: &str) -> sqlx::Result<PgConnection> {
    url.parse::<PgConnectOptions>()?.connect().await
}

/// Which of the two stores an address is of.
pub(crate) fn is_sqlite(url: &str) -> bool {
    url.starts_with("sqlite:")
}
