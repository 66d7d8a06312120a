//! The canonical forms of dates and times.
//!
//! A date is `2026-03-01` (years outside 0 to 9999 carry a sign), a time `12:30:00` followed by
//! only the fraction digits that are needed, an offset `Z` or `+02:00` (`+02:00:30` with seconds).
//! An `OffsetDateTime` keeps its offset: noon in Paris and 11 o'clock in London are the same
//! instant, and a function can tell them apart.

use time::{Date, Duration, OffsetDateTime, PrimitiveDateTime, Time, UtcOffset};

use super::{Canonical, CanonicalError, Kind, Role, Writer};

impl Canonical for Date {
    const KIND: Kind = Kind::Time;

    fn write(&self, out: &mut Writer) -> Result<(), CanonicalError> {
        out.str(&date_text(*self))
    }
}

impl Canonical for Time {
    const KIND: Kind = Kind::Time;

    fn write(&self, out: &mut Writer) -> Result<(), CanonicalError> {
        out.str(&time_text(*self))
    }
}

impl Canonical for PrimitiveDateTime {
    const KIND: Kind = Kind::Time;

    fn write(&self, out: &mut Writer) -> Result<(), CanonicalError> {
        out.str(&format!(
            "{}T{}",
            date_text(self.date()),
            time_text(self.time())
        ))
    }
}

impl Canonical for OffsetDateTime {
    const KIND: Kind = Kind::Time;

    fn write(&self, out: &mut Writer) -> Result<(), CanonicalError> {
        out.str(&self.time_text())
    }
}

impl Canonical for UtcOffset {
    const KIND: Kind = Kind::Time;

    fn write(&self, out: &mut Writer) -> Result<(), CanonicalError> {
        out.str(&offset_text(*self))
    }
}

impl Canonical for Duration {
    const KIND: Kind = Kind::Time;

    fn write(&self, out: &mut Writer) -> Result<(), CanonicalError> {
        let mut object = out.object();
        object.field("secs", Role::Identity, &self.whole_seconds())?;
        object.field("nanos", Role::Identity, &self.subsec_nanoseconds())?;
        object.end()
    }
}

/// A type of `time` that has a text.
pub(crate) trait TimeText {
    fn time_text(self) -> String;
}

impl TimeText for Date {
    fn time_text(self) -> String {
        date_text(self)
    }
}

impl TimeText for Time {
    fn time_text(self) -> String {
        time_text(self)
    }
}

impl TimeText for OffsetDateTime {
    fn time_text(self) -> String {
        let (date, time) = (date_text(self.date()), time_text(self.time()));
        format!("{date}T{time}{}", offset_text(self.offset()))
    }
}

/// The canonical text of a date or a time.
pub(crate) fn text_of_time(value: impl TimeText) -> String {
    value.time_text()
}

fn date_text(date: Date) -> String {
    let (year, month, day) = (date.year(), u8::from(date.month()), date.day());
    let sign = match year {
        ..0 => "-",
        0..=9999 => "",
        _ => "+",
    };
    format!("{sign}{:04}-{month:02}-{day:02}", year.unsigned_abs())
}

fn time_text(time: Time) -> String {
    let (hour, minute, second, nano) = time.as_hms_nano();
    let mut text = format!("{hour:02}:{minute:02}:{second:02}");
    if nano != 0 {
        let fraction = format!(".{nano:09}");
        text.push_str(fraction.trim_end_matches('0'));
    }
    text
}

fn offset_text(offset: UtcOffset) -> String {
    if offset.is_utc() {
        return "Z".to_owned();
    }
    let (hours, minutes, seconds) = offset.as_hms();
    let sign = if offset.is_negative() { '-' } else { '+' };
    let mut text = format!(
        "{sign}{:02}:{:02}",
        hours.unsigned_abs(),
        minutes.unsigned_abs()
    );
    if seconds != 0 {
        text.push_str(&format!(":{:02}", seconds.unsigned_abs()));
    }
    text
}
