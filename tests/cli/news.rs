//! What was found out about a call reaches its run as a message (R32).

use idem_core::identity::RunId;
use idem_core::runs::{EndRun, MESSAGE_BYTES_MAX, MessageKind, NewRun, RunDesk, RunStatus};
use idem_core::{Answer, ClaimKey, IdempotencyService, OutcomeKind, Principal, Scope, Settlement};
use idem_tests::TestStore;
use idem_tools::agent::tell_settled;

use crate::office::{Office, SCOPE, key};

/// The run that the office's claims name, where a harness keeps it.
async fn admitted(office: &Office) -> (RunDesk, RunId) {
    let (runs, run) = (
        RunDesk::new(office.store.clone()),
        RunId::new("run-7").unwrap(),
    );
    let ann = Principal::new("ann").unwrap();
    let new = NewRun::new(office.organization, run.clone(), ann);
    runs.admit(&new).await.unwrap();
    (runs, run)
}

async fn settle(office: &Office, finding: &[&str]) -> i32 {
    let whole = key(1).to_string();
    let start = ["settle", &whole, "--scope", SCOPE, "--as", "bob"];
    office.idem(&[&start[..], finding].concat()).await.code
}

/// R32: the news is one message, however often somebody settles, and it makes the run ready.
pub(crate) async fn a_settlement_reaches_its_run_once(store: TestStore) {
    let office = Office::open(store).await;
    let (runs, run) = admitted(&office).await;
    office.lapse(1).await;
    let happened = ["--happened", "--answer", r#"{"receipt":"R-17"}"#];
    assert_eq!(settle(&office, &happened).await, 0);
    assert_eq!(settle(&office, &["--did-not-happen"]).await, 1);
    let inbox = runs.store().messages(office.organization, &run, 0).await;
    let inbox = inbox.unwrap();
    assert_eq!(inbox.len(), 1);
    assert_eq!(inbox[0].message.kind, MessageKind::News);
    let body = &inbox[0].message.body;
    assert!(
        body.contains("it happened") && body.contains("R-17"),
        "{body}"
    );
    let ready = runs.store().ready_runs(Some(office.organization), 10).await;
    assert_eq!(ready.unwrap().len(), 1);
}

/// R32: an answer that no message takes does not keep the run from hearing that it happened.
pub(crate) async fn an_answer_longer_than_a_message_is_news_all_the_same(store: TestStore) {
    let office = Office::open(store).await;
    let (runs, run) = admitted(&office).await;
    office.lapse(1).await;
    let service = IdempotencyService::new(office.store.clone());
    let claim = ClaimKey::new(office.organization, Scope::new(SCOPE).unwrap(), key(1));
    let long = "x".repeat(MESSAGE_BYTES_MAX);
    let settlement = Settlement {
        happened: true,
        by: "bob".to_owned(),
        note: None,
        answer: success(&long),
    };
    let stored = service.settle(&claim, &settlement).await.unwrap();
    let stored = stored.expect("it lapsed");
    let settled = stored.settled.expect("it is settled");
    let told = tell_settled(&runs, &claim, &stored.origin, &settled).await;
    assert!(told.unwrap(), "the run is there");
    let inbox = runs.store().messages(office.organization, &run, 0).await;
    let body = &inbox.unwrap()[0].message.body;
    assert!(body.contains("it happened") && body.len() < 1000, "{body}");
}

fn success(text: &str) -> Answer {
    let bytes = format!(r#"{{"ok":"{text}"}}"#);
    Answer::json(OutcomeKind::Answer, bytes.as_bytes()).expect("it fits a row")
}

/// R32: what did not happen is told as well.
pub(crate) async fn what_did_not_happen_is_news_too(store: TestStore) {
    let office = Office::open(store).await;
    let (runs, run) = admitted(&office).await;
    office.lapse(1).await;
    assert_eq!(settle(&office, &["--did-not-happen"]).await, 0);
    let inbox = runs.store().messages(office.organization, &run, 0).await;
    assert!(
        inbox.unwrap()[0]
            .message
            .body
            .contains("it did not happen. It was not done again")
    );
}

/// R32: a run that has ended, or that no harness keeps, is told nothing, and the settlement stands.
pub(crate) async fn a_settlement_stands_without_a_run_to_tell(store: TestStore) {
    let office = Office::open(store).await;
    office.lapse(1).await;
    assert_eq!(settle(&office, &["--did-not-happen"]).await, 0);
    let (runs, run) = admitted(&office).await;
    let how = EndRun {
        status: RunStatus::Completed,
        reason: None,
        answered_upto: None,
    };
    let ended = runs.end(office.organization, &run, None, &how).await;
    assert!(ended.unwrap().is_some());
    assert_eq!(settle(&office, &["--did-not-happen"]).await, 1);
    let inbox = runs.store().messages(office.organization, &run, 0).await;
    assert!(inbox.unwrap().is_empty());
}
