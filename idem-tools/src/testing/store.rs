//! A store of the test's own, in which time can be made to pass.

#[cfg(feature = "postgres")]
use super::blocking::blocking;
use crate::{Idem, IdemBuilder};
#[cfg(feature = "postgres")]
use idem_core::postgres::testing::OwnDatabase;
use idem_core::testing::{self, Rows};
use std::time::Duration;

/// How often a server is asked for a database while its template is in use.
#[cfg(feature = "postgres")]
const CREATE_ATTEMPTS_MAX: u32 = 50;
/// The pause between two attempts.
#[cfg(feature = "postgres")]
const CREATE_PAUSE: Duration = Duration::from_millis(100);

/// A fresh, empty store. Dropping it removes it, also where the test panics.
///
/// Time is moved by moving the rows back in it: the store's clock decides, and no test waits.
#[derive(Debug)]
pub struct TestStore {
    url: String,
    place: Place,
}

/// What has to be removed at the end.
#[derive(Debug)]
enum Place {
    #[cfg(feature = "sqlite")]
    Folder {
        /// Removed by its own `Drop`.
        _folder: tempfile::TempDir,
    },
    #[cfg(feature = "postgres")]
    Server(OwnDatabase),
}

impl TestStore {
    /// A SQLite file in a temporary folder.
    ///
    /// # Panics
    ///
    /// Where there is no such folder.
    #[cfg(feature = "sqlite")]
    #[must_use]
    pub fn sqlite() -> Self {
        let folder = tempfile::Builder::new().prefix("idem-test-").tempdir();
        let folder = folder.expect("a temporary folder for the test's SQLite file");
        let url = format!("sqlite://{}", folder.path().join("idem.db").display());
        Self::at(url, Place::Folder { _folder: folder })
    }

    /// A database of its own on a PostgreSQL server, by the address of a database on it to which one may connect and
    /// whose role may make databases: what is often called `DATABASE_URL`. That database itself is left alone.
    ///
    /// Blocks its thread for as long as the server needs.
    ///
    /// # Panics
    ///
    /// Where the server makes no database.
    #[cfg(feature = "postgres")]
    #[must_use]
    pub fn postgres(server: &str) -> Self {
        let server = server.to_owned();
        let created = blocking(async move { create(&server).await });
        let own = match created.expect("a thread and a runtime that make the test's database") {
            Ok(own) => own,
            Err(error) => panic!("no database for the test: {error}"),
        };
        Self::at(own.url(), Place::Server(own))
    }

    fn at(url: String, place: Place) -> Self {
        Self { url, place }
    }

    /// The address to open the store with, also from another process.
    #[must_use]
    pub fn url(&self) -> &str {
        &self.url
    }

    /// Opens the store, as [`Idem::open`] does. Each call opens it anew, as another process would.
    ///
    /// # Panics
    ///
    /// Where it does not open.
    pub async fn open(&self) -> IdemBuilder {
        let opened = Idem::open(&self.url).await;
        opened.unwrap_or_else(|error| panic!("the store of the test does not open: {error}"))
    }

    /// Every lease passes, as if each worker that holds a key had been gone for long enough; no more time passes than
    /// that, so a vendor's window stays open. How many leases were alive.
    ///
    /// # Panics
    ///
    /// Where no lease is alive: a test in which nothing passes proves nothing.
    pub async fn leases_pass(&self) -> u64 {
        let held = testing::pass_leases(&self.url).await;
        let held = held.unwrap_or_else(|error| panic!("the leases do not pass: {error}"));
        assert!(
            held > 0,
            "no key is held by a lease that lives, so there is none to pass"
        );
        held
    }

    /// So much time passes for everything: claims, answers, cards and turns. How many rows there are.
    ///
    /// # Panics
    ///
    /// Where the store has no tables yet.
    pub async fn age_everything(&self, by: Duration) -> u64 {
        let mut rows = 0;
        for each in [Rows::Keys, Rows::Cards, Rows::Turns] {
            rows += self.age(each, by).await;
        }
        rows
    }

    /// So much time passes for what people are asked: cards, and a yes that was given. How many cards.
    ///
    /// # Panics
    ///
    /// Where there is no card.
    pub async fn age_approvals(&self, by: Duration) -> u64 {
        let cards = self.age(Rows::Cards, by).await;
        assert!(cards > 0, "there is no card to age");
        cards
    }

    /// So much time passes since every turn began. How many turns.
    ///
    /// # Panics
    ///
    /// Where no turn has begun.
    pub async fn age_turns(&self, by: Duration) -> u64 {
        let turns = self.age(Rows::Turns, by).await;
        assert!(turns > 0, "there is no turn to age");
        turns
    }

    async fn age(&self, rows: Rows<'_>, by: Duration) -> u64 {
        let moved = testing::age(&self.url, rows, by).await;
        moved.unwrap_or_else(|error| panic!("ageing {rows:?} failed: {error}"))
    }
}

impl Drop for TestStore {
    /// A panic may be unwinding, and a second one would abort the process; so a failure is only reported.
    fn drop(&mut self) {
        match &self.place {
            #[cfg(feature = "sqlite")]
            Place::Folder { .. } => {}
            #[cfg(feature = "postgres")]
            Place::Server(own) => {
                let (name, own) = (own.name().to_owned(), own.clone());
                match blocking(async move { own.remove().await }) {
                    Some(Ok(())) => {}
                    Some(Err(error)) => {
                        eprintln!("the test's database {name} stays behind: {error}");
                    }
                    None => eprintln!("the test's database {name} stays behind"),
                }
            }
        }
    }
}

/// Asks again, under one name, while the server's template is in use, by autovacuum for instance; nothing announces its
/// end.
#[cfg(feature = "postgres")]
async fn create(server: &str) -> Result<OwnDatabase, idem_core::RepositoryError> {
    let own = OwnDatabase::on(server);
    let mut attempt = 1;
    loop {
        match own.make().await {
            Err(error) if error.is_transient() && attempt < CREATE_ATTEMPTS_MAX => {
                attempt += 1;
                tokio::time::sleep(CREATE_PAUSE).await;
            }
            Err(error) => {
                // The last reply may be the one that was lost.
                let _ = own.remove().await;
                return Err(error);
            }
            Ok(()) => return Ok(own),
        }
    }
}
