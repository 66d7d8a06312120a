//! From TOML to rules: what may be written, and what is told where something else is.

use super::PolicyFile;
use super::pattern::{SCOPE_FORM, ScopePattern};
use super::reach;
use super::read::{Reader, Value};
use super::read_argument;
use super::read_outcome::outcome;
use super::rule::{Conditions, Outcome, Rule};
use crate::policy::Asking;
use crate::spec::EFFECT_WORDS;
use idem_core::Principal;
use idem_core::identity::ToolName;
use std::collections::HashMap;
use toml::de::{DeTable, DeValue};

const RULE_KEYS: [&str; 13] = [
    "name",
    "scope",
    "tool",
    "effect",
    "principal",
    "argument",
    "first_in_run",
    "allow",
    "deny",
    "ask",
    "approvers",
    "requester_may_decide",
    "expires_in",
];
const CONDITION_KEYS: [&str; 6] = [
    "scope",
    "tool",
    "effect",
    "principal",
    "argument",
    "first_in_run",
];
const NAME_FORM: &str = "`name = \"large transfers\"`";

/// The whole policy; `None` where it has a fault that leaves nothing to make one of.
pub(super) fn policy(reader: &mut Reader<'_>) -> Option<PolicyFile> {
    let table = reader.table()?;
    reader.only(&table, &["default", "rule"], "a policy");
    let default = default(reader, &table);
    let mut rules: Vec<Rule> = Vec::new();
    let mut starts: HashMap<String, usize> = HashMap::new();
    for value in tables(reader, &table) {
        let start = value.span().start;
        let Some(rule) = rule(reader, value) else {
            continue;
        };
        if let Some(same) = starts.get(&rule.name) {
            let message = format!(
                "two rules are called `{}`, here and in line {}: give each its own name",
                rule.name,
                reader.line(*same)
            );
            reader.fault(start, message);
        }
        if let Some(shadow) = reach::shadow(&rules, &rule.conditions) {
            let names: Vec<&str> = shadow.iter().map(|rule| rule.name.as_str()).collect();
            let message = format!(
                "no call reaches this rule: `{}` above {} whatever it would match; put the narrow rule first",
                names.join("` and `"),
                if names.len() == 1 {
                    "decides"
                } else {
                    "decide"
                },
            );
            reader.fault(start, message);
        }
        starts.entry(rule.name.clone()).or_insert(start);
        rules.push(rule);
    }
    Some(PolicyFile {
        rules,
        default: default?,
        shared: false,
    })
}

fn default(reader: &mut Reader<'_>, table: &DeTable<'_>) -> Option<Outcome> {
    let form = "`default = \"deny\"`, `\"ask\"` or `\"allow\"`: what happens to a call that no rule matches";
    let Some(value) = table.get("default") else {
        reader.fault(0, format!("`default` is missing: write {form}"));
        return None;
    };
    match reader.string(value, form)? {
        "allow" => Some(Outcome::Allow),
        "deny" => Some(Outcome::Deny(
            "no rule of the policy allows this call".to_owned(),
        )),
        "ask" => Some(Outcome::Ask(Asking::because(
            "no rule of the policy covers this call",
        ))),
        _ => {
            reader.fault(
                value.span().start,
                format!("this is no default: write {form}"),
            );
            None
        }
    }
}

/// The rules as they are written.
fn tables<'v, 't>(reader: &mut Reader<'t>, table: &'v DeTable<'t>) -> &'v [Value<'t>] {
    match table.get("rule").map(|value| (value, value.get_ref())) {
        None => &[],
        Some((_, DeValue::Array(items))) => {
            let most = super::POLICY_RULES_MAX;
            if let Some(more) = items.get(most) {
                let message =
                    format!("a policy has at most {most} rules, and here begins one more");
                reader.fault(more.span().start, message);
            }
            &items[..items.len().min(most)]
        }
        Some((value, _)) => {
            reader.fault(value.span().start, "a rule begins with `[[rule]]`");
            &[]
        }
    }
}

fn rule<'t>(reader: &mut Reader<'t>, value: &Value<'t>) -> Option<Rule> {
    let before = reader.faults();
    let start = value.span().start;
    let DeValue::Table(table) = value.get_ref() else {
        reader.wrong(value, "a table: a rule begins with `[[rule]]`");
        return None;
    };
    reader.only(table, &RULE_KEYS, "a rule");
    let name = match table.get("name") {
        Some(name) => reader.line_of_text(name, NAME_FORM),
        None => {
            reader.fault(start, format!("this rule has no name: write {NAME_FORM}"));
            None
        }
    };
    let conditions = conditions(reader, table);
    if !CONDITION_KEYS.iter().any(|key| table.contains_key(*key)) {
        let message = "this rule has no condition; for every tool, write `scope = \"tool.*\"`";
        reader.fault(start, message);
    }
    let outcome = outcome(reader, table, start);
    let rule = Rule {
        name: name?,
        conditions,
        outcome: outcome?,
    };
    (reader.faults() == before).then_some(rule)
}

fn conditions<'t>(reader: &mut Reader<'t>, table: &DeTable<'t>) -> Conditions {
    let scope = table.get("scope").and_then(|value| {
        let form = SCOPE_FORM;
        reader.one_or_many(value, form, |reader, value| {
            let pattern = ScopePattern::parse(reader.string(value, form)?);
            reader.noted(value, pattern, "no scope of a tool matches this", form)
        })
    });
    let tool = table.get("tool").and_then(|value| {
        let form = "\"send_email\", the name that a model calls";
        reader.one_or_many(value, form, |reader, value| {
            let name = ToolName::new(reader.string(value, form)?).ok();
            reader
                .noted(value, name, "this is no tool's name", form)
                .map(|name| name.to_string())
        })
    });
    let effect = table.get("effect").and_then(|value| {
        let form = format!("one or some of \"{}\"", EFFECT_WORDS.join("\", \""));
        reader.one_or_many(value, &form, |reader, value| {
            let word = reader.string(value, &form)?;
            let known = EFFECT_WORDS.into_iter().find(|known| *known == word);
            reader.noted(value, known, "this is no class of effect", &form)
        })
    });
    let principal = table
        .get("principal")
        .and_then(|value| principals(reader, value));
    let arguments = table
        .get("argument")
        .map(|value| read_argument::tests(reader, value))
        .unwrap_or_default();
    let form = "`first_in_run = true`, or `false` for every later use";
    let first_in_run = table
        .get("first_in_run")
        .and_then(|value| reader.boolean(value, form));
    Conditions {
        scope,
        tool,
        effect,
        principal,
        arguments,
        first_in_run,
    }
}

pub(super) fn principals<'t>(reader: &mut Reader<'t>, value: &Value<'t>) -> Option<Vec<Principal>> {
    let form = "one or some principals, as in `[\"ann\", \"bob\"]`";
    reader.one_or_many(value, form, |reader, value| {
        let name = reader.string(value, form)?;
        let principal = Principal::new(name).ok();
        let principal = reader.noted(value, principal, "this is no principal", form)?;
        let seen = reader.plain_to_see(value.span().start, name);
        seen.then_some(principal)
    })
}
