//! One tool of each effect class, asking the test's vendor.

use idem_tools::http::ResponseExt;
use idem_tools::{IdemBuilder, ToolContext, ToolError, tool, tool_input, tool_output};

use crate::order::{Event, Order, Point};
use crate::tell;

/// Stands still for ever where the order says so.
pub(crate) async fn stop(stop_at: Option<Point>, point: Point) {
    if stop_at == Some(point) {
        tell(&Event::At(point));
        std::future::pending::<()>().await;
    }
}

/// Where the tools send to, and where they stop.
struct Desk {
    client: reqwest::Client,
    url: String,
    stop_at: Option<Point>,
}

impl Desk {
    async fn send(&self, ctx: &ToolContext, what: &str) -> Result<Made, ToolError> {
        stop(self.stop_at, Point::BeforeWire).await;
        ctx.dispatching().await?;
        stop(self.stop_at, Point::Marked).await;
        let request = self
            .client
            .post(&self.url)
            .header("Idempotency-Key", ctx.vendor_key().as_str());
        let body = serde_json::json!({ "what": what });
        let made = request.json(&body).send().await?.for_tool()?.json().await?;
        stop(self.stop_at, Point::Sent).await;
        Ok(made)
    }
}

#[tool_input]
struct Thing {
    what: String,
}

#[tool_output]
struct Made {
    id: String,
    what: String,
}

/// Looks something up.
#[tool(scope = "tool.letter.find", timeout_s = 60, effect = "read")]
async fn read(ctx: &ToolContext, input: Thing) -> Result<Made, ToolError> {
    ctx.state::<Desk>()?.send(ctx, &input.what).await
}

/// Sends to a vendor that keeps keys.
#[tool(
    scope = "tool.email.send",
    timeout_s = 60,
    effect = "keyed",
    vendor_window = "24h"
)]
async fn keyed(ctx: &ToolContext, input: Thing) -> Result<Made, ToolError> {
    ctx.state::<Desk>()?.send(ctx, &input.what).await
}

/// Sends and declares nothing more.
#[tool(scope = "tool.letter.post", timeout_s = 60, effect = "at_most_once")]
async fn once(ctx: &ToolContext, input: Thing) -> Result<Made, ToolError> {
    ctx.state::<Desk>()?.send(ctx, &input.what).await
}

/// Marks its dispatch just before the wire.
#[tool(
    scope = "tool.parcel.send",
    timeout_s = 60,
    effect = "at_most_once",
    marks_dispatch
)]
async fn marked(ctx: &ToolContext, input: Thing) -> Result<Made, ToolError> {
    ctx.state::<Desk>()?.send(ctx, &input.what).await
}

/// Puts the tools into a builder.
pub(crate) fn register(builder: IdemBuilder, order: &Order) -> IdemBuilder {
    let desk = Desk {
        client: reqwest::Client::new(),
        url: order.vendor.clone(),
        stop_at: order.stop_at,
    };
    let builder = builder.state(desk).tool::<read>().tool::<keyed>();
    builder.tool::<once>().tool::<marked>()
}
