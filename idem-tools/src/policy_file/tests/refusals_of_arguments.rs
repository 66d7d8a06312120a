//! Refusals of tests of arguments, at their line and column.

use super::refusals::refused;

fn refused_test(line: &str, says: &str) {
    let rule = "default = \"deny\"\n[[rule]]\nname = \"a\"\nallow = true\n";
    refused(&format!("{rule}{line}\n"), says);
}

#[test]
fn a_test_is_a_table_of_known_tests() {
    refused_test(
        "argument = ‸5",
        "this is of type integer: write `argument.amount = { over = 100 }`",
    );
    refused_test("argument = ‸{}", "no argument is tested here");
    refused_test(
        "argument.amount = ‸5",
        "this is of type integer: write `argument.amount = { over = 100 }`",
    );
    refused_test("argument.amount = ‸{}", "nothing is asked of this argument");
    refused_test(
        "argument.amount = { ‸above = 5 }",
        "`above` is no test: write `argument.amount",
    );
    refused_test(
        "argument.to.‸address = { equals = \"x\" }",
        "`address` is no test; a place with a dot stands in quotes: write `argument.\"to.address\"`",
    );
    refused_test("[rule.argument.amount]\n‸above = 5", "`above` is no test");
}

#[test]
fn a_place_has_its_form() {
    for place in [
        "", ".", "a.", "a..b", "[any]", "a[0]", "a[]", "a[any", "a]", "a[any]b", "a[ALL]",
    ] {
        let says = "this is no place of an argument: write `argument.\"to.address\"`";
        refused_test(&format!("argument.‸\"{place}\" = {{ over = 5 }}"), says);
    }
}

#[test]
fn limits_are_numbers_in_decimal() {
    for test in ["over", "under"] {
        refused_test(
            &format!("argument.n = {{ {test} = ‸\"5\" }}"),
            "this is of type string: write a number",
        );
        refused_test(
            &format!("argument.n = {{ {test} = ‸true }}"),
            "this is of type boolean",
        );
        for number in ["inf", "-inf", "nan", "0xff", "0b1", "1e99999999999"] {
            refused_test(
                &format!("argument.n = {{ {test} = ‸{number} }}"),
                "this is no number to compare with",
            );
        }
    }
    refused_test(
        "argument.n = ‸{ over = 5, under = 5.0 }",
        "no number is over the one and under the other",
    );
    refused_test(
        "argument.n = ‸{ over = 5, under = -5 }",
        "no number is over the one and under the other",
    );
}

#[test]
fn values_to_equal_have_no_parts() {
    let accepted = "write a string, a number or a boolean";
    refused_test("argument.n = { equals = ‸[1] }", accepted);
    refused_test("argument.n = { equals = ‸{ a = 1 } }", accepted);
    refused_test(
        "argument.n = { equals = ‸2026-01-01 }",
        "write an instant as a string",
    );
    refused_test(
        "argument.n = { equals = ‸nan }",
        "this is no number to compare with",
    );
    refused_test(
        "argument.n = { one_of = ‸\"a\" }",
        "this is of type string: write `one_of = [\"a\", \"b\"]`",
    );
    refused_test(
        "argument.n = { one_of = ‸[] }",
        "an empty list matches nothing",
    );
    refused_test("argument.n = { one_of = [1, ‸[2]] }", accepted);
    refused_test(
        "argument.n = { equals = 1, ‸one_of = [1] }",
        "exclude each other: keep one",
    );
}

#[test]
fn missing_stands_alone() {
    refused_test(
        "argument.n = { missing = ‸1 }",
        "this is of type integer: write `missing = true`",
    );
    refused_test(
        "argument.n = { ‸missing = true, over = 5 }",
        "`missing` stands alone",
    );
    refused_test(
        "argument.n = { ‸missing = false, equals = 5 }",
        "`missing` stands alone",
    );
}
