//! One list of cases, two stores: [`both_stores!`](crate::both_stores) and what it calls.

use std::future::Future;

use crate::database::{StoreKind, TestDatabase, TestStore};

/// Turns a list of cases into the tests `sqlite::group::case` and `postgres::group::case`.
///
/// A case is `pub(crate) async fn case(store: TestStore)` in a module `group` at the root of the
/// test binary, named by the rule that it proves. Each test has a database of its own and a runtime with
/// several threads. The binary is no library, so a case that stands in no list is dead code, and
/// the compiler says so.
///
/// ```text
/// mod claims;
/// idem_tests::both_stores! {
///     claims::{a_live_lease_cannot_be_stolen, a_dead_lease_is_taken_over},
/// }
/// ```
#[macro_export]
#[allow(
    clippy::crate_in_macro_def,
    reason = "the cases are in the calling test binary"
)]
macro_rules! both_stores {
    ($($group:ident::{$($case:ident),+ $(,)?}),+ $(,)?) => {
        mod sqlite { $(mod $group { $(
            #[test]
            fn $case() { $crate::run_case($crate::StoreKind::Sqlite, crate::$group::$case); }
        )+ })+ }
        mod postgres { $(mod $group { $(
            #[test]
            fn $case() { $crate::run_case($crate::StoreKind::Postgres, crate::$group::$case); }
        )+ })+ }
    };
}

/// As [`both_stores!`](crate::both_stores), and each case once more on each store with its verbs grouped:
/// `sqlite_grouped::group::case` and `postgres_grouped::group::case`.
#[macro_export]
#[allow(
    clippy::crate_in_macro_def,
    reason = "the cases are in the calling test binary"
)]
macro_rules! both_stores_and_grouped {
    ($($group:ident::{$($case:ident),+ $(,)?}),+ $(,)?) => {
        $crate::both_stores! { $($group::{$($case),+}),+ }
        mod sqlite_grouped { $(mod $group { $(
            #[test]
            fn $case() { $crate::run_grouped($crate::StoreKind::Sqlite, crate::$group::$case); }
        )+ })+ }
        mod postgres_grouped { $(mod $group { $(
            #[test]
            fn $case() { $crate::run_grouped($crate::StoreKind::Postgres, crate::$group::$case); }
        )+ })+ }
    };
}

/// Runs one case against a fresh database of the given kind.
pub fn run_case<Case, Running>(kind: StoreKind, case: Case)
where
    Case: FnOnce(TestStore) -> Running,
    Running: Future<Output = ()>,
{
    run(kind, false, case);
}

/// As [`run_case`], and what the case opens groups its verbs.
pub fn run_grouped<Case, Running>(kind: StoreKind, case: Case)
where
    Case: FnOnce(TestStore) -> Running,
    Running: Future<Output = ()>,
{
    run(kind, true, case);
}

fn run<Case, Running>(kind: StoreKind, grouped: bool, case: Case)
where
    Case: FnOnce(TestStore) -> Running,
    Running: Future<Output = ()>,
{
    // The order is the guarantee: locals are dropped last to first, also while a panic unwinds, so
    // the runtime ends every task that still talks to the database before the database goes.
    let database = TestDatabase::create(kind);
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build()
        .expect("a tokio runtime");
    // On the heap, because a case's future may be larger than a test thread's stack likes.
    let store = TestStore {
        grouped,
        ..database.store()
    };
    runtime.block_on(Box::pin(case(store)));
}
