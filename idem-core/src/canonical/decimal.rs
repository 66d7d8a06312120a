//! The canonical form of a decimal number (feature `decimal`): money, which no float can hold.
//!
//! How a number is spelled never decides what it is, so `100`, `100.0` and `100.00` are one amount,
//! and `-0` is `0`. An amount is written as the JSON number that [`Number`] makes of its digits: it
//! has the text that the same argument has in a `f64` or in free-form JSON, and a tool that changes
//! its type from one to the other keeps the identity of calls in flight.
//!
//! A JSON number with a fraction is a double, here as for most readers of JSON. A decimal of more
//! digits than a double gives back is therefore written as a string of all its digits: two amounts
//! never share a text, and the text reads back as the amount.

use rust_decimal::Decimal;

use crate::json::{Json, Number};

use super::{Canonical, CanonicalError, Kind, Writer};

impl Canonical for Decimal {
    const KIND: Kind = Kind::Decimal;

    fn write(&self, out: &mut Writer) -> Result<(), CanonicalError> {
        let digits = self.normalize().to_string();
        let number = Number::parse(&digits).ok();
        match number.filter(|number| number.as_decimal() == Some(*self)) {
            Some(number) => out.json(&Json::Number(number)),
            None => out.str(&digits),
        }
    }
}

impl Number {
    /// The number as a decimal, if one holds it without loss: up to 28 digits, 28 of them behind the
    /// point.
    #[must_use]
    pub fn as_decimal(&self) -> Option<Decimal> {
        let text = self.as_str();
        match text.contains('e') {
            true => Decimal::from_scientific(text).ok(),
            false => Decimal::from_str_exact(text).ok(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Decimal;
    use crate::canonical::{Form, text_of};
    use crate::json::de::from_json;
    use crate::json::{Json, Number};

    fn amount(text: &str) -> Decimal {
        Decimal::from_str_exact(text).unwrap()
    }

    fn text(amount: Decimal) -> String {
        text_of(&amount, Form::Key).unwrap()
    }

    /// Golden: these texts are in keys, so they never change.
    const GOLDEN: [(&str, &str); 14] = [
        ("100", "100"),
        ("100.0", "100"),
        ("100.00", "100"),
        ("-0.00", "0"),
        ("-12.50", "-12.5"),
        ("0.1", "0.1"),
        ("0.30", "0.3"),
        ("0.0000001", "1e-7"),
        ("9007199254740993", "9007199254740993"),
        (
            "79228162514264337593543950335",
            "79228162514264337593543950335",
        ),
        // Seventeen digits that a double gives back, and as many that it does not.
        ("0.30000000000000004", "0.30000000000000004"),
        ("9007199254740993.5", "\"9007199254740993.5\""),
        (
            "0.1000000000000000055511151231",
            "\"0.1000000000000000055511151231\"",
        ),
        ("0.0000000000000000000000000001", "1e-28"),
    ];

    #[test]
    fn each_amount_has_its_golden_text() {
        for (given, golden) in GOLDEN {
            assert_eq!(text(amount(given)), golden, "{given}");
        }
    }

    #[test]
    fn a_text_reads_back_as_the_amount() {
        for (given, golden) in GOLDEN {
            let json: Json = golden.parse().unwrap();
            let read = match &json {
                Json::Number(number) => number.as_decimal(),
                _ => from_json(&json).ok(),
            };
            assert_eq!(read, Some(amount(given)), "{given}");
        }
    }

    #[test]
    fn an_amount_and_a_float_of_one_argument_have_one_text() {
        for token in ["100", "100.0", "1e2", "0.10", "1E-7", "-0.0", "12.345"] {
            let number: Json = token.parse().unwrap();
            let money: Decimal = from_json(&number).unwrap();
            let float: f64 = from_json(&number).unwrap();
            assert_eq!(text(money), text_of(&float, Form::Key).unwrap(), "{token}");
            assert_eq!(text(money), number.to_text(), "{token}");
        }
    }

    #[test]
    fn a_number_beyond_a_decimal_is_none() {
        for token in ["1e-29", "1e30", "79228162514264337593543950336", "1e300"] {
            assert_eq!(Number::parse(token).unwrap().as_decimal(), None, "{token}");
        }
    }
}
