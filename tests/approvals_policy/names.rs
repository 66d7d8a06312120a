//! Names in a policy file against the tools of the program: a misspelt guard guards nothing.

use crate::support::House;
use idem_tests::TestStore;
use idem_tools::{PolicyFile, SetupError};

fn guard(conditions: &str) -> PolicyFile {
    let text =
        format!("default = \"allow\"\n[[rule]]\nname = \"guard\"\n{conditions}\ndeny = \"no\"\n");
    PolicyFile::parse(&text).unwrap_or_else(|error| panic!("{error}"))
}

/// The program does not start, and is told the rule, the word and what was probably meant.
pub(crate) async fn a_guard_that_fits_no_tool_keeps_the_program_from_starting(store: TestStore) {
    let house = House::new(store);
    for (conditions, says) in [
        (
            "tool = \"Pay\"",
            "no tool is called `Pay`; did you mean `pay`?",
        ),
        (
            "tool = [\"pay\", \"transfer\"]",
            "no tool is called `transfer`; there are `look`, `note`,",
        ),
        (
            "scope = \"tool.monney.*\"",
            "no tool has the scope `tool.monney.*`; did you mean `tool.money.*`?",
        ),
        (
            "tool = \"pay\"\nargument.amuont = { over = 1 }",
            "no tool that it is about has an argument `amuont`; did you mean `amount`?",
        ),
        (
            "argument.\"\u{430}mount\" = { over = 1 }",
            "has an argument `⟨U+0430 \u{430}⟩mount`; did you mean `amount`?",
        ),
        (
            "scope = \"tool.house.*\"\nargument.\"price.net\" = { over = 1 }",
            "has an argument `price`; there are `about`",
        ),
        (
            "tool = \"pay\"\neffect = \"keyed\"",
            "its scope or effect is not that of `pay`",
        ),
        (
            "tool = \"pay\"\nscope = \"tool.letter.*\"",
            "its scope or effect is not that of `pay`",
        ),
    ] {
        let Err(SetupError::Policy(misfit)) = house.build(guard(conditions)).await.map(drop) else {
            panic!("{conditions}: it starts");
        };
        assert_eq!(misfit.rule, "guard");
        let told = misfit.to_string();
        let begins = told.starts_with("the policy's rule `guard` matches no call: ");
        assert!(begins && told.contains(says), "{told}");
    }
}

/// What is no name of a tool may fit none of this program's.
pub(crate) async fn a_rule_that_names_no_tool_may_fit_none(store: TestStore) {
    let house = House::new(store);
    for conditions in [
        "effect = \"reconcile\"",
        "scope = \"tool.*\"\neffect = \"reconcile\"",
        "principal = \"nobody\"",
        "argument.\"to.address\" = { equals = \"x\" }",
        "tool = [\"pay\", \"sell\"]\nargument.amount = { over = 1 }",
    ] {
        let built = house.build(guard(conditions)).await;
        assert!(built.is_ok(), "{conditions}: {built:?}");
    }
}

/// A file for several programs says so, and then may name what this one has not.
pub(crate) async fn a_shared_file_may_speak_of_other_tools(store: TestStore) {
    let house = House::new(store);
    let built = house.build(guard("tool = \"transfer\"").shared()).await;
    assert!(built.is_ok(), "{built:?}");
}
