//! Refusals of what a rule holds, and of rules beside each other, at their line and column.

use super::PolicyFile;
use super::refusals::{refused, refused_rule};

#[test]
fn texts_are_one_line() {
    refused_rule("tool = \"x\"\ndeny = ‸\"\"", "a text is one line");
    refused_rule("tool = \"x\"\nask = ‸\"a\\nb\"", "a text is one line");
    refused_rule("tool = \"x\"\ndeny = ‸true", "this is of type boolean");
    let long = format!("tool = \"x\"\ndeny = ‸\"{}\"", "x".repeat(2_001));
    refused_rule(&long, "at most 2000 bytes");
    refused(
        "default = \"deny\"\n[[rule]]\nname = ‸5\ntool = \"x\"\nallow = true",
        "this is of type integer",
    );
}

#[test]
fn patterns_names_and_words_have_their_form() {
    for pattern in [
        "*",
        "tool",
        "tool.email",
        "tool.*.send",
        "tool.email.s*",
        "tool.Email.*",
        "webhook.nylas",
        "tool..*",
        "email.*",
        "tool.email.*.*",
    ] {
        let rule = format!("scope = ‸\"{pattern}\"\nallow = true");
        refused_rule(
            &rule,
            "no scope of a tool matches this: write \"tool.email.send\", \"tool.email.*\"",
        );
    }
    refused_rule(
        "scope = ‸5\nallow = true",
        "this is of type integer: write \"tool.email.send\"",
    );
    refused_rule(
        "scope = [\"tool.a.*\", ‸\"b\"]\nallow = true",
        "no scope of a tool matches this",
    );
    refused_rule("scope = ‸[]\nallow = true", "an empty list matches nothing");
    refused_rule(
        "tool = ‸\"send email\"\nallow = true",
        "this is no tool's name",
    );
    refused_rule(
        "effect = [\"read\", ‸\"write\"]\nallow = true",
        "this is no class of effect: write one or some of \"read\"",
    );
    refused_rule("principal = ‸\"\"\nallow = true", "this is no principal");
    refused_rule(
        "tool = \"x\"\nfirst_in_run = ‸1\nallow = true",
        "this is of type integer: write `first_in_run = true`",
    );
}

#[test]
fn how_a_person_is_asked_has_its_form_and_goes_with_ask() {
    let ask = |line: &str| format!("tool = \"x\"\nask = \"why\"\n{line}");
    for time in [
        "",
        "3",
        "d",
        "3 d",
        "3w",
        "-3d",
        "59s",
        "31d",
        "721h",
        "1.5d",
        "99999999999999999999d",
        "3é",
    ] {
        refused_rule(
            &ask(&format!("expires_in = ‸\"{time}\"")),
            "this is no time to decide in: write `expires_in = \"3d\"`",
        );
    }
    refused_rule(
        &ask("expires_in = ‸3"),
        "this is of type integer: write `expires_in = \"3d\"`",
    );
    refused_rule(&ask("approvers = ‸[]"), "an empty list");
    refused_rule(&ask("approvers = [\"ann\", ‸5]"), "this is of type integer");
    refused_rule(
        &ask("requester_may_decide = ‸\"no\""),
        "this is of type string",
    );
    for line in [
        "‸approvers = [\"ann\"]",
        "‸requester_may_decide = true",
        "‸expires_in = \"3d\"",
    ] {
        refused_rule(
            &format!("tool = \"x\"\nallow = true\n{line}"),
            "goes with `ask` only: remove it",
        );
        refused_rule(
            &format!("tool = \"x\"\ndeny = \"no\"\n{line}"),
            "goes with `ask` only: remove it",
        );
    }
}

/// Two rules; the second stands at the caret.
fn second(first: &str, second: &str, says: &str) {
    refused(
        &format!(
            "default = \"deny\"\n[[rule]]\nname = \"a\"\nallow = true\n{first}\n\n‸[[rule]]\nname = \"b\"\ndeny = \"no\"\n{second}\n"
        ),
        says,
    );
}

#[test]
fn a_rule_that_no_call_reaches_is_refused() {
    let says = "no call reaches this rule: `a` above decides whatever it would match";
    for (wide, narrow) in [
        ("scope = \"tool.*\"", "scope = \"tool.email.send\""),
        ("scope = \"tool.*\"", "tool = \"send_email\""),
        (
            "scope = \"tool.email.*\"",
            "scope = [\"tool.email.send\", \"tool.email.draft.*\"]\nprincipal = \"ann\"",
        ),
        ("tool = [\"x\", \"y\"]", "tool = \"y\"\nfirst_in_run = true"),
        ("effect = [\"read\", \"keyed\"]", "effect = \"keyed\""),
        (
            "argument.n = { over = 5 }",
            "tool = \"x\"\nargument.n = { over = 5 }",
        ),
        (
            "tool = \"x\"\nfirst_in_run = true",
            "tool = \"x\"\nfirst_in_run = true",
        ),
        (
            "effect = [\"read\", \"keyed\", \"transactional\", \"reconcile\", \"at_most_once\"]",
            "tool = \"x\"",
        ),
    ] {
        second(wide, narrow, says);
    }
    for (first, later) in [
        ("scope = \"tool.email.*\"", "scope = \"tool.*\""),
        ("scope = \"tool.email.send\"", "scope = \"tool.email.*\""),
        ("tool = \"x\"", "tool = [\"x\", \"y\"]"),
        ("tool = \"x\"\nprincipal = \"ann\"", "tool = \"x\""),
        ("tool = \"x\"\nfirst_in_run = true", "tool = \"x\""),
        (
            "effect = [\"read\", \"keyed\", \"transactional\", \"reconcile\"]",
            "tool = \"x\"",
        ),
    ] {
        let text = format!(
            "default = \"deny\"\n[[rule]]\nname = \"a\"\nallow = true\n{first}\n[[rule]]\nname = \"b\"\ndeny = \"no\"\n{later}\n"
        );
        PolicyFile::parse(&text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    }
}

#[test]
fn two_rules_of_one_name_are_refused() {
    let rule = |tool: &str| format!("[[rule]]\nname = \"a\"\ntool = \"{tool}\"\nallow = true\n");
    let text = format!("default = \"deny\"\n{}‸{}", rule("x"), rule("y"));
    refused(&text, "two rules are called `a`, here and in line 2");
}

/// A name that is not what it looks like is another name, and its rule guards nothing.
#[test]
fn names_and_texts_are_what_they_look_like() {
    let hidden = "this holds what nobody can see: ";
    let blank = "this begins or ends with a blank";
    for (text, says) in [
        ("ann\u{200b}", hidden),
        ("\u{202e}nna", hidden),
        ("ann\u{ad}e", hidden),
        ("an\u{a0}n", hidden),
        ("ann ", blank),
        (" ann", blank),
    ] {
        refused_rule(&format!("principal = ‸\"{text}\"\nallow = true"), says);
        refused_rule(
            &format!("principal = [\"bob\", ‸\"{text}\"]\nallow = true"),
            says,
        );
        let asks = format!("tool = \"x\"\nask = \"why\"\napprovers = ‸[\"{text}\"]");
        refused_rule(&asks.replace("‸[", "[‸"), says);
        refused_rule(&format!("tool = \"x\"\nask = ‸\"{text}\""), says);
        refused_rule(&format!("tool = \"x\"\ndeny = ‸\"{text}\""), says);
        for place in [
            text.to_owned(),
            format!("to.{text}"),
            format!("{text}[any].x"),
        ] {
            let test = format!("argument.‸\"{place}\" = {{ over = 5 }}\nallow = true");
            refused_rule(&test, says);
        }
        let rule =
            format!("default = \"deny\"\n[[rule]]\nname = ‸\"{text}\"\ntool = \"x\"\nallow = true");
        refused(&rule, says);
    }
    // What a language or an emoji is written with is seen.
    for text in ["می\u{200c}خواهم", "Zoë", "ok ✔\u{fe0f}"] {
        let rule =
            format!("default = \"deny\"\n[[rule]]\nname = \"{text}\"\ntool = \"x\"\nallow = true");
        PolicyFile::parse(&rule).unwrap_or_else(|error| panic!("{error}"));
    }
}
