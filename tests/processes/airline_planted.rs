//! The airline example finds what it looks for: with each of four known bugs in its workers, its judge says so, and by the
//! number that the bug has to show in. The same build without a bug passes.

use std::process::{Command, Output, Stdio};

use idem_tests::TestStore;
use serde_json::Value;

use crate::airline_run::NONE;
use crate::program::{everything, example, example_with};

/// Enough made-up conversations and faults for each bug to come to light, whichever way a run goes.
const SIZE: [&str; 4] = ["--generated", "24", "--chaos", "60"];

/// Runs made-up conversations with this bug in the workers. A pass that takes longer than three minutes is cut off: a bug
/// may keep a conversation from its end.
async fn run(store: &TestStore, bug: Option<&'static str>) -> Output {
    let url = store.url.clone();
    let ran = tokio::task::spawn_blocking(move || {
        let mut run = Command::new(example_with("planted-bugs", "airline"));
        run.args(["run", "--approve-writes", "--json", "--store", &url]);
        run.args(SIZE).args(["--seed", "1", "--within-s", "180"]);
        run.args(bug.into_iter().flat_map(|bug| ["--planted-bug", bug]));
        run.stdin(Stdio::null()).output().unwrap()
    });
    ran.await.unwrap()
}

/// Asserts that a bug is found: by exit code 1, in each of these numbers, and in words.
async fn is_found(store: &TestStore, bug: &'static str, shows_in: &[&str]) {
    let output = run(store, Some(bug)).await;
    assert_eq!(output.status.code(), Some(1), "{}", everything(&output));
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    for name in shows_in {
        assert!(NONE.contains(name), "{name} is none of what must be 0");
        assert!(report[name].as_u64().unwrap() > 0, "{name}: {report:#}");
    }
    assert_ne!(report["wrong"], serde_json::json!([]), "{report:#}");
}

/// What is found below is the bugs' doing and not the build's.
pub(crate) async fn without_a_bug_nothing_is_found(store: TestStore) {
    let output = run(&store, None).await;
    assert_eq!(output.status.code(), Some(0), "{}", everything(&output));
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    for name in NONE {
        assert_eq!(report[name], 0, "{name}: {report:#}");
    }
    // A message in the middle of a turn, a no and a kill are what the bugs need.
    assert!(report["faults_by_kind"]["impatient"].as_u64() > Some(0));
    assert!(report["denied"].as_u64() > Some(0), "{report:#}");
    assert!(report["kills"].as_u64() > Some(0), "{report:#}");
}

/// R3, R30: a notice whose worker died after it was sent is sent again.
pub(crate) async fn a_skipped_claim_is_found(store: TestStore) {
    is_found(&store, "claim-skipped", &["duplicates"]).await;
}

/// R20: one call under two ids is done twice, and of two calls under one id the second gets the first one's answer.
pub(crate) async fn a_key_of_the_call_id_is_found(store: TestStore) {
    let shows_in = ["duplicates", "mismatches", "approvals_repeated"];
    is_found(&store, "key-from-call-id", &shows_in).await;
}

/// R49: a turn that a message came into begins anew under another id.
pub(crate) async fn a_turn_of_the_inbox_is_found(store: TestStore) {
    is_found(
        &store,
        "turn-from-inbox",
        &["mismatches", "approvals_repeated"],
    )
    .await;
}

/// R45: who said no is asked again, and what is done then was denied.
pub(crate) async fn a_forgotten_denial_is_found(store: TestStore) {
    let shows_in = ["approvals_repeated", "mismatches", "denied_done"];
    is_found(&store, "denial-forgotten", &shows_in).await;
}

#[test]
fn no_other_build_takes_a_bug() {
    let mut run = Command::new(example("airline"));
    run.args(["run", "--generated", "1", "--planted-bug", "claim-skipped"]);
    let output = run.output().unwrap();
    assert_eq!(output.status.code(), Some(2), "{}", everything(&output));
    let said = everything(&output);
    assert!(
        said.contains("unexpected argument '--planted-bug'"),
        "{said}"
    );
}
