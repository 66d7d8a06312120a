//! Decimals against a reference, and by hand where a double would round.

use crate::policy_file::decimal::Decimal;
use proptest::prelude::*;

fn decimal(text: &str) -> Decimal {
    Decimal::parse(text).unwrap_or_else(|| panic!("{text}"))
}

#[test]
fn one_value_is_one_number_however_it_is_written() {
    for (left, right) in [
        ("1", "1.0"),
        ("100", "1e2"),
        ("0.001", "1E-3"),
        ("-0", "0"),
        ("+12.50", "12.5"),
        ("0e999", "0.0"),
        ("1e+30", "1000000000000000000000000000000"),
    ] {
        assert_eq!(decimal(left), decimal(right));
    }
}

#[test]
fn no_digit_is_rounded_away() {
    assert!(decimal("9007199254740993") > decimal("9007199254740992"));
    assert!(decimal("0.30000000000000004") > decimal("0.3"));
    assert!(decimal("-1e-300") < decimal("0"));
    assert!(decimal("-10") < decimal("-9.99"));
}

#[test]
fn what_is_no_number_is_none() {
    for text in [
        "",
        "-",
        "inf",
        "nan",
        "+nan",
        ".5",
        "1e",
        "1e99999999999",
        "0x10",
        "1 ",
        "1.2.3",
    ] {
        assert_eq!(Decimal::parse(text), None, "{text}");
    }
}

proptest! {
    #[test]
    fn whole_numbers_are_ordered_as_integers(left: i64, right: i64, zeros in 0_usize..4) {
        let padded = format!("{right}.{}", "0".repeat(zeros));
        let right_text = if zeros == 0 { right.to_string() } else { padded };
        prop_assert_eq!(decimal(&left.to_string()).cmp(&decimal(&right_text)), left.cmp(&right));
    }

    #[test]
    fn cents_are_ordered_as_cents(left in -99_999_i64..99_999, right in -99_999_i64..99_999) {
        let euros = |cents: i64| {
            let sign = if cents < 0 { "-" } else { "" };
            decimal(&format!("{sign}{}.{:02}", cents.abs() / 100, cents.abs() % 100))
        };
        prop_assert_eq!(euros(left).cmp(&euros(right)), left.cmp(&right));
    }
}
