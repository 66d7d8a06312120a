//! The example: the second seed's story on real parts, run as a reader runs it.

use std::process::{Command, Output, Stdio};

use idem_tests::TestStore;

use crate::program::{everything, example};

const RUNS: i64 = 2;

fn play(arguments: &[&str]) -> Output {
    let mut reminder = Command::new(example("reminder"));
    reminder.args(arguments).stdin(Stdio::null());
    reminder.output().expect("a program that starts")
}

/// The numbers of the last line, `reminders: 1  emails: 1  duplicates prevented: 4`.
fn last_line(output: &Output) -> (u32, u32, Option<u32>) {
    let text = String::from_utf8_lossy(&output.stdout);
    let last = text.lines().last().unwrap_or_default();
    let number = |label: &str| {
        let (_, rest) = last.split_once(label)?;
        rest.split_whitespace().next()?.parse().ok()
    };
    match (number("reminders: "), number("emails: ")) {
        (Some(reminders), Some(emails)) => (reminders, emails, number("duplicates prevented: ")),
        _ => panic!("the last line counts the effects: {}", everything(output)),
    }
}

fn assert_once(output: &Output) {
    let numbers = last_line(output);
    assert_eq!(numbers, (1, 1, Some(4)), "{}", everything(output));
    assert_eq!(output.status.code(), Some(0), "{}", everything(output));
}

/// The story's turning points, in their order: each is told after the one before it.
fn assert_told(output: &Output, points: &[&str]) {
    let text = String::from_utf8_lossy(&output.stdout);
    let mut rest = &*text;
    for point in points {
        let Some((_, after)) = rest.split_once(point) else {
            panic!("`{point}` is not told in its place: {}", everything(output));
        };
        rest = after;
    }
}

const WITH_IDEM: [&str; 13] = [
    "killed by SIGKILL at reminder.before_commit",
    "director  rows in the application's table: 0",
    "killed by SIGKILL at reminder.after_commit",
    "director  rows in the application's table: 1",
    "replayed from the journal",
    "worker 4  waits for a person, approval ",
    "director  claims under the e-mail's key while it waits: 0",
    "approver  as idem approvals list:",
    "approver  as idem approvals approve ",
    "| Approved: ",
    "killed by SIGKILL at email.before_wire",
    "killed by SIGKILL at email.reply_lost",
    "the vendor knows the key",
];

/// With the URL of a store, twice: another run in the same database is another run. What the program tells of its
/// tables is looked up there.
pub(crate) async fn with_idem_each_effect_happens_once(store: TestStore) {
    for _ in 0..RUNS {
        let url = store.url.clone();
        let played = tokio::task::spawn_blocking(move || play(&["--store", &url]));
        let output = played.await.unwrap();
        assert_once(&output);
        assert_told(&output, &WITH_IDEM);
    }
    let rows = "SELECT count(*) FROM example_reminders";
    assert_eq!(store.number(rows, "").await, RUNS);
    assert_eq!(store.count_rows("idempotency_keys").await, 2 * RUNS);
    assert_eq!(store.count_rows("approvals").await, RUNS);
    let by_bob = store.number(
        "SELECT count(*) FROM agent.approvals WHERE decided_by = 'bob'",
        "SELECT count(*) FROM agent_approvals WHERE decided_by = 'bob'",
    );
    assert_eq!(by_bob.await, RUNS);
}

#[test]
fn without_arguments_each_effect_happens_once() {
    let output = play(&[]);
    assert_once(&output);
    assert_told(&output, &WITH_IDEM);
}

/// The same faults, and nobody is asked.
#[test]
fn without_idem_effects_happen_more_than_once() {
    let output = play(&["--without-idem"]);
    let (reminders, emails, prevented) = last_line(&output);
    assert!(reminders > 1 && emails > 1, "{}", everything(&output));
    assert_eq!(prevented.unwrap_or(0), 0, "{}", everything(&output));
    assert_eq!(output.status.code(), Some(1), "{}", everything(&output));
    assert_told(
        &output,
        &[
            "killed by SIGKILL at reminder.before_commit",
            "killed by SIGKILL at reminder.after_commit",
            "killed by SIGKILL at email.before_wire",
            "killed by SIGKILL at email.reply_lost",
        ],
    );
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(!text.contains("approv"), "{}", everything(&output));
}
