//! A process that goes down takes nothing new and joins what it has to its ending (R34).

use std::time::Duration;

use idem_tests::vendor::Keys;
use idem_tools::{CallError, ProposedCall};

use crate::setting::{Setting, World, assert_replays};
use crate::tools::Sent;

const ANN: &str = r#"{"to":"ann"}"#;
const BOB: &str = r#"{"to":"bob"}"#;
/// Longer than any call that ends.
const WAIT_MAX: Duration = Duration::from_secs(30);

/// R34: new calls are refused, and the one under way is stored.
pub(crate) async fn a_drain_refuses_new_calls_and_joins_the_one_under_way(setting: Setting) {
    let world = World::new(&setting, Keys::Ignored).await;
    let worker = world.worker().await;
    let gate = world.next_is_slow();
    let under_way = worker.begin("send", ANN);
    world.vendor.wait_for_requests(1).await;
    let mut drain = Box::pin(worker.idem.drain(WAIT_MAX));
    tokio::select! {
        biased;
        left = &mut drain => panic!("one call is under way, and {left} are left"),
        () = std::future::ready(()) => {}
    }
    for (tool, arguments) in [("send", BOB), ("send", ANN), ("look", BOB), ("sned", BOB)] {
        let refused = worker.call(tool, arguments).await;
        assert!(matches!(refused, Err(CallError::Draining)), "{refused:?}");
    }
    let call = |whom| ProposedCall::new("a", "send", whom);
    for refused in worker.turn().call_all(vec![call(ANN), call(BOB)]).await {
        assert!(matches!(refused, Err(CallError::Draining)), "{refused:?}");
    }
    gate.open();
    assert_eq!(drain.await, 0);
    let sent = under_way
        .await
        .expect("a task that ends")
        .expect("an answer");
    assert_eq!(sent.decode::<Sent>().expect("sent").id, "effect-1");
    let next = world.worker().await;
    assert_replays(&sent, &next.answer("send", ANN).await);
    assert_eq!((setting.rows().await, world.counted()), (1, (1, 1)));
    assert!(next.answer("send", BOB).await.result.is_ok());
}

/// R34: a deadline that passes says how many calls are left, and stays a drain.
pub(crate) async fn a_drain_past_its_deadline_says_how_many_are_left(setting: Setting) {
    let world = World::new(&setting, Keys::Ignored).await;
    let worker = world.worker().await;
    let (first, second) = (world.next_is_slow(), world.next_is_slow());
    let calls = [worker.begin("send", ANN), worker.begin("send", BOB)];
    world.vendor.wait_for_requests(2).await;
    assert_eq!(worker.idem.drain(Duration::ZERO).await, 2);
    let refused = worker.call("send", ANN).await;
    assert!(matches!(refused, Err(CallError::Draining)), "{refused:?}");
    first.open();
    second.open();
    assert_eq!(worker.idem.drain(WAIT_MAX).await, 0);
    for call in calls {
        let answer = call.await.expect("a task that ends").expect("an answer");
        assert!(answer.result.is_ok());
    }
    assert_eq!(world.counted(), (2, 2));
}

/// R34: with nothing under way a drain is over at once, however often it is asked for.
pub(crate) async fn a_drain_of_nothing_is_over_at_once(setting: Setting) {
    let world = World::new(&setting, Keys::Ignored).await;
    let worker = world.worker().await;
    assert!(worker.answer("send", ANN).await.result.is_ok());
    for deadline in [Duration::ZERO, WAIT_MAX] {
        assert_eq!(worker.idem.drain(deadline).await, 0);
    }
    let refused = worker.call("send", ANN).await;
    assert!(matches!(refused, Err(CallError::Draining)), "{refused:?}");
}
