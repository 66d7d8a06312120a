//! `effect = "transactional"`: effect and answer commit together (R32).

use crate::calls::{MINUTE, answer, call, create_table, keys, of_row, schedules, turn};
use idem_tests::vendor::Gate;
use idem_tests::{StoreKind, TestStore};
use idem_tools::{CallError, Idem, IdemBuilder, SetupError, Turn, tool_input, tool_output};
use std::collections::VecDeque;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

#[tool_input]
pub(crate) struct CreateSchedule {
    pub(crate) name: String,
}

#[tool_output]
#[derive(Debug, PartialEq)]
pub(crate) struct Schedule {
    pub(crate) name: String,
    #[serde(deserialize_with = "readable")]
    pub(crate) note: String,
}

const UNREADABLE: &str = "what is written and not read";

/// An answer whose type does not read all that it writes.
fn readable<'de, D: serde::Deserializer<'de>>(from: D) -> Result<String, D::Error> {
    let note: String = serde::Deserialize::deserialize(from)?;
    match note.as_str() {
        UNREADABLE => Err(serde::de::Error::custom("it cannot be read")),
        _ => Ok(note),
    }
}

/// What one execution of the tool does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Step {
    Commit,
    CommitTooMuch,
    CommitUnreadable,
    WaitThenCommit,
    WriteThenWait,
    WriteThenHang,
    WriteThenNoEffect,
    WriteThenUnknown,
    WriteThenForeign,
    WriteThenAnswer,
    WriteThenPanic,
    WriteTwice,
    CommitThenFail,
    CommitThenPanic,
    CommitThenHang,
    BeginTwice,
}

/// What the executions do, and what the test and they tell each other.
#[derive(Clone, Debug, Default)]
pub(crate) struct Script {
    steps: Arc<Mutex<VecDeque<Step>>>,
    pub(crate) runs: Arc<AtomicUsize>,
    pub(crate) reached: Gate,
    pub(crate) go: Gate,
}

impl Script {
    pub(crate) fn of(steps: impl IntoIterator<Item = Step>) -> Self {
        let script = Self::default();
        script.steps.lock().expect("steps").extend(steps);
        script
    }

    pub(crate) fn next(&self) -> Step {
        self.runs.fetch_add(1, Ordering::SeqCst);
        let next = self.steps.lock().expect("steps").pop_front();
        next.unwrap_or(Step::Commit)
    }

    pub(crate) fn runs(&self) -> usize {
        self.runs.load(Ordering::SeqCst)
    }
}

/// The same tools for each store: only the context's type differs.
macro_rules! schedule_tools {
    ($module:ident, $store:ident) => {
        pub(crate) mod $module {
            use super::{CreateSchedule, Schedule, Script, Step};
            use crate::calls::schedule_tool;
            use idem_tools::{Committed, ToolContext, ToolError, Transaction, tool, $store};
            use std::future::pending;

            const INSERT: &str = "INSERT INTO schedules (name, made_by) VALUES ($1, $2)";
            const ORPHAN: &str = "INSERT INTO children (parent) VALUES ('nobody')";

            async fn write(
                ctx: &ToolContext<$store>,
                transaction: &mut Transaction<$store>,
                name: &str,
            ) -> Result<(), ToolError> {
                let attempt = i32::try_from(ctx.attempt())?;
                let statement = sqlx::query(INSERT).bind(name).bind(attempt);
                statement.execute(transaction.connection()).await?;
                Ok(())
            }

            schedule_tool! {
                /// Create a schedule.
                create_schedule in 10 s (ctx: $store, input: CreateSchedule) -> Schedule {
                    perform(ctx, input).await
                }
            }

            schedule_tool! {
                /// Create a schedule, soon.
                create_soon in 1 s (ctx: $store, input: CreateSchedule) -> Schedule {
                    perform(ctx, input).await
                }
            }

            schedule_tool! {
                /// Create a schedule with what its commit is refused for.
                create_refused in 10 s (ctx: $store, input: CreateSchedule) -> Schedule {
                    let mut transaction = ctx.transaction().await?;
                    write(ctx, &mut transaction, &input.name).await?;
                    let orphan = sqlx::query(ORPHAN);
                    orphan.execute(transaction.connection()).await?;
                    let note = String::new();
                    ctx.commit(
                        transaction,
                        Schedule {
                            name: input.name,
                            note,
                        },
                    )
                    .await
                }
            }

            async fn perform(
                ctx: &ToolContext<$store>,
                input: CreateSchedule,
            ) -> Result<Committed<Schedule>, ToolError> {
                let script = ctx.state::<Script>()?;
                let step = script.next();
                if step == Step::WaitThenCommit {
                    script.reached.open();
                    script.go.opened().await;
                }
                let mut transaction = ctx.transaction().await?;
                if step == Step::BeginTwice {
                    ctx.transaction().await?.connection();
                }
                write(ctx, &mut transaction, &input.name).await?;
                match step {
                    Step::WriteThenWait => {
                        script.reached.open();
                        pending::<()>().await;
                    }
                    Step::WriteThenHang => pending::<()>().await,
                    Step::WriteThenNoEffect => {
                        return Err(ToolError::no_effect("busy", "later"));
                    }
                    Step::WriteThenUnknown => return Err(ToolError::unknown("who knows")),
                    Step::WriteThenForeign => {
                        let broken = sqlx::query("SELEC 1");
                        broken.execute(transaction.connection()).await?;
                    }
                    Step::WriteThenAnswer => return Err(ToolError::answer("full", "no room")),
                    Step::WriteThenPanic => panic!("after the write"),
                    Step::WriteTwice => write(ctx, &mut transaction, &input.name).await?,
                    _ => {}
                }
                let note = match step {
                    Step::CommitTooMuch => "n".repeat(9 << 20),
                    Step::CommitUnreadable => super::UNREADABLE.to_owned(),
                    _ => "nnn".to_owned(),
                };
                let schedule = Schedule {
                    name: input.name,
                    note,
                };
                let committed = ctx.commit(transaction, schedule).await?;
                match step {
                    Step::CommitThenFail => Err(ToolError::no_effect("busy", "later")),
                    Step::CommitThenPanic => panic!("after the commit"),
                    Step::CommitThenHang => pending().await,
                    _ => Ok(committed),
                }
            }
        }
    };
}

schedule_tools!(on_sqlite, Sqlite);
schedule_tools!(on_postgres, Postgres);

pub(crate) async fn builder(store: &TestStore, script: &Script) -> IdemBuilder {
    let builder = Idem::open(&store.url).await.expect("the store opens");
    let builder = builder.state(script.clone());
    match store.kind {
        StoreKind::Sqlite => builder
            .tool::<on_sqlite::create_schedule>()
            .tool::<on_sqlite::create_soon>()
            .tool::<on_sqlite::create_refused>(),
        StoreKind::Postgres => builder
            .tool::<on_postgres::create_schedule>()
            .tool::<on_postgres::create_soon>()
            .tool::<on_postgres::create_refused>(),
    }
}

/// A worker of its own, with a pool of its own.
pub(crate) async fn worker(store: &TestStore, script: &Script) -> Turn {
    turn(&builder(store, script).await.build().expect("the tools fit"))
}

/// R32: the effect is there with its answer, and every repeat gets that answer without an execution.
pub(crate) async fn the_effect_and_its_answer_commit_together_and_replay(store: TestStore) {
    create_table(&store).await;
    let script = Script::default();
    let first = answer(&worker(&store, &script).await, "create_schedule").await;
    assert!(!first.replayed);
    let schedule: Schedule = first.decode().expect("a schedule");
    assert_eq!(
        (schedule.name.as_str(), schedule.note.as_str()),
        ("daily", "nnn")
    );
    assert_eq!((schedules(&store).await, first.attempt), (1, 1));
    assert_eq!(of_row(&store, "status = 'completed'").await, 1);
    let second = answer(&worker(&store, &script).await, "create_schedule").await;
    assert!(second.replayed);
    assert_eq!(second.result, first.result);
    assert_eq!((schedules(&store).await, script.runs()), (1, 1));
}

/// R32, contract 1: one owner, one row; the others get its answer or are told that it is in flight.
pub(crate) async fn twenty_concurrent_equal_calls_in_two_runtimes_make_one_row(store: TestStore) {
    create_table(&store).await;
    let script = Script::default();
    let workers = [worker(&store, &script).await, worker(&store, &script).await];
    let mut calls = tokio::task::JoinSet::new();
    for at in 0..20 {
        let turn = workers[at % 2].clone();
        calls.spawn(async move { call(&turn, "create_schedule").await });
    }
    let mut answered = 0;
    while let Some(result) = calls.join_next().await {
        match result.expect("a call") {
            Ok(answer) => {
                answered += 1;
                assert_eq!(
                    answer.decode::<Schedule>().expect("a schedule").name,
                    "daily"
                );
            }
            Err(CallError::ClaimInFlight { .. }) => {}
            Err(other) => panic!("{other}"),
        }
    }
    assert!(answered >= 10, "the owner's process shares its execution");
    assert_eq!((schedules(&store).await, script.runs()), (1, 1));
}

/// R32: what did not commit did not happen, so a claim alone leaves no doubt.
pub(crate) async fn a_transactional_claim_is_not_marked_dispatched(store: TestStore) {
    create_table(&store).await;
    let script = Script::of([Step::WaitThenCommit]);
    let turn = worker(&store, &script).await;
    let calling = tokio::spawn(async move { answer(&turn, "create_schedule").await });
    script.reached.opened().await;
    assert_eq!(of_row(&store, "dispatched_at IS NULL").await, 1);
    script.go.open();
    calling.await.expect("a call");
}

/// R32: a tool of another store is refused when the parts are put together, naming both.
pub(crate) async fn a_transactional_tool_of_another_store_is_refused_by_name(store: TestStore) {
    let builder = Idem::open(&store.url).await.expect("the store opens");
    let (builder, needs, opened) = match store.kind {
        StoreKind::Sqlite => {
            let builder = builder.tool::<on_postgres::create_schedule>();
            (builder, "PostgreSQL", "SQLite")
        }
        StoreKind::Postgres => {
            let builder = builder.tool::<on_sqlite::create_schedule>();
            (builder, "SQLite", "PostgreSQL")
        }
    };
    let refused = builder.build().expect_err("another store");
    let tool = "create_schedule".to_owned();
    assert_eq!(
        refused,
        SetupError::AnotherStore {
            tool,
            needs,
            opened
        }
    );
    assert!(refused.to_string().contains(needs) && refused.to_string().contains(opened));
}

/// R17: the first caller and every replay are told that it was done.
pub(crate) async fn an_answer_that_a_row_cannot_take_is_replaced_by_a_note_and_the_effect_stands(
    store: TestStore,
) {
    create_table(&store).await;
    let script = Script::of([Step::CommitTooMuch]);
    commits_and_is_not_stored(&store, &script).await;
}

/// R17: what its own type could not read back is found before the commit, and told to everybody; the effect stands.
pub(crate) async fn an_answer_that_does_not_read_back_commits_the_effect_and_says_so(
    store: TestStore,
) {
    create_table(&store).await;
    let script = Script::of([Step::CommitUnreadable]);
    commits_and_is_not_stored(&store, &script).await;
}

async fn commits_and_is_not_stored(store: &TestStore, script: &Script) {
    let turn = worker(store, script).await;
    for replayed in [false, true] {
        let told = answer(&turn, "create_schedule").await;
        assert_eq!(told.replayed, replayed);
        assert_eq!(told.failure().expect("a note").code, "answer_not_stored");
    }
    assert_eq!((schedules(store).await, script.runs()), (1, 1));
}

/// R32: the second would wait for the first, which waits for the body.
pub(crate) async fn a_second_transaction_beside_an_open_one_is_refused(store: TestStore) {
    create_table(&store).await;
    let script = Script::of([Step::BeginTwice]);
    let turn = worker(&store, &script).await;
    let refused = answer(&turn, "create_schedule").await;
    assert_eq!(refused.failure().expect("refused").code, "transaction_open");
    assert_eq!((schedules(&store).await, keys(&store).await), (0, 0));
    assert!(answer(&turn, "create_schedule").await.value().is_some());
}

/// R32: a mark on a transactional claim is that of an earlier version of the tool, whose effect no rollback undoes.
pub(crate) async fn doubt_left_by_an_earlier_class_is_not_run_again(store: TestStore) {
    create_table(&store).await;
    let script = Script::of([Step::WaitThenCommit]);
    let (doomed, told) = (store.clone(), script.clone());
    crate::calls::on_a_runtime_that_dies(async move {
        let turn = worker(&doomed, &told).await;
        tokio::spawn(async move { call(&turn, "create_schedule").await });
        told.reached.opened().await;
    })
    .await;
    store
        .execute(
            "UPDATE agent.idempotency_keys SET dispatched_at = claimed_at",
            "UPDATE agent_idempotency_keys SET dispatched_at = claimed_at",
        )
        .await;
    store.age_all(MINUTE).await;
    let told = answer(&worker(&store, &script).await, "create_schedule").await;
    assert_eq!(told.failure().expect("unknown").code, "outcome_unknown");
    assert_eq!((schedules(&store).await, script.runs()), (0, 1));
}
