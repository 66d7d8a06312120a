//! A database of its own for each test.

mod rows;

use idem_tools::testing;
pub use rows::TestStore;

/// Which database a test runs on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StoreKind {
    /// One file in a temporary folder.
    Sqlite,
    /// A database on the server of `DATABASE_URL`.
    Postgres,
}

/// The database of one test. Dropping it removes the database, also when the test panics.
#[derive(Debug)]
pub struct TestDatabase {
    own: testing::TestStore,
    kind: StoreKind,
}

impl TestDatabase {
    /// Makes an empty database. Blocks; not to be called on a runtime's thread.
    ///
    /// # Panics
    /// For PostgreSQL, where `DATABASE_URL` is missing or its server makes no databases.
    #[must_use]
    pub fn create(kind: StoreKind) -> Self {
        let own = match kind {
            StoreKind::Sqlite => testing::TestStore::sqlite(),
            StoreKind::Postgres => testing::TestStore::postgres(&admin_url()),
        };
        Self { own, kind }
    }

    /// The URL to open the store with.
    #[must_use]
    pub fn url(&self) -> &str {
        self.own.url()
    }

    /// A handle for the test. It does not keep the database alive.
    #[must_use]
    pub fn store(&self) -> TestStore {
        TestStore {
            url: self.url().to_owned(),
            kind: self.kind,
            grouped: false,
        }
    }
}

fn admin_url() -> String {
    let url = std::env::var("DATABASE_URL")
        .ok()
        .filter(|url| !url.is_empty());
    url.unwrap_or_else(|| {
        panic!("DATABASE_URL is not set: run tests/run, which starts a PostgreSQL for the tests")
    })
}
