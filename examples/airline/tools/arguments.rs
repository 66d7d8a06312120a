//! What the tools take whole, and the parts of it, as strict as the model was told: dates, kinds and amounts are types and not text.

use idem_tools::{Decimal, tool_input};
use time::Date;

use super::numbers::{amount, date};

/// How one flies.
#[tool_input]
#[serde(rename_all = "snake_case")]
pub(crate) enum Cabin {
    BasicEconomy,
    Economy,
    Business,
}

/// There, or there and back.
#[tool_input]
#[serde(rename_all = "snake_case")]
pub(crate) enum FlightType {
    OneWay,
    RoundTrip,
}

/// Whether the journey is insured.
#[tool_input]
#[serde(rename_all = "snake_case")]
pub(crate) enum Insurance {
    Yes,
    No,
}

/// One flight of a journey.
#[tool_input]
pub(crate) struct Flight {
    /// The airline's number for it, `HAT` and three digits.
    flight_number: String,
    /// The day it leaves: year, month and day, as in 2024-05-31.
    #[serde(deserialize_with = "date")]
    #[schemars(with = "String", extend("format" = "date"))]
    date: Date,
}

/// Somebody who flies.
#[tool_input]
pub(crate) struct Passenger {
    /// Given name.
    first_name: String,
    /// Family name.
    last_name: String,
    /// Birthday: year, month and day, as in 1985-12-24.
    #[serde(deserialize_with = "date")]
    #[schemars(with = "String", extend("format" = "date"))]
    dob: Date,
}

/// A part of the price, and how it is paid.
#[tool_input]
pub(crate) struct Payment {
    /// One of the customer's ways to pay, by its id in the profile.
    payment_id: String,
    /// How much of the price it pays.
    #[serde(deserialize_with = "amount")]
    #[schemars(with = "f64")]
    amount: Decimal,
}

/// A booking.
#[tool_input]
pub(crate) struct NewReservation {
    /// The customer, by id.
    user_id: String,
    /// From where: an airport's three letters.
    origin: String,
    /// To where: an airport's three letters.
    destination: String,
    flight_type: FlightType,
    cabin: Cabin,
    /// Every flight of the journey, in order.
    flights: Vec<Flight>,
    /// Everybody who flies.
    passengers: Vec<Passenger>,
    /// What pays the price, part by part.
    payment_methods: Vec<Payment>,
    /// Pieces of baggage, all of them.
    total_baggages: u32,
    /// Pieces of baggage that cost extra.
    nonfree_baggages: u32,
    insurance: Insurance,
}

/// Other baggage for a reservation.
#[tool_input]
pub(crate) struct NewBaggages {
    /// The reservation, by its six characters.
    reservation_id: String,
    /// Pieces of baggage from now on, all of them.
    total_baggages: u32,
    /// Pieces of baggage from now on that cost extra.
    nonfree_baggages: u32,
    /// One of the customer's ways to pay, by its id in the profile.
    payment_id: String,
}

/// Other flights for a reservation.
#[tool_input]
pub(crate) struct NewFlights {
    /// The reservation, by its six characters.
    reservation_id: String,
    cabin: Cabin,
    /// Every flight of the journey from now on, those that stay as they are too.
    flights: Vec<Flight>,
    /// One of the customer's ways to pay, by its id in the profile.
    payment_id: String,
}

/// Other passengers for a reservation.
#[tool_input]
pub(crate) struct NewPassengers {
    /// The reservation, by its six characters.
    reservation_id: String,
    /// Everybody who flies.
    passengers: Vec<Passenger>,
}

/// A certificate.
#[tool_input]
pub(crate) struct Certificate {
    /// The customer, by id.
    user_id: String,
    /// What it is worth.
    #[serde(deserialize_with = "amount")]
    #[schemars(with = "f64")]
    amount: Decimal,
}

/// Where and when somebody wants to fly.
#[tool_input]
pub(crate) struct Search {
    /// From where: an airport's three letters.
    origin: String,
    /// To where: an airport's three letters.
    destination: String,
    /// The day: year, month and day, as in 2024-05-31.
    #[serde(deserialize_with = "date")]
    #[schemars(with = "String", extend("format" = "date"))]
    date: Date,
}
