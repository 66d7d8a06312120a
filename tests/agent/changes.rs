//! R21, R30, R46: a tool that changes between the proposal of a call and the segment that goes on.

use idem_tests::TestStore;
use idem_tests::vendor::{Behaviour, Gate};
use idem_tools::IdemBuilder;
use idem_tools::agent::{AgentHarness, SegmentOutcome};

use crate::model::{Reply, Script, calls};
use crate::tools;
use crate::versions::{cashless, defaulted, first};
use crate::world::{World, answers, done};

fn as_it_was(idem: IdemBuilder) -> IdemBuilder {
    tools::all(idem).tool::<first::pay>()
}

/// A payment beside a call that waits: the payment is proposed, and made where the rules let it.
async fn proposed(store: TestStore, payment: &'static str, is_made: bool) -> World {
    let script = Script::of([
        Reply::Calls(vec![
            ("call_a", "pay", payment),
            ("call_b", "cleanup", r#"{"to":"tmp"}"#),
        ]),
        Reply::Says("over"),
    ]);
    let world = World::new(store, script).await;
    let harness = world.harness_of(as_it_was).await;
    if !is_made {
        world.rules.deny(&["pay"]);
    }
    world.begin(&harness, "run-1").await;
    let outcome = world.segment(&harness, "run-1").await;
    assert!(matches!(outcome, SegmentOutcome::Suspended(_)));
    world.rules.deny(&[]);
    world.approve("tmp").await;
    world
}

/// What the payment came to, in a process with other tools.
async fn resumed(world: &World, harness: &AgentHarness) -> (String, bool) {
    assert_eq!(done(&world.segment(harness, "run-1").await), "over");
    assert_eq!(world.model.asked(), [1, 1]);
    answers(&world.said(harness, "run-1").await).swap_remove(0)
}

/// R21: the stored key, so that it is the same call, and the new argument's default.
pub(crate) async fn a_new_defaulted_argument_runs_what_was_proposed(store: TestStore) {
    for is_made in [false, true] {
        let world = proposed(store.clone(), r#"{"to":"ann"}"#, is_made).await;
        let harness = world
            .harness_of(|idem| tools::all(idem).tool::<defaulted::pay>())
            .await;
        let (text, failed) = resumed(&world, &harness).await;
        assert!(!failed, "{text}");
        let paid = if is_made {
            "pay ann Card"
        } else {
            "pay ann Card \"\""
        };
        assert_eq!(world.effects(), ["cleanup tmp", paid]);
    }
}

/// R30: whatever became of its tool.
pub(crate) async fn a_completed_call_of_a_removed_tool_keeps_its_answer(store: TestStore) {
    let world = proposed(store, r#"{"to":"ann"}"#, true).await;
    let harness = world.harness().await;
    let (text, failed) = resumed(&world, &harness).await;
    assert_eq!((text.as_str(), failed), ("\"effect-1\"", false));
    assert_eq!(world.effects(), ["cleanup tmp", "pay ann Card"]);
}

pub(crate) async fn a_waiting_call_of_a_removed_tool_is_told_so(store: TestStore) {
    let world = proposed(store, r#"{"to":"ann"}"#, false).await;
    let harness = world.harness().await;
    let (text, failed) = resumed(&world, &harness).await;
    assert!(
        failed && text.contains("unknown_tool") && text.contains("nothing was done"),
        "{text}"
    );
    assert_eq!(world.effects(), ["cleanup tmp"]);
}

/// R14: nobody may say that nothing was done.
pub(crate) async fn a_call_in_doubt_of_a_removed_tool_is_unknown(store: TestStore) {
    let script = Script::of([calls("pay", r#"{"to":"ann"}"#), Reply::Says("over")]);
    let world = World::new(store, script).await;
    let harness = world.harness_of(as_it_was).await;
    world.begin(&harness, "run-1").await;
    let gate = Gate::new();
    world.vendor.script([Behaviour::Slow(gate.clone())]);
    let (at, run) = (harness.clone(), crate::world::id("run-1"));
    let organization = world.organization;
    let lost = tokio::spawn(async move { at.segment(organization, &run).await });
    world.vendor.wait_for_requests(1).await;
    lost.abort();
    world.leases_pass().await;
    let harness = world.harness().await;
    let outcome = world.segment(&harness, "run-1").await;
    assert_eq!(done(&outcome), "over");
    let told = answers(&world.said(&harness, "run-1").await);
    assert!(
        told[0].1 && told[0].0.contains("outcome_unknown"),
        "{told:?}"
    );
    gate.open();
    world.vendor.wait_for_effects(1).await;
}

pub(crate) async fn a_value_that_is_no_longer_taken_is_told_so(store: TestStore) {
    for is_made in [false, true] {
        let payment = r#"{"to":"ann","method":"Cash"}"#;
        let world = proposed(store.clone(), payment, is_made).await;
        let harness = world
            .harness_of(|idem| tools::all(idem).tool::<cashless::pay>())
            .await;
        let (text, failed) = resumed(&world, &harness).await;
        if is_made {
            assert_eq!((text.as_str(), failed), ("\"effect-1\"", false));
            assert_eq!(world.effects(), ["cleanup tmp", "pay ann Cash"]);
        } else {
            assert!(
                failed && text.contains("invalid_input") && text.contains("changed"),
                "{text}"
            );
            assert_eq!(world.effects(), ["cleanup tmp"]);
        }
    }
}

/// What is stored of it cannot be read by its own tool; what the model wrote can.
pub(crate) async fn an_input_that_does_not_read_its_own_form_runs(store: TestStore) {
    let script = Script::of([
        calls("set_alarm", r#"{"at":1767225600}"#),
        Reply::Says("set"),
    ]);
    let world = World::new(store, script).await;
    let harness = world
        .harness_of(|idem| idem.tool::<tools::set_alarm>())
        .await;
    world.begin(&harness, "run-1").await;
    assert_eq!(done(&world.segment(&harness, "run-1").await), "set");
    assert_eq!(world.effects(), ["alarm 1767225600"]);
}
