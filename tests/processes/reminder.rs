//! The example: the second seed's story on real parts, run as a reader runs it.

use std::process::{Command, Output, Stdio};

use idem_tests::TestStore;

use crate::program::{everything, example};

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
    let (reminders, emails, prevented) = last_line(output);
    assert_eq!((reminders, emails), (1, 1), "{}", everything(output));
    assert!(prevented.is_some_and(|n| n >= 2), "{}", everything(output));
    assert_eq!(output.status.code(), Some(0), "{}", everything(output));
}

/// With the URL of a store, twice: another run in the same database is another run.
pub(crate) async fn with_idem_each_effect_happens_once(store: TestStore) {
    for _ in 0..2 {
        let url = store.url.clone();
        let played = tokio::task::spawn_blocking(move || play(&["--store", &url]));
        assert_once(&played.await.unwrap());
    }
}

#[test]
fn without_arguments_each_effect_happens_once() {
    assert_once(&play(&[]));
}

#[test]
fn without_idem_effects_happen_more_than_once() {
    let output = play(&["--without-idem"]);
    let (reminders, emails, prevented) = last_line(&output);
    assert!(reminders > 1 && emails > 1, "{}", everything(&output));
    assert_eq!(prevented.unwrap_or(0), 0, "{}", everything(&output));
    assert_eq!(output.status.code(), Some(1), "{}", everything(&output));
}
