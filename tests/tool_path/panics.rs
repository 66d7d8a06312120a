//! A panic is a failure of its own call, and of nothing else (R34, C29).

use std::sync::{Arc, Mutex, PoisonError};

use idem_tests::vendor::Keys;
use idem_tools::{ProposedCall, ToolContext, ToolError, codes, tool, tool_input};
use serde_json::json;

use crate::setting::{Setting, Worker, World, assert_replays, code, in_flight};
use crate::tools::{Note, Sent, Stops, post};

const ANN: &str = r#"{"to":"ann"}"#;

/// What the three tools share.
type Shared = Arc<Mutex<u32>>;

#[tool(scope = "tool.note.panic_before", timeout_s = 60)]
async fn panic_before(_ctx: &ToolContext, _input: Note) -> Result<Sent, ToolError> {
    panic!("before anything was sent")
}

#[tool(scope = "tool.note.panic_after", timeout_s = 60)]
async fn panic_after(ctx: &ToolContext, input: Note) -> Result<Sent, ToolError> {
    let sent = post(ctx, json!(input.to)).await?;
    panic!("after {}", sent.id)
}

#[tool(
    scope = "tool.note.panic_keyed",
    timeout_s = 60,
    effect = "keyed",
    vendor_window = "24h"
)]
async fn panic_keyed(ctx: &ToolContext, input: Note) -> Result<Sent, ToolError> {
    let sent = post(ctx, json!(input.to)).await?;
    assert!(ctx.attempt() > 1, "the first attempt panics");
    Ok(sent)
}

#[tool(scope = "tool.note.panic_read", timeout_s = 60, effect = "read")]
async fn panic_read(_ctx: &ToolContext, _input: Note) -> Result<Sent, ToolError> {
    panic!("while looking")
}

/// Panics while it holds what the others need, and before it has sent anything.
#[tool(scope = "tool.note.panic_holding", timeout_s = 60)]
async fn panic_holding(ctx: &ToolContext, _input: Note) -> Result<Sent, ToolError> {
    let _held = ctx
        .state::<Shared>()?
        .lock()
        .unwrap_or_else(PoisonError::into_inner);
    panic!("with the lock in hand")
}

/// Needs the same lock, and takes it although a holder panicked.
#[tool(scope = "tool.note.locking", timeout_s = 60)]
async fn send_locking(ctx: &ToolContext, input: Note) -> Result<Sent, ToolError> {
    let sent = post(ctx, json!(input.to)).await?;
    let shared = ctx.state::<Shared>()?;
    *shared.lock().unwrap_or_else(PoisonError::into_inner) += 1;
    Ok(sent)
}

async fn worker(world: &World, stops: Stops) -> (Worker, Shared) {
    let shared = Shared::default();
    let state = shared.clone();
    let add = |builder: idem_tools::IdemBuilder| {
        let builder = builder.tool::<panic_before>().tool::<panic_after>();
        let builder = builder.tool::<panic_keyed>().tool::<panic_read>();
        let builder = builder.tool::<panic_holding>().tool::<send_locking>();
        builder.state(state).state(stops)
    };
    (world.worker_with(add).await, shared)
}

/// R14, R34, C29: without and with an effect a panic is an unknown outcome, said at once and never sent again.
pub(crate) async fn a_panic_is_an_unknown_outcome_of_its_call(setting: Setting) {
    for (tool, effects) in [("panic_before", 0), ("panic_after", 1)] {
        let world = World::new(&setting, Keys::Ignored).await;
        let (worker, _) = worker(&world, Stops::default()).await;
        let first = worker.answer(tool, ANN).await;
        assert_eq!(code(&first), "outcome_unknown", "{tool}");
        assert_replays(&first, &worker.answer(tool, ANN).await);
        assert_eq!(world.counted(), (effects, effects), "{tool}");
    }
}

/// R14, C29: a keyed call that panicked is held, and then sent again under its key.
pub(crate) async fn a_panic_of_a_keyed_tool_is_sent_again_after_the_lease(setting: Setting) {
    let world = World::new(&setting, Keys::Kept).await;
    let (worker, _) = worker(&world, Stops::default()).await;
    in_flight(worker.call("panic_keyed", ANN).await);
    in_flight(worker.call("panic_keyed", ANN).await);
    setting.leases_pass().await;
    let sent = worker.answer("panic_keyed", ANN).await;
    assert_eq!(sent.decode::<Sent>().expect("sent").id, "effect-1");
    assert_eq!((sent.attempt, world.counted()), (2, (2, 1)));
}

/// R14, R27: a look that panicked may be asked again, and nothing is kept of it.
pub(crate) async fn a_panic_of_a_read_keeps_nothing(setting: Setting) {
    let world = World::new(&setting, Keys::Ignored).await;
    let (worker, _) = worker(&world, Stops::default()).await;
    let failed = worker.answer("panic_read", ANN).await;
    assert_eq!(code(&failed), "read_failed");
    assert!(failed.failure().is_some_and(|failure| failure.retryable));
    assert_eq!(setting.rows().await, 0);
}

/// R34, C29: beside a call that panics, with a lock in hand that they need, the others complete and are stored.
pub(crate) async fn a_panicking_call_does_not_cost_its_siblings_their_answers(setting: Setting) {
    for panicking in ["panic_before", "panic_after", "panic_holding"] {
        let world = World::new(&setting, Keys::Ignored).await;
        let stops = Stops::before();
        let (worker, shared) = worker(&world, stops.clone()).await;
        let turn = worker.turn();
        let calls = vec![
            ProposedCall::new("a", "send_locking", ANN),
            ProposedCall::new("b", panicking, ANN),
            ProposedCall::new("c", "send_locking", r#"{"to":"bob"}"#),
        ];
        let fan_out = tokio::spawn(async move { turn.call_all(calls).await });
        // The siblings are under way when the panic comes.
        stops.before.reached.opened().await;
        stops.before.go.open();
        let results = fan_out.await.expect("the fan-out itself does not panic");
        let answers: Vec<_> = results
            .into_iter()
            .filter_map(|result| result.expect("settled").answer())
            .collect();
        assert_eq!(code(&answers[1]), "outcome_unknown", "{panicking}");
        assert_eq!(*shared.lock().unwrap_or_else(PoisonError::into_inner), 2);
        for (at, arguments) in [(0, ANN), (2, r#"{"to":"bob"}"#)] {
            assert!(answers[at].result.is_ok(), "{panicking}: {:?}", answers[at]);
            assert_replays(
                &answers[at],
                &worker.answer("send_locking", arguments).await,
            );
        }
        assert_replays(&answers[1], &worker.answer(panicking, ANN).await);
        let effects = if panicking == "panic_after" { 3 } else { 2 };
        assert_eq!(world.counted(), (effects, effects), "{panicking}");
    }
}

tokio::task_local! {
    /// Set while a call is made: the default is asked once before, for the tool's schema, when a worker starts.
    static CALLING: ();
}

fn panicking() -> String {
    assert!(CALLING.try_with(|()| ()).is_err(), "a default that panics");
    String::new()
}

#[tool_input]
struct Defaulted {
    to: String,
    #[serde(default = "panicking")]
    subject: String,
}

#[tool(scope = "tool.note.panic_reading", timeout_s = 60)]
async fn panic_reading(ctx: &ToolContext, input: Defaulted) -> Result<Sent, ToolError> {
    post(ctx, json!([input.to, input.subject])).await
}

/// R34: a tool's own code that panics while the arguments are read ends its call, and not whoever makes it.
pub(crate) async fn a_panic_while_the_arguments_are_read_is_an_answer(setting: Setting) {
    let world = World::new(&setting, Keys::Ignored).await;
    let worker = world
        .worker_with(|builder| builder.tool::<panic_reading>())
        .await;
    let answer = CALLING.scope((), worker.answer("panic_reading", ANN)).await;
    assert_eq!(code(&answer), codes::INVALID_INPUT);
    assert_eq!((world.counted(), setting.rows().await), ((0, 0), 0));
}
