//! The tools that most cases call. Each makes one effect at the vendor, under the call's vendor key.

use idem_tests::vendor::Gate;
use idem_tools::http::ResponseExt;
use idem_tools::{IdemBuilder, ToolContext, ToolError, tool, tool_input, tool_output};
use serde_json::{Value, json};

/// The way to the vendor.
#[derive(Debug, Clone)]
pub(crate) struct Desk {
    client: reqwest::Client,
    url: String,
}

impl Desk {
    /// Follows no redirect: a connection that fails behind one would look as if nothing had been sent.
    pub(crate) fn at(url: String) -> Self {
        let stay = reqwest::redirect::Policy::none();
        let client = reqwest::Client::builder().redirect(stay).no_proxy();
        let client = client.build().expect("a plain client");
        Self { client, url }
    }

    /// Asks for one effect and gives the vendor's reply back as it is.
    pub(crate) async fn ask(&self, key: &str, what: &Value) -> reqwest::Result<reqwest::Response> {
        let request = self.client.post(&self.url).header("Idempotency-Key", key);
        request.json(&json!({ "what": what })).send().await
    }
}

/// A place where a body can be held.
#[derive(Debug, Clone)]
pub(crate) struct Stop {
    pub(crate) reached: Gate,
    pub(crate) go: Gate,
}

impl Stop {
    /// One that holds the body until it is told to go on.
    pub(crate) fn closed() -> Self {
        let (reached, go) = (Gate::new(), Gate::new());
        Self { reached, go }
    }

    /// One that lets the body pass.
    pub(crate) fn open() -> Self {
        let stop = Self::closed();
        stop.go.open();
        stop
    }

    pub(crate) async fn pass(&self) {
        self.reached.open();
        self.go.opened().await;
    }
}

/// Where the bodies of this worker are held: before they ask the vendor, and after its reply.
#[derive(Debug, Clone)]
pub(crate) struct Stops {
    pub(crate) before: Stop,
    pub(crate) after: Stop,
}

impl Default for Stops {
    fn default() -> Self {
        Self {
            before: Stop::open(),
            after: Stop::open(),
        }
    }
}

impl Stops {
    pub(crate) fn before() -> Self {
        Self {
            before: Stop::closed(),
            ..Self::default()
        }
    }

    pub(crate) fn after() -> Self {
        Self {
            after: Stop::closed(),
            ..Self::default()
        }
    }
}

/// Makes one effect at the vendor, with a stop on either side.
pub(crate) async fn post(ctx: &ToolContext, what: Value) -> Result<Sent, ToolError> {
    let (desk, stops) = (ctx.state::<Desk>()?, ctx.state::<Stops>()?);
    stops.before.pass().await;
    ctx.dispatching().await?;
    let reply = desk.ask(ctx.vendor_key().as_str(), &what).await?;
    let sent = reply.for_tool()?.json().await?;
    stops.after.pass().await;
    Ok(sent)
}

#[tool_input]
#[derive(Clone)]
pub(crate) struct Note {
    pub(crate) to: String,
}

#[tool_output]
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Sent {
    pub(crate) id: String,
}

#[tool(scope = "tool.note.send", timeout_s = 60)]
pub(crate) async fn send(ctx: &ToolContext, input: Note) -> Result<Sent, ToolError> {
    post(ctx, json!(input.to)).await
}

#[tool(scope = "tool.note.send", timeout_s = 1)]
pub(crate) async fn send_briefly(ctx: &ToolContext, input: Note) -> Result<Sent, ToolError> {
    post(ctx, json!(input.to)).await
}

#[tool(
    scope = "tool.note.send",
    timeout_s = 60,
    effect = "keyed",
    vendor_window = "24h"
)]
pub(crate) async fn send_keyed(ctx: &ToolContext, input: Note) -> Result<Sent, ToolError> {
    post(ctx, json!(input.to)).await
}

#[tool(
    scope = "tool.note.send",
    timeout_s = 1,
    effect = "keyed",
    vendor_window = "24h"
)]
pub(crate) async fn send_keyed_briefly(ctx: &ToolContext, input: Note) -> Result<Sent, ToolError> {
    post(ctx, json!(input.to)).await
}

#[tool(scope = "tool.note.send", timeout_s = 60, marks_dispatch)]
pub(crate) async fn send_marked(ctx: &ToolContext, input: Note) -> Result<Sent, ToolError> {
    post(ctx, json!(input.to)).await
}

#[tool(
    scope = "tool.note.send",
    timeout_s = 60,
    effect = "keyed",
    vendor_window = "24h",
    marks_dispatch
)]
pub(crate) async fn send_keyed_marked(ctx: &ToolContext, input: Note) -> Result<Sent, ToolError> {
    post(ctx, json!(input.to)).await
}

/// A look at the vendor: its requests count the executions.
#[tool(scope = "tool.note.look", timeout_s = 60, effect = "read")]
pub(crate) async fn look(ctx: &ToolContext, input: Note) -> Result<Sent, ToolError> {
    post(ctx, json!(input.to)).await
}

#[tool(scope = "tool.note.look", timeout_s = 1, effect = "read")]
pub(crate) async fn look_briefly(ctx: &ToolContext, input: Note) -> Result<Sent, ToolError> {
    post(ctx, json!(input.to)).await
}

/// Adds all of them.
pub(crate) fn all(builder: IdemBuilder) -> IdemBuilder {
    builder
        .tool::<send>()
        .tool::<send_briefly>()
        .tool::<send_keyed>()
        .tool::<send_keyed_briefly>()
        .tool::<send_marked>()
        .tool::<send_keyed_marked>()
        .tool::<look>()
        .tool::<look_briefly>()
}
