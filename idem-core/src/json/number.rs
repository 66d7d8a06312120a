//! One number, one text: how a number is spelled never decides what it is.

use std::fmt;
use std::str::FromStr;

use super::error::NumberError;
use super::text::double_text;

/// The longest integer that is kept, in digits. An id is never longer; a longer token is an attack
/// on whoever adds it up.
const INTEGER_DIGITS_MAX: usize = 1_024;

/// RFC 8785 writes a whole double below 10^21 without an exponent; so does a token of that size.
const WHOLE_DIGITS_MAX: i64 = 21;

/// A JSON number, held as its canonical text.
///
/// - A token spelled as an integer stays exactly that integer at any size (`-0` is `0`).
/// - A token with a fraction or an exponent whose value is whole and below 10^21 is that integer:
///   `1.0`, `1e0` and `10E-1` are all `1`.
/// - Any other token is the nearest double in the ECMAScript spelling of RFC 8785: `0.10` is
///   `0.1`, `1e30` is `1e+30`. There is no negative zero.
///
/// Two numbers are equal when their texts are. Reading the text of a number gives that number.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Number(Box<str>);

impl Number {
    /// Reads one number token.
    ///
    /// # Errors
    /// When the token is not a JSON number, is an integer of more than 1,024 digits, or is larger
    /// than a double can be.
    pub fn parse(token: &str) -> Result<Self, NumberError> {
        let (number, length) = Self::take(token)?;
        if length == token.len() {
            Ok(number)
        } else {
            Err(NumberError::Malformed {
                expected: "the end of the number",
            })
        }
    }

    /// Reads the number that `text` starts with, and says how many bytes it took.
    pub(super) fn take(text: &str) -> Result<(Self, usize), NumberError> {
        let spelling = Spelling::scan(text)?;
        Ok((spelling.number()?, spelling.token.len()))
    }

    /// The number of a double; negative zero is zero.
    ///
    /// # Errors
    /// NaN and the infinities, which JSON cannot hold.
    pub fn from_f64(value: f64) -> Result<Self, NumberError> {
        double_text(value)
            .map(Self::from_text)
            .ok_or(NumberError::NotFinite)
    }

    /// Takes a text that is known to be canonical.
    pub(super) fn from_text(text: String) -> Self {
        Self(text.into_boxed_str())
    }

    /// The canonical text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Whether the number is an integer, of whatever size.
    #[must_use]
    pub fn is_integer(&self) -> bool {
        !self.0.contains(['.', 'e'])
    }

    /// The number as an `i64`, if it is one.
    #[must_use]
    pub fn as_i64(&self) -> Option<i64> {
        self.0.parse().ok()
    }

    /// The number as a `u64`, if it is one.
    #[must_use]
    pub fn as_u64(&self) -> Option<u64> {
        self.0.parse().ok()
    }

    /// The number as an `i128`, if it is one.
    #[must_use]
    pub fn as_i128(&self) -> Option<i128> {
        self.0.parse().ok()
    }

    /// The number as a `u128`, if it is one.
    #[must_use]
    pub fn as_u128(&self) -> Option<u128> {
        self.0.parse().ok()
    }

    /// The nearest double; nothing when the number is larger than any. Never negative zero.
    #[must_use]
    pub fn as_f64(&self) -> Option<f64> {
        self.0.parse().ok().filter(|value: &f64| value.is_finite())
    }

    /// The nearest single; nothing when the number is larger than any. Never negative zero.
    #[must_use]
    pub fn as_f32(&self) -> Option<f32> {
        // Adding zero turns the negative zero of an underflow into zero and changes nothing else.
        self.0
            .parse()
            .ok()
            .filter(|value: &f32| value.is_finite())
            .map(|value| value + 0.0)
    }
}

impl fmt::Display for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl fmt::Debug for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Number({})", self.0)
    }
}

impl FromStr for Number {
    type Err = NumberError;

    fn from_str(token: &str) -> Result<Self, NumberError> {
        Self::parse(token)
    }
}

macro_rules! from_integer {
    ($($integer:ty),*) => {$(
        impl From<$integer> for Number {
            fn from(value: $integer) -> Self {
                Self::from_text(value.to_string())
            }
        }
    )*};
}

from_integer!(
    i8, i16, i32, i64, i128, isize, u8, u16, u32, u64, u128, usize
);

impl TryFrom<f64> for Number {
    type Error = NumberError;

    fn try_from(value: f64) -> Result<Self, NumberError> {
        Self::from_f64(value)
    }
}

/// The parts of a token as it was spelled.
struct Spelling<'t> {
    token: &'t str,
    negative: bool,
    whole: &'t str,
    fraction: &'t str,
    exponent: Option<&'t str>,
}

impl<'t> Spelling<'t> {
    /// Finds the parts of the number that `text` starts with (RFC 8259 section 6).
    fn scan(text: &'t str) -> Result<Self, NumberError> {
        let unsigned = text.strip_prefix('-');
        let (whole, mut rest) = split_digits(unsigned.unwrap_or(text));
        if whole.is_empty() {
            return Err(NumberError::Malformed {
                expected: "a digit",
            });
        }
        if whole.len() > 1 && whole.starts_with('0') {
            return Err(NumberError::LeadingZero);
        }
        let mut fraction = "";
        if let Some(after_point) = rest.strip_prefix('.') {
            (fraction, rest) = split_digits(after_point);
            if fraction.is_empty() {
                return Err(NumberError::Malformed {
                    expected: "a digit after the point",
                });
            }
        }
        let mut exponent = None;
        if let Some(after_e) = rest.strip_prefix(['e', 'E']) {
            let (digits, after) = split_digits(after_e.strip_prefix(['+', '-']).unwrap_or(after_e));
            if digits.is_empty() {
                return Err(NumberError::Malformed {
                    expected: "a digit in the exponent",
                });
            }
            exponent = after_e.get(..after_e.len() - after.len());
            rest = after;
        }
        let token = text.get(..text.len() - rest.len()).unwrap_or(text);
        Ok(Self {
            token,
            negative: unsigned.is_some(),
            whole,
            fraction,
            exponent,
        })
    }

    fn number(&self) -> Result<Number, NumberError> {
        if self.fraction.is_empty() && self.exponent.is_none() {
            if self.whole.len() > INTEGER_DIGITS_MAX {
                return Err(NumberError::TooManyDigits {
                    max: INTEGER_DIGITS_MAX,
                });
            }
            return Ok(self.integer(self.whole.to_owned()));
        }
        if let Some(digits) = self.whole_digits() {
            return Ok(self.integer(digits));
        }
        let nearest: f64 = self.token.parse().map_err(|_| NumberError::OutOfRange)?;
        Number::from_f64(nearest).map_err(|_| NumberError::OutOfRange)
    }

    fn integer(&self, digits: String) -> Number {
        match (self.negative, digits.as_str()) {
            (true, digits) if digits != "0" => Number::from_text(format!("-{digits}")),
            _ => Number::from_text(digits),
        }
    }

    /// The digits of the value when it is whole and below 10^21. What is allocated grows with the
    /// token, never with its exponent.
    fn whole_digits(&self) -> Option<String> {
        let digits = format!("{}{}", self.whole, self.fraction);
        let significant = digits.trim_end_matches('0');
        let dropped = length(&digits).saturating_sub(length(significant));
        let power = self
            .power()
            .saturating_sub(length(self.fraction))
            .saturating_add(dropped);
        let significant = significant.trim_start_matches('0');
        if significant.is_empty() {
            return Some("0".to_owned());
        }
        let fits = length(significant).saturating_add(power) <= WHOLE_DIGITS_MAX;
        let zeros = usize::try_from(power).ok().filter(|_| fits)?;
        Some(format!("{significant}{}", "0".repeat(zeros)))
    }

    fn power(&self) -> i64 {
        let Some(spelled) = self.exponent else {
            return 0;
        };
        let digits = spelled.trim_start_matches(['+', '-']);
        let size = digits.bytes().fold(0_i64, |size, digit| {
            size.saturating_mul(10)
                .saturating_add(i64::from(digit - b'0'))
        });
        if spelled.starts_with('-') {
            -size
        } else {
            size
        }
    }
}

fn split_digits(text: &str) -> (&str, &str) {
    let end = text.bytes().take_while(u8::is_ascii_digit).count();
    text.split_at_checked(end).unwrap_or((text, ""))
}

fn length(digits: &str) -> i64 {
    i64::try_from(digits.len()).unwrap_or(i64::MAX)
}
