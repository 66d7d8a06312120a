//! Transactions that a body drops, ends by itself, hands to another call, or keeps until its approval ran out.

use crate::calls::{answer, call, create_table, keys, schedule_tool, schedules, turn};
use crate::transactional::{Script, Step, builder};
use idem_core::approval::{DecisionRequest, Verdict};
use idem_core::testing::{Rows, age};
use idem_core::{Principal, Store};
use idem_tests::vendor::Gate;
use idem_tests::{StoreKind, TestStore};
use idem_tools::{
    Checkpoint, Committed, Decision, Idem, Postgres, ProposedCall, Settled, Sqlite, ToolContext,
    ToolError, Transaction, codes, tool, tool_input, tool_output,
};
use std::future::poll_fn;
use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::task::Poll;
use std::time::Duration;
use tokio::sync::{Mutex, mpsc};

#[tool_input]
pub(crate) struct Named {
    name: String,
}

#[tool_output]
pub(crate) struct Made {
    number: u32,
}

/// A statement that a body runs behind its insert.
struct Second(&'static str);

#[derive(Default, Clone)]
struct Sent(Arc<AtomicU32>);

/// Sends once.
#[tool(scope = "tool.mail.send", timeout_s = 10)]
async fn once(ctx: &ToolContext, input: Named) -> Result<Made, ToolError> {
    let _ = input.name;
    let number = ctx.state::<Sent>()?.0.fetch_add(1, Ordering::SeqCst);
    Ok(Made { number })
}

macro_rules! tools_on {
    ($module:ident, $store:ident) => {
        mod $module {
            use super::*;

            /// Where one call leaves its transaction, and another takes it.
            pub(super) struct Parking {
                leave: mpsc::Sender<Transaction<$store>>,
                take: Mutex<mpsc::Receiver<Transaction<$store>>>,
            }

            impl Default for Parking {
                fn default() -> Self {
                    let (leave, take) = mpsc::channel(1);
                    let take = Mutex::new(take);
                    Self { leave, take }
                }
            }

            async fn insert(
                transaction: &mut Transaction<$store>,
                name: String,
            ) -> Result<(), ToolError> {
                sqlx::query("INSERT INTO schedules (name, made_by) VALUES ($1, 1)")
                    .bind(name)
                    .execute(transaction.connection())
                    .await?;
                Ok(())
            }

            schedule_tool! {
                /// Asks for its transaction once, and waits for it no further.
                impatient in 10 s (ctx: $store, input: Named) -> Made {
                    let _ = input.name;
                    {
                        let mut begin = pin!(ctx.transaction());
                        let _ = poll_fn(|cx| Poll::Ready(begin.as_mut().poll(cx))).await;
                    }
                    Err(ToolError::no_effect("impatient", "later"))
                }
            }

            schedule_tool! {
                /// Writes, and leaves its transaction for another.
                parks in 10 s (ctx: $store, input: Named) -> Made {
                    let mut transaction = ctx.transaction().await?;
                    insert(&mut transaction, input.name).await?;
                    let left = ctx.state::<Parking>()?.leave.send(transaction).await;
                    left.expect("somebody takes it");
                    Err(ToolError::no_effect("parked", "somebody else commits it"))
                }
            }

            schedule_tool! {
                /// Commits another's.
                takes in 10 s (ctx: $store, input: Named) -> Made {
                    let _ = input.name;
                    ctx.state::<Gate>()?.open();
                    let mut take = ctx.state::<Parking>()?.take.lock().await;
                    let parked = take.recv().await.expect("another call's transaction");
                    ctx.commit(parked, Made { number: 2 }).await
                }
            }

            schedule_tool! {
                /// Goes on whatever its second statement says.
                goes_on in 10 s (ctx: $store, input: Named) -> Made {
                    let mut transaction = ctx.transaction().await?;
                    insert(&mut transaction, input.name).await?;
                    let second = ctx.state::<Second>()?.0;
                    let _ = sqlx::query(second).execute(transaction.connection()).await;
                    ctx.commit(transaction, Made { number: 3 }).await
                }
            }
        }
    };
}

tools_on!(on_sqlite, Sqlite);
tools_on!(on_postgres, Postgres);

/// A store with one connection that writes.
async fn with_one_connection(store: &TestStore) -> Arc<dyn Store> {
    match store.kind {
        StoreKind::Sqlite => store.open().await,
        StoreKind::Postgres => {
            let options = sqlx::postgres::PgPoolOptions::new().max_connections(1);
            let pool = options.connect(&store.url).await.expect("a pool");
            Arc::new(idem_core::postgres::PostgresStore::from_pool(pool))
        }
    }
}

/// R32: a body that gives up waiting for its transaction leaves none open behind it, which would swallow the claims
/// and answers of other calls.
pub(crate) async fn a_transaction_that_was_given_up_while_it_began_is_rolled_back(
    store: TestStore,
) {
    create_table(&store).await;
    let sent = Sent::default();
    let plane = with_one_connection(&store).await;
    let idem = Idem::with_store(plane).await.expect("the store opens");
    let idem = idem.state(sent.clone()).tool::<once>();
    let idem = match store.kind {
        StoreKind::Sqlite => idem.tool::<on_sqlite::impatient>(),
        StoreKind::Postgres => idem.tool::<on_postgres::impatient>(),
    };
    let turn = turn(&idem.build().expect("the tools fit"));
    let told = answer(&turn, "impatient").await;
    assert_eq!(told.failure().expect("a failure").code, "impatient");
    assert!(answer(&turn, "once").await.value().is_some());
    // Seen by another connection: it is committed.
    assert_eq!(keys(&store).await, 1);
    assert!(answer(&turn, "once").await.replayed);
    assert_eq!(sent.0.load(Ordering::SeqCst), 1);
}

/// R32: a transaction is its own call's. Another one that commits it would make an effect of a call that was released.
pub(crate) async fn another_calls_transaction_is_not_committed(store: TestStore) {
    create_table(&store).await;
    let waits = Gate::new();
    let idem = Idem::open(&store.url).await.expect("the store opens");
    let idem = idem.state(waits.clone());
    let idem = match store.kind {
        StoreKind::Sqlite => idem
            .state(on_sqlite::Parking::default())
            .tool::<on_sqlite::parks>()
            .tool::<on_sqlite::takes>(),
        StoreKind::Postgres => idem
            .state(on_postgres::Parking::default())
            .tool::<on_postgres::parks>()
            .tool::<on_postgres::takes>(),
    };
    let turn = turn(&idem.build().expect("the tools fit"));
    // The second call has its claim before the first one holds the file's one writer.
    let second = turn.clone();
    let takes = tokio::spawn(async move { answer(&second, "takes").await });
    waits.opened().await;
    let parks = answer(&turn, "parks").await;
    assert_eq!(parks.failure().expect("a failure").code, "parked");
    let takes = takes.await.expect("joined");
    assert_eq!(takes.failure().expect("refused").code, codes::NOT_COMMITTED);
    assert_eq!((schedules(&store).await, keys(&store).await), (0, 0));
}

async fn told_after(store: &TestStore, second: &'static str) -> String {
    create_table(store).await;
    let idem = Idem::open(&store.url).await.expect("the store opens");
    let idem = idem.state(Second(second));
    let idem = match store.kind {
        StoreKind::Sqlite => idem.tool::<on_sqlite::goes_on>(),
        StoreKind::Postgres => idem.tool::<on_postgres::goes_on>(),
    };
    let turn = turn(&idem.build().expect("the tool fits"));
    let told = answer(&turn, "goes_on").await;
    told.failure()
        .map_or("a value".to_owned(), |f| f.code.clone())
}

/// R14, R32: a statement of the body's own that ends the transaction leaves nobody knowing what is stored; it is never
/// a success.
pub(crate) async fn a_transaction_that_the_body_ended_is_an_unknown_outcome(store: TestStore) {
    assert_eq!(told_after(&store, "ROLLBACK").await, codes::OUTCOME_UNKNOWN);
    assert_eq!((schedules(&store).await, keys(&store).await), (0, 1));
}

/// As above, where no word of it says so on SQLite: a conflict that rolls back the whole transaction.
pub(crate) async fn a_statement_that_fails_never_makes_a_success_without_its_effect(
    store: TestStore,
) {
    let second = match store.kind {
        StoreKind::Sqlite => {
            "INSERT OR ROLLBACK INTO schedules (name, made_by) VALUES ('daily', 1)"
        }
        StoreKind::Postgres => "INSERT INTO schedules (name, made_by) VALUES ('daily', 1)",
    };
    let expected = match store.kind {
        StoreKind::Sqlite => codes::OUTCOME_UNKNOWN,
        // The transaction is aborted, and is still the one that was begun: it rolls back.
        StoreKind::Postgres => codes::NOT_COMMITTED,
    };
    assert_eq!(told_after(&store, second).await, expected);
    assert_eq!(schedules(&store).await, 0);
}

/// R41, R42: an approved call whose worker stalls before its commit is not told "not done" when its yes runs out: the
/// worker may commit yet.
pub(crate) async fn a_yes_that_ran_out_under_a_stalled_commit_is_an_unknown_outcome(
    store: TestStore,
) {
    create_table(&store).await;
    let script = Script::of([Step::WaitThenCommit]);
    let policy = |_: &Checkpoint<'_>| Decision::ask("a person decides");
    let [slow, other] = [
        builder(&store, &script).await,
        builder(&store, &script).await,
    ];
    let slow = slow.policy(policy).build().expect("the tools fit");
    let other = other.policy(policy).build().expect("the tools fit");
    let proposed = ProposedCall::new("call-1", "create_schedule", r#"{"name": "daily"}"#);
    let Settled::Waiting(waiting) = turn(&slow).call(proposed).await.expect("asks") else {
        panic!("nobody is asked");
    };
    let yes = DecisionRequest {
        id: waiting.card.id,
        shown_hash: waiting.card.effective.shown_hash,
        by: Principal::new("bob").expect("a name"),
        verdict: Verdict::Approve,
    };
    let desk = slow.approvals(waiting.card.organization);
    let _ = desk.decide(&yes).await.expect("decided");
    let at_work = turn(&slow);
    let first = tokio::spawn(async move { call(&at_work, "create_schedule").await });
    script.reached.opened().await;
    let week = Duration::from_secs(8 * 24 * 60 * 60);
    for rows in [Rows::Keys, Rows::Cards] {
        age(&store.url, rows, week).await.expect("aged");
    }
    let told = call(&turn(&other), "create_schedule").await.expect("told");
    assert_eq!(
        told.failure().expect("a failure").code,
        codes::OUTCOME_UNKNOWN
    );
    script.go.open();
    let _ = first.await.expect("joined");
    assert_eq!(schedules(&store).await, 1);
}
