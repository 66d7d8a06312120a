//! Dates and times as arguments and answers: `time`'s, read and written as RFC 3339.
//!
//! `time` itself reads its types in several ways, by the features that some crate of the build turns
//! on, and has no schema for them. These have one text and one schema, and cost no crate.

use std::fmt;
use std::ops::Deref;
use std::str::FromStr;

use serde::de::{Deserialize, Deserializer, Error, Visitor};
use serde::ser::{Serialize, Serializer};
use time::format_description::well_known::Rfc3339;
use time::macros::format_description;
use time::{OffsetDateTime, UtcOffset};

use crate::canonical::{Canonical, CanonicalError, Kind, Writer, text_of_time};

/// Why a text is no date or time. It does not say which text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected {0}")]
pub struct CalendarError(&'static str);

macro_rules! calendar {
    ($(#[$doc:meta])* $name:ident of $inner:ty, $form:literal, |$text:ident| $read:expr) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub struct $name(pub $inner);

        impl Deref for $name {
            type Target = $inner;

            fn deref(&self) -> &$inner {
                &self.0
            }
        }

        impl From<$inner> for $name {
            fn from(value: $inner) -> Self {
                Self(value)
            }
        }

        impl From<$name> for $inner {
            fn from(value: $name) -> Self {
                value.0
            }
        }

        /// The canonical text.
        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.pad(&text_of_time(self.0))
            }
        }

        impl FromStr for $name {
            type Err = CalendarError;

            fn from_str($text: &str) -> Result<Self, CalendarError> {
                let read: Option<$inner> = $read;
                read.map(Self).ok_or(CalendarError($form))
            }
        }

        impl Canonical for $name {
            const KIND: Kind = Kind::Time;

            fn write(&self, out: &mut Writer) -> Result<(), CanonicalError> {
                self.0.write(out)
            }
        }

        impl Serialize for $name {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.collect_str(self)
            }
        }

        impl<'de> Deserialize<'de> for $name {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                struct Text;

                impl Visitor<'_> for Text {
                    type Value = $name;

                    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                        f.write_str($form)
                    }

                    fn visit_str<E: Error>(self, text: &str) -> Result<$name, E> {
                        text.parse().map_err(E::custom)
                    }
                }

                deserializer.deserialize_str(Text)
            }
        }
    };
}

calendar! {
    /// A date of the calendar, `2026-03-01`. The years are 0000 to 9999.
    Date of time::Date, "a date such as \"2026-03-01\"", |text| {
        let form = format_description!("[year]-[month]-[day]");
        // A year with a sign is no RFC 3339 date.
        let plain = text.len() == 10 && text.starts_with(|first: char| first.is_ascii_digit());
        plain.then(|| time::Date::parse(text, form).ok()).flatten()
    }
}

calendar! {
    /// A time of day without an offset, `12:30:00.25`. Seconds and their fraction, of up to nine digits, may be left out.
    Time of time::Time, "a time of day such as \"12:30\" or \"12:30:05.25\"", |text| {
        let minutes = format_description!("[hour]:[minute]");
        let seconds = format_description!("[hour]:[minute]:[second]");
        let fraction = format_description!("[hour]:[minute]:[second].[subsecond]");
        match text.len() {
            5 => time::Time::parse(text, minutes).ok(),
            8 => time::Time::parse(text, seconds).ok(),
            10..=18 => time::Time::parse(text, fraction).ok(),
            _ => None,
        }
    }
}

calendar! {
    /// A date and time with its offset, `2026-03-01T12:30:00+01:00`. The offset is kept: noon in Paris and 11 o'clock in
    /// London are two values.
    DateTime of OffsetDateTime, "a date and time with an offset such as \"2026-03-01T12:30:00Z\"", |text| {
        let separated = matches!(text.as_bytes().get(10), Some(b'T' | b't'));
        let read = OffsetDateTime::parse(text, &Rfc3339).ok().filter(|_| separated);
        // RFC 3339 has years 0000 to 9999 and offsets of whole minutes.
        read.filter(|read| read.to_offset(UtcOffset::UTC).year() <= 9999)
    }
}

#[cfg(test)]
mod tests {
    use super::{Date, DateTime, Time};
    use crate::canonical::{Form, text_of};
    use crate::json::Json;
    use crate::json::de::from_json;
    use crate::json::ser::to_json;

    /// Reads one text as each type, writes it back, and checks that both ways agree with the canonical form.
    fn written<T>(text: &str) -> Option<String>
    where
        T: serde::de::DeserializeOwned + serde::Serialize + crate::canonical::Canonical,
    {
        let read: T = from_json(&Json::from(text)).ok()?;
        let json = to_json(&read).unwrap();
        assert_eq!(json.to_text(), text_of(&read, Form::Hash).unwrap());
        let back: T = from_json(&json).unwrap();
        assert_eq!(to_json(&back).unwrap(), json);
        json.as_str().map(str::to_owned)
    }

    #[test]
    fn a_date_is_read_as_rfc_3339_writes_it() {
        assert_eq!(written::<Date>("2026-03-01").as_deref(), Some("2026-03-01"));
        assert_eq!(written::<Date>("0000-02-29").as_deref(), Some("0000-02-29"));
        for text in [
            "",
            "2026-3-1",
            "2026-02-29",
            "+2026-03-01",
            "-026-03-01",
            "20260301",
            "2026-03-01T00:00:00Z",
            " 2026-03-01",
            "2026-03-0\u{661}",
        ] {
            assert_eq!(written::<Date>(text), None, "{text:?}");
        }
    }

    #[test]
    fn a_time_of_day_has_one_text_whatever_is_left_out() {
        for text in ["12:30", "12:30:00", "12:30:00.0", "12:30:00.000000000"] {
            assert_eq!(written::<Time>(text).as_deref(), Some("12:30:00"));
        }
        assert_eq!(
            written::<Time>("23:59:59.120").as_deref(),
            Some("23:59:59.12")
        );
        for text in [
            "24:00",
            "12",
            "12:60",
            "12:30Z",
            "12:30:00.",
            "12:30:00.0000000001",
            "1:30:00",
            "T12:30",
        ] {
            assert_eq!(written::<Time>(text), None, "{text:?}");
        }
    }

    #[test]
    fn a_date_and_time_keeps_its_offset_and_loses_its_spelling() {
        for text in [
            "2026-03-01T12:30:00.50Z",
            "2026-03-01t12:30:00.5z",
            "2026-03-01T12:30:00.500+00:00",
        ] {
            assert_eq!(
                written::<DateTime>(text).as_deref(),
                Some("2026-03-01T12:30:00.5Z")
            );
        }
        let paris = written::<DateTime>("2026-03-01T12:30:00+01:00");
        assert_eq!(paris.as_deref(), Some("2026-03-01T12:30:00+01:00"));
        for text in [
            "2026-03-01",
            "2026-03-01T12:30:00",
            "2026-03-01 12:30:00Z",
            "2026-03-01T12:30Z",
            "now",
        ] {
            assert_eq!(written::<DateTime>(text), None, "{text:?}");
        }
    }

    /// A refusal never quotes what was written.
    #[test]
    fn a_refusal_says_what_is_expected() {
        let refused = from_json::<Date>(&Json::from("secret")).unwrap_err();
        assert_eq!(
            refused.to_string(),
            "$: expected a date such as \"2026-03-01\""
        );
        assert!(from_json::<Time>(&Json::from(12_i64)).is_err());
    }
}
