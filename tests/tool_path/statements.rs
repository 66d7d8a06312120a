//! What a call costs in statements (R30, R80).

use std::sync::Arc;

use idem_tests::vendor::{Behaviour, Keys};
use idem_tools::{Checkpoint, Decision, Idem, IdemBuilder, NeverAsks, Turn};

use crate::counting::Counting;
use crate::setting::{Setting, World, call};
use crate::tools;

const ANN: &str = r#"{"to":"ann"}"#;

/// A turn over a store that counts, without a policy or under one that never asks.
async fn counted(world: &World, policy: bool) -> (Arc<Counting>, Turn) {
    let allows = |_: &Checkpoint<'_>| Decision::Allow;
    counted_as(world, |builder| {
        if policy {
            builder.policy(NeverAsks(allows))
        } else {
            builder
        }
    })
    .await
}

/// A turn whose beginning is written down already.
async fn counted_as(
    world: &World,
    equip: impl FnOnce(IdemBuilder) -> IdemBuilder,
) -> (Arc<Counting>, Turn) {
    let store = Counting::new(world.setting.store.open().await);
    let builder = Idem::with_store(store.clone()).await.expect("a good store");
    let builder = equip(tools::all(world.equip(builder)));
    let worker = world.worker_of(builder.build().expect("tools that can be added"));
    assert_eq!(
        store.take(),
        ["probe"],
        "the store is asked whether it can be trusted"
    );
    let turn = worker.turn();
    call(&turn, "send", r#"{"to":"nobody"}"#)
        .await
        .expect("an answer");
    assert_eq!(
        store.take()[0],
        "turn_age",
        "when the turn began is asked once"
    );
    (store, turn)
}

async fn costs(store: &Counting, turn: &Turn, tool: &str) -> Vec<&'static str> {
    let answer = call(turn, tool, ANN).await.expect("an answer");
    assert!(answer.result.is_ok(), "{answer:?}");
    store.take()
}

/// R30, R80: where no checkpoint stands between, the claim is the read.
pub(crate) async fn a_lone_call_without_a_policy_is_a_claim_and_an_ending(setting: Setting) {
    let world = World::new(&setting, Keys::Ignored).await;
    let (store, turn) = counted(&world, false).await;
    assert_eq!(
        costs(&store, &turn, "send").await,
        ["try_claim", "complete"]
    );
    assert_eq!(costs(&store, &turn, "send").await, ["try_claim", "get"]);
}

/// R30, R80: a policy stands between the journal and the claim, and a replay reads the journal alone.
pub(crate) async fn a_lone_call_with_a_policy_reads_claims_and_ends(setting: Setting) {
    let world = World::new(&setting, Keys::Ignored).await;
    let (store, turn) = counted(&world, true).await;
    let first = costs(&store, &turn, "send").await;
    assert_eq!(first, ["get", "try_claim", "complete"]);
    assert_eq!(costs(&store, &turn, "send").await, ["get"]);
}

/// R41, R80: where a person may have been asked before, an allowed call looks for its card; a replay does not.
pub(crate) async fn a_lone_call_with_a_policy_that_may_have_asked_looks_for_a_card(
    setting: Setting,
) {
    let world = World::new(&setting, Keys::Ignored).await;
    let allows = |_: &Checkpoint<'_>| Decision::Allow;
    let (store, turn) = counted_as(&world, |builder| builder.policy(allows)).await;
    let first = costs(&store, &turn, "send").await;
    assert_eq!(first, ["get", "find_card", "try_claim", "complete"]);
    assert_eq!(costs(&store, &turn, "send").await, ["get"]);
}

/// R80: the mark before the wire is one statement more.
pub(crate) async fn a_marked_dispatch_is_one_statement_more(setting: Setting) {
    let world = World::new(&setting, Keys::Ignored).await;
    let (store, turn) = counted(&world, true).await;
    let first = costs(&store, &turn, "send_marked").await;
    assert_eq!(first, ["get", "try_claim", "mark_dispatched", "complete"]);
    assert_eq!(costs(&store, &turn, "send_marked").await, ["get"]);
}

/// R27: a look takes no claim, with a policy and without.
pub(crate) async fn a_read_is_a_look_at_the_journal_and_one_record(setting: Setting) {
    let world = World::new(&setting, Keys::Ignored).await;
    for policy in [false, true] {
        let (store, turn) = counted(&world, policy).await;
        let turn = turn.step(u32::from(policy));
        assert_eq!(costs(&store, &turn, "look").await, ["get", "record"]);
        assert_eq!(costs(&store, &turn, "look").await, ["get"]);
    }
}

/// R13: giving a key up is one statement, and so is completing a failure.
pub(crate) async fn a_failure_costs_what_a_success_costs(setting: Setting) {
    let world = World::new(&setting, Keys::Ignored).await;
    let (store, turn) = counted(&world, false).await;
    let status = |code| Behaviour::Status {
        code,
        effect: false,
    };
    world.vendor.script([status(429), status(404)]);
    for ending in ["release", "complete"] {
        let failed = call(&turn, "send", ANN).await.expect("an answer");
        assert!(failed.failure().is_some());
        assert_eq!(store.take(), ["try_claim", ending]);
    }
}

/// R75: what is refused before it has an identity asks the store nothing.
pub(crate) async fn a_refused_call_costs_nothing(setting: Setting) {
    let world = World::new(&setting, Keys::Ignored).await;
    let (store, turn) = counted(&world, true).await;
    for (tool, arguments) in [("send", "{}"), ("sned", ANN), ("send", "{")] {
        let refused = call(&turn, tool, arguments).await.expect("an answer");
        assert!(refused.failure().is_some());
        assert!(store.take().is_empty(), "{tool} {arguments}");
    }
}
