//! The journal before the checkpoint, the checkpoint before the claim (R30).

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

use async_trait::async_trait;
use idem_tests::vendor::Keys;
use idem_tools::{
    CallError, Checkpoint, Decision, Json, Policy, PolicyError, ToolContext, ToolError, tool,
    tool_input,
};

use crate::setting::{Setting, Worker, World, assert_replays, code, in_flight};
use crate::tools::Stops;

const ANN: &str = r#"{"to":"ann"}"#;

/// A policy that a case changes its mind for, and that notes what it was asked.
#[derive(Debug, Clone, Default)]
struct Desk {
    denies: Arc<AtomicBool>,
    asked: Arc<Mutex<Vec<Asked>>>,
}

/// The input that was asked about, and who had made the answer already.
type Asked = (Json, Option<String>);

impl Desk {
    fn deny(&self, denies: bool) {
        self.denies.store(denies, Ordering::SeqCst);
    }

    fn asked(&self) -> Vec<Asked> {
        self.asked.lock().expect("no holder panics").clone()
    }

    async fn worker(&self, world: &World) -> Worker {
        let desk = self.clone();
        let policy = move |asked: &Checkpoint<'_>| desk.decide(asked);
        world.worker_with(|builder| builder.policy(policy)).await
    }

    fn decide(&self, asked: &Checkpoint<'_>) -> Decision {
        let made_by = asked.made_by_another.and_then(|by| by.principal.clone());
        let question = (asked.input.clone(), made_by.map(|by| by.to_string()));
        self.asked.lock().expect("no holder panics").push(question);
        if self.denies.load(Ordering::SeqCst) {
            Decision::deny("not after six")
        } else {
            Decision::Allow
        }
    }
}

/// R30: nobody is asked about what is done.
pub(crate) async fn a_completed_call_does_not_ask_the_policy(setting: Setting) {
    let world = World::new(&setting, Keys::Ignored).await;
    let desk = Desk::default();
    let worker = desk.worker(&world).await;
    let first = worker.answer("send", ANN).await;
    assert_eq!(desk.asked().len(), 1);
    assert_replays(&first, &worker.answer("send", ANN).await);
    assert_eq!(desk.asked().len(), 1);
    desk.deny(true);
    assert_replays(&first, &worker.answer("send", ANN).await);
    assert_eq!((desk.asked().len(), world.counted()), (1, (1, 1)));
}

/// R30, R45: no key is taken for what is not allowed, and the next question is a new one.
pub(crate) async fn a_denied_call_has_no_row_and_no_effect(setting: Setting) {
    let world = World::new(&setting, Keys::Ignored).await;
    let desk = Desk::default();
    desk.deny(true);
    let worker = desk.worker(&world).await;
    for tool in ["send", "look"] {
        let denied = worker.answer(tool, ANN).await;
        let failure = denied.failure().expect("a denial");
        assert_eq!((code(&denied), failure.retryable), ("denied", false));
        assert_eq!(failure.message, "not after six");
        assert!(!denied.replayed && denied.key.is_some() && denied.kind.is_none());
    }
    assert_eq!((setting.rows().await, world.counted()), (0, (0, 0)));
    desk.deny(false);
    assert!(worker.answer("send", ANN).await.result.is_ok());
    assert_eq!((desk.asked().len(), world.counted()), (3, (1, 1)));
}

/// R30: what is under way is not asked about either.
pub(crate) async fn a_call_in_flight_does_not_ask_the_policy(setting: Setting) {
    let world = World::new(&setting, Keys::Ignored).await;
    let gate = world.next_is_slow();
    let first = world.worker().await.begin("send", ANN);
    world.vendor.wait_for_requests(1).await;
    let desk = Desk::default();
    in_flight(desk.worker(&world).await.call("send", ANN).await);
    assert!(desk.asked().is_empty());
    gate.open();
    assert!(first.await.expect("a task that ends").is_ok());
}

/// R30: an answer that another principal made in the same turn is shown only past the checkpoint.
pub(crate) async fn an_answer_of_another_principal_passes_the_checkpoint(setting: Setting) {
    let world = World::new(&setting, Keys::Ignored).await;
    let desk = Desk::default();
    let worker = desk.worker(&world).await;
    let anns = worker.answer("send", ANN).await;
    let bobs = worker.turn_of("bob", "run-1", 1);
    let shown = crate::setting::call(&bobs, "send", ANN).await;
    assert_replays(&anns, &shown.expect("an answer"));
    let last = desk.asked().pop().expect("a question");
    assert_eq!(
        last.1.as_deref(),
        Some("ann"),
        "the policy is told whose it is"
    );
    desk.deny(true);
    let hidden = crate::setting::call(&bobs, "send", ANN).await;
    let hidden = hidden.expect("a denial");
    assert_eq!(code(&hidden), "denied");
    assert!(hidden.first_ran_at.is_none(), "not even when it was made");
    assert_eq!((desk.asked().len(), world.counted()), (3, (1, 1)));
}

/// Answers Bob's question only once Ann's call of the same turn is made, and hides other people's answers.
#[derive(Debug)]
struct BetweenReadAndClaim {
    ann: Worker,
}

#[async_trait]
impl Policy for BetweenReadAndClaim {
    async fn decide(&self, asked: &Checkpoint<'_>) -> Result<Decision, PolicyError> {
        if asked.made_by_another.is_some() {
            return Ok(Decision::deny("made for another"));
        }
        self.ann.answer(asked.tool, ANN).await;
        Ok(Decision::Allow)
    }
}

/// R30, P23: the same where that answer came between the look at the journal and the claim, or the record.
pub(crate) async fn an_answer_made_while_the_policy_was_asked_passes_the_checkpoint_too(
    setting: Setting,
) {
    for tool in ["send", "look"] {
        let world = World::new(&setting, Keys::Ignored).await;
        let ann = world.worker().await;
        let policy = BetweenReadAndClaim { ann };
        let worker = world.worker_with(|builder| builder.policy(policy)).await;
        let bobs = worker.turn_of("bob", "run-1", 1);
        let hidden = crate::setting::call(&bobs, tool, ANN).await;
        assert_eq!(code(&hidden.expect("a denial")), "denied", "{tool}");
        let effects = if tool == "send" { 1 } else { 2 };
        assert_eq!(world.counted(), (effects, effects));
    }
}

/// How a policy goes wrong, once.
#[derive(Debug)]
struct Broken {
    panics: bool,
    once: AtomicBool,
}

#[async_trait]
impl Policy for Broken {
    async fn decide(&self, _: &Checkpoint<'_>) -> Result<Decision, PolicyError> {
        if self.once.swap(false, Ordering::SeqCst) {
            assert!(!self.panics, "a policy's own defect");
            return Err("the rules cannot be read".into());
        }
        Ok(Decision::Allow)
    }
}

/// R30: a policy that fails allows nothing, and the next call is not stuck behind it.
pub(crate) async fn a_policy_that_fails_allows_nothing(setting: Setting) {
    for panics in [false, true] {
        let world = World::new(&setting, Keys::Ignored).await;
        let once = AtomicBool::new(true);
        let policy = Broken { panics, once };
        let worker = world.worker_with(|builder| builder.policy(policy)).await;
        let failed = worker.call("send", ANN).await;
        let told = match &failed {
            Err(CallError::Policy(error)) => error.to_string() == "the rules cannot be read",
            Err(CallError::TaskEnded) => panics,
            _ => false,
        };
        assert!(told, "{failed:?}");
        assert_eq!(world.counted(), (0, 0));
        let sent = worker.answer("send", ANN).await;
        assert_eq!((sent.attempt, world.counted()), (1, (1, 1)));
    }
}

#[tool_input]
struct Letter {
    to: String,
    #[serde(default = "normal")]
    priority: String,
    cc: Option<String>,
}

fn normal() -> String {
    "normal".to_owned()
}

#[tool(scope = "tool.letter.send", timeout_s = 60)]
async fn send_letter(_ctx: &ToolContext, input: Letter) -> Result<String, ToolError> {
    Ok(format!("{} {} {:?}", input.to, input.priority, input.cc))
}

/// R21: what is decided about is what would run, defaults included.
pub(crate) async fn the_policy_sees_the_arguments_as_they_would_run(setting: Setting) {
    let world = World::new(&setting, Keys::Ignored).await;
    let desk = Desk::default();
    let policy = desk.clone();
    let policy = move |asked: &Checkpoint<'_>| policy.decide(asked);
    let add = |builder: idem_tools::IdemBuilder| builder.tool::<send_letter>().policy(policy);
    let worker = world.worker_with(add).await;
    let answer = worker
        .answer("send_letter", r#"{ "to": "\u0061nn" }"#)
        .await;
    assert_eq!(answer.decode::<String>().expect("text"), "ann normal None");
    let seen: Vec<String> = desk.asked().iter().map(|asked| asked.0.to_text()).collect();
    assert_eq!(seen, [r#"{"cc":null,"priority":"normal","to":"ann"}"#]);
}

/// R30: a denial comes before the claim also where the key has lapsed.
pub(crate) async fn a_denied_takeover_leaves_the_key_as_it_was(setting: Setting) {
    let world = World::new(&setting, Keys::Kept).await;
    let stops = Stops::after();
    let state = stops.clone();
    let slow = world.worker_with(|builder| builder.state(state)).await;
    let first = slow.begin("send_keyed", ANN);
    stops.after.reached.opened().await;
    setting.leases_pass().await;
    let desk = Desk::default();
    desk.deny(true);
    let denied = desk.worker(&world).await.answer("send_keyed", ANN).await;
    assert_eq!(code(&denied), "denied");
    stops.after.go.open();
    let late = first.await.expect("a task that ends").expect("an answer");
    assert!(late.result.is_ok() && !late.replayed, "nobody took it over");
    assert_eq!(world.counted(), (1, 1));
}
