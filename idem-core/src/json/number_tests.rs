//! What a number is, however it was spelled.

use super::{Number, NumberError};

fn text(token: &str) -> String {
    Number::parse(token)
        .map(|number| number.to_string())
        .unwrap()
}

#[test]
fn one_value_has_one_text() {
    for token in [
        "1",
        "1.0",
        "1e0",
        "10E-1",
        "1.000e+0",
        "0.1e1",
        "100e-00000000000002",
    ] {
        assert_eq!(text(token), "1", "{token}");
    }
    for token in [
        "0", "-0", "0.0", "-0.0", "0e99999", "-0E-5", "1e-400", "-1e-400",
    ] {
        assert_eq!(text(token), "0", "{token}");
    }
    assert_eq!(text("0.10"), "0.1");
    assert_eq!(text("1e30"), "1e+30");
    assert_eq!(text("-1.5e3"), "-1500");
}

#[test]
fn whole_numbers_below_ten_to_the_21_are_exact_integers() {
    assert_eq!(text("12345678901234567890.0"), "12345678901234567890");
    assert_eq!(text("9007199254740993.0"), "9007199254740993");
    assert_eq!(text("999999999999999999999.0"), "999999999999999999999");
    assert_eq!(text("1e20"), "100000000000000000000");
    assert_eq!(text("1e21"), "1e+21");
    assert_eq!(text("1000000000000000000000.0"), "1e+21");
    // A double that lands on a whole number is written as RFC 8785 writes it.
    assert_eq!(text("0.99999999999999999999"), "1");
    assert_eq!(text("1152921504606846976.5"), "1152921504606847000");
}

#[test]
fn integers_are_exact_at_any_size() {
    let digits = "9".repeat(1_024);
    assert_eq!(text(&digits), digits);
    assert_eq!(text(&format!("-{digits}")), format!("-{digits}"));
    let too_many = Number::parse(&"9".repeat(1_025));
    assert_eq!(too_many, Err(NumberError::TooManyDigits { max: 1_024 }));
}

#[test]
fn numbers_beyond_doubles_are_refused_and_cost_nothing() {
    for token in [
        "1e400",
        "-1e400",
        "1e999999999999999999999999",
        "0.1e99999999999",
    ] {
        assert_eq!(
            Number::parse(token),
            Err(NumberError::OutOfRange),
            "{token}"
        );
    }
    assert_eq!(text("1e-99999999999999999999"), "0");
    assert_eq!(text("1.7976931348623157e308"), "1.7976931348623157e+308");
}

#[test]
fn what_is_not_a_number_is_refused() {
    for token in [
        "",
        "-",
        "+1",
        ".5",
        "1.",
        "1e",
        "1e+",
        "1.e1",
        "NaN",
        "Infinity",
        "-Infinity",
    ] {
        assert!(
            matches!(Number::parse(token), Err(NumberError::Malformed { .. })),
            "{token}"
        );
    }
    for token in ["1 ", "0x10", "1_000", "1.5.2", "1e1e1"] {
        assert!(
            matches!(Number::parse(token), Err(NumberError::Malformed { .. })),
            "{token}"
        );
    }
    for token in ["00", "01", "-01", "00.5"] {
        assert_eq!(
            Number::parse(token),
            Err(NumberError::LeadingZero),
            "{token}"
        );
    }
    assert_eq!(Number::from_f64(f64::NAN), Err(NumberError::NotFinite));
    assert_eq!(
        Number::try_from(f64::NEG_INFINITY),
        Err(NumberError::NotFinite)
    );
}

#[test]
fn accessors_answer_only_what_fits() {
    let number = |token: &str| Number::parse(token).unwrap();
    assert_eq!(number("88.0").as_u64(), Some(88));
    assert_eq!(number("-1").as_u64(), None);
    assert_eq!(number("-1").as_i64(), Some(-1));
    assert_eq!(number("1.5").as_i64(), None);
    assert_eq!(number("1e30").as_u128(), None);
    assert_eq!(Number::from(u128::MAX).as_u128(), Some(u128::MAX));
    assert_eq!(Number::from(u128::MAX).as_i128(), None);
    assert_eq!(Number::from(i128::MIN).as_i128(), Some(i128::MIN));
    assert_eq!(number("1e30").as_f64(), Some(1e30));
    assert_eq!(number(&"9".repeat(400)).as_f64(), None);
    assert_eq!(number("1e39").as_f32(), None);
    assert!(number("-1e-60").as_f32().is_some_and(f32::is_sign_positive));
    assert!(number("1e30").as_f64().is_some() && !number("1e30").is_integer());
}

#[test]
fn the_text_of_a_double_is_that_double_again() {
    for value in [
        0.1,
        1e21,
        1e-7,
        5e-324,
        f64::MAX,
        f64::MIN_POSITIVE,
        2.0_f64.powi(60),
        -3.25,
    ] {
        let number = Number::from_f64(value).unwrap();
        assert_eq!(number.as_f64(), Some(value));
        assert_eq!(Number::parse(number.as_str()), Ok(number));
    }
}
