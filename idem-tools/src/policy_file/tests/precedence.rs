//! Which rule decides: the first that matches. And what a broken file comes to: nothing.

use super::{PolicyFile, email};
use crate::policy::Decision;
use proptest::prelude::*;

const POLICY: &str = r#"
default = "deny"

[[rule]]
name = "no mail to eve"
tool = "send_email"
argument.to = { equals = "eve@example.org" }
deny = "eve gets no mail"

[[rule]]
name = "small"
scope = "tool.email.*"
argument.amount = { under = 50 }
allow = true

[[rule]]
name = "first"
scope = "tool.email.*"
first_in_run = true
ask = "the first e-mail of a run"
expires_in = "1h"

[[rule]]
name = "rest"
scope = "tool.*"
allow = true
"#;

#[tokio::test]
async fn the_first_rule_that_matches_decides() {
    let policy = PolicyFile::parse(POLICY).unwrap();
    let decide = async |call: super::Seen| call.decided_by(&policy).await.unwrap();
    let denied = decide(email().input(r#"{"to":"eve@example.org","amount":1}"#)).await;
    assert_eq!(denied, Decision::deny("eve gets no mail"));
    let small = decide(email().input(r#"{"to":"bob","amount":1}"#)).await;
    assert_eq!(small, Decision::Allow);
    let first = decide(email().input(r#"{"to":"bob","amount":50}"#)).await;
    assert!(matches!(first, Decision::Ask(_)));
    let later = decide(email().input(r#"{"to":"bob","amount":50}"#).used()).await;
    assert_eq!(later, Decision::Allow);
}

#[tokio::test]
async fn the_default_decides_what_no_rule_matches() {
    for (word, expected) in [
        ("allow", Decision::Allow),
        (
            "deny",
            Decision::deny("no rule of the policy allows this call"),
        ),
        (
            "ask",
            Decision::ask("no rule of the policy covers this call"),
        ),
    ] {
        let text = format!(
            "default = \"{word}\"\n[[rule]]\nname = \"a\"\nscope = \"tool.card.*\"\nallow = true"
        );
        let policy = PolicyFile::parse(&text).unwrap();
        assert_eq!(email().decided_by(&policy).await.unwrap(), expected);
    }
}

/// What a rule of the reference does: which scope it matches and what it decides.
fn rules() -> impl Strategy<Value = Vec<(usize, usize)>> {
    prop::collection::vec((0_usize..4, 0_usize..2), 0..6)
}

const SCOPES: [&str; 4] = [
    "tool.email.send",
    "tool.email.*",
    "tool.card.charge",
    "tool.card.*",
];
const OUTCOMES: [&str; 2] = ["allow = true", "deny = \"no\""];

proptest! {
    /// Against a reference that walks the same rules; where a rule is unreachable, the file is refused.
    #[test]
    fn rules_decide_in_their_order(rules in rules()) {
        let mut text = "default = \"deny\"\n".to_owned();
        for (at, (scope, outcome)) in rules.iter().enumerate() {
            text += &format!("[[rule]]\nname = \"{at}\"\nscope = \"{}\"\n{}\n", SCOPES[*scope], OUTCOMES[*outcome]);
        }
        let shadowed = rules.iter().enumerate().any(|(at, (scope, _))| {
            rules[..at].iter().any(|(earlier, _)| earlier == scope || (*earlier == scope + 1 && scope % 2 == 0))
        });
        let policy = PolicyFile::parse(&text);
        prop_assert_eq!(policy.is_err(), shadowed, "{}", text);
        if let Ok(policy) = policy {
            let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
            let decided = runtime.block_on(email().decided_by(&policy)).unwrap();
            let first = rules.iter().find(|(scope, _)| *scope < 2);
            let allowed = first.is_some_and(|(_, outcome)| *outcome == 0);
            prop_assert_eq!(decided == Decision::Allow, allowed, "{}", text);
        }
    }

    /// A damaged file is a policy still, or it is refused with places that are in the text. It is never half read:
    /// what was refused is no value that a call could be shown to.
    #[test]
    fn a_damaged_file_is_refused_with_places_inside_it(at in 0..POLICY.len(), cut in 0_usize..8, put in "[\\PC\n]{0,3}") {
        let end = (at + cut).min(POLICY.len());
        let text = format!("{}{put}{}", &POLICY[..at], &POLICY[end..]);
        if let Err(error) = PolicyFile::parse(&text) {
            prop_assert!(!error.faults().is_empty());
            for fault in error.faults() {
                let line = text.split('\n').nth(fault.line - 1);
                let length = line.unwrap_or_else(|| panic!("no line {}", fault.line)).chars().count();
                prop_assert!((1..=length + 1).contains(&fault.column), "{fault}");
                prop_assert!(!fault.message.is_empty());
            }
        }
    }

    /// The same for a rule that would allow: whatever fault it has, the file that holds it allows nothing.
    #[test]
    fn a_policy_that_does_not_parse_never_allows(fault in prop::sample::select(vec![
        "alow = true", "scope = 5", "scope = \"*\"", "expires_in = \"3d\"", "deny = \"no\"", "tool = []",
        "argument.amount = { above = 5 }", "argument.amount = 5", "first_in_run = \"yes\"", "principal = \"\"",
        "effect = \"write\"", "name = ", "= 1", "[rule]", "\"",
    ]), before: bool) {
        let (above, below) = if before { (fault, "") } else { ("", fault) };
        let text = format!(
            "default = \"allow\"\n[[rule]]\n{above}\nname = \"a\"\ntool = \"send_email\"\nallow = true\n{below}\n"
        );
        prop_assert!(PolicyFile::parse(&text).is_err(), "{}", text);
    }
}
