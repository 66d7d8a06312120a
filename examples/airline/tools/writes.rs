//! The tools that change something: the airline does each once for a key.

use idem_tools::{ToolContext, ToolError, tool};

use super::Asked;
use super::arguments::{Certificate, NewBaggages, NewFlights, NewPassengers, NewReservation};
use crate::client::ask;

/// Books a journey for a customer.
#[tool(
    scope = "tool.airline.book",
    timeout_s = 2,
    effect = "keyed",
    vendor_window = "24h"
)]
pub(crate) async fn book_reservation(
    ctx: &ToolContext,
    input: NewReservation,
) -> Result<String, ToolError> {
    ask::<book_reservation>(ctx, &input).await
}

/// Cancels a reservation, all of it.
#[tool(
    scope = "tool.airline.cancel",
    timeout_s = 2,
    effect = "keyed",
    vendor_window = "24h"
)]
pub(crate) async fn cancel_reservation(
    ctx: &ToolContext,
    /// The reservation, by its six characters.
    reservation_id: String,
) -> Result<String, ToolError> {
    ask::<cancel_reservation>(ctx, &Asked::<cancel_reservation> { reservation_id }).await
}

/// Changes the baggage of a reservation.
#[tool(
    scope = "tool.airline.update",
    timeout_s = 2,
    effect = "keyed",
    vendor_window = "24h"
)]
pub(crate) async fn update_reservation_baggages(
    ctx: &ToolContext,
    input: NewBaggages,
) -> Result<String, ToolError> {
    ask::<update_reservation_baggages>(ctx, &input).await
}

/// Changes the flights of a reservation.
#[tool(
    scope = "tool.airline.update",
    timeout_s = 2,
    effect = "keyed",
    vendor_window = "24h"
)]
pub(crate) async fn update_reservation_flights(
    ctx: &ToolContext,
    input: NewFlights,
) -> Result<String, ToolError> {
    ask::<update_reservation_flights>(ctx, &input).await
}

/// Changes who flies on a reservation.
#[tool(
    scope = "tool.airline.update",
    timeout_s = 2,
    effect = "keyed",
    vendor_window = "24h"
)]
pub(crate) async fn update_reservation_passengers(
    ctx: &ToolContext,
    input: NewPassengers,
) -> Result<String, ToolError> {
    ask::<update_reservation_passengers>(ctx, &input).await
}

/// Sends a customer a certificate, which is money.
#[tool(
    scope = "tool.airline.certificate",
    timeout_s = 2,
    effect = "keyed",
    vendor_window = "24h"
)]
pub(crate) async fn send_certificate(
    ctx: &ToolContext,
    input: Certificate,
) -> Result<String, ToolError> {
    ask::<send_certificate>(ctx, &input).await
}

/// Hands the customer over to a person: when asked to, or when no tool helps.
#[tool(
    scope = "tool.airline.handover",
    timeout_s = 2,
    effect = "keyed",
    vendor_window = "24h"
)]
pub(crate) async fn transfer_to_human_agents(
    ctx: &ToolContext,
    /// What the person who takes over has to know.
    summary: String,
) -> Result<String, ToolError> {
    ask::<transfer_to_human_agents>(ctx, &Asked::<transfer_to_human_agents> { summary }).await
}
