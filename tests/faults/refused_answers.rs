//! A store that refuses the bytes of an answer (R17, P17): the effect is made, so the row is completed
//! by a note in the answer's place, the same for the first caller and for every other.

use idem_core::OutcomeKind;
use idem_tests::vendor::{Behaviour, Keys, Vendor};
use idem_tests::{StoreKind, TestStore};
use idem_tools::{Answered, Json, codes};

use crate::agent::Agent;

/// More than any note of the SDK's own has.
const REFUSED_BYTES: usize = 2_000;

/// Refuses responses that are longer than a note.
async fn refuse_long_answers(store: &TestStore) {
    match store.kind {
        StoreKind::Postgres => {
            let check = format!(
                "ALTER TABLE agent.idempotency_keys ADD CONSTRAINT short \
                 CHECK (octet_length(response) < {REFUSED_BYTES})"
            );
            store.execute(&check, "").await;
        }
        StoreKind::Sqlite => {
            let trigger = format!(
                "CREATE TRIGGER short BEFORE UPDATE ON agent_idempotency_keys \
                 WHEN length(NEW.response) >= {REFUSED_BYTES} \
                 BEGIN SELECT RAISE(ABORT, 'the response is too long'); END"
            );
            store.execute("", &trigger).await;
        }
    }
}

fn assert_is_the_note(answered: &Answered, replayed: bool) -> String {
    let failure = answered.failure().expect("a note and no value");
    assert_eq!(failure.code, codes::ANSWER_NOT_STORED);
    assert!(!failure.retryable, "the effect is made");
    assert_eq!(answered.kind, Some(OutcomeKind::NotStored));
    assert_eq!(answered.replayed, replayed);
    answered.to_model_text()
}

fn detail(answered: &Answered, name: &str) -> Option<Json> {
    let details = answered.failure()?.details.clone()?;
    let Json::Object(details) = details else {
        return None;
    };
    details.get(name).cloned()
}

async fn call_three_times(agent: &Agent, tool: &str) -> Answered {
    let what = "a".repeat(REFUSED_BYTES);
    let first = agent.call(tool, &what).await.unwrap();
    let note = assert_is_the_note(&first, false);
    for _ in 0..2 {
        let again = agent.call(tool, &what).await.unwrap();
        assert_eq!(assert_is_the_note(&again, true), note);
    }
    first
}

pub(crate) async fn an_answer_that_the_store_refuses_becomes_a_note_for_the_first_caller_and_every_other(
    store: TestStore,
) {
    let vendor = Vendor::start(Keys::Ignored).await;
    let agent = Agent::open(&store.url, &vendor).await;
    refuse_long_answers(&store).await;
    for (effects, tool) in (1..).zip(["once", "keyed", "marked"]) {
        let noted = call_three_times(&agent, tool).await;
        assert_eq!(vendor.book().effects, effects, "{tool}");
        assert!(
            detail(&noted, "digest").is_some() && detail(&noted, "bytes").is_some(),
            "{tool}: the note names what could not be kept: {}",
            noted.to_model_text()
        );
    }
}

/// A business failure is an answer too (R13), and its details can be too long to keep.
pub(crate) async fn a_failure_that_the_store_refuses_becomes_the_same_note(store: TestStore) {
    let vendor = Vendor::start(Keys::Ignored).await;
    let agent = Agent::open(&store.url, &vendor).await;
    let check = "ALTER TABLE agent.idempotency_keys ADD CONSTRAINT no_404 \
                 CHECK (position('http_404' IN convert_from(response, 'UTF8')) = 0)";
    let trigger = "CREATE TRIGGER no_404 BEFORE UPDATE ON agent_idempotency_keys \
                   WHEN instr(NEW.response, CAST('http_404' AS BLOB)) > 0 \
                   BEGIN SELECT RAISE(ABORT, 'no such answers'); END";
    store.execute(check, trigger).await;
    vendor.script([Behaviour::Status {
        code: 404,
        effect: false,
    }]);
    let first = agent.call("once", "a").await.unwrap();
    let note = assert_is_the_note(&first, false);
    let again = agent.call("once", "a").await.unwrap();
    assert_eq!(assert_is_the_note(&again, true), note);
    assert_eq!(vendor.book().requests, 1);
}
