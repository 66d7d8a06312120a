//! The calls of one response run side by side, each settles alone, and each gets exactly one answer (R34, R48).

use idem_tests::vendor::Keys;
use idem_tools::{Answered, CALLS_A_RESPONSE_MAX, CallError, ProposedCall, Settled};

use crate::setting::{Setting, World, assert_replays, code, in_flight};
use crate::tools::Sent;

const ANN: &str = r#"{"to":"ann"}"#;

fn to(id: &str, whom: &str) -> ProposedCall {
    ProposedCall::new(id, "send", format!(r#"{{"to":"{whom}"}}"#))
}

fn answered(result: Result<Settled, CallError>) -> Result<Answered, CallError> {
    result.map(|settled| settled.answer().expect("a settled call has an answer"))
}

/// R26, R34, C43: two equal calls of one response are one effect, and both ids are answered.
pub(crate) async fn two_equal_calls_of_one_response_are_one_effect_and_two_answers(
    setting: Setting,
) {
    let world = World::new(&setting, Keys::Ignored).await;
    let turn = world.worker().await.turn();
    let gate = world.next_is_slow();
    let both = turn.clone();
    let both =
        tokio::spawn(async move { both.call_all(vec![to("a", "ann"), to("b", "ann")]).await });
    world.vendor.wait_for_requests(1).await;
    gate.open();
    let results = both.await.expect("joined").into_iter().map(answered);
    let (made, held): (Vec<_>, Vec<_>) = results.partition(Result::is_ok);
    let made: Vec<Answered> = made.into_iter().filter_map(Result::ok).collect();
    if setting.sharing {
        let ids: Vec<_> = made
            .iter()
            .map(|answer| answer.call_id.as_deref())
            .collect();
        assert_eq!(ids, [Some("a"), Some("b")]);
    }
    // Apart, the second is told that the first is at work, unless it came after its ending; the first is joined to it.
    assert!(!made.is_empty() && made.len() + held.len() == 2);
    for result in held {
        assert!(!in_flight(result).is_zero());
    }
    let again = answered(turn.call(to("c", "ann")).await).expect("the answer");
    for answer in &made {
        assert_eq!((&answer.result, answer.key), (&again.result, again.key));
        assert_eq!(answer.first_ran_at, again.first_ran_at);
        assert!(answer.first_ran_at.is_some());
    }
    assert!(again.replayed && made.iter().filter(|answer| !answer.replayed).count() >= 1);
    assert_eq!(world.counted(), (1, 1));
}

/// R34: equal means the principal too; another principal's call is not answered by joining it.
pub(crate) async fn calls_of_two_principals_do_not_share_an_execution(setting: Setting) {
    let world = World::new(&setting, Keys::Ignored).await;
    let worker = world.worker().await;
    let gate = world.next_is_slow();
    let anns = worker.begin("send", ANN);
    world.vendor.wait_for_requests(1).await;
    let bobs = worker.turn_of("bob", "run-1", 1);
    in_flight(crate::setting::call(&bobs, "send", ANN).await);
    gate.open();
    let anns = anns.await.expect("a task that ends").expect("an answer");
    assert!(!anns.joined && anns.result.is_ok());
    assert_eq!(world.counted(), (1, 1));
}

/// R34, P4: a sibling that is in flight elsewhere does not take the healthy one down with it.
pub(crate) async fn a_call_in_flight_elsewhere_does_not_cost_its_sibling_the_answer(
    setting: Setting,
) {
    let world = World::new(&setting, Keys::Ignored).await;
    let elsewhere = world.next_is_slow();
    let anns = world.worker().await.begin("send", ANN);
    world.vendor.wait_for_requests(1).await;
    let healthy = world.next_is_slow();
    let turn = world.worker().await.turn();
    let fan_out =
        tokio::spawn(async move { turn.call_all(vec![to("a", "ann"), to("b", "bob")]).await });
    world.vendor.wait_for_requests(2).await;
    assert!(
        !fan_out.is_finished(),
        "the healthy call is joined to its ending"
    );
    healthy.open();
    let mut results = fan_out.await.expect("joined").into_iter().map(answered);
    let (ann, bob) = (results.next().expect("two"), results.next().expect("two"));
    assert!(!in_flight(ann).is_zero());
    let bob = bob.expect("an answer");
    assert_eq!(bob.decode::<Sent>().expect("sent").id, "effect-1");
    elsewhere.open();
    assert!(anns.await.expect("a task that ends").is_ok());
    let again = world.worker().await.answer("send", r#"{"to":"bob"}"#).await;
    assert_replays(&bob, &again);
    assert_eq!(world.counted(), (2, 2));
}

/// R35: answers stand in the order of the calls, whatever ids the model gave and whichever ends first.
pub(crate) async fn results_stand_in_the_order_of_the_calls(setting: Setting) {
    let world = World::new(&setting, Keys::Ignored).await;
    let turn = world.worker().await.turn();
    let first = world.next_is_slow();
    let waiting = turn.clone();
    let ann = tokio::spawn(async move { waiting.call(to("a", "ann")).await });
    world.vendor.wait_for_requests(1).await;
    let calls = vec![
        to("same", "bob"),
        to("same", "eve"),
        ProposedCall::new("same", "sned", ANN),
        to("ignored", "joe").without_id(),
        ProposedCall::new("", "send", "{}"),
        to("same", "ivy"),
    ];
    let results = turn.call_all(calls).await;
    let results: Vec<_> = results
        .into_iter()
        .map(answered)
        .map(|a| a.expect("answers"))
        .collect();
    let ids: Vec<_> = results
        .iter()
        .map(|answer| answer.call_id.as_deref())
        .collect();
    let same = Some("same");
    assert_eq!(ids, [same, same, same, None, Some(""), same]);
    assert_eq!(code(&results[2]), "unknown_tool");
    assert_eq!(code(&results[4]), "invalid_input");
    first.open();
    assert!(ann.await.expect("a task that ends").is_ok());
    for (at, whom) in [(0, "bob"), (1, "eve"), (3, "joe"), (5, "ivy")] {
        let again = answered(turn.call(to("again", whom)).await).expect("the answer");
        assert_replays(&results[at], &again);
    }
    assert_eq!(world.counted(), (5, 5));
}

/// R48, R75: a response may hold so many calls; each one beyond is refused by itself.
pub(crate) async fn each_call_beyond_the_limit_of_a_response_is_refused(setting: Setting) {
    let world = World::new(&setting, Keys::Ignored).await;
    let turn = world.worker().await.turn();
    let last = CALLS_A_RESPONSE_MAX - 1;
    let unknown = (0..last).map(|n| ProposedCall::new(n.to_string(), "sned", ANN));
    let calls: Vec<_> = unknown
        .chain([to("last", "ann"), to("beyond", "bob"), to("far", "ann")])
        .collect();
    let results: Vec<_> = turn.call_all(calls).await;
    let results: Vec<_> = results
        .into_iter()
        .map(answered)
        .map(|a| a.expect("answers"))
        .collect();
    assert_eq!(results.len(), CALLS_A_RESPONSE_MAX + 2);
    assert!(
        results[..last]
            .iter()
            .all(|answer| code(answer) == "unknown_tool")
    );
    assert!(
        results[last].result.is_ok(),
        "the last one that fits is made"
    );
    for (at, id) in [(last + 1, "beyond"), (last + 2, "far")] {
        assert_eq!(code(&results[at]), "too_many_calls");
        assert_eq!(results[at].call_id.as_deref(), Some(id));
        assert_eq!((results[at].tool.as_str(), results[at].key), ("send", None));
    }
    assert_eq!((setting.rows().await, world.counted()), (1, (1, 1)));
}

/// R48: no calls have no answers.
pub(crate) async fn a_response_without_calls_has_no_results(setting: Setting) {
    let world = World::new(&setting, Keys::Ignored).await;
    assert!(
        world
            .worker()
            .await
            .turn()
            .call_all(Vec::new())
            .await
            .is_empty()
    );
    assert_eq!(setting.rows().await, 0);
}

/// R34, contract test 12: two processes that hold one key: the second is told, never answered, how long it may take.
pub(crate) async fn a_live_lease_of_another_process_is_raised_and_never_a_value(setting: Setting) {
    let world = World::new(&setting, Keys::Ignored).await;
    let gate = world.next_is_slow();
    let first = world.worker().await.begin("send", ANN);
    world.vendor.wait_for_requests(1).await;
    let other = world.worker().await;
    for _ in 0..3 {
        let left = in_flight(other.call("send", ANN).await);
        assert!(!left.is_zero() && left.as_secs() <= 70, "{left:?}");
    }
    let error = other.call("send", ANN).await.expect_err("in flight");
    assert!(error.retry_after().is_some_and(|left| !left.is_zero()));
    gate.open();
    let first = first.await.expect("a task that ends").expect("an answer");
    assert_replays(&first, &other.answer("send", ANN).await);
    assert_eq!(world.counted(), (1, 1));
}

/// R34: inside one process the equal call joins the first, and says so; without sharing it is told to wait.
pub(crate) async fn an_equal_call_of_one_process_joins_or_is_told_to_wait(setting: Setting) {
    let world = World::new(&setting, Keys::Ignored).await;
    let worker = world.worker().await;
    let gate = world.next_is_slow();
    let first = worker.begin("send", ANN);
    world.vendor.wait_for_requests(1).await;
    if setting.sharing {
        let mut second = worker.begin("send", ANN);
        tokio::select! {
            biased;
            early = &mut second => panic!("it did not wait: {early:?}"),
            () = tokio::task::yield_now() => {}
        }
        gate.open();
        let first = first.await.expect("a task that ends").expect("an answer");
        let second = second.await.expect("a task that ends").expect("an answer");
        assert!(!first.joined && (second.joined || second.replayed));
        assert_eq!(first.result, second.result);
    } else {
        in_flight(worker.call("send", ANN).await);
        gate.open();
        let first = first.await.expect("a task that ends").expect("an answer");
        assert!(!first.joined);
        assert_replays(&first, &worker.answer("send", ANN).await);
    }
    assert_eq!(world.counted(), (1, 1));
}
