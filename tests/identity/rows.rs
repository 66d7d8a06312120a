//! Calls of a serial tool run one after the other, beside those of other tools (R48).

use idem_tests::TestStore;
use idem_tools::ProposedCall;

use crate::bench::{Bench, proposed};
use crate::tools::Hold;

fn steps(whom: &[&str]) -> Vec<ProposedCall> {
    let step = |to: &&str| proposed("step", &format!(r#"{{"to":"{to}"}}"#));
    whom.iter().map(step).collect()
}

/// R48: in their order, and not beside each other. The first is held until a call of another tool, the last of the
/// response, lets it go: so that one runs beside them.
pub(crate) async fn the_calls_of_a_serial_tool_run_one_after_the_other(store: TestStore) {
    let bench = Bench::new(store);
    let turn = bench.turn_of(&bench.idem_that(&Hold::closed()).await);
    let mut calls = steps(&["one", "two", "three"]);
    calls.push(proposed("open", r#"{"to":"all"}"#));
    let settled = turn.call_all(calls.clone()).await;
    for (settled, call) in settled.into_iter().zip(&calls) {
        let answer = settled.expect("settled").answer().expect("an answer");
        assert_eq!(answer.call_id.as_deref(), call.id());
        assert!(answer.result.is_ok());
    }
    let events = bench.ledger.effects();
    let one_by_one = [
        "begin one",
        "end one",
        "begin two",
        "end two",
        "begin three",
        "end three",
    ];
    assert_eq!(events, one_by_one);
}

/// R48: each settles alone.
pub(crate) async fn a_serial_call_that_fails_does_not_keep_the_next_from_running(store: TestStore) {
    let bench = Bench::new(store);
    let settled = bench
        .turn()
        .await
        .call_all(steps(&["nobody", "two", "two"]))
        .await;
    let answers = settled
        .into_iter()
        .map(|settled| settled.expect("settled").answer());
    let ended: Vec<_> = answers
        .map(|answer| answer.expect("an answer").result.is_ok())
        .collect();
    assert_eq!(ended, [false, true, true]);
    let events = bench.ledger.effects();
    assert_eq!(
        events,
        ["begin nobody", "end nobody", "begin two", "end two"]
    );
}
