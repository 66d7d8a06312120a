//! The policy file by itself: what it reads, what it refuses and where, and which rule decides.

mod conditions;
mod numbers;
mod precedence;
mod reach;
mod refusals;
mod refusals_of_arguments;
mod refusals_of_rules;

use super::{POLICY_RULES_MAX, PolicyFile};
use crate::policy::{Checkpoint, Decision, Policy, PolicyError};
use crate::spec::Effect;
use async_trait::async_trait;
use idem_core::identity::{IdempotencyKey, KeyKind, LogicalTurn, RunId, ToolName};
use idem_core::inspection::{Inspected, KeyPrefix};
use idem_core::json::Json;
use idem_core::{Inspection, OrganizationId, Principal, RepositoryError, Scope};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

/// A past in which everything or nothing was used, and which counts how often it is asked.
#[derive(Debug, Default)]
struct Past {
    used: bool,
    asked: AtomicU32,
}

#[async_trait]
impl Inspection for Past {
    async fn find_keys(
        &self,
        _: OrganizationId,
        _: &KeyPrefix,
        _: Option<&str>,
        _: u32,
    ) -> Result<Vec<Inspected>, RepositoryError> {
        unreachable!("a policy looks at no rows")
    }

    async fn answered_in_run(
        &self,
        _: OrganizationId,
        _: &Scope,
        _: &RunId,
    ) -> Result<bool, RepositoryError> {
        self.asked.fetch_add(1, Ordering::SeqCst);
        Ok(self.used)
    }
}

/// A call as the policy sees it.
struct Seen {
    scope: &'static str,
    tool: &'static str,
    effect: Effect,
    principal: &'static str,
    input: &'static str,
    past: Past,
}

/// An e-mail of ann's.
fn email() -> Seen {
    Seen {
        scope: "tool.email.send",
        tool: "send_email",
        effect: Effect::AtMostOnce,
        principal: "ann",
        input: r#"{"to":"eve@example.org","amount":100}"#,
        past: Past::default(),
    }
}

impl Seen {
    fn input(self, input: &'static str) -> Self {
        Self { input, ..self }
    }

    fn used(mut self) -> Self {
        self.past.used = true;
        self
    }

    async fn decided_by(&self, policy: &impl Policy) -> Result<Decision, PolicyError> {
        let run = RunId::new("run").unwrap();
        let turn = LogicalTurn::numbered(&run, 1);
        let tool = ToolName::new(self.tool).unwrap();
        let checkpoint = Checkpoint {
            organization: OrganizationId::random(),
            principal: &Principal::new(self.principal).unwrap(),
            run: &run,
            turn: &turn,
            tool: self.tool,
            scope: &Scope::new(self.scope).unwrap(),
            effect: self.effect,
            key: IdempotencyKey::new(KeyKind::Turn { turn: &turn }, &tool, "{}"),
            input: &self.input.parse::<Json>().unwrap(),
            made_by_another: None,
            past: &self.past,
        };
        policy.decide(&checkpoint).await
    }
}

/// A policy that denies what its one rule, with these conditions, does not allow.
fn allowing(conditions: &str) -> PolicyFile {
    let text = format!("default = \"deny\"\n[[rule]]\nname = \"it\"\nallow = true\n{conditions}\n");
    PolicyFile::parse(&text).unwrap_or_else(|error| panic!("{error}\n{text}"))
}

async fn allows(conditions: &str, call: &Seen) -> bool {
    let decision = call.decided_by(&allowing(conditions)).await;
    decision.unwrap_or_else(|error| panic!("{conditions}: {error}")) == Decision::Allow
}

#[tokio::test]
async fn a_rule_says_how_a_person_is_asked() {
    let text = r#"
        default = "allow"
        [[rule]]
        name = "mail"
        scope = "tool.email.*"
        ask = "Mail leaves the house"
        approvers = ["bob", "cyd"]
        requester_may_decide = true
        expires_in = "3d"
    "#;
    let policy = PolicyFile::parse(text).unwrap();
    let Decision::Ask(asking) = email().decided_by(&policy).await.unwrap() else {
        panic!("it asks");
    };
    assert_eq!(asking.rule, "Mail leaves the house");
    assert_eq!(asking.expires_in, Duration::from_secs(3 * 86_400));
    assert!(asking.approvers.requester_may_decide);
    let named = asking.approvers.named.unwrap();
    let named: Vec<_> = named.iter().map(Principal::as_str).collect();
    assert_eq!(named, ["bob", "cyd"]);
    assert!(policy.asks());
}

#[tokio::test]
async fn an_ask_that_says_no_more_is_anybodys_but_the_requesters_for_a_week() {
    let policy = PolicyFile::parse("default = \"ask\"").unwrap();
    let Decision::Ask(asking) = email().decided_by(&policy).await.unwrap() else {
        panic!("it asks");
    };
    assert_eq!(asking.approvers, idem_core::approval::Approvers::default());
    assert_eq!(asking.expires_in, Duration::from_secs(7 * 86_400));
    assert!(policy.asks());
    // What a file says now tells nothing of the one that stood in its place.
    assert!(PolicyFile::parse("default = \"deny\"").unwrap().asks());
}

#[test]
fn a_file_is_read_and_its_name_stands_before_each_fault() {
    let folder = std::env::temp_dir().join(format!("idem-policy-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let path = folder.join("policy.toml");
    std::fs::write(&path, "default = \"deny\"\n").unwrap();
    assert_eq!(PolicyFile::load(&path).unwrap().rules(), 0);
    std::fs::write(&path, "default = \"deny\"\nrules = 1\nmore = 2\n").unwrap();
    let error = PolicyFile::load(&path).unwrap_err().to_string();
    let shown = path.display();
    assert!(error.contains(&format!("\n{shown}:2:1: ")), "{error}");
    assert!(error.contains(&format!("\n{shown}:3:1: ")), "{error}");
    std::fs::remove_dir_all(&folder).unwrap();
    let error = PolicyFile::load(&path).unwrap_err();
    assert!(error.to_string().contains("cannot be read"), "{error}");
}

/// The first example of the guide.
fn example() -> PolicyFile {
    let guide = include_str!("../../../../docs/policy.md");
    let mut examples = guide.split("```toml\n").skip(1);
    let example = examples.next().unwrap().split("```").next().unwrap();
    PolicyFile::parse(example).unwrap_or_else(|error| panic!("{error}"))
}

#[tokio::test]
async fn the_guides_example_is_a_policy_and_its_night_shift_waits() {
    let policy = example();
    assert!(policy.rules() >= 5 && policy.asks());
    let small = || Seen {
        scope: "tool.money.transfer",
        tool: "transfer_money",
        ..email().input(r#"{"amount":5,"currency":"EUR"}"#)
    };
    let at_night = |call: Seen| Seen {
        principal: "night-shift",
        ..call
    };
    let read = || Seen {
        effect: Effect::Read,
        ..email().input("{}")
    };
    for call in [small(), read(), email().input("{}").used()] {
        assert_eq!(call.decided_by(&policy).await.unwrap(), Decision::Allow);
    }
    for call in [small(), read(), email().input("{}").used()] {
        let decision = at_night(call).decided_by(&policy).await.unwrap();
        assert_eq!(decision, Decision::ask("Nobody is at the desk"));
    }
}

#[test]
fn a_policy_has_so_many_rules_and_no_more() {
    let rules = |number: usize| {
        let rule = |at| format!("[[rule]]\nname = \"r{at}\"\ntool = \"t{at}\"\nallow = true\n");
        let rules: String = (0..number).map(rule).collect();
        PolicyFile::parse(&format!("default = \"deny\"\n{rules}"))
    };
    assert_eq!(rules(POLICY_RULES_MAX).unwrap().rules(), POLICY_RULES_MAX);
    let error = rules(POLICY_RULES_MAX + 2).unwrap_err();
    let [fault] = error.faults() else {
        panic!("one fault: {error}");
    };
    assert_eq!(fault.line, 2 + 4 * POLICY_RULES_MAX);
    assert!(fault.message.contains("at most 1000 rules"), "{fault}");
}
