//! Moves rows back in time, and makes and removes a test's database; each on a connection of its own (feature
//! `testing`).

use super::{PgConnection, options, sort_error, unreachable};
use crate::error::RepositoryError;
use crate::testing::Rows;
use sqlx::postgres::PgQueryResult;
use sqlx::{AssertSqlSafe, Connection, query, raw_sql};
use std::time::Duration;
use uuid::Uuid;

/// A database that a test has to itself, on a server that others use too. It stays until it is
/// [removed](Self::remove).
#[derive(Clone, Debug)]
pub struct OwnDatabase {
    server: String,
    name: String,
}

impl OwnDatabase {
    /// A database under a random name, which nobody has [made](Self::make) yet.
    #[must_use]
    pub fn on(server: &str) -> Self {
        Self {
            server: server.to_owned(),
            name: format!("idem_test_{}", Uuid::new_v4().simple()),
        }
    }

    /// Makes it, empty. May be asked again after any error: a database whose making was not acknowledged is removed
    /// first, so that none stays behind.
    ///
    /// # Errors
    ///
    /// [`RepositoryError::Address`] for an address that cannot be read, and what the server says: its role may make no
    /// databases, or the template is busy, which passes.
    pub async fn make(&self) -> Result<(), RepositoryError> {
        self.remove().await?;
        self.run(include_str!("testing/create_database.sql")).await
    }

    /// The URL to open the store with: the server's, with this database.
    #[must_use]
    pub fn url(&self) -> String {
        with_database(&self.server, &self.name)
    }

    /// Its name on the server.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Removes the database, with whoever is still connected to it.
    ///
    /// # Errors
    ///
    /// What the server says.
    pub async fn remove(&self) -> Result<(), RepositoryError> {
        self.run(include_str!("testing/drop_database.sql")).await
    }

    /// Runs a statement that names the database, on the server's own.
    async fn run(&self, statement: &str) -> Result<(), RepositoryError> {
        // The name is made here, of letters and digits.
        let statement = AssertSqlSafe(statement.replace("{name}", &self.name));
        let mut connection = connect(&self.server).await?;
        let done = raw_sql(statement).execute(&mut connection).await;
        close(connection, done).await.map(drop)
    }
}

pub(crate) async fn age(url: &str, rows: Rows<'_>, by: Duration) -> Result<u64, RepositoryError> {
    let by = i64::try_from(by.as_micros()).unwrap_or(i64::MAX);
    let mut connection = connect(url).await?;
    let moving = match rows {
        Rows::Key(_) => query(include_str!("testing/age_key.sql")),
        Rows::Keys => query(include_str!("testing/age_keys.sql")),
        Rows::Cards => query(include_str!("testing/age_cards.sql")),
        Rows::Turns => query(include_str!("testing/age_turns.sql")),
        Rows::Runs => query(include_str!("testing/age_runs.sql")),
    };
    let mut moving = moving.bind(by);
    if let Rows::Key(key) = rows {
        moving = moving
            .bind(key.organization().as_uuid())
            .bind(key.scope().as_str())
            .bind(key.key().as_bytes().as_slice());
    }
    let moved = moving.execute(&mut connection).await;
    close(connection, moved).await
}

pub(crate) async fn pass_leases(url: &str) -> Result<u64, RepositoryError> {
    let mut connection = connect(url).await?;
    let moving = query(include_str!("testing/pass_leases.sql"));
    let moved = moving.execute(&mut connection).await;
    close(connection, moved).await
}

async fn connect(url: &str) -> Result<PgConnection, RepositoryError> {
    let options = options(url)?;
    let connected = PgConnection::connect_with(&options).await;
    connected.map_err(|error| unreachable(&options, &error))
}

async fn close(
    connection: PgConnection,
    moved: Result<PgQueryResult, sqlx::Error>,
) -> Result<u64, RepositoryError> {
    let rows = moved.map_err(sort_error)?.rows_affected();
    connection.close().await.map_err(sort_error)?;
    Ok(rows)
}

/// The same server, user and options, with another database.
fn with_database(url: &str, name: &str) -> String {
    let (place, options) = url.split_once('?').unwrap_or((url, ""));
    let start = place.find("://").map_or(0, |at| at + "://".len());
    let end = place[start..]
        .find('/')
        .map_or(place.len(), |at| start + at);
    let mark = if options.is_empty() { "" } else { "?" };
    format!("{}/{name}{mark}{options}", &place[..end])
}

#[cfg(test)]
mod tests {
    use super::with_database;

    #[test]
    fn the_database_is_replaced_and_the_rest_stays() {
        let url = "postgres://me:p%40ss@db.example:6000/postgres?sslmode=disable";
        assert_eq!(
            with_database(url, "other"),
            "postgres://me:p%40ss@db.example:6000/other?sslmode=disable"
        );
        assert_eq!(
            with_database("postgres://localhost", "other"),
            "postgres://localhost/other"
        );
    }
}
