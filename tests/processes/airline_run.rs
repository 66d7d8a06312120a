//! The airline example: conversations run in worker processes, with and without faults, and the airline's book is right.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use idem_tests::TestStore;
use serde_json::Value;

use crate::airline::{conversation, data, recordings};
use crate::program::{everything, example};

/// What must be 0 in every report.
pub(crate) const NONE: [&str; 6] = [
    "duplicates",
    "lost",
    "stuck",
    "mismatches",
    "approvals_repeated",
    "denied_done",
];

/// Runs the conversations of a file, and gives the report. A pass that takes longer than three minutes is cut off, and
/// what is open then is stuck.
async fn run(path: &Path, store: &TestStore, more: &[&str]) -> Value {
    let (path, url) = (path.to_owned(), store.url.clone());
    let more: Vec<String> = more.iter().map(|word| (*word).to_owned()).collect();
    let ran = tokio::task::spawn_blocking(move || {
        let mut run = Command::new(example("airline"));
        run.arg("run").arg(path).args(["--store", &url, "--json"]);
        run.args(["--approve-writes", "--within-s", "180"])
            .args(more);
        run.stdin(Stdio::null()).output().unwrap()
    });
    let output = ran.await.unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", everything(&output));
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    for name in NONE {
        assert_eq!(report[name], 0, "{name}: {report:#}");
    }
    assert_eq!(report["wrong"], serde_json::json!([]));
    report
}

/// Two conversations: a write twice in a turn, once more in the next, a refusal, and reads.
fn small(folder: &Path) -> PathBuf {
    let fifty = ("send_certificate", r#"{"user_id":"u","amount":50}"#, "sent");
    let same = (
        "send_certificate",
        r#"{ "amount": 5e1, "user_id": "u" }"#,
        "sent",
    );
    let refused = (
        "cancel_reservation",
        r#"{"reservation_id":"R"}"#,
        "Error: it is gone",
    );
    let look = ("get_user_details", r#"{"user_id":"u"}"#, "a customer");
    let turns: [&[_]; 3] = [&[look, fifty, same], &[fifty, refused], &[]];
    recordings(
        folder,
        &[conversation("one", &turns), conversation("two", &[&[look]])],
    )
}

/// R46, R49: every answer is the recorded one, and what is proposed twice in a turn is done once.
pub(crate) async fn recorded_conversations_come_out_as_recorded(store: TestStore) {
    let folder = tempfile::tempdir().unwrap();
    let report = run(&small(folder.path()), &store, &["--chaos", "0"]).await;
    for (name, number) in [
        ("conversations", 2),
        ("calls", 6),
        ("keys", 5),
        ("writes", 4),
        ("distinct_writes", 3),
        ("requests", 5),
        ("effects", 2),
        ("approvals_asked", 3),
        ("faults", 0),
    ] {
        assert_eq!(report[name], number, "{name}: {report:#}");
    }
}

/// R46 to R51: killed workers, broken replies, runs driven twice and people who contradict one another change no answer and
/// repeat no effect.
pub(crate) async fn chaos_changes_no_answer(store: TestStore) {
    let folder = tempfile::tempdir().unwrap();
    let more = ["--chaos", "20", "--generated", "6", "--seed", "1"];
    let report = run(&small(folder.path()), &store, &more).await;
    let number = |name: &str| report[name].as_u64().unwrap();
    assert_eq!(number("conversations"), 8);
    assert!(number("kills") > 0, "{report:#}");
    assert!(number("faults") > number("kills"), "{report:#}");
    assert!(number("unknown") <= number("unknown_bound"), "{report:#}");
}

/// The conversations that the example was made for.
pub(crate) async fn the_recordings_come_out_as_recorded(store: TestStore) {
    let Some(path) = data() else { return };
    let report = run(&path, &store, &["--chaos", "0"]).await;
    for (name, number) in [
        ("conversations", 100),
        ("calls", 577),
        ("keys", 575),
        ("writes", 123),
        ("distinct_writes", 121),
        ("effects", 102),
        ("approvals_asked", 121),
    ] {
        assert_eq!(report[name], number, "{name}: {report:#}");
    }
}
