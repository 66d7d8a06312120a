//! The tools that change nothing. A later step asks anew; a replay of the step gets what it got.

use idem_tools::{ToolContext, ToolError, tool};

use super::Asked;
use super::arguments::Search;
use crate::client::ask;

/// Looks a reservation up.
#[tool(scope = "tool.airline.look", timeout_s = 2, effect = "read")]
pub(crate) async fn get_reservation_details(
    ctx: &ToolContext,
    /// The reservation, by its six characters.
    reservation_id: String,
) -> Result<String, ToolError> {
    ask::<get_reservation_details>(ctx, &Asked::<get_reservation_details> { reservation_id }).await
}

/// Looks a customer up, with the reservations.
#[tool(scope = "tool.airline.look", timeout_s = 2, effect = "read")]
pub(crate) async fn get_user_details(
    ctx: &ToolContext,
    /// The customer, by id.
    user_id: String,
) -> Result<String, ToolError> {
    ask::<get_user_details>(ctx, &Asked::<get_user_details> { user_id }).await
}

/// Looks up every airport with its city.
#[tool(scope = "tool.airline.look", timeout_s = 2, effect = "read")]
pub(crate) async fn list_all_airports(ctx: &ToolContext) -> Result<String, ToolError> {
    ask::<list_all_airports>(ctx, &Asked::<list_all_airports> {}).await
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
pub(crate) async fn calculate(
    ctx: &ToolContext,
    /// Numbers, `+ - * /` and brackets.
    expression: String,
) -> Result<String, ToolError> {
    ask::<calculate>(ctx, &Asked::<calculate> { expression }).await
}

/// Takes a thought down before you act. It looks nothing up and changes nothing.
#[tool(scope = "tool.airline.reckon", timeout_s = 2, effect = "read")]
pub(crate) async fn think(
    ctx: &ToolContext,
    /// What is on your mind.
    thought: String,
) -> Result<String, ToolError> {
    ask::<think>(ctx, &Asked::<think> { thought }).await
}
