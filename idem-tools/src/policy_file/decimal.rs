//! Decimal numbers, compared by what is written: no rounding decides over an amount.

use std::cmp::Ordering;

/// A decimal number: `0.digits × 10^point`. Zero has no digits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Decimal {
    negative: bool,
    /// Without zeros at either end.
    digits: String,
    point: i64,
}

impl Decimal {
    /// Reads a number as JSON or TOML writes it. `None`: it is none, it is not finite, or its exponent is absurd.
    pub(super) fn parse(text: &str) -> Option<Self> {
        let (negative, text) = match text.strip_prefix('-') {
            Some(text) => (true, text),
            None => (false, text.strip_prefix('+').unwrap_or(text)),
        };
        let (mantissa, exponent) = match text.split_once(['e', 'E']) {
            Some((mantissa, exponent)) => (mantissa, exponent.parse::<i32>().ok()?),
            None => (text, 0),
        };
        let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
        let digits = format!("{whole}{fraction}");
        if whole.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
            return None;
        }
        let significant = digits.trim_start_matches('0');
        let leading = i64::try_from(digits.len() - significant.len()).ok()?;
        let significant = significant.trim_end_matches('0');
        if significant.is_empty() {
            return Some(Self {
                negative: false,
                digits: String::new(),
                point: 0,
            });
        }
        let whole = i64::try_from(whole.len()).ok()?;
        Some(Self {
            negative,
            digits: significant.to_owned(),
            point: whole - leading + i64::from(exponent),
        })
    }

    fn magnitude(&self, other: &Self) -> Ordering {
        // Equal points: digits without zeros at the ends compare as text.
        let (left, right) = (
            (!self.digits.is_empty(), self.point),
            (!other.digits.is_empty(), other.point),
        );
        left.cmp(&right)
            .then_with(|| self.digits.cmp(&other.digits))
    }
}

impl Ord for Decimal {
    fn cmp(&self, other: &Self) -> Ordering {
        match (self.negative, other.negative) {
            (false, false) => self.magnitude(other),
            (true, true) => other.magnitude(self),
            (true, false) => Ordering::Less,
            (false, true) => Ordering::Greater,
        }
    }
}

impl PartialOrd for Decimal {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}
