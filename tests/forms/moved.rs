//! What outlives a process outlives the form that its tool had.

use std::time::Duration;

use idem_core::Principal;
use idem_core::approval::{Decided, DecisionRequest, Verdict};
use idem_tests::TestStore;
use idem_tools::{Ask, ProposedCall, Settled};

use crate::bench::{Bench, call, text};
use crate::tools::{by_hand, plain, send_parcel};

const LETTER: &str = r#"{"to":"ann","template":{"id":"welcome","version":1}}"#;

/// R44: the fields are the same, so what was approved is what runs.
pub(crate) async fn an_approval_stands_when_a_tool_moves_to_plain_arguments(store: TestStore) {
    let bench = Bench::new(store);
    let before = bench
        .turn_with(|idem| idem.tool::<by_hand>().policy(Ask::writes()))
        .await;
    let asked = before.call(ProposedCall::new("a", "send", LETTER)).await;
    let Ok(Settled::Waiting(waiting)) = asked else {
        panic!("nobody was asked: {asked:?}");
    };
    let after = bench.bare().await.tool::<plain>().policy(Ask::writes());
    let after = after.build().expect("tools that can be added");
    let desk = after.approvals(bench.organization);
    let card = waiting.card;
    let yes = DecisionRequest {
        id: card.id,
        shown_hash: card.effective.shown_hash,
        verdict: Verdict::Approve,
        by: Principal::new("boss").expect("a principal"),
    };
    let decided = desk.decide(&yes).await;
    assert!(matches!(decided, Ok(Decided::Done(_))), "{decided:?}");
    let answered = call(&bench.turn_of(&after), "send", LETTER).await;
    assert_eq!(text(&answered), "effect-1");
    assert!(answered.added_defaults.is_empty());
    assert_eq!(bench.ledger.effects(), ["ann welcome.1 - x1"]);
}

/// R32: `reconcile` of a tool with plain arguments names the input through the tool.
pub(crate) async fn a_look_up_gets_the_input_that_the_macro_wrote(store: TestStore) {
    let bench = Bench::new(store);
    let turn = bench.turn_with(|idem| idem.tool::<send_parcel>()).await;
    let proposed = || ProposedCall::new("a", "send_parcel", r#"{"to":"ann"}"#);
    assert!(
        turn.call(proposed()).await.is_err(),
        "the outcome is not known yet"
    );
    bench.store.age_all(Duration::from_secs(60)).await;
    let answered = call(&turn, "send_parcel", r#"{"to":"ann"}"#).await;
    assert_eq!(text(&answered), "found the one to ann");
    assert_eq!(bench.ledger.effects(), ["parcel to ann"]);
}
