//! A database of its own for each test.

mod postgres;
mod rows;

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
    url: String,
    place: Place,
}

/// What has to be removed at the end.
#[derive(Debug)]
enum Place {
    /// Removed by its own `Drop`.
    Folder { _folder: tempfile::TempDir },
    /// A database's name.
    Server(String),
}

impl TestDatabase {
    /// Makes an empty database. Blocks; not to be called on a runtime's thread.
    ///
    /// # Panics
    /// For PostgreSQL, where `DATABASE_URL` is missing or its server makes no databases.
    #[must_use]
    pub fn create(kind: StoreKind) -> Self {
        match kind {
            StoreKind::Sqlite => {
                let folder = tempfile::Builder::new().prefix("idem-test-").tempdir();
                let folder = folder.expect("a temporary folder for the test's SQLite file");
                let url = format!("sqlite://{}", folder.path().join("idem.db").display());
                Self {
                    url,
                    place: Place::Folder { _folder: folder },
                }
            }
            StoreKind::Postgres => {
                let (url, name) = postgres::create();
                Self {
                    url,
                    place: Place::Server(name),
                }
            }
        }
    }

    /// The URL to open the store with.
    #[must_use]
    pub fn url(&self) -> &str {
        &self.url
    }

    /// A handle for the test. It does not keep the database alive.
    #[must_use]
    pub fn store(&self) -> TestStore {
        let kind = match self.place {
            Place::Folder { .. } => StoreKind::Sqlite,
            Place::Server(_) => StoreKind::Postgres,
        };
        TestStore {
            url: self.url.clone(),
            kind,
        }
    }
}

impl Drop for TestDatabase {
    fn drop(&mut self) {
        if let Place::Server(name) = &self.place {
            postgres::remove(name);
        }
    }
}
