//! `idem approvals` (R40 to R43, R72; C39, C59).

use crate::office::{Office, SCOPE};
use idem_core::OrganizationId;
use idem_core::Principal;
use idem_core::approval::{Approval, ApprovalDesk};
use idem_tests::TestStore;

pub(crate) const INPUT: &str = r#"{"body":"Hello","to":"bob@example.test"}"#;

pub(crate) fn id_and_hash(card: &Approval) -> (String, String) {
    let hash = card.effective.shown_hash.to_string();
    (card.id.to_string(), hash[..12].to_owned())
}

/// R72: a person sees what will run, on whose behalf, why, who may decide, and the hash to name.
pub(crate) async fn open_ones_are_listed_and_shown_with_what_will_run(store: TestStore) {
    let office = Office::open(store).await;
    office
        .idem(&["approvals", "list"])
        .await
        .ends_with(0)
        .has("Nothing waits");
    let (id, hash) = id_and_hash(&office.ask(INPUT).await);

    let listed = office.idem(&["approvals", "list"]).await;
    listed
        .ends_with(0)
        .has("ON BEHALF OF")
        .has(&id)
        .has(SCOPE)
        .has("ann")
        .has("6 d 23 h")
        .has("open");
    let shown = office.idem(&["approvals", "show", &id]).await;
    shown
        .ends_with(0)
        .has("mail to outside needs a yes")
        .has("anybody but ann")
        .has(&hash);
    shown.has("      \"to\": \"bob@example.test\"\n");

    let listed = office.json(&["approvals", "list"]).await;
    assert_eq!(listed["approvals"][0]["id"], id);
    let shown = office.json(&["approvals", "show", &id]).await;
    let card = &shown["approval"];
    assert_eq!(card["status"], "open");
    assert_eq!(card["effective"]["arguments_text"], INPUT);
    assert_eq!(card["effective"]["arguments"]["body"], "Hello");
    assert_eq!(card["may_decide"]["requester"], false);
}

/// R42, C39: the first decision stands; who comes later is told what, by whom and when.
pub(crate) async fn an_approval_names_what_was_seen_and_a_second_decider_is_told_what_stands(
    store: TestStore,
) {
    let office = Office::open(store).await;
    let card = office.ask(INPUT).await;
    let (id, hash) = id_and_hash(&card);
    let approve = |by: &'static str| {
        let (id, hash) = (id.clone(), hash.clone());
        let office = &office;
        async move {
            office
                .idem(&["approvals", "approve", &id, "--as", by, "--hash", &hash])
                .await
        }
    };
    approve("bob").await.ends_with(0).has("Approved");
    for by in ["carol", "bob"] {
        let second = approve(by).await;
        second
            .ends_with(1)
            .has("Nothing was changed")
            .has("approved by bob")
            .has("ago (20")
            .has("UTC");
    }
    let no = [
        "approvals",
        "deny",
        &id,
        "--as",
        "carol",
        "--hash",
        &hash,
        "--reason",
        "no",
        "--json",
    ];
    let no = office.idem(&no).await.ends_with(1).json();
    assert_eq!(no["outcome"], "stands");
    assert_eq!(no["approval"]["decided_by"], "bob");
    assert_eq!(no["approval"]["status"], "approved");
}

/// R43: a denial carries the reason that the model is told.
pub(crate) async fn a_denial_has_a_reason_and_stands(store: TestStore) {
    let office = Office::open(store).await;
    let (id, hash) = id_and_hash(&office.ask(INPUT).await);
    let missing = office
        .idem(&["approvals", "deny", &id, "--as", "bob", "--hash", &hash])
        .await;
    assert!(missing.ends_with(2).err.contains("--reason"), "{missing:?}");
    let deny = [
        "approvals",
        "deny",
        &id,
        "--as",
        "bob",
        "--hash",
        &hash,
        "--reason",
        "wrong address",
    ];
    office.idem(&deny).await.ends_with(0).has("Denied");
    let yes = [
        "approvals",
        "approve",
        &id,
        "--as",
        "carol",
        "--hash",
        &hash,
    ];
    office
        .idem(&yes)
        .await
        .ends_with(1)
        .has("denied by bob")
        .has("wrong address");
}

/// R42: a decision on something else than the card shows changes nothing.
pub(crate) async fn another_hash_than_the_card_shows_decides_nothing(store: TestStore) {
    let office = Office::open(store).await;
    let card = office.ask(INPUT).await;
    let (id, hash) = id_and_hash(&card);
    let decide = |hash: &'static str| {
        let (id, office) = (id.clone(), &office);
        async move {
            office
                .idem(&["approvals", "approve", &id, "--as", "bob", "--hash", hash])
                .await
        }
    };
    let refused = decide("000000000000").await;
    refused.ends_with(1).has("something else");
    // Whoever has not looked is not given what it takes to say yes.
    assert!(!refused.out.contains(&hash), "{refused:?}");
    for malformed in ["0123456789a", "0123456789ag", ""] {
        assert!(
            decide(malformed)
                .await
                .ends_with(2)
                .err
                .contains("first 12 or more")
        );
    }
    let desk = ApprovalDesk::new(office.store.clone(), office.organization);
    assert!(
        desk.show(card.id)
            .await
            .unwrap()
            .unwrap()
            .decided_at
            .is_none()
    );
    let whole = card.effective.shown_hash.to_string().to_uppercase();
    let whole = ["approvals", "approve", &id, "--as", "bob", "--hash", &whole];
    office.idem(&whole).await.ends_with(0);
}

/// R42: whom the rule does not allow, decides nothing.
pub(crate) async fn the_requester_and_a_stranger_to_the_rule_are_refused(store: TestStore) {
    let office = Office::open(store).await;
    let named = |card: &mut idem_core::approval::NewCard| {
        card.approvers.named = Some(vec![
            Principal::new("ann").unwrap(),
            Principal::new("bob").unwrap(),
        ]);
    };
    let (id, hash) = id_and_hash(&office.ask_as(INPUT, named).await);
    office
        .idem(&["approvals", "show", &id])
        .await
        .has("may decide    bob\n");
    for by in ["ann", "carol"] {
        for act in [
            &["approve"][..],
            &["deny", "--reason", "no"],
            &["edit", "--arguments", "{}"],
        ] {
            let decide = [&["approvals"], act, &[&id, "--as", by, "--hash", &hash]].concat();
            office
                .idem(&decide)
                .await
                .ends_with(1)
                .has("does not let this person decide");
        }
    }
    office
        .idem(&["approvals", "approve", &id, "--as", "bob", "--hash", &hash])
        .await
        .ends_with(0);
}

/// R73: an organization is a wall.
pub(crate) async fn another_organization_sees_nothing_and_decides_nothing(store: TestStore) {
    let office = Office::open(store).await;
    let (id, hash) = id_and_hash(&office.ask(INPUT).await);
    let other = OrganizationId::random();
    let listed = office
        .idem_for(other, &["approvals", "list", "--all"])
        .await;
    listed.ends_with(0).has("There are no approvals");
    for act in [
        &["show"][..],
        &["approve", "--as", "bob", "--hash", &hash],
        &["deny", "--as", "bob", "--hash", &hash, "--reason", "no"],
        &["edit", "--as", "bob", "--hash", &hash, "--arguments", "{}"],
    ] {
        let act = [&["approvals"], act, &[&id]].concat();
        office
            .idem_for(other, &act)
            .await
            .ends_with(1)
            .has("no approval");
    }
    assert_eq!(
        office.json(&["approvals", "show", &id]).await["approval"]["status"],
        "open"
    );
}

/// R72: off a terminal nothing is decided that was not named.
pub(crate) async fn nobody_is_asked_without_a_terminal(store: TestStore) {
    let office = Office::open(store).await;
    let (id, _) = id_and_hash(&office.ask(INPUT).await);
    let said = office
        .idem(&["approvals", "approve", &id, "--as", "bob"])
        .await;
    assert!(said.ends_with(2).err.contains("--hash"), "{said:?}");
    assert_eq!(
        office.json(&["approvals", "show", &id]).await["approval"]["status"],
        "open"
    );
}

/// C59: the list shows what waits, and nothing that has run.
pub(crate) async fn the_list_filters_by_scope_and_age_and_leaves_out_what_is_done(
    store: TestStore,
) {
    let office = Office::open(store).await;
    let (id, hash) = id_and_hash(&office.ask(INPUT).await);
    let count = |arguments: &'static [&'static str]| {
        let office = &office;
        async move {
            let listed = office
                .json(&[&["approvals", "list"], arguments].concat())
                .await;
            listed["approvals"].as_array().unwrap().len()
        }
    };
    assert_eq!(count(&["--scope", SCOPE]).await, 1);
    assert_eq!(count(&["--scope", "tool.calendar.create"]).await, 0);
    assert_eq!(count(&["--older-than", "0s"]).await, 1);
    assert_eq!(count(&["--older-than", "1h"]).await, 0);
    office
        .idem(&["approvals", "list", "--limit", "1"])
        .await
        .has("There may be more");
    office
        .idem(&["approvals", "list", "--older-than", "soon"])
        .await
        .ends_with(2);
    office
        .idem(&["approvals", "list", "--scope", "Tool"])
        .await
        .ends_with(2);

    office
        .idem(&["approvals", "approve", &id, "--as", "bob", "--hash", &hash])
        .await
        .ends_with(0);
    assert_eq!(count(&[]).await, 0);
    assert_eq!(count(&["--all"]).await, 1);
}
