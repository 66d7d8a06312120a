//! A worker that was overtaken gets the journal's answer and never its own (R33).

use idem_tests::vendor::{Behaviour, Keys};
use idem_tools::{Answered, CallError};
use serde_json::json;
use tokio::task::JoinHandle;

use crate::setting::{Setting, World, assert_replays, assert_replays_aged, code, in_flight};
use crate::tools::{Sent, Stops};

const ANN: &str = r#"{"to":"ann"}"#;

/// A call whose effect is made and whose body is held before it can say so, and whose lease has passed.
async fn overtaken(world: &World) -> (Stops, JoinHandle<Result<Answered, CallError>>) {
    let stops = Stops::after();
    let state = stops.clone();
    let slow = world.worker_with(|builder| builder.state(state)).await;
    let call = slow.begin("send_keyed", ANN);
    stops.after.reached.opened().await;
    world.setting.leases_pass().await;
    (stops, call)
}

async fn lands(
    stops: &Stops,
    call: JoinHandle<Result<Answered, CallError>>,
) -> Result<Answered, CallError> {
    stops.after.go.open();
    call.await.expect("a task that ends")
}

fn answers(id: &str) -> Behaviour {
    Behaviour::Lie {
        body: json!({ "id": id }),
        effect: false,
    }
}

/// R33, P7, contract test 14: two workers, one answer, and it is the one that was stored.
pub(crate) async fn an_overtaken_worker_gets_the_journals_answer_and_not_its_own(setting: Setting) {
    let world = World::new(&setting, Keys::Kept).await;
    let (stops, call) = overtaken(&world).await;
    world.next(answers("the second's"));
    let next = world.worker().await;
    let second = next.answer("send_keyed", ANN).await;
    let sent: Sent = second.decode().expect("sent");
    assert_eq!((sent.id.as_str(), second.attempt), ("the second's", 2));
    let late = lands(&stops, call).await.expect("the journal's answer");
    assert_replays(&second, &late);
    assert_replays(&second, &next.answer("send_keyed", ANN).await);
    assert_eq!(world.counted().1, 1);
}

/// R33, P7: the same where the one that overtook knows only that nobody can know.
pub(crate) async fn a_late_success_does_not_replace_an_unknown_outcome(setting: Setting) {
    let world = World::new(&setting, Keys::Ignored).await;
    let landing = world.next_is_slow();
    let first = world.worker().await.begin("send", ANN);
    world.vendor.wait_for_requests(1).await;
    setting.leases_pass().await;
    let next = world.worker().await;
    let unknown = next.answer("send", ANN).await;
    assert_eq!(code(&unknown), "outcome_unknown");
    landing.open();
    let late = first.await.expect("a task that ends").expect("an answer");
    assert_replays(&unknown, &late);
    assert_replays(&unknown, &next.answer("send", ANN).await);
    assert_eq!(world.counted(), (1, 1));
}

/// R33: the one that overtook left no answer, so this caller is told to call again and runs nothing.
pub(crate) async fn an_overtaken_worker_without_an_answer_in_the_journal_is_told_to_call_again(
    setting: Setting,
) {
    let world = World::new(&setting, Keys::Kept).await;
    let (stops, call) = overtaken(&world).await;
    world.next(Behaviour::Status {
        code: 429,
        effect: false,
    });
    let next = world.worker().await;
    assert_eq!(code(&next.answer("send_keyed", ANN).await), "http_429");
    let late = lands(&stops, call).await;
    assert!(matches!(late, Err(CallError::LeaseLost { .. })), "{late:?}");
    assert_eq!(world.counted().0, 2, "the body does not run again");
    world.next(answers("the third's"));
    let third: Sent = next.answer("send_keyed", ANN).await.decode().expect("sent");
    assert_eq!(third.id, "the third's", "the late answer was not stored");
    assert_eq!(world.counted().1, 1);
}

/// R33: the row is gone altogether, and the late answer does not bring it back.
pub(crate) async fn a_late_answer_does_not_bring_a_released_key_back(setting: Setting) {
    let world = World::new(&setting, Keys::Kept).await;
    let (stops, call) = overtaken(&world).await;
    let rows = "DELETE FROM agent.idempotency_keys";
    let gone = setting
        .store
        .execute(rows, "DELETE FROM agent_idempotency_keys");
    assert_eq!(gone.await, 1);
    let late = lands(&stops, call).await;
    assert!(matches!(late, Err(CallError::LeaseLost { .. })), "{late:?}");
    assert_eq!((setting.rows().await, world.counted()), (0, (1, 1)));
}

/// R33: the one that overtook is still at work.
pub(crate) async fn an_overtaken_worker_waits_for_the_one_that_is_at_work(setting: Setting) {
    let world = World::new(&setting, Keys::Kept).await;
    let (stops, call) = overtaken(&world).await;
    let held = Stops::before();
    let state = held.clone();
    let second = world.worker_with(|builder| builder.state(state)).await;
    let second = second.begin("send_keyed", ANN);
    held.before.reached.opened().await;
    assert!(!in_flight(lands(&stops, call).await).is_zero());
    held.before.go.open();
    let second = second.await.expect("a task that ends").expect("an answer");
    assert_eq!(second.decode::<Sent>().expect("sent").id, "effect-1");
    assert_eq!(world.counted(), (2, 1));
}

/// R7, the twin of contract test 14: late, and not overtaken, the answer is stored.
pub(crate) async fn a_late_answer_that_nobody_overtook_is_stored(setting: Setting) {
    let world = World::new(&setting, Keys::Ignored).await;
    let landing = world.next_is_slow();
    let first = world.worker().await.begin("send", ANN);
    world.vendor.wait_for_requests(1).await;
    setting.leases_pass().await;
    landing.open();
    let late = first.await.expect("a task that ends").expect("an answer");
    assert_eq!(late.decode::<Sent>().expect("sent").id, "effect-1");
    assert!(!late.replayed);
    assert_replays_aged(&late, &world.worker().await.answer("send", ANN).await);
    assert_eq!(world.counted(), (1, 1));
}
