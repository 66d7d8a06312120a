//! The same key with other content is never a failure of the run, and never a second effect (R24).
//!
//! No argument of a tool is outside its key, so each case plants the row that such a call would have left.

use std::time::Duration;

use idem_core::canonical::{Form, text_of};
use idem_core::identity::{IdempotencyKey, KeyKind, ToolName, request_hash};
use idem_core::{Answer, Claim, ClaimKey, ClaimOutcome, Ending, OutcomeKind, Request, Scope};
use idem_tests::vendor::Keys;
use idem_tools::{CallError, Checkpoint, Decision, Json, Tool};

use crate::setting::{Setting, Worker, World, assert_replays, code, in_flight};
use crate::tools::{Note, Sent, Stops, look, send};

const ANN: &str = r#"{"to":"ann"}"#;
const LEASE: Duration = Duration::from_secs(70);

/// Both sides of R24: where the claim finds the row, and where a policy makes the journal's read find it first.
async fn workers(world: &World) -> [Worker; 2] {
    let allow = |_: &Checkpoint<'_>| Decision::Allow;
    let asking = world.worker_with(|builder| builder.policy(allow));
    [world.worker().await, asking.await]
}

/// What another content under the key of Ann's note would ask for.
fn other_content<T: Tool>(worker: &Worker, kind: fn(&Worker, &str) -> IdempotencyKey) -> Request {
    let note = Note {
        to: "ann".to_owned(),
    };
    let identity = text_of(&note, Form::Key).expect("a canonical form");
    let scope = Scope::new(T::SPEC.scope()).expect("a tool's scope");
    let key = ClaimKey::new(worker.organization, scope, kind(worker, &identity));
    Request::new(key, request_hash(r#"{"subject":"another","to":"ann"}"#))
}

fn of_send(worker: &Worker) -> Request {
    other_content::<send>(worker, |worker, identity| {
        let (turn, name) = (worker.turn(), ToolName::new("send"));
        let kind = KeyKind::Turn { turn: turn.id() };
        IdempotencyKey::new(kind, &name.expect("a name"), identity)
    })
}

fn of_look(worker: &Worker) -> Request {
    other_content::<look>(worker, |worker, identity| {
        let (turn, name) = (worker.turn(), ToolName::new("look"));
        let (turn, step) = (turn.id(), 0);
        IdempotencyKey::new(
            KeyKind::Read { turn, step },
            &name.expect("a name"),
            identity,
        )
    })
}

async fn claim(worker: &Worker, request: &Request) -> Claim {
    match worker.idem.service().claim(request, LEASE).await {
        Ok(ClaimOutcome::Claimed(claim)) => claim,
        other => panic!("the key was taken before: {other:?}"),
    }
}

async fn complete(worker: &Worker, claim: Claim, kind: OutcomeKind, text: &str) {
    let answer = Answer::json(kind, text.as_bytes()).expect("a short answer");
    let ended = worker.idem.service().complete(claim, &answer).await;
    assert_eq!(ended.expect("the store answers"), Ending::Done);
}

/// R24: it was done, with other content; the model is told what was done.
pub(crate) async fn what_was_done_differently_is_told_and_not_done_again(setting: Setting) {
    for at in 0..2 {
        let world = World::new(&setting, Keys::Ignored).await;
        let worker = &workers(&world).await[at];
        let claim = claim(worker, &of_send(worker)).await;
        let done = r#"{"ok":{"id":"effect-0"}}"#;
        complete(worker, claim, OutcomeKind::Answer, done).await;
        let told = worker.answer("send", ANN).await;
        assert_eq!(code(&told), "already_done_differently");
        let failure = told.failure().expect("a failure");
        assert!(!failure.retryable && told.replayed && told.first_ran_at.is_some());
        let details = failure.details.as_ref().expect("what was done");
        assert_eq!(details.get("id").and_then(Json::as_str), Some("effect-0"));
        assert_replays(&told, &worker.answer("send", ANN).await);
        assert_eq!(world.counted(), (0, 0));
    }
}

/// R24: it failed for good, with other content; that is told in the same way.
pub(crate) async fn what_failed_differently_is_told_and_not_tried_again(setting: Setting) {
    for at in 0..2 {
        let world = World::new(&setting, Keys::Ignored).await;
        let worker = &workers(&world).await[at];
        let claim = claim(worker, &of_send(worker)).await;
        let failed = r#"{"error":{"code":"http_404","message":"gone","retryable":false}}"#;
        complete(worker, claim, OutcomeKind::Answer, failed).await;
        let told = worker.answer("send", ANN).await;
        assert_eq!(code(&told), "already_done_differently");
        assert!(told.to_model_text().contains("http_404"), "{told:?}");
        assert_eq!(world.counted(), (0, 0));
    }
}

/// R24: nobody knows what became of the other content, so nobody knows what became of this.
pub(crate) async fn another_content_of_unknown_outcome_is_unknown(setting: Setting) {
    for at in 0..2 {
        let world = World::new(&setting, Keys::Ignored).await;
        let worker = &workers(&world).await[at];
        let claim = claim(worker, &of_send(worker)).await;
        let unknown = r#"{"error":{"code":"outcome_unknown","message":"?","retryable":false}}"#;
        complete(worker, claim, OutcomeKind::OutcomeUnknown, unknown).await;
        let told = worker.answer("send", ANN).await;
        assert_eq!(code(&told), "outcome_unknown");
        assert!(told.failure().is_some_and(|failure| !failure.retryable));
        assert_eq!(world.counted(), (0, 0));
    }
}

/// R24: its worker vanished after the effect may have begun.
pub(crate) async fn another_content_that_lapsed_in_doubt_is_unknown(setting: Setting) {
    for at in 0..2 {
        let world = World::new(&setting, Keys::Ignored).await;
        let worker = &workers(&world).await[at];
        let claim = claim(worker, &of_send(worker)).await;
        worker.idem.service().leave_in_doubt(claim);
        assert!(!in_flight(worker.call("send", ANN).await).is_zero());
        setting.leases_pass().await;
        assert_eq!(code(&worker.answer("send", ANN).await), "outcome_unknown");
        assert_eq!(world.counted(), (0, 0));
    }
}

/// R24: its worker vanished before anything was sent, so the new content is what runs.
pub(crate) async fn another_content_that_lapsed_without_doubt_is_taken_over(setting: Setting) {
    for at in 0..2 {
        let world = World::new(&setting, Keys::Ignored).await;
        let worker = &workers(&world).await[at];
        let mut request = of_send(worker);
        request.marks_dispatch = true;
        let claim = claim(worker, &request).await;
        worker.idem.service().leave_in_doubt(claim);
        assert!(!in_flight(worker.call("send", ANN).await).is_zero());
        setting.leases_pass().await;
        let sent = worker.answer("send", ANN).await;
        assert_eq!(sent.decode::<Sent>().expect("sent").id, "effect-1");
        assert!(!sent.replayed);
        assert_replays(&sent, &worker.answer("send", ANN).await);
        assert_eq!(world.counted(), (1, 1));
    }
}

/// R24, R31: another content at work is waited for.
pub(crate) async fn another_content_at_work_is_waited_for(setting: Setting) {
    for at in 0..2 {
        let world = World::new(&setting, Keys::Ignored).await;
        let worker = &workers(&world).await[at];
        let claim = claim(worker, &of_send(worker)).await;
        let left = in_flight(worker.call("send", ANN).await);
        assert!(!left.is_zero() && left <= LEASE, "{left:?}");
        let released = worker.idem.service().release(claim).await;
        assert_eq!(released.expect("the store answers"), Ending::Done);
        assert!(worker.answer("send", ANN).await.result.is_ok());
        assert_eq!(world.counted(), (1, 1));
    }
}

/// R24, R27: a look under a key that answers for other content shows that answer and looks no more.
pub(crate) async fn a_read_under_another_content_is_told_so(setting: Setting) {
    let world = World::new(&setting, Keys::Ignored).await;
    let worker = world.worker().await;
    let claim = claim(&worker, &of_look(&worker)).await;
    complete(&worker, claim, OutcomeKind::Answer, r#"{"ok":7}"#).await;
    let told = worker.answer("look", ANN).await;
    assert_eq!(code(&told), "already_done_differently");
    assert_eq!(world.counted(), (0, 0));
}

/// R24, R33: a worker that was overtaken by another content is told what that did, and sends nothing.
pub(crate) async fn a_worker_overtaken_by_another_content_is_told_what_was_done(setting: Setting) {
    let world = World::new(&setting, Keys::Ignored).await;
    let stops = Stops::before();
    let state = stops.clone();
    let slow = world.worker_with(|builder| builder.state(state)).await;
    let overtaken = slow.begin("send_marked", ANN);
    stops.before.reached.opened().await;
    setting.leases_pass().await;
    let request = other_content::<send>(&slow, |worker, identity| {
        let (turn, name) = (worker.turn(), ToolName::new("send_marked"));
        let kind = KeyKind::Turn { turn: turn.id() };
        IdempotencyKey::new(kind, &name.expect("a name"), identity)
    });
    let service = slow.idem.service();
    let found = match service.claim(&request, LEASE).await {
        Ok(ClaimOutcome::Conflict(found)) => found,
        other => panic!("the row is the overtaken worker's: {other:?}"),
    };
    let claim = match service.claim_over(&request, found, LEASE).await {
        Ok(ClaimOutcome::Claimed(claim)) => claim,
        other => panic!("it lapsed without doubt: {other:?}"),
    };
    complete(
        &slow,
        claim,
        OutcomeKind::Answer,
        r#"{"ok":{"id":"other"}}"#,
    )
    .await;
    stops.before.go.open();
    let late: Result<_, CallError> = overtaken.await.expect("a task that ends");
    assert_eq!(code(&late.expect("an answer")), "already_done_differently");
    assert_eq!(world.counted(), (0, 0));
}
