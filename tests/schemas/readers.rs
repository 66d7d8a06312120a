//! How the corpus reads dates and instants: in the one form that its schemas name.

use serde::Deserializer;
use serde::de::{Deserialize, Error};
use time::format_description::well_known::{Iso8601, Rfc3339};
use time::{Date, OffsetDateTime};

pub(crate) fn date<'de, D: Deserializer<'de>>(from: D) -> Result<Date, D::Error> {
    let text = String::deserialize(from)?;
    Date::parse(&text, &Iso8601::DATE).map_err(|_| D::Error::custom("expected a date"))
}

pub(crate) fn instant<'de, D: Deserializer<'de>>(from: D) -> Result<OffsetDateTime, D::Error> {
    let text = String::deserialize(from)?;
    OffsetDateTime::parse(&text, &Rfc3339).map_err(|_| D::Error::custom("expected an instant"))
}
