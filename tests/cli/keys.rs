//! `idem show` and `idem settle` (R32, R72).

use crate::office::{Office, SCOPE, key};
use idem_core::{Answer, OrganizationId, OutcomeKind, ReadOutcome};
use idem_tests::TestStore;
use std::time::Duration;

pub(crate) const HAPPENED: [&str; 6] = [
    "--happened",
    "--answer",
    r#"{"receipt":"R-17"}"#,
    "--as",
    "ann",
    "--json",
];

pub(crate) async fn stored_text(
    office: &Office,
    request: &idem_core::Request,
) -> (OutcomeKind, String) {
    match office.service().read(request).await.unwrap() {
        ReadOutcome::Completed(stored) => {
            let bytes = stored.response.expect("a response").bytes;
            (stored.kind, String::from_utf8(bytes.to_vec()).unwrap())
        }
        other => panic!("no answer: {other:?}"),
    }
}

/// R72: what is stored can hold personal data, so it is printed only where somebody asks for it.
pub(crate) async fn a_key_is_shown_by_its_first_digits_and_values_only_on_request(
    store: TestStore,
) {
    let office = Office::open(store).await;
    let (_, claim) = office.claim(1).await;
    let whole = key(1).to_string();
    office
        .idem(&["show", &whole])
        .await
        .ends_with(0)
        .has("at work")
        .has("ends in")
        .has("run-7");
    let answer = Answer::json(OutcomeKind::Answer, r#"{"ok":{"id":"m-1"}}"#).unwrap();
    let _ = office.service().complete(claim, &answer).await.unwrap();

    let short = office.idem(&["show", &whole[..12]]).await;
    short
        .ends_with(0)
        .has(&whole)
        .has("it has its answer")
        .has("ann")
        .has("answer: 19 bytes");
    assert!(
        !short.out.contains("m-1") && !short.out.contains("example.test"),
        "{short:?}"
    );
    let long = office
        .idem(&["show", &whole[..13], "--scope", SCOPE, "--values"])
        .await;
    long.has("\"id\": \"m-1\"").has("ann@example.test");

    let found = &office.json(&["show", &whole, "--values"]).await["keys"][0];
    assert_eq!(found["state"], "completed");
    assert_eq!(found["answer"]["value"]["ok"]["id"], "m-1");
    let found = &office.json(&["show", &whole]).await["keys"][0];
    assert_eq!(
        (&found["answer"]["bytes"], &found["answer"]["value"]),
        (&19.into(), &().into())
    );
    office
        .idem(&["show", &whole, "--scope", "tool.other.act"])
        .await
        .ends_with(1);
    office.idem(&["show", &whole[..11]]).await.ends_with(2);
}

/// R32: a lapsed claim is completed by the settlement, in the form in which a tool's answer is kept.
pub(crate) async fn a_lapsed_claim_is_settled_and_repeats_get_the_answer(store: TestStore) {
    let office = Office::open(store).await;
    let request = office.lapse(1).await;
    let whole = key(1).to_string();
    office
        .idem(&["show", &whole])
        .await
        .has("its worker vanished, and may have made the effect");
    let settle = [&["settle", &whole[..12], "--scope", SCOPE], &HAPPENED[..]].concat();
    let said = office.idem(&settle).await.ends_with(0).json();
    assert_eq!(said["outcome"], "settled");
    assert_eq!(said["first_answer_kept"], false);
    let stored = stored_text(&office, &request).await;
    assert_eq!(
        stored,
        (
            OutcomeKind::Answer,
            r#"{"ok":{"receipt":"R-17"}}"#.to_owned()
        )
    );
    office
        .idem(&["show", &whole])
        .await
        .has("it happened, says ann")
        .has("somebody found out");
}

/// R32: a completed unknown outcome keeps its first answer; the settlement stands beside it, once.
pub(crate) async fn an_unknown_outcome_is_settled_once_and_keeps_its_first_answer(
    store: TestStore,
) {
    let office = Office::open(store).await;
    let (request, claim) = office.claim(1).await;
    let first = r#"{"error":{"code":"outcome_unknown","message":"m","retryable":false}}"#;
    let answer = Answer::json(OutcomeKind::OutcomeUnknown, first).unwrap();
    let _ = office.service().complete(claim, &answer).await.unwrap();
    let whole = key(1).to_string();
    let settle = [
        &[
            "settle",
            &whole,
            "--scope",
            SCOPE,
            "--note",
            "asked the bank",
        ],
        &HAPPENED[..],
    ]
    .concat();
    let said = office.idem(&settle).await.ends_with(0).json();
    assert_eq!(said["first_answer_kept"], true);
    assert_eq!(
        stored_text(&office, &request).await,
        (OutcomeKind::OutcomeUnknown, first.to_owned())
    );
    let again = office
        .idem(&[
            "settle",
            &whole,
            "--scope",
            SCOPE,
            "--did-not-happen",
            "--as",
            "bob",
        ])
        .await;
    again
        .ends_with(1)
        .has("Nothing was changed")
        .has("it happened, says ann, 20");
    office
        .idem(&["show", &whole, "--values"])
        .await
        .has("asked the bank")
        .has("\"receipt\": \"R-17\"");
}

/// R32: "did not happen" is an answer, too, and nothing is sent by it.
pub(crate) async fn what_did_not_happen_is_told_to_the_next_caller(store: TestStore) {
    let office = Office::open(store).await;
    let request = office.lapse(1).await;
    let whole = key(1).to_string();
    let settle = [
        "settle",
        &whole,
        "--scope",
        SCOPE,
        "--did-not-happen",
        "--note",
        "no such mail",
        "--as",
        "ann",
    ];
    office
        .idem(&settle)
        .await
        .ends_with(0)
        .has("it did not happen");
    let (kind, text) = stored_text(&office, &request).await;
    assert_eq!(kind, OutcomeKind::OutcomeUnknown);
    assert!(text.contains("did_not_happen"), "{text}");
    for wrong in [
        &["--happened", "--did-not-happen"][..],
        &[],
        &["--did-not-happen", "--answer", "1"],
    ] {
        let settle = [&["settle", &whole, "--scope", SCOPE, "--as", "ann"], wrong].concat();
        office.idem(&settle).await.ends_with(2);
    }
}

/// R32: `settle` is refused on a live row and an answered one, and says which it is.
pub(crate) async fn what_is_live_answered_or_absent_is_not_settled_and_says_why(store: TestStore) {
    let office = Office::open(store).await;
    let whole = key(1).to_string();
    let settle = [
        "settle",
        &whole,
        "--scope",
        SCOPE,
        "--happened",
        "--as",
        "ann",
    ];
    office
        .idem(&settle)
        .await
        .ends_with(1)
        .has("Nothing is kept under this key");
    let (_, claim) = office.claim(1).await;
    office
        .idem(&settle)
        .await
        .ends_with(1)
        .has("Attempt 1 is at work")
        .has("ends in");
    let answer = Answer::json(OutcomeKind::Answer, r#"{"ok":1}"#).unwrap();
    let _ = office.service().complete(claim, &answer).await.unwrap();
    office
        .idem(&settle)
        .await
        .ends_with(1)
        .has("It has its answer");
    office
        .database
        .age_all(Duration::from_secs(31 * 24 * 60 * 60))
        .await;
    office
        .idem(&settle)
        .await
        .ends_with(1)
        .has("Nothing is kept under this key");
    office
        .idem(&["show", &whole])
        .await
        .has("past its retention");
}

/// R73: an organization is a wall.
pub(crate) async fn another_organization_neither_sees_nor_settles_a_key(store: TestStore) {
    let office = Office::open(store).await;
    let _ = office.lapse(1).await;
    let other = OrganizationId::random();
    let whole = key(1).to_string();
    office
        .idem_for(other, &["show", &whole])
        .await
        .ends_with(1)
        .has("Nothing is kept");
    let settle = [&["settle", &whole, "--scope", SCOPE], &HAPPENED[..]].concat();
    assert_eq!(
        office.idem_for(other, &settle).await.ends_with(1).json()["outcome"],
        "absent"
    );
    assert_eq!(
        office.json(&["show", &whole]).await["keys"][0]["state"],
        "lapsed_marked"
    );
}

/// R72: a prefix that names two keys names none.
pub(crate) async fn keys_that_begin_alike_are_told_apart(store: TestStore) {
    let office = Office::open(store).await;
    let _ = office.lapse(1).await;
    let _ = office.lapse(2).await;
    let whole = key(2).to_string();
    let both = office.idem(&["show", &whole[..63]]).await;
    both.ends_with(1)
        .has("give more digits")
        .has(&whole)
        .has(&key(1).to_string());
    let settle = |key: String| {
        let office = &office;
        async move {
            office
                .idem(&[
                    "settle",
                    &key,
                    "--scope",
                    SCOPE,
                    "--happened",
                    "--as",
                    "ann",
                ])
                .await
        }
    };
    settle(whole[..63].to_owned())
        .await
        .ends_with(1)
        .has("give more digits");
    settle(whole).await.ends_with(0);
    let first = office.json(&["show", &key(1).to_string()]).await;
    assert_eq!(first["keys"][0]["state"], "lapsed_marked");
}
