//! An edit passes the policy as a proposal does (R41, R43).

use crate::support::{House, code};
use idem_tests::TestStore;
use idem_tools::approval::{Decided, REASON_BYTES_MAX, Verdict};
use idem_tools::{CallError, Checkpoint, Decision};

const ASKS: &str = "default = \"ask\"";
const PAY: &str = r#"{"to":"eve","amount":5}"#;
const MILLION: &str = r#"{"to":"eve","amount":1000000}"#;

/// A policy with one rule about amounts, and which asks about the rest.
fn with_rule(limit: &str, outcome: &str) -> String {
    format!(
        "default = \"ask\"\n[[rule]]\nname = \"amounts\"\ntool = \"pay\"\nargument.amount = {{ {limit} }}\n{outcome}\n"
    )
}

/// Arguments that the policy denies are refused with its reason, and the card shows what it showed.
pub(crate) async fn an_edit_that_the_policy_denies_is_refused(store: TestStore) {
    let house = House::new(store);
    let worker = house
        .worker(&with_rule(
            "over = 1000",
            "deny = \"nobody pays that much\"",
        ))
        .await;
    let card = worker.waits("run", "pay", PAY).await;
    worker.edit(&card, MILLION).await;
    let card = worker.waits("run", "pay", PAY).await;
    assert_eq!(card.edit_refusal.as_deref(), Some("nobody pays that much"));
    assert!(!card.is_edited());
    worker.approve(&card).await;
    worker.answer("run", "pay", PAY).await;
    assert_eq!(house.effects.made(), ["pay eve 5"]);
}

/// Whoever may decide a small payment does not make a large one of it: those are for others to decide.
pub(crate) async fn an_edit_under_another_rule_is_refused(store: TestStore) {
    let house = House::new(store);
    let carols = "ask = \"large ones are carol's\"\napprovers = [\"carol\"]";
    let worker = house.worker(&with_rule("over = 1000", carols)).await;
    let large = worker.waits("run", "pay", MILLION).await;
    let decided = worker.decide(&large, Verdict::Approve).await;
    assert!(matches!(decided, Decided::NotAllowed(_)), "{decided:?}");

    let card = worker.waits("run", "pay", PAY).await;
    worker.edit(&card, MILLION).await;
    let card = worker.waits("run", "pay", PAY).await;
    let refusal = card.edit_refusal.as_deref();
    let says = "these arguments fall under another rule: large ones are carol's";
    assert_eq!(refusal, Some(says));
    worker.approve(&card).await;
    worker.answer("run", "pay", PAY).await;
    assert_eq!(house.effects.made(), ["pay eve 5"]);
}

/// A rule that was only worded anew is no other rule.
pub(crate) async fn an_edit_is_taken_where_the_rule_has_other_words_now(store: TestStore) {
    let house = House::new(store);
    let worker = house
        .worker(&with_rule("under = 9", "ask = \"small ones\""))
        .await;
    let card = worker.waits("run", "pay", PAY).await;
    worker.edit(&card, r#"{"to":"eve","amount":2}"#).await;
    let worker = house
        .worker(&with_rule("under = 9", "ask = \"small payments\""))
        .await;
    let card = worker.waits("run", "pay", PAY).await;
    assert!(card.is_edited(), "{:?}", card.edit_refusal);
}

/// R41: a deny beats a standing yes, also where it forbids what runs and not what was proposed.
pub(crate) async fn a_deny_beats_a_yes_to_edited_arguments(store: TestStore) {
    let house = House::new(store);
    let worker = house.worker(ASKS).await;
    let card = worker.waits("run", "pay", PAY).await;
    worker.edit(&card, MILLION).await;
    let card = worker.waits("run", "pay", PAY).await;
    worker.approve(&card).await;

    for rest in ["ask", "allow"] {
        let stricter = with_rule("over = 1000", "deny = \"nobody pays that much\"");
        let stricter = stricter.replace("default = \"ask\"", &format!("default = \"{rest}\""));
        let answer = house
            .worker(&stricter)
            .await
            .answer("run", "pay", PAY)
            .await;
        assert_eq!(code(&answer), "denied", "{rest}");
        assert_eq!(answer.failure().unwrap().message, "nobody pays that much");
        assert_eq!(answer.ran_instead, None);
    }
    assert!(house.effects.made().is_empty());
    // Nothing of it is stored.
    house.worker(ASKS).await.answer("run", "pay", PAY).await;
    assert_eq!(house.effects.made(), ["pay eve 1000000"]);
}

/// A policy that cannot say leaves the edit as it is; another one takes its place.
pub(crate) async fn an_edit_about_which_the_policy_fails_stays_unchecked(store: TestStore) {
    let house = House::new(store);
    let policy = "default = \"ask\"\n[[rule]]\nname = \"large\"\nargument.amount = { over = 1000 }\ndeny = \"no\"";
    let worker = house.worker(policy).await;
    let letter = r#"{"to":"eve"}"#;
    let card = worker.waits("run", "write", letter).await;
    worker.edit(&card, r#"{"to":"eve","amount":"5000"}"#).await;
    let failed = worker.call("run", "write", letter).await;
    assert!(matches!(failed, Err(CallError::Policy(_))), "{failed:?}");
    let card = worker.card(&card).await;
    assert!(card.edit_request.is_some() && !card.is_edited());

    worker.edit(&card, r#"{"to":"bob"}"#).await;
    let card = worker.waits("run", "write", letter).await;
    assert!(card.is_edited());
    assert!(house.effects.made().is_empty());
}

/// R75: a refusal that quotes what was asked for is stored on both stores, and the call goes on waiting.
pub(crate) async fn a_refusal_is_stored_without_what_a_store_cannot_hold(store: TestStore) {
    let house = House::new(store);
    let worker = house.worker(ASKS).await;
    let card = worker.waits("run", "pay", PAY).await;
    let long = "y".repeat(2 * REASON_BYTES_MAX);
    for name in [r"x\u0000x", &long] {
        let edit = format!(r#"{{"to":"eve","amount":2,"{name}":1}}"#);
        worker.edit(&card, &edit).await;
        let card = worker.waits("run", "pay", PAY).await;
        let refusal = card.edit_refusal.unwrap();
        assert!(
            refusal.contains("xx") || refusal.contains("yy"),
            "{refusal}"
        );
        assert!(refusal.len() <= REASON_BYTES_MAX && !refusal.contains('\0'));
    }
}

/// R75: so is the rule of a policy that somebody wrote.
pub(crate) async fn a_rule_is_stored_without_what_a_store_cannot_hold(store: TestStore) {
    let house = House::new(store);
    let rule = format!("a\0b{}", "c".repeat(REASON_BYTES_MAX));
    let asks = move |_: &Checkpoint<'_>| Decision::ask(rule.as_str());
    let worker = house.worker_under(asks).await;
    let card = worker.waits("run", "pay", PAY).await;
    assert!(card.rule.starts_with("abc"), "{}", card.rule);
    assert_eq!(card.rule.len(), REASON_BYTES_MAX);
    worker.edit(&card, r#"{"to":"eve","amount":2}"#).await;
    assert!(worker.waits("run", "pay", PAY).await.is_edited());
}

/// R43: the one who asked for other arguments that were refused is not shown as the author of those that would run.
pub(crate) async fn an_edit_has_the_name_of_its_author_only(store: TestStore) {
    let house = House::new(store);
    let worker = house.worker(ASKS).await;
    let card = worker.waits("run", "pay", PAY).await;
    assert_eq!(card.edited_by(), None);
    worker.edit(&card, r#"{"to":"eve","amount":2}"#).await;
    assert_eq!(
        worker.card(&card).await.edited_by(),
        None,
        "it waits to be checked"
    );
    let card = worker.waits("run", "pay", PAY).await;
    assert_eq!(card.edited_by(), Some("bob"));

    let cannot_run = r#"{"to":"eve","amount":"x"}"#;
    worker.edit_as("carol", &card, cannot_run).await;
    assert_eq!(worker.card(&card).await.edited_by(), None);
    let card = worker.waits("run", "pay", PAY).await;
    assert!(card.is_edited() && card.edit_refusal.is_some());
    assert_eq!(
        card.edited_by(),
        None,
        "the card remembers carol, and it was bob"
    );
}
