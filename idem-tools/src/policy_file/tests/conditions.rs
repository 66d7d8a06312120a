//! Every condition, where it holds and where it does not.

use super::{Past, allowing, allows, email};
use crate::spec::Effect;
use std::sync::atomic::Ordering;
use std::time::Duration;

#[tokio::test]
async fn a_scope_is_exact_or_everything_below_some_words() {
    for scope in [
        "\"tool.email.send\"",
        "\"tool.email.*\"",
        "\"tool.*\"",
        "[\"tool.card.*\", \"tool.email.*\"]",
    ] {
        assert!(
            allows(&format!("scope = {scope}"), &email()).await,
            "{scope}"
        );
    }
    for scope in [
        "\"tool.email.sen\"",
        "\"tool.email.send.*\"",
        "\"tool.emai.*\"",
        "[\"tool.card.*\", \"tool.sms.send\"]",
    ] {
        assert!(
            !allows(&format!("scope = {scope}"), &email()).await,
            "{scope}"
        );
    }
}

#[tokio::test]
async fn a_tool_a_principal_and_an_effect_are_one_of_those_named() {
    for (holds, fails) in [
        ("tool = \"send_email\"", "tool = \"send\""),
        ("tool = [\"x\", \"send_email\"]", "tool = [\"x\", \"y\"]"),
        ("principal = \"ann\"", "principal = \"Ann\""),
        ("principal = [\"bob\", \"ann\"]", "principal = [\"bob\"]"),
        (
            "effect = \"at_most_once\"",
            "effect = [\"read\", \"keyed\"]",
        ),
    ] {
        assert!(allows(holds, &email()).await, "{holds}");
        assert!(!allows(fails, &email()).await, "{fails}");
    }
    let window = Duration::from_secs(60);
    let mut keyed = email();
    keyed.effect = Effect::Keyed { window };
    assert!(allows("effect = [\"read\", \"keyed\"]", &keyed).await);
}

#[tokio::test]
async fn all_conditions_of_a_rule_have_to_hold() {
    let both = "scope = \"tool.email.*\"\nprincipal = \"ann\"";
    assert!(allows(both, &email()).await);
    let one = "scope = \"tool.email.*\"\nprincipal = \"bob\"";
    assert!(!allows(one, &email()).await);
    let arguments =
        "argument.to = { equals = \"eve@example.org\" }\nargument.amount = { over = 100 }";
    assert!(!allows(arguments, &email()).await);
}

#[tokio::test]
async fn an_argument_equals_a_string_a_number_or_a_boolean() {
    let call = email().input(r#"{"to":"eve","count":3,"price":1.5,"urgent":true}"#);
    for holds in [
        "to = { equals = \"eve\" }",
        "to = { one_of = [\"bob\", \"eve\"] }",
        "to = { one_of = [1, \"eve\"] }",
        "count = { equals = 3 }",
        "count = { equals = 3.0 }",
        "price = { equals = 1.50 }",
        "price = { one_of = [1, 1.5] }",
        "urgent = { equals = true }",
    ] {
        assert!(allows(&format!("argument.{holds}"), &call).await, "{holds}");
    }
    for fails in [
        "to = { equals = \"Eve\" }",
        "to = { one_of = [\"bob\"] }",
        "count = { equals = 4 }",
        "urgent = { equals = false }",
        "nothing = { equals = \"eve\" }",
    ] {
        assert!(
            !allows(&format!("argument.{fails}"), &call).await,
            "{fails}"
        );
    }
}

#[tokio::test]
async fn an_amount_is_over_and_under_a_limit_and_never_both_at_it() {
    let call = email().input(r#"{"amount":100,"fee":0.3,"huge":123456789012345678901234567890}"#);
    for holds in [
        "amount = { over = 99.99 }",
        "amount = { under = 100.01 }",
        "amount = { over = 99, under = 101 }",
        "amount = { over = -5 }",
        "fee = { over = 0.29, under = 0.31 }",
        "huge = { over = 1_000_000 }",
    ] {
        assert!(allows(&format!("argument.{holds}"), &call).await, "{holds}");
    }
    for fails in [
        "amount = { over = 100 }",
        "amount = { under = 100.0 }",
        "amount = { over = 1e3 }",
        "fee = { over = 0.3 }",
        "nothing = { over = 0 }",
    ] {
        assert!(
            !allows(&format!("argument.{fails}"), &call).await,
            "{fails}"
        );
    }
}

#[tokio::test]
async fn missing_is_absent_or_null() {
    let call = email().input(r#"{"cc":null,"to":{"name":"eve","title":null}}"#);
    for holds in [
        "cc = { missing = true }",
        "bcc = { missing = true }",
        "to = { missing = false }",
        "\"to.title\" = { missing = true }",
        "\"to.name\" = { missing = false }",
        "\"cc.deep.down\" = { missing = true }",
    ] {
        assert!(allows(&format!("argument.{holds}"), &call).await, "{holds}");
    }
    for fails in [
        "cc = { missing = false }",
        "\"to.name\" = { missing = true }",
        "\"bcc.name\" = { missing = false }",
    ] {
        assert!(
            !allows(&format!("argument.{fails}"), &call).await,
            "{fails}"
        );
    }
}

#[tokio::test]
async fn the_elements_of_a_list_are_asked_for_any_or_for_all() {
    let call =
        email().input(r#"{"to":["ann","eve"],"items":[{"price":5},{"price":50}],"none":[]}"#);
    for holds in [
        "\"to[any]\" = { equals = \"eve\" }",
        "\"to[all]\" = { one_of = [\"ann\", \"eve\"] }",
        "\"items[any].price\" = { over = 20 }",
        "\"items[all].price\" = { over = 2 }",
        "\"items[any].note\" = { missing = true }",
    ] {
        assert!(allows(&format!("argument.{holds}"), &call).await, "{holds}");
    }
    for fails in [
        "\"to[all]\" = { equals = \"eve\" }",
        "\"items[all].price\" = { over = 20 }",
        "\"none[any]\" = { equals = \"eve\" }",
        // Of nothing, nothing is said: a rule that allows must not be met by an empty list.
        "\"none[all]\" = { equals = \"eve\" }",
    ] {
        assert!(
            !allows(&format!("argument.{fails}"), &call).await,
            "{fails}"
        );
    }
}

/// A rule that guards an amount must not let one pass because it is written in another form.
#[tokio::test]
async fn a_test_that_cannot_be_made_is_a_failure_and_not_a_no() {
    let call = email().input(r#"{"amount":"5000","to":["eve"],"who":{"name":"eve"},"n":1}"#);
    for (test, why) in [
        (
            "amount = { over = 100 }",
            "`amount` is a string, and the rule compares it with a number",
        ),
        (
            "amount = { equals = 5000 }",
            "`amount` is a string, and the rule compares it with a number",
        ),
        (
            "n = { one_of = [\"1\", \"2\"] }",
            "`n` is a number, and the rule compares it with a string",
        ),
        (
            "to = { equals = \"eve\" }",
            "`to` is a list: ask with `[any]` or `[all]`",
        ),
        ("who = { equals = \"eve\" }", "`who` is an object"),
        (
            "\"to.name\" = { equals = \"eve\" }",
            "`name` is asked of a list",
        ),
        (
            "\"amount[any]\" = { equals = \"eve\" }",
            "elements are asked of a string",
        ),
    ] {
        let policy = allowing(&format!("argument.{test}"));
        let error = call.decided_by(&policy).await.unwrap_err().to_string();
        assert!(error.contains(why), "{test}: {error}");
        assert!(error.contains("the rule `it`"), "{error}");
        assert!(!error.contains("5000") && !error.contains("eve"), "{error}");
    }
    // Where something else decides already, or the rule is not for this tool, there is nothing to fail.
    let elsewhere = "scope = \"tool.card.*\"\nargument.amount = { over = 100 }";
    assert!(!allows(elsewhere, &call).await);
    let decided = "argument.n = { equals = 2 }\nargument.amount = { over = 100 }";
    assert!(!allows(decided, &call).await);
}

#[tokio::test]
async fn the_first_use_in_a_run_is_asked_of_the_store_and_only_where_the_rest_holds() {
    let first = "scope = \"tool.email.*\"\nfirst_in_run = true";
    let later = "scope = \"tool.email.*\"\nfirst_in_run = false";
    assert!(allows(first, &email()).await);
    assert!(!allows(first, &email().used()).await);
    assert!(!allows(later, &email()).await);
    assert!(allows(later, &email().used()).await);
    let call = email();
    assert!(!allows("scope = \"tool.card.*\"\nfirst_in_run = true", &call).await);
    assert_eq!(call.past.asked.load(Ordering::SeqCst), 0);
    let twice = super::PolicyFile::parse(
        "default = \"deny\"\n\
         [[rule]]\nname = \"a\"\nscope = \"tool.email.*\"\nfirst_in_run = false\nallow = true\n\
         [[rule]]\nname = \"b\"\ntool = \"send_email\"\nfirst_in_run = false\nallow = true\n",
    );
    let call = super::Seen {
        past: Past::default(),
        ..email()
    };
    call.decided_by(&twice.unwrap()).await.unwrap();
    assert_eq!(call.past.asked.load(Ordering::SeqCst), 1);
}
