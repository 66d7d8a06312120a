//! The tools that change nothing. A later step asks anew; a replay of the step gets what it got.

use idem_tools::{ToolContext, ToolError, tool};

use super::arguments::{Expression, Nothing, Reservation, Search, Thought, User};
use crate::client::ask;

/// Looks a reservation up.
#[tool(scope = "tool.airline.look", timeout_s = 2, effect = "read")]
pub(crate) async fn get_reservation_details(
    ctx: &ToolContext,
    input: Reservation,
) -> Result<String, ToolError> {
    ask::<get_reservation_details>(ctx, &input).await
}

/// Looks a customer up, with the reservations.
#[tool(scope = "tool.airline.look", timeout_s = 2, effect = "read")]
pub(crate) async fn get_user_details(ctx: &ToolContext, input: User) -> Result<String, ToolError> {
    ask::<get_user_details>(ctx, &input).await
}

/// Looks up every airport with its city.
#[tool(scope = "tool.airline.look", timeout_s = 2, effect = "read")]
pub(crate) async fn list_all_airports(
    ctx: &ToolContext,
    input: Nothing,
) -> Result<String, ToolError> {
    ask::<list_all_airports>(ctx, &input).await
}

/// Looks for flights on a day that go there without a stop.
#[tool(scope = "tool.airline.look", timeout_s = 2, effect = "read")]
pub(crate) async fn search_direct_flight(
    ctx: &ToolContext,
    input: Search,
) -> Result<String, ToolError> {
    ask::<search_direct_flight>(ctx, &input).await
}

/// Looks for flights on a day that go there with one stop.
#[tool(scope = "tool.airline.look", timeout_s = 2, effect = "read")]
pub(crate) async fn search_onestop_flight(
    ctx: &ToolContext,
    input: Search,
) -> Result<String, ToolError> {
    ask::<search_onestop_flight>(ctx, &input).await
}

/// Reckons an expression.
#[tool(scope = "tool.airline.reckon", timeout_s = 2, effect = "read")]
pub(crate) async fn calculate(ctx: &ToolContext, input: Expression) -> Result<String, ToolError> {
    ask::<calculate>(ctx, &input).await
}

/// Takes a thought down before you act. It looks nothing up and changes nothing.
#[tool(scope = "tool.airline.reckon", timeout_s = 2, effect = "read")]
pub(crate) async fn think(ctx: &ToolContext, input: Thought) -> Result<String, ToolError> {
    ask::<think>(ctx, &input).await
}
