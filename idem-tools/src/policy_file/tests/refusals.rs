//! Every refusal, at its line and column. The caret in a text marks where the fault is reported.

use super::PolicyFile;
use crate::policy_file::{Fault, PolicyFileError};

/// The text without its caret, and where that stood.
fn marked(text: &str) -> (String, usize, usize) {
    let at = text.find('‸').unwrap_or_else(|| panic!("no caret: {text}"));
    let before = &text[..at];
    let line = before.matches('\n').count() + 1;
    let column = before.rsplit('\n').next().unwrap_or(before).chars().count() + 1;
    (text.replace('‸', ""), line, column)
}

/// Asserts the one fault of a text, its place and what it says.
pub(super) fn refused(text: &str, says: &str) {
    let (text, line, column) = marked(text);
    let error = PolicyFile::parse(&text).expect_err(&text);
    let [fault] = error.faults() else {
        panic!("one fault: {error}\n{text}");
    };
    assert_eq!(
        (fault.line, fault.column),
        (line, column),
        "{error}\n{text}"
    );
    assert!(fault.message.contains(says), "{error}\nshould say: {says}");
}

/// The same for a rule with this text in it, beside a name, a condition and an outcome.
pub(super) fn refused_rule(inside: &str, says: &str) {
    refused(
        &format!("default = \"deny\"\n\n[[rule]]\nname = \"a\"\n{inside}\n"),
        says,
    );
}

#[test]
fn a_default_is_needed_and_is_one_of_three_words() {
    refused(
        "‸",
        "`default` is missing: write `default = \"deny\"`, `\"ask\"` or `\"allow\"`",
    );
    refused("‸# nothing\n", "`default` is missing");
    refused(
        "default = ‸\"maybe\"",
        "this is no default: write `default = \"deny\"`",
    );
    refused(
        "default = ‸true",
        "this is of type boolean: write `default = ",
    );
}

#[test]
fn what_is_no_toml_is_refused_where_it_stops_being_any() {
    refused("default = \"deny\"\nrule ‸\n", "this is not TOML");
    refused(
        "default = \"deny\"\n‸default = \"ask\"\n",
        "this is not TOML: duplicate key",
    );
    refused("default = \"deny‸", "this is not TOML");
}

#[test]
fn unknown_keys_are_refused_with_those_there_are() {
    refused(
        "default = \"deny\"\n‸rules = []",
        "a policy has no `rules`: it has `default`, `rule`",
    );
    refused_rule(
        "tool = \"x\"\nallow = true\n‸approver = [\"ann\"]",
        "a rule has no `approver`: it has `name`, ",
    );
    refused_rule(
        "‸skope = \"tool.*\"\ntool = \"x\"\nallow = true",
        "a rule has no `skope`",
    );
}

#[test]
fn a_rule_is_a_table_with_a_name_a_condition_and_one_outcome() {
    refused(
        "default = \"deny\"\nrule = ‸\"x\"",
        "a rule begins with `[[rule]]`",
    );
    refused(
        "default = \"deny\"\n‸[rule]\nname = \"a\"",
        "a rule begins with `[[rule]]`",
    );
    refused(
        "default = \"deny\"\nrule = [‸5]",
        "this is of type integer: write a table",
    );
    let nameless = "default = \"deny\"\n‸[[rule]]\ntool = \"x\"\nallow = true";
    refused(nameless, "this rule has no name: write `name = ");
    let bare = "default = \"deny\"\n‸[[rule]]\nname = \"a\"\nallow = true";
    refused(
        bare,
        "this rule has no condition; for every tool, write `scope = \"tool.*\"`",
    );
    let idle = "default = \"deny\"\n‸[[rule]]\nname = \"a\"\ntool = \"x\"";
    refused(
        idle,
        "this rule decides nothing: write `allow = true`, `deny = ",
    );
    refused_rule(
        "tool = \"x\"\ndeny = \"no\"\n‸allow = true",
        "a rule decides one thing: keep one of",
    );
    refused_rule(
        "tool = \"x\"\nallow = true\n‸ask = \"?\"",
        "a rule decides one thing",
    );
    refused_rule(
        "tool = \"x\"\nallow = ‸false",
        "`allow` is only ever `true`",
    );
    refused_rule(
        "tool = \"x\"\nallow = ‸\"yes\"",
        "this is of type string: write `allow = true`",
    );
}

#[test]
fn all_faults_are_told_at_once_in_the_order_of_the_text() {
    let text = "[[rule]]\nname = \"ä\"\nscope = [\"é\", \"tool.*\"]\nallow = 1\n[[rule]]\nname = \"b\"\ntool = \"x y\"\ndeny = \"no\"\n";
    let Err(PolicyFileError::Refused { path: None, faults }) = PolicyFile::parse(text) else {
        panic!("it is refused");
    };
    let places: Vec<_> = faults
        .iter()
        .map(|Fault { line, column, .. }| (*line, *column))
        .collect();
    assert_eq!(places, [(1, 1), (3, 10), (4, 9), (7, 8)]);
    let error = PolicyFile::parse(text).unwrap_err().to_string();
    assert!(
        error.starts_with("the policy is refused:\npolicy:1:1: `default` is missing"),
        "{error}"
    );
}

/// Columns are characters, as an editor counts them.
#[test]
fn a_column_counts_characters() {
    refused(
        "default = \"deny\" # é\nrule = [{ name = \"äöü\", tool = \"x\", ‸äh = 1, allow = true }]",
        "this is not TOML",
    );
    refused(
        "default = \"deny\"\nrule = [{ name = \"äöü\", tool = \"x\", ‸ah = 1, allow = true }]",
        "has no `ah`",
    );
}

#[test]
fn a_policy_has_an_end() {
    let text = format!("‸#{}", "x".repeat(1024 * 1024));
    refused(&text, "a policy has at most 1048576 bytes");
}
