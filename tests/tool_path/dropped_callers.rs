//! Whoever waits for a call may go away; the call goes on to its ending (R34).

use std::time::Duration;

use idem_tests::vendor::Keys;
use idem_tools::ProposedCall;

use crate::setting::{Setting, World, assert_replays, call};
use crate::tools::Sent;

const ANN: &str = r#"{"to":"ann"}"#;
/// Longer than any call that ends.
const WAIT_MAX: Duration = Duration::from_secs(30);

/// R34: the future of a call is dropped after its request left, and its answer is stored all the same.
pub(crate) async fn dropping_a_caller_does_not_cancel_its_call(setting: Setting) {
    for (tool, keys) in [
        ("send", Keys::Ignored),
        ("send_keyed", Keys::Kept),
        ("look", Keys::Ignored),
    ] {
        let world = World::new(&setting, keys).await;
        let worker = world.worker().await;
        let gate = world.next_is_slow();
        let turn = worker.turn();
        tokio::select! {
            biased;
            early = call(&turn, tool, ANN) => panic!("the gate is closed: {early:?}"),
            () = world.vendor.wait_for_requests(1) => {}
        }
        gate.open();
        assert_eq!(worker.idem.drain(WAIT_MAX).await, 0, "the call has ended");
        let stored = world.worker().await.answer(tool, ANN).await;
        assert!(stored.replayed, "{tool}: {stored:?}");
        assert_eq!(stored.decode::<Sent>().expect("sent").id, "effect-1");
        assert_eq!(world.counted(), (1, 1), "{tool}");
    }
}

/// R34, P4: the same for a whole fan-out.
pub(crate) async fn dropping_a_fan_out_does_not_cancel_its_calls(setting: Setting) {
    let world = World::new(&setting, Keys::Ignored).await;
    let worker = world.worker().await;
    let (first, second) = (world.next_is_slow(), world.next_is_slow());
    let turn = worker.turn();
    let calls =
        ["ann", "bob"].map(|whom| ProposedCall::new(whom, "send", format!(r#"{{"to":"{whom}"}}"#)));
    tokio::select! {
        biased;
        _ = turn.call_all(calls.to_vec()) => panic!("the gates are closed"),
        () = world.vendor.wait_for_requests(2) => {}
    }
    first.open();
    second.open();
    assert_eq!(worker.idem.drain(WAIT_MAX).await, 0);
    let next = world.worker().await;
    for whom in ["ann", "bob"] {
        let arguments = format!(r#"{{"to":"{whom}"}}"#);
        assert!(next.answer("send", &arguments).await.replayed, "{whom}");
    }
    assert_eq!(world.counted(), (2, 2));
}

/// R34: the first caller goes away while others have joined it; they get the answer that it would have got.
pub(crate) async fn those_who_joined_are_answered_when_the_first_caller_is_gone(setting: Setting) {
    let world = World::new(&setting, Keys::Ignored).await;
    let worker = world.worker().await;
    let gate = world.next_is_slow();
    let first = worker.begin("send", ANN);
    world.vendor.wait_for_requests(1).await;
    let second = worker.begin("send", ANN);
    first.abort();
    assert!(first.await.expect_err("it was aborted").is_cancelled());
    gate.open();
    let second = second.await.expect("a task that ends");
    assert_eq!(worker.idem.drain(WAIT_MAX).await, 0);
    let stored = world.worker().await.answer("send", ANN).await;
    assert!(stored.replayed);
    match second {
        Ok(answer) => assert_eq!(answer.result, stored.result),
        // Not shared, it was told to wait, where it came before the ending.
        Err(error) => assert!(!setting.sharing && error.retry_after().is_some(), "{error}"),
    }
    let again = world.worker().await.answer("send", ANN).await;
    assert_replays(&stored, &again);
    assert_eq!(world.counted(), (1, 1));
}
