//! How dates and amounts are read: in the one form that the tools declare, and in no other.

use idem_tools::{Decimal, Json};
use serde::Deserializer;
use serde::de::{Deserialize, Error};
use time::Date;
use time::format_description::FormatItem;
use time::macros::format_description;

const DATE: &[FormatItem<'_>] = format_description!("[year]-[month]-[day]");

/// A day of the calendar, as `2024-05-01`.
pub(super) fn date<'de, D: Deserializer<'de>>(from: D) -> Result<Date, D::Error> {
    let text = String::deserialize(from)?;
    Date::parse(&text, DATE).map_err(|_| D::Error::custom("expected a date as 2024-05-01"))
}

/// An amount of money: a number, exactly. Text that holds one is refused, as the tool declares a number.
pub(super) fn amount<'de, D: Deserializer<'de>>(from: D) -> Result<Decimal, D::Error> {
    let written = Json::deserialize(from)?;
    let number = written
        .as_number()
        .ok_or_else(|| D::Error::custom("expected an amount, which is a number"))?;
    let exact = number.as_decimal();
    exact.ok_or_else(|| D::Error::custom("expected an amount of at most 28 digits"))
}
