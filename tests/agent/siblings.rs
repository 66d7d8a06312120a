//! R34, R35, R48: the calls of one response, side by side.

use idem_tests::TestStore;
use idem_tests::vendor::{Behaviour, Gate};

use crate::model::{Reply, Script};
use crate::process::Process;
use crate::tools::Stop;
use crate::world::{World, answers, done};

/// C65, P4: A is answered, C is in flight elsewhere, and B follows: nothing is made twice, and A keeps its answer.
pub(crate) async fn a_sibling_in_flight_elsewhere_costs_the_others_nothing(store: TestStore) {
    let script = Script::of([
        Reply::Calls(vec![
            ("call_c", "send", r#"{"to":"slow"}"#),
            ("call_a", "diagnose", r#"{"to":"cpu"}"#),
        ]),
        Reply::Calls(vec![("call_b", "ring", "{}")]),
        Reply::Says("all three"),
    ]);
    let world = World::new(store, script).await;
    let gate = Gate::new();
    let first = Process::start(&world, Stop::open()).await;
    let harness = world.harness().await;
    world.begin(&harness, "run-1").await;
    world
        .vendor
        .script([Behaviour::Slow(gate.clone()), Behaviour::Slow(gate.clone())]);
    first.begin("run-1");
    world.vendor.wait_for_requests(2).await;
    // Another process takes the run while the calls of the first are under way: it waits for them.
    world
        .store
        .age_runs(std::time::Duration::from_secs(200))
        .await;
    let (outcome, ()) = tokio::join!(world.segment(&harness, "run-1"), async {
        gate.open();
    });
    assert_eq!(done(&outcome), "all three");
    assert_eq!(world.effects(), ["diagnose cpu", "ring", "send slow"]);
    // The first process is alive, and may have asked the model too: one record of each step stands.
    assert_eq!(world.step_rows().await, 3);
    let told = answers(&world.said(&harness, "run-1").await);
    assert_eq!(told.len(), 3);
    assert!(told.iter().all(|(_, failed)| !failed), "{told:?}");
}

/// C51: one call, through the record of its step and back.
pub(crate) async fn empty_arguments_are_one_call_however_they_are_spelled(store: TestStore) {
    let script = Script::of([
        Reply::Calls(vec![
            ("call_a", "ring", ""),
            ("call_b", "ring", "  "),
            ("call_c", "ring", "null"),
            ("call_d", "ring", "{}"),
        ]),
        Reply::Says("rang"),
    ]);
    let world = World::new(store, script).await;
    let harness = world.harness().await;
    world.begin(&harness, "run-1").await;
    assert_eq!(done(&world.segment(&harness, "run-1").await), "rang");
    assert_eq!(world.effects(), ["ring"]);
    let told = answers(&world.said(&harness, "run-1").await);
    assert_eq!(told, vec![("\"effect-1\"".to_owned(), false); 4]);
}

/// C51: the answer names the field; no card, no row.
pub(crate) async fn a_missing_argument_is_refused_before_anybody_is_asked(store: TestStore) {
    for (round, arguments) in ["", "null", "{}", r#"{"to":null}"#].into_iter().enumerate() {
        let script = Script::of([
            Reply::Calls(vec![("call_a", "cleanup", arguments)]),
            Reply::Says("refused"),
        ]);
        let world = World::new(store.clone(), script).await;
        let harness = world.harness().await;
        world.begin(&harness, &format!("run-{round}")).await;
        let outcome = world.segment(&harness, &format!("run-{round}")).await;
        assert_eq!(done(&outcome), "refused");
        let told = answers(&world.said(&harness, &format!("run-{round}")).await);
        assert!(told[0].1 && told[0].0.contains("to"), "{told:?}");
        assert!(told[0].0.contains("invalid_input"), "{told:?}");
        assert!(world.cards().await.is_empty());
        assert_eq!(world.tool_rows().await, 0);
    }
}

/// C43, R35: results pair by position: real models leave ids out and repeat them.
pub(crate) async fn equal_calls_of_one_response_have_an_answer_in_each_place(store: TestStore) {
    let arguments = r#"{"to":"ann"}"#;
    for share in [true, false] {
        let script = Script::of([
            Reply::Calls(vec![
                ("call_a", "send", arguments),
                ("call_a", "send", arguments),
                ("", "send", arguments),
                ("call_a", "diagnose", arguments),
            ]),
            Reply::Says("sent"),
        ]);
        let world = World::new(store.clone(), script).await;
        let harness = world.harness_sharing(share).await;
        world.begin(&harness, "run-1").await;
        assert_eq!(done(&world.segment(&harness, "run-1").await), "sent");
        assert_eq!(world.effects(), ["diagnose ann", "send ann"]);
        let told = answers(&world.said(&harness, "run-1").await);
        assert_eq!(told.len(), 4);
        assert_eq!((&told[0], &told[0]), (&told[1], &told[2]));
        assert_ne!(told[0], told[3]);
        assert!(told.iter().all(|(_, failed)| !failed));
    }
}
