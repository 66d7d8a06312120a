//! What a card shows: edits, what it replaces, and nothing that moves a terminal (R40, R41, R43, S3).

use crate::cards::{INPUT, id_and_hash};
use crate::office::{Office, proposal};
use idem_core::approval::{ApprovalDesk, TakenEdit};
use idem_tests::TestStore;

/// R43: an edit is final only under the hash of what it shows.
pub(crate) async fn an_edit_waits_for_a_worker_and_a_new_hash(store: TestStore) {
    let office = Office::open(store).await;
    let card = office.ask(INPUT).await;
    let (id, hash) = id_and_hash(&card);
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("edited.json");
    let edited = r#"{"body":"Hello","to":"carol@example.test"}"#;
    std::fs::write(&file, edited).unwrap();
    let from_file = format!("@{}", file.display());
    for (arguments, code) in [("{", 2), ("[]", 2), ("@/nowhere", 2), (&*from_file, 0)] {
        let edit = [
            "approvals",
            "edit",
            &id,
            "--as",
            "bob",
            "--hash",
            &hash,
            "--arguments",
            arguments,
        ];
        office.idem(&edit).await.ends_with(code);
    }
    office
        .idem(&["approvals", "show", &id])
        .await
        .has("no worker has checked")
        .has("carol@");

    // What a worker does when the call is made again.
    let desk = ApprovalDesk::new(office.store.clone(), office.organization);
    let waiting = desk.show(card.id).await.unwrap().unwrap();
    let taken = TakenEdit::Effective(proposal(edited));
    let (_, new_hash) = id_and_hash(&desk.take_edit(&waiting, &taken).await.unwrap().unwrap());

    let shown = office.idem(&["approvals", "show", &id]).await;
    shown
        .has("bob changed what the model proposed")
        .has("/to")
        .has("- \"bob@")
        .has("+ \"carol@");
    let old = [
        "approvals",
        "approve",
        &id,
        "--as",
        "carol",
        "--hash",
        &hash,
    ];
    office.idem(&old).await.ends_with(1).has("something else");
    let new = [
        "approvals",
        "approve",
        &id,
        "--as",
        "carol",
        "--hash",
        &new_hash,
    ];
    office.idem(&new).await.ends_with(0);
    let card = &office.json(&["approvals", "show", &id]).await["approval"];
    assert_eq!(
        (&card["edited"], &card["status"]),
        (&true.into(), &"approved".into())
    );
}

/// R41: another content of the same key opens a new card, which shows both.
pub(crate) async fn a_replaced_card_is_shown_beside_the_new_one(store: TestStore) {
    let office = Office::open(store).await;
    let old = office.ask(INPUT).await;
    let desk = ApprovalDesk::new(office.store.clone(), office.organization);
    let _ = desk
        .withdraw(old.id, "another call was proposed")
        .await
        .unwrap();
    let change = |card: &mut idem_core::approval::NewCard| {
        card.supersedes = Some(old.id);
        card.earlier_denial = Some("too long".to_owned());
    };
    let new = office
        .ask_as(r#"{"body":"Hi","to":"bob@example.test"}"#, change)
        .await;
    let shown = office
        .idem(&["approvals", "show", &new.id.to_string()])
        .await;
    shown.has(&format!("It replaces {} (withdrawn)", old.id));
    shown
        .has("/body")
        .has("- \"Hello\"")
        .has("+ \"Hi\"")
        .has("was denied: too long");
    let gone = office
        .idem(&["approvals", "show", &old.id.to_string()])
        .await;
    gone.has("taken back: another call was proposed");
}

/// R72, hazard S3: what a model or a vendor wrote moves no cursor and imitates nothing.
pub(crate) async fn no_escape_sequence_reaches_the_terminal(store: TestStore) {
    let office = Office::open(store).await;
    let bad = "\u{1b}[2J\u{1b}]0;t\u{7}\u{9b}31m\u{202e}\r";
    let input = format!(
        r#"{{"to":"p{}ypal\u001b[2J{}"}}"#,
        'а', "\u{9b}31m\u{202e}\u{7f}"
    );
    let change = |card: &mut idem_core::approval::NewCard| {
        card.rule = format!("because {bad}");
        card.tool = format!("send{bad}");
        card.fingerprint = bad.to_owned();
        card.earlier_denial = Some(bad.to_owned());
    };
    let card = office.ask_as(&input, change).await;
    let (id, hash) = id_and_hash(&card);
    let deny = [
        "approvals",
        "deny",
        &id,
        "--as",
        "bob",
        "--hash",
        &hash,
        "--reason",
        bad,
    ];
    let again = [
        "approvals",
        "deny",
        &id,
        "--as",
        "carol",
        "--hash",
        &hash,
        "--reason",
        "no",
    ];
    let list = ["approvals", "list", "--all"];
    let show = ["approvals", "show", &id];
    for command in [&list[..], &show, &deny, &again] {
        for json in [&[][..], &["--json"]] {
            let said = office.idem(&[command, json].concat()).await;
            let clean = |text: &str| {
                !text.contains(|c: char| (c.is_control() && c != '\n') || c == '\u{202e}')
            };
            assert!(clean(&said.out) && clean(&said.err), "{said:?}");
            if !json.is_empty() {
                let _ = said.json();
            }
        }
    }
    let shown = office.idem(&show).await;
    shown
        .has("p⟨U+0430 а⟩ypal\\u001b[2J⟨U+009B⟩31m⟨U+202E⟩⟨U+007F⟩")
        .has("Careful: it holds 3 characters");
    let json = office.json(&show).await;
    assert_eq!(
        json["approval"]["effective"]["arguments_text"],
        *card.effective.input
    );
}
