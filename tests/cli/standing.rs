//! What becomes of a card, and what is said about it afterwards (R41 to R43, R72).

use crate::cards::{INPUT, id_and_hash};
use crate::office::{Office, program_into, proposal};
use idem_core::Principal;
use idem_core::approval::{ApprovalDesk, ApprovalId, EditRequest, TakenEdit};
use idem_tests::TestStore;
use std::time::Duration;

const WEEK_AND_A_DAY: Duration = Duration::from_secs(8 * 24 * 60 * 60);

/// R42: a yes that nobody used in time has run out, and who had said it is not forgotten.
pub(crate) async fn a_yes_that_ran_out_says_so_and_who_said_it(store: TestStore) {
    let office = Office::open(store).await;
    let (id, hash) = id_and_hash(&office.ask(INPUT).await);
    let yes = ["approvals", "approve", &id, "--as", "bob", "--hash", &hash];
    office.idem(&yes).await.ends_with(0);
    office.database.age_cards(WEEK_AND_A_DAY).await;

    let listed = office.idem(&["approvals", "list", "--all"]).await;
    listed.ends_with(0).has("ran out");
    let shown = office.idem(&["approvals", "show", &id]).await;
    shown
        .has("approved by bob")
        .has("its time ran out")
        .has("This was asked");
    let again = office.idem(&yes).await;
    again
        .ends_with(1)
        .has("approved by bob")
        .has("its time ran out");
    let card = &office.json(&["approvals", "show", &id]).await["approval"];
    assert_eq!(
        (&card["status"], &card["decided_by"]),
        (&"ran_out".into(), &"bob".into())
    );
}

/// R43: whose edit is effective is said only where the card still knows it.
pub(crate) async fn an_edit_is_not_put_down_to_who_asked_for_another_one(store: TestStore) {
    let office = Office::open(store).await;
    let card = office.ask(INPUT).await;
    let id = card.id.to_string();
    let desk = ApprovalDesk::new(office.store.clone(), office.organization);
    let edited = r#"{"body":"Hello","to":"dan@example.test"}"#;
    ask_for(&desk, card.id, "bob", edited).await;
    take(&desk, card.id, TakenEdit::Effective(proposal(edited))).await;
    let show = ["approvals", "show", &id];
    office.idem(&show).await.has("bob changed");

    ask_for(&desk, card.id, "carol", r#"{"to":7}"#).await;
    let waits = office.idem(&show).await;
    waits
        .has("What the model proposed was changed:")
        .has("carol asked for these arguments instead");
    assert!(!waits.out.contains("carol changed"), "{waits:?}");
    let refusal = TakenEdit::Refused("`to` is a text".to_owned());
    take(&desk, card.id, refusal).await;
    let refused = office.idem(&show).await;
    refused
        .has("What the model proposed was changed:")
        .has("dan@example.test")
        .has("The last edit cannot run");
    assert!(!refused.out.contains("carol"), "{refused:?}");
}

async fn ask_for(desk: &ApprovalDesk, id: ApprovalId, by: &str, arguments: &str) {
    let card = desk.show(id).await.unwrap().unwrap();
    let edit = EditRequest {
        shown_hash: card.effective.shown_hash,
        by: Principal::new(by).unwrap(),
        arguments: arguments.to_owned(),
    };
    let _ = desk.edit(id, &edit).await.unwrap();
    let asked = desk.show(id).await.unwrap().unwrap();
    assert_eq!(asked.edit_requested_by.as_deref(), Some(by));
}

/// What a worker does when the call is made again.
async fn take(desk: &ApprovalDesk, id: ApprovalId, taken: TakenEdit) {
    let card = desk.show(id).await.unwrap().unwrap();
    let taken = desk.take_edit(&card, &taken).await.unwrap();
    assert!(taken.is_some(), "the edit was there to be taken");
}

/// R43: how a file is laid out is no part of the arguments, and no attack.
pub(crate) async fn an_edit_from_a_laid_out_file_shows_nothing_hidden(store: TestStore) {
    let office = Office::open(store).await;
    let card = office.ask(INPUT).await;
    let (id, hash) = id_and_hash(&card);
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("edited.json");
    let pretty = "{\n  \"body\": \"Hello\",\n\t\"to\": \"carol@example.test\"\r\n}\n";
    std::fs::write(&file, pretty).unwrap();
    let from_file = format!("@{}", file.display());
    let edit = ["approvals", "edit", &id, "--as", "bob", "--hash", &hash];
    let edit = [&edit[..], &["--arguments", &from_file]].concat();
    office.idem(&edit).await.ends_with(0);
    let shown = office.idem(&["approvals", "show", &id]).await;
    shown.has("\"to\": \"carol@example.test\"\n");
    assert!(!shown.out.contains("Careful"), "{shown:?}");
    let desk = ApprovalDesk::new(office.store.clone(), office.organization);
    let stored = desk.show(card.id).await.unwrap().unwrap().edit_request;
    assert_eq!(
        stored.as_deref(),
        Some(r#"{"body":"Hello","to":"carol@example.test"}"#)
    );
}

/// R72: a decision that is written is done, also where nobody can be told; whoever only looked has seen nothing.
pub(crate) async fn a_decision_that_cannot_be_printed_is_still_done(store: TestStore) {
    let Ok(full) = std::fs::File::options().write(true).open("/dev/full") else {
        return; // a device of Linux
    };
    let office = Office::open(store).await;
    let (id, hash) = id_and_hash(&office.ask(INPUT).await);
    let into_full = |arguments: &[&str]| {
        let arguments: Vec<_> = arguments.iter().map(|&part| part.to_owned()).collect();
        let (office, full) = (&office, full.try_clone().unwrap());
        async move {
            let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
            let organization = office.organization.to_string();
            let place = ["--store", &office.database.url, "--org", &organization];
            program_into(full.into(), &[&place[..], &arguments].concat()).await
        }
    };
    let looks = into_full(&["approvals", "list"]).await;
    assert!(looks.ends_with(2).err.contains("cannot be written"));
    let yes = ["approvals", "approve", &id, "--as", "bob", "--hash", &hash];
    let said = into_full(&yes).await;
    assert!(
        said.ends_with(0).err.contains("cannot be written"),
        "{said:?}"
    );
    let again = into_full(&yes).await;
    again.ends_with(1);
    let card = &office.json(&["approvals", "show", &id]).await["approval"];
    assert_eq!(card["status"], "approved");
}
