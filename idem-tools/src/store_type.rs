//! Which store a tool is written for: a type parameter of its context, so that its transaction is the store's own.

use idem_core::Store;

/// A tool that asks nothing of the store: it runs on any.
#[derive(Debug)]
pub enum AnyStore {}

/// A tool whose effect is rows in the SQLite file that is also Idem's store.
#[derive(Debug)]
pub enum Sqlite {}

/// A tool whose effect is rows in the PostgreSQL database that is also Idem's store.
#[derive(Debug)]
pub enum Postgres {}

/// The store that a tool is written for: [`AnyStore`], [`Sqlite`] or [`Postgres`].
pub trait StoreType: sealed::Kind + Send + Sync + 'static {
    /// Its name, for people.
    const NAME: &'static str;
}

impl StoreType for AnyStore {
    const NAME: &'static str = "any store";
}

impl StoreType for Sqlite {
    const NAME: &'static str = "SQLite";
}

impl StoreType for Postgres {
    const NAME: &'static str = "PostgreSQL";
}

/// A store with transactions that a tool's effect can share: [`Sqlite`] and [`Postgres`], each with its feature.
pub trait TransactionalStore: StoreType + sealed::Transactions {}

#[cfg(feature = "sqlite")]
impl TransactionalStore for Sqlite {}

#[cfg(feature = "postgres")]
impl TransactionalStore for Postgres {}

/// What an opened store is called.
pub(crate) fn name_of(store: &dyn Store) -> &'static str {
    if <Sqlite as sealed::Kind>::is(store) {
        Sqlite::NAME
    } else if <Postgres as sealed::Kind>::is(store) {
        Postgres::NAME
    } else {
        "another store"
    }
}

pub(crate) mod sealed {
    use super::{AnyStore, Postgres, Sqlite, Store};
    use idem_core::{Answer, CommitError, Fence, RepositoryError};
    use std::fmt::Debug;

    /// Whether a store is of this kind.
    pub trait Kind {
        fn is(store: &dyn Store) -> bool;
    }

    impl Kind for AnyStore {
        fn is(_: &dyn Store) -> bool {
            true
        }
    }

    impl Kind for Sqlite {
        #[cfg(feature = "sqlite")]
        fn is(store: &dyn Store) -> bool {
            store
                .concrete()
                .is_some_and(|store| store.is::<idem_core::sqlite::SqliteStore>())
        }

        #[cfg(not(feature = "sqlite"))]
        fn is(_: &dyn Store) -> bool {
            false
        }
    }

    impl Kind for Postgres {
        #[cfg(feature = "postgres")]
        fn is(store: &dyn Store) -> bool {
            store
                .concrete()
                .is_some_and(|store| store.is::<idem_core::postgres::PostgresStore>())
        }

        #[cfg(not(feature = "postgres"))]
        fn is(_: &dyn Store) -> bool {
            false
        }
    }

    /// A store's own transactions, as the context uses them.
    pub trait Transactions: Sized {
        /// The store.
        type Store: Clone + Send + Sync + 'static;
        /// Its transaction.
        type Transaction: Send + Debug;
        /// The driver's connection.
        type Connection;

        fn begin(
            store: &Self::Store,
        ) -> impl Future<Output = Result<Self::Transaction, RepositoryError>> + Send;

        fn connection(transaction: &mut Self::Transaction) -> &mut Self::Connection;

        fn fence(
            store: &Self::Store,
            transaction: &mut Self::Transaction,
            fence: &Fence,
        ) -> impl Future<Output = Result<bool, RepositoryError>> + Send;

        fn complete(
            store: &Self::Store,
            transaction: &mut Self::Transaction,
            fence: &Fence,
            answer: &Answer,
        ) -> impl Future<Output = Result<bool, RepositoryError>> + Send;

        fn is_whole(
            transaction: &mut Self::Transaction,
        ) -> impl Future<Output = Result<bool, RepositoryError>> + Send;

        fn commit(
            transaction: Self::Transaction,
        ) -> impl Future<Output = Result<(), CommitError>> + Send;

        fn rollback(transaction: Self::Transaction) -> impl Future<Output = ()> + Send;
    }

    /// One text for both stores, whose methods have the same names.
    #[cfg(any(feature = "sqlite", feature = "postgres"))]
    macro_rules! transactions {
        ($kind:ty, $store:ty, $transaction:ty, $connection:ty) => {
            impl Transactions for $kind {
                type Store = $store;
                type Transaction = $transaction;
                type Connection = $connection;

                async fn begin(store: &$store) -> Result<$transaction, RepositoryError> {
                    store.begin().await
                }

                fn connection(transaction: &mut $transaction) -> &mut $connection {
                    transaction.connection()
                }

                async fn fence(
                    store: &$store,
                    transaction: &mut $transaction,
                    fence: &Fence,
                ) -> Result<bool, RepositoryError> {
                    store.fence_in(transaction.connection(), fence).await
                }

                async fn complete(
                    store: &$store,
                    transaction: &mut $transaction,
                    fence: &Fence,
                    answer: &Answer,
                ) -> Result<bool, RepositoryError> {
                    let connection = transaction.connection();
                    let stored = store.complete_in(connection, fence, answer).await?;
                    Ok(stored.is_some())
                }

                async fn is_whole(transaction: &mut $transaction) -> Result<bool, RepositoryError> {
                    transaction.is_whole().await
                }

                async fn commit(transaction: $transaction) -> Result<(), CommitError> {
                    transaction.commit().await
                }

                async fn rollback(transaction: $transaction) {
                    if let Err(error) = transaction.rollback().await {
                        // The connection went with the transaction, and the store undoes it.
                        tracing::debug!(%error, "a rollback was not acknowledged");
                    }
                }
            }
        };
    }

    #[cfg(feature = "sqlite")]
    transactions!(
        Sqlite,
        idem_core::sqlite::SqliteStore,
        idem_core::sqlite::SqliteTransaction,
        idem_core::sqlite::SqliteConnection
    );

    #[cfg(feature = "postgres")]
    transactions!(
        Postgres,
        idem_core::postgres::PostgresStore,
        idem_core::postgres::PostgresTransaction,
        idem_core::postgres::PgConnection
    );
}
