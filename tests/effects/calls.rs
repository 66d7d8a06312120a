//! What the cases share: who calls, the application's own table, and how a worker dies.

use idem_tests::TestStore;
use idem_tools::{Answered, CallError, Idem, ProposedCall, Turn};
use std::time::Duration;

pub(crate) const MINUTE: Duration = Duration::from_secs(60);
pub(crate) const DAY: Duration = Duration::from_secs(24 * 60 * 60);

/// A tool that makes a schedule in its transaction, on one store. Its `timeout_s` stands behind its name.
macro_rules! schedule_tool {
    (
        $(#[$($says:tt)+])*
        $name:ident in $timeout_s:tt s ($ctx:ident: $store:ident, $input:ident: $takes:ident) -> $makes:ident
        {$($body:tt)*}
    ) => {
        $(#[$($says)+])*
        #[tool(scope = "tool.schedule.create", timeout_s = $timeout_s, effect = "transactional")]
        pub(crate) async fn $name(
            $ctx: &ToolContext<$store>,
            $input: $takes,
        ) -> Result<Committed<$makes>, ToolError> {
            $($body)*
        }
    };
}
pub(crate) use schedule_tool;

pub(crate) fn turn(idem: &Idem) -> Turn {
    let organization = "7f3c0d9e-4d0b-4b2a-9c55-0c5f4b1d2a10"
        .parse()
        .expect("a uuid");
    let actor = idem.organization(organization).principal("ann");
    let run = actor.expect("a principal").run("run-1");
    run.expect("a run").turn(1)
}

/// Calls a tool with one argument, `name`.
pub(crate) async fn call(turn: &Turn, tool: &str) -> Result<Answered, CallError> {
    let proposed = ProposedCall::new("call-1", tool, r#"{"name": "daily"}"#);
    let settled = turn.call(proposed).await?;
    Ok(settled.answer().expect("an answer"))
}

/// As [`call`], where an answer is expected.
pub(crate) async fn answer(turn: &Turn, tool: &str) -> Answered {
    let answered = call(turn, tool).await;
    answered.unwrap_or_else(|error| panic!("no answer: {error}"))
}

/// As [`call`], where the call is expected to be in flight; for how long.
pub(crate) async fn in_flight(turn: &Turn, tool: &str) -> Duration {
    match call(turn, tool).await {
        Err(CallError::ClaimInFlight { retry_after, .. }) => retry_after,
        other => panic!("not in flight: {other:?}"),
    }
}

/// The application's own table, in the store's database.
pub(crate) async fn create_table(store: &TestStore) {
    store.open().await;
    let statement = "CREATE TABLE schedules (name text NOT NULL UNIQUE, made_by int NOT NULL)";
    store.execute(statement, "").await;
}

/// How many effects there are.
pub(crate) async fn schedules(store: &TestStore) -> i64 {
    store.number("SELECT count(*) FROM schedules", "").await
}

/// Rows of the plane.
pub(crate) async fn keys(store: &TestStore) -> i64 {
    store.count_rows("idempotency_keys").await
}

/// A number from the one row of the plane.
pub(crate) async fn of_row(store: &TestStore, what: &str) -> i64 {
    let (postgres, sqlite) = (
        format!("SELECT ({what})::int::bigint FROM agent.idempotency_keys"),
        format!("SELECT ({what}) FROM agent_idempotency_keys"),
    );
    store.number(&postgres, &sqlite).await
}

/// Runs something on a runtime of its own and drops that runtime with whatever is under way: the end of a worker.
pub(crate) async fn on_a_runtime_that_dies<Work>(work: Work)
where
    Work: Future<Output = ()> + Send + 'static,
{
    let dies = tokio::task::spawn_blocking(move || {
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(2)
            .enable_all()
            .build()
            .expect("a runtime");
        runtime.block_on(work);
    });
    dies.await.expect("the worker came to where it dies");
}
