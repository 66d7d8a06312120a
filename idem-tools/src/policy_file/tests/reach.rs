//! Rules that no call reaches, by their tests of arguments and by the first use.

use super::PolicyFile;

/// Whether a rule with the second test is refused below one with the first.
fn shadows(wide: &str, narrow: &str) -> bool {
    let rule = |name: &str, test: &str, outcome: &str| {
        format!("[[rule]]\nname = \"{name}\"\nargument.n = {{ {test} }}\n{outcome}\n")
    };
    let (first, second) = (
        rule("a", wide, "allow = true"),
        rule("b", narrow, "deny = \"no\""),
    );
    match PolicyFile::parse(&format!("default = \"ask\"\n{first}{second}")) {
        Ok(_) => false,
        Err(error) => {
            let says = "no call reaches this rule: `a` above decides whatever it would match";
            assert!(error.to_string().contains(says), "{error}");
            true
        }
    }
}

#[test]
fn a_wider_test_of_an_argument_leaves_nothing_to_a_narrower_one() {
    for (wide, narrow) in [
        ("over = 100", "over = 1000"),
        ("over = 100", "over = 100.0"),
        ("under = 5", "under = -5"),
        ("over = 1", "over = 2, under = 3"),
        ("over = 1, under = 9", "over = 2, under = 3"),
        ("over = 100", "equals = 500"),
        ("over = 1, under = 9", "one_of = [2, 3.5]"),
        ("one_of = [\"EUR\", \"CHF\"]", "equals = \"EUR\""),
        ("one_of = [\"EUR\", \"CHF\"]", "one_of = [\"CHF\", \"EUR\"]"),
        ("one_of = [7]", "one_of = [5, 7], over = 6"),
        ("missing = false", "equals = true"),
        ("missing = false", "over = 5"),
        ("missing = false", "missing = false"),
        ("missing = true", "missing = true"),
    ] {
        assert!(shadows(wide, narrow), "{wide} above {narrow}");
    }
    for (first, later) in [
        ("over = 1000", "over = 100"),
        ("under = 5", "under = 6"),
        ("over = 5", "under = 6"),
        ("over = 5", "one_of = [5, 6]"),
        ("over = 5", "one_of = [\"6\"]"),
        ("over = 5", "missing = false"),
        ("equals = \"EUR\"", "one_of = [\"EUR\", \"CHF\"]"),
        ("equals = \"5\"", "equals = 5"),
        ("one_of = [5]", "over = 4"),
        ("missing = false", "missing = true"),
        ("missing = true", "missing = false"),
        ("missing = true", "over = 5"),
    ] {
        assert!(!shadows(first, later), "{first} above {later}");
    }
}

#[test]
fn the_first_use_and_every_later_one_leave_nothing_to_a_third() {
    let rule = |name: &str, lines: &str| {
        format!("[[rule]]\nname = \"{name}\"\ntool = \"x\"\nallow = true\n{lines}\n")
    };
    let (first, later) = (
        rule("first", "first_in_run = true"),
        rule("later", "first_in_run = false"),
    );
    let parse =
        |rules: [&str; 3]| PolicyFile::parse(&format!("default = \"deny\"\n{}", rules.concat()));
    for third in [rule("c", ""), rule("c", "principal = \"ann\"")] {
        let error = parse([&later, &first, &third]).unwrap_err().to_string();
        let says = "no call reaches this rule: `first` and `later` above decide whatever";
        assert!(error.contains(says), "{error}");
    }
    let anns = rule("anns", "first_in_run = false\nprincipal = \"ann\"");
    assert!(parse([&first, &anns, &rule("c", "")]).is_ok());
    assert!(parse([&first, &later, ""]).is_ok());
}
