//! Whether a rule says anything about the tools that a program has. A guard whose tool or argument is misspelt matches
//! nothing, and lets pass what it was written against.

use super::rule::{Conditions, Rule};
use crate::policy_check::{KnownTool, Misfit};
use idem_core::approval::render;
use std::collections::BTreeSet;

/// More letters than this are no slip of the hand.
const SLIP_LETTERS_MAX: usize = 3;

/// A longer name is not compared letter by letter.
const COMPARED_LETTERS_MAX: usize = 64;

/// As many names are listed where none is near.
const NAMED_MAX: usize = 10;

/// The first name in a rule that fits no registered tool. An effect class or a pattern for every tool may fit none: it
/// is no name.
pub(super) fn misfit(rule: &Rule, tools: &[KnownTool]) -> Option<Misfit> {
    let conditions = &rule.conditions;
    let misfit = |word: &str, what: &str, known: &[&str]| {
        let shown = render::text(word).text;
        let meant = meant(word, known);
        Some(Misfit::new(
            &rule.name,
            word,
            format!("{what} `{shown}`{meant}"),
        ))
    };
    let names: Vec<&str> = tools.iter().map(|tool| tool.name.as_str()).collect();
    for name in conditions.tool.iter().flatten() {
        if !names.contains(&name.as_str()) {
            return misfit(name, "no tool is called", &names);
        }
    }
    let scopes: Vec<&str> = tools.iter().map(|tool| tool.scope.as_str()).collect();
    for pattern in conditions.scope.iter().flatten() {
        let everything = pattern.is_everything();
        if !everything && !scopes.iter().any(|scope| pattern.matches(scope)) {
            let word = pattern.to_string();
            let below = scopes.iter().flat_map(|scope| patterns_of(scope));
            let below: Vec<String> = below.collect();
            let below: Vec<&str> = below.iter().map(String::as_str).collect();
            let known = if word.ends_with(".*") {
                &below
            } else {
                &scopes
            };
            return misfit(&word, "no tool has the scope", known);
        }
    }
    let about: Vec<&KnownTool> = tools
        .iter()
        .filter(|tool| is_about(conditions, tool))
        .collect();
    if let (Some([name, ..]), []) = (conditions.tool.as_deref(), about.as_slice()) {
        return misfit(name, "its scope or effect is not that of", &[]);
    }
    let arguments = arguments(&about)?;
    let unknown = conditions.arguments.iter().find_map(|test| {
        let first = test.path.first();
        (!arguments.contains(&first)).then_some(first)
    });
    unknown.and_then(|word| misfit(word, "no tool that it is about has an argument", &arguments))
}

fn is_about(conditions: &Conditions, tool: &KnownTool) -> bool {
    let Conditions {
        scope,
        tool: names,
        effect,
        ..
    } = conditions;
    let scope = scope
        .as_ref()
        .is_none_or(|patterns| patterns.iter().any(|pattern| pattern.matches(&tool.scope)));
    let name = names
        .as_ref()
        .is_none_or(|names| names.contains(&tool.name));
    let word = tool.effect.word();
    scope && name && effect.as_ref().is_none_or(|words| words.contains(&word))
}

/// The arguments of these tools; `None` where one of them takes others too, or there is no tool.
fn arguments<'a>(tools: &[&'a KnownTool]) -> Option<Vec<&'a str>> {
    let mut all = Vec::new();
    for tool in tools {
        all.extend(tool.arguments.as_ref()?.iter().map(String::as_str));
    }
    (!tools.is_empty()).then_some(all)
}

/// The patterns that match a scope: `tool.*` and `tool.email.*` of `tool.email.send`.
fn patterns_of(scope: &str) -> impl Iterator<Item = String> {
    scope
        .match_indices('.')
        .map(|(dot, _)| format!("{}.*", &scope[..dot]))
}

/// What was probably meant, or what there is, at most ten.
fn meant(word: &str, known: &[&str]) -> String {
    if known.is_empty() {
        return String::new();
    }
    let nearest = known
        .iter()
        .map(|known| (distance(word, known), known))
        .min()
        .filter(|(letters, _)| *letters <= SLIP_LETTERS_MAX.min(word.chars().count() / 2));
    match nearest {
        Some((_, known)) => format!("; did you mean `{known}`?"),
        None => {
            let known: BTreeSet<&str> = known.iter().copied().collect();
            let some: Vec<&str> = known.iter().take(NAMED_MAX).copied().collect();
            let more = if known.len() > some.len() {
                ", …"
            } else {
                ""
            };
            format!("; there are `{}`{more}", some.join("`, `"))
        }
    }
}

/// Levenshtein's distance between two names.
fn distance(left: &str, right: &str) -> usize {
    let (left, right): (Vec<char>, Vec<char>) = (left.chars().collect(), right.chars().collect());
    if left.len().max(right.len()) > COMPARED_LETTERS_MAX {
        return usize::MAX;
    }
    let mut row: Vec<usize> = (0..=right.len()).collect();
    for (at, left) in left.iter().enumerate() {
        let mut diagonal = row[0];
        row[0] = at + 1;
        for (column, right) in right.iter().enumerate() {
            let replaced = diagonal + usize::from(left != right);
            diagonal = row[column + 1];
            row[column + 1] = replaced.min(diagonal + 1).min(row[column] + 1);
        }
    }
    row[right.len()]
}
