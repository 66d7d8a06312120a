//! What the cases of the whole tool path share: tools that ask a vendor, and one turn that calls
//! them.

use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;

use idem_core::Store;
use idem_tests::vendor::Vendor;
use idem_tools::http::ResponseExt;
use idem_tools::{
    Answered, CallError, Idem, IdemBuilder, OrganizationId, ProposedCall, ToolContext, ToolError,
    tool, tool_input, tool_output,
};
use uuid::Uuid;

const ORGANIZATION: Uuid = Uuid::from_u128(0xa6e7);

/// What every tool of the cases takes.
#[tool_input]
struct Order {
    what: String,
}

/// What the vendor answers.
#[tool_output]
struct Made {
    id: String,
    what: String,
}

/// Sends to a vendor that keeps keys.
#[tool(
    scope = "tool.email.send",
    timeout_s = 60,
    effect = "keyed",
    vendor_window = "24h"
)]
async fn keyed(ctx: &ToolContext, input: Order) -> Result<Made, ToolError> {
    ctx.state::<Desk>()?.send(ctx, &input.what).await
}

/// Sends and declares nothing more.
#[tool(scope = "tool.letter.post", timeout_s = 60, effect = "at_most_once")]
async fn once(ctx: &ToolContext, input: Order) -> Result<Made, ToolError> {
    ctx.state::<Desk>()?.send(ctx, &input.what).await
}

/// Marks its dispatch just before the wire.
#[tool(
    scope = "tool.parcel.send",
    timeout_s = 60,
    effect = "at_most_once",
    marks_dispatch
)]
async fn marked(ctx: &ToolContext, input: Order) -> Result<Made, ToolError> {
    ctx.dispatching().await?;
    ctx.state::<Desk>()?.send(ctx, &input.what).await
}

/// Looks something up.
#[tool(scope = "tool.letter.find", timeout_s = 60, effect = "read")]
async fn read(ctx: &ToolContext, input: Order) -> Result<Made, ToolError> {
    ctx.state::<Desk>()?.send(ctx, &input.what).await
}

/// Done in the body, after the vendor has answered.
pub(crate) type Afterwards =
    Arc<dyn Fn() -> Pin<Box<dyn Future<Output = ()> + Send>> + Send + Sync>;

/// Where the tools send to.
struct Desk {
    client: reqwest::Client,
    url: String,
    afterwards: Option<Afterwards>,
}

impl Desk {
    async fn send(&self, ctx: &ToolContext, what: &str) -> Result<Made, ToolError> {
        let request = self
            .client
            .post(&self.url)
            .header("Idempotency-Key", ctx.vendor_key().as_str());
        let body = serde_json::json!({ "what": what });
        let made = request.json(&body).send().await?.for_tool()?.json().await?;
        if let Some(afterwards) = &self.afterwards {
            afterwards().await;
        }
        Ok(made)
    }
}

/// The four tools over a store.
pub(crate) struct Agent {
    pub(crate) idem: Idem,
}

impl Agent {
    /// Over the store of a URL.
    pub(crate) async fn open(url: &str, vendor: &Vendor) -> Self {
        Self::build(Idem::open(url).await.unwrap(), vendor, None)
    }

    /// As well; every body does this after the vendor has answered.
    pub(crate) async fn open_and(url: &str, vendor: &Vendor, afterwards: Afterwards) -> Self {
        Self::build(Idem::open(url).await.unwrap(), vendor, Some(afterwards))
    }

    /// Over a store that the case made.
    pub(crate) async fn over(store: Arc<dyn Store>, vendor: &Vendor) -> Self {
        Self::build(Idem::with_store(store).await.unwrap(), vendor, None)
    }

    fn build(builder: IdemBuilder, vendor: &Vendor, afterwards: Option<Afterwards>) -> Self {
        let desk = Desk {
            client: reqwest::Client::new(),
            url: vendor.effects_url(),
            afterwards,
        };
        let builder = builder.state(desk).tool::<keyed>().tool::<once>();
        let idem = builder.tool::<marked>().tool::<read>().build().unwrap();
        Self { idem }
    }

    /// Calls a tool in the one turn of the cases.
    pub(crate) async fn call(&self, tool: &str, what: &str) -> Result<Answered, CallError> {
        let organization = OrganizationId::new(ORGANIZATION).unwrap();
        let actor = self.idem.organization(organization).principal("ann");
        let turn = actor.unwrap().run("the-run").unwrap().turn(1);
        let arguments = serde_json::json!({ "what": what }).to_string();
        let settled = turn
            .call(ProposedCall::new("call_1", tool, arguments))
            .await;
        settled.map(|settled| settled.answer().expect("no policy asks a person here"))
    }

    /// Calls a tool that is to succeed; whether the answer came from the journal.
    pub(crate) async fn call_ok(&self, tool: &str, what: &str) -> bool {
        let answered = self.call(tool, what).await;
        let answered = answered.unwrap_or_else(|error| panic!("{tool} has no answer: {error}"));
        if let Some(failure) = answered.failure() {
            panic!("{tool} failed: {failure}");
        }
        answered.replayed
    }
}
