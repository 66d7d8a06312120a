//! What is too much, too little or left out: it is said, and never cut in silence (R72, R75).

use crate::cards::{INPUT, id_and_hash};
use crate::office::{Office, SCOPE, key};
use idem_core::approval::REASON_BYTES_MAX;
use idem_tests::TestStore;

/// R72: a list of none would say that nothing waits.
pub(crate) async fn a_list_of_no_rows_is_refused(store: TestStore) {
    let office = Office::open(store).await;
    office.ask(INPUT).await;
    let said = office.idem(&["approvals", "list", "--limit", "0"]).await;
    assert!(said.ends_with(2).err.contains("--limit"), "{said:?}");
    assert!(!said.out.contains("Nothing waits"), "{said:?}");
}

/// R72: ten keys are shown, and an eleventh is not passed over in silence.
pub(crate) async fn keys_that_are_not_shown_are_mentioned(store: TestStore) {
    let office = Office::open(store).await;
    let prefix = key(1).to_string()[..12].to_owned();
    for number in 1..=10 {
        let _ = office.claim(number).await;
    }
    let ten = office.idem(&["show", &prefix]).await;
    assert!(
        !ten.ends_with(1).out.contains("There are more"),
        "{}",
        ten.out
    );
    let _ = office.claim(11).await;
    let eleven = office.idem(&["show", &prefix]).await;
    eleven
        .ends_with(1)
        .has("There are more: only 10 are shown.");
    let json = office.idem(&["show", &prefix, "--json"]).await.json();
    assert_eq!(json["keys"].as_array().unwrap().len(), 10);
    assert_eq!(json["limit_reached"], true);
}

/// R75: a note is kept whole or refused, with the bound.
pub(crate) async fn a_note_that_is_too_long_settles_nothing(store: TestStore) {
    let office = Office::open(store).await;
    let _ = office.lapse(1).await;
    let whole = key(1).to_string();
    for (bytes, code) in [(REASON_BYTES_MAX + 1, 2), (REASON_BYTES_MAX, 0)] {
        let note = "n".repeat(bytes);
        let settle = ["settle", &whole, "--scope", SCOPE, "--as", "ann"];
        let settle = [&settle[..], &["--did-not-happen", "--note", &note]].concat();
        let said = office.idem(&settle).await;
        said.ends_with(code);
        assert_eq!(said.err.contains("at most 2000"), code == 2, "{said:?}");
    }
    let row = &office.json(&["show", &whole]).await["keys"][0];
    assert_eq!(row["settled_note"], "n".repeat(REASON_BYTES_MAX));
}

/// R43: the model is told the reason, so there is one, and all of it.
pub(crate) async fn a_denial_without_a_reason_decides_nothing(store: TestStore) {
    let office = Office::open(store).await;
    let (id, hash) = id_and_hash(&office.ask(INPUT).await);
    let long = "n".repeat(REASON_BYTES_MAX + 1);
    for reason in ["", " \t\n", "\u{200b}", &long] {
        let deny = ["approvals", "deny", &id, "--as", "bob", "--hash", &hash];
        let deny = [&deny[..], &["--reason", reason]].concat();
        let said = office.idem(&deny).await;
        assert!(said.ends_with(2).err.contains("the reason"), "{said:?}");
    }
    let card = &office.json(&["approvals", "show", &id]).await["approval"];
    assert_eq!(card["status"], "open");
}
