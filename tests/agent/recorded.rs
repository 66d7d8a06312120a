//! R46: a call whose next step is recorded has its answer there, and is never made.

use idem_tests::TestStore;
use idem_tests::vendor::Behaviour;

use crate::model::{Hold, Reply, Script};
use crate::process::Process;
use crate::tools::Stop;
use crate::world::{World, answers, done};

/// A response with this call, and a second one, recorded, whose calls wait; then the process vanishes while the third
/// is thought about.
async fn vanished_after(world: &World, hold: &Hold) {
    let harness = world.harness().await;
    world.begin(&harness, "run-1").await;
    let first = Process::start(world, Stop::open()).await;
    first.begin("run-1");
    hold.reached.opened().await;
    first.vanish();
    world.leases_pass().await;
}

fn script(call: (&'static str, &'static str, &'static str), hold: &Hold) -> Script {
    let script = Script::of([
        Reply::Calls(vec![call]),
        Reply::Calls(vec![("call_b", "ring", "")]),
    ]);
    script.says(
        2,
        [
            Reply::Held(hold.clone(), Box::new(Reply::Says("never heard"))),
            Reply::Says("over"),
        ],
    );
    script
}

async fn goes_on(world: &World) -> Vec<(String, bool)> {
    let harness = world.harness().await;
    assert_eq!(done(&world.segment(&harness, "run-1").await), "over");
    assert_eq!(world.model.asked(), [1, 1, 2]);
    answers(&world.said(&harness, "run-1").await)
}

pub(crate) async fn a_denied_call_whose_next_step_is_recorded_is_never_made(store: TestStore) {
    let hold = Hold::default();
    let call = ("call_a", "send", r#"{"to":"ann"}"#);
    let world = World::new(store, script(call, &hold)).await;
    world.rules.deny(&["send"]);
    vanished_after(&world, &hold).await;
    world.rules.deny(&[]);
    let told = goes_on(&world).await;
    assert!(told[0].1 && told[0].0.contains("denied"));
    assert_eq!(world.effects(), ["ring"]);
}

pub(crate) async fn a_refused_call_whose_next_step_is_recorded_is_never_made(store: TestStore) {
    for (round, call) in [
        ("call_a", "send", r#"{"too":"ann"}"#),
        ("call_a", "fetch", r#"{"to":"ann"}"#),
    ]
    .into_iter()
    .enumerate()
    {
        let hold = Hold::default();
        let world = World::new(store.clone(), script(call, &hold)).await;
        vanished_after(&world, &hold).await;
        let told = goes_on(&world).await;
        let code = ["invalid_input", "unknown_tool"][round];
        assert!(told[0].1 && told[0].0.contains(code), "{told:?}");
        assert_eq!(world.effects(), ["ring"]);
    }
}

/// The attempts were used up, and the vendor would take it now.
pub(crate) async fn a_call_given_up_whose_next_step_is_recorded_is_never_made(store: TestStore) {
    let hold = Hold::default();
    let call = ("call_a", "send", r#"{"to":"ann"}"#);
    let world = World::new(store, script(call, &hold)).await;
    let busy = Behaviour::Status {
        code: 429,
        effect: false,
    };
    world.vendor.script(vec![busy; 3]);
    vanished_after(&world, &hold).await;
    let told = goes_on(&world).await;
    assert!(told[0].1 && told[0].0.contains("retryable"));
    assert_eq!(world.effects(), ["ring"]);
    assert_eq!(
        world.vendor.book().requests,
        4,
        "three attempts, and the bell"
    );
}
