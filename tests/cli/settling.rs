//! What `idem settle` writes, and what it refuses to write (R17, R32).

use crate::keys::{HAPPENED, stored_text};
use crate::office::{Office, SCOPE, key};
use idem_core::{Answer, OutcomeKind};
use idem_tests::TestStore;

/// R32: the note is for the record and for people; the model is told what was found out and not how.
pub(crate) async fn a_note_stays_in_the_record_and_out_of_the_answer(store: TestStore) {
    let office = Office::open(store).await;
    let request = office.lapse(1).await;
    let whole = key(1).to_string();
    let settle = ["settle", &whole, "--scope", SCOPE, "--as", "ann"];
    let note = "fraud case 17, the customer is not told";
    let settle = [&settle[..], &["--did-not-happen", "--note", note]].concat();
    office.idem(&settle).await.ends_with(0);
    let (_, told) = stored_text(&office, &request).await;
    assert!(
        told.contains("did_not_happen") && !told.contains("fraud"),
        "{told}"
    );
    office.idem(&["show", &whole]).await.has(note);
}

/// R17: an answer that a row does not take would be lost for ever, so nothing is written.
pub(crate) async fn an_answer_that_cannot_be_stored_settles_nothing(store: TestStore) {
    let office = Office::open(store).await;
    let _ = office.lapse(1).await;
    let whole = key(1).to_string();
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("answer.json");
    // It fits a row, and the envelope around it does not.
    let text = "x".repeat(idem_core::RESPONSE_BYTES_MAX - 4);
    std::fs::write(&file, format!("\"{text}\"")).unwrap();
    let from_file = format!("@{}", file.display());
    let settle = ["settle", &whole, "--scope", SCOPE, "--as", "ann"];
    let settle = [&settle[..], &["--happened", "--answer", &from_file]].concat();
    let said = office.idem(&settle).await;
    assert!(
        said.ends_with(2).err.contains("cannot be stored"),
        "{said:?}"
    );
    let row = &office.json(&["show", &whole]).await["keys"][0];
    assert_eq!(row["state"], "lapsed_marked");
    let again = [&["settle", &whole, "--scope", SCOPE], &HAPPENED[..]].concat();
    office.idem(&again).await.ends_with(0);
}

/// R32: whichever was found out, a completed unknown outcome keeps the answer that its callers were given.
pub(crate) async fn what_did_not_happen_keeps_a_first_answer_too_and_says_so(store: TestStore) {
    let office = Office::open(store).await;
    let (request, claim) = office.claim(1).await;
    let first = r#"{"error":{"code":"outcome_unknown","message":"m","retryable":false}}"#;
    let answer = Answer::json(OutcomeKind::OutcomeUnknown, first).unwrap();
    let _ = office.service().complete(claim, &answer).await.unwrap();
    let _ = office.lapse(2).await;
    for (number, kept) in [(1, true), (2, false)] {
        let whole = key(number).to_string();
        let settle = ["settle", &whole, "--scope", SCOPE, "--as", "ann"];
        let settle = [&settle[..], &["--did-not-happen", "--json"]].concat();
        let said = office.idem(&settle).await.ends_with(0).json();
        assert_eq!(said["first_answer_kept"], kept, "key {number}");
    }
    assert_eq!(
        stored_text(&office, &request).await,
        (OutcomeKind::OutcomeUnknown, first.to_owned())
    );
}
