//! How a body runs, in forms that no other target has.

use idem_tests::{StoreKind, TestStore};
use idem_tools::{Committed, Postgres, Sqlite, State, ToolContext, ToolError, tool};

use crate::bench::{Bench, call, code, text};
use crate::tools::Ledger;

#[tool(scope = "tool.sum.add", timeout_s = 30)]
fn add(a: u32, b: u32, ledger: State<Ledger>) -> Result<u32, ToolError> {
    ledger.write(format!("{a}+{b}"));
    a.checked_add(b)
        .ok_or_else(|| ToolError::answer("too_large", "the sum is too large"))
}

/// R13: a synchronous body has the endings of any other.
pub(crate) async fn a_synchronous_body_runs_once(store: TestStore) {
    let bench = Bench::new(store);
    let turn = bench.turn_with(|idem| idem.tool::<add>()).await;
    for replayed in [false, true] {
        let sum = call(&turn, "add", r#"{"a":1,"b":2}"#).await;
        assert_eq!(
            (sum.decode::<u32>().expect("a sum"), sum.replayed),
            (3, replayed)
        );
        let large = call(&turn, "add", r#"{"a":4294967295,"b":2}"#).await;
        assert_eq!((code(&large), large.replayed), ("too_large", replayed));
    }
    assert_eq!(bench.ledger.effects(), ["1+2", "4294967295+2"]);
}

#[tool(scope = "tool.letter.drop", timeout_s = 30)]
fn drop_letter(to: String, ledger: State<Ledger>) -> Result<String, ToolError> {
    ledger.write(to);
    panic!("after the effect")
}

/// R14, R34: a panic stays inside, and its outcome is not known.
pub(crate) async fn a_synchronous_body_that_panics_may_have_made_its_effect(store: TestStore) {
    let bench = Bench::new(store);
    let turn = bench.turn_with(|idem| idem.tool::<drop_letter>()).await;
    for _ in 0..2 {
        let answered = call(&turn, "drop_letter", r#"{"to":"ann"}"#).await;
        assert_eq!(code(&answered), "outcome_unknown");
    }
    assert_eq!(bench.ledger.effects(), ["ann"]);
}

#[tool(
    scope = "tool.schedule.create",
    timeout_s = 10,
    effect = "transactional",
    name = "create"
)]
async fn create_on_sqlite(
    name: &str,
    ledger: State<Ledger>,
    ctx: &ToolContext<Sqlite>,
) -> Result<Committed<String>, ToolError> {
    let transaction = ctx.transaction().await?;
    ctx.commit(transaction, ledger.write(name.to_owned())).await
}

#[tool(
    scope = "tool.schedule.create",
    timeout_s = 10,
    effect = "transactional",
    name = "create"
)]
async fn create_on_postgres(
    name: &str,
    ledger: State<Ledger>,
    ctx: &ToolContext<Postgres>,
) -> Result<Committed<String>, ToolError> {
    let transaction = ctx.transaction().await?;
    ctx.commit(transaction, ledger.write(name.to_owned())).await
}

/// R32: the context names the store from any place of the signature.
pub(crate) async fn a_transaction_commits_with_plain_arguments(store: TestStore) {
    let bench = Bench::new(store);
    let kind = bench.store.kind;
    let turn = bench
        .turn_with(|idem| match kind {
            StoreKind::Sqlite => idem.tool::<create_on_sqlite>(),
            StoreKind::Postgres => idem.tool::<create_on_postgres>(),
        })
        .await;
    let first = call(&turn, "create", r#"{"name":"daily"}"#).await;
    let again = call(&turn, "create", r#"{"name":"daily"}"#).await;
    assert!(!first.replayed && again.replayed);
    assert_eq!(
        (text(&first), text(&again)),
        ("effect-1".into(), "effect-1".into())
    );
    assert_eq!(bench.ledger.effects(), ["daily"]);
}

/// The function stays a function: called from Rust it runs its body, each time, and the plane knows nothing of it.
pub(crate) async fn a_function_that_is_called_as_written_leaves_no_row(store: TestStore) {
    let bench = Bench::new(store);
    let _opened = bench.turn_with(|idem| idem.tool::<add>()).await;
    let ledger = State::new(bench.ledger.clone());
    for _ in 0..2 {
        assert_eq!(add(1, 2, ledger.clone()).expect("a sum"), 3);
    }
    assert_eq!(bench.ledger.effects(), ["1+2", "1+2"]);
    assert_eq!(bench.rows().await, 0);
}
