//! The tools of a user, and the stores that the user's tests have.

use idem_tests::{StoreKind, TestStore};
use idem_tools::http::ResponseExt;
use idem_tools::testing::{self, Vendor};
use idem_tools::{
    Answered, CallError, IdemBuilder, ProposedCall, Settled, ToolContext, ToolError, tool,
    tool_input, tool_output,
};
use serde_json::{Value, json};

/// A store as a user's test makes it, of the kind that the case is run on.
pub(crate) fn users_store(store: &TestStore) -> testing::TestStore {
    match store.kind {
        StoreKind::Sqlite => testing::TestStore::sqlite(),
        // Any database of the server is an address at which another can be made.
        StoreKind::Postgres => testing::TestStore::postgres(&store.url),
    }
}

/// The way to the vendor.
#[derive(Debug, Clone)]
pub(crate) struct Post {
    client: reqwest::Client,
    url: String,
}

#[tool_input]
pub(crate) struct Letter {
    pub(crate) to: String,
    #[serde(default)]
    pub(crate) text: String,
    /// When the model says that it is now: what no input should hold.
    #[serde(default)]
    pub(crate) now: String,
}

#[tool_output]
#[derive(Debug, PartialEq)]
pub(crate) struct Sent {
    pub(crate) id: String,
}

async fn post(ctx: &ToolContext, what: Value) -> Result<Sent, ToolError> {
    let post = ctx.state::<Post>()?;
    let key = ctx.vendor_key().as_str();
    let request = post.client.post(&post.url).header("Idempotency-Key", key);
    let reply = request.json(&json!({ "what": what })).send().await?;
    Ok(reply.for_tool()?.json().await?)
}

#[tool(scope = "tool.letter.send", timeout_s = 60)]
pub(crate) async fn send(ctx: &ToolContext, input: Letter) -> Result<Sent, ToolError> {
    post(ctx, json!([input.to, input.text, input.now])).await
}

#[tool(
    scope = "tool.letter.send",
    timeout_s = 60,
    effect = "keyed",
    vendor_window = "24h"
)]
pub(crate) async fn send_keyed(ctx: &ToolContext, input: Letter) -> Result<Sent, ToolError> {
    post(ctx, json!([input.to, input.text, input.now])).await
}

/// Looks at a letter, which is no effect.
#[tool(scope = "tool.letter.look", timeout_s = 60, effect = "read")]
pub(crate) async fn look(_ctx: &ToolContext, input: Letter) -> Result<String, ToolError> {
    Ok(format!("a letter to {}", input.to))
}

/// The tools and the way to this vendor, for any number of workers.
pub(crate) fn equip(
    vendor: &Vendor,
) -> impl Fn(IdemBuilder) -> IdemBuilder + Clone + Send + 'static {
    let url = vendor.effects_url();
    move |builder| {
        let client = reqwest::Client::builder().no_proxy().build();
        let client = client.expect("a plain client");
        let url = url.clone();
        builder
            .tool::<send>()
            .tool::<send_keyed>()
            .tool::<look>()
            .state(Post { client, url })
    }
}

pub(crate) fn proposed(tool: &str) -> ProposedCall {
    ProposedCall::new("call-1", tool, r#"{"to": "ann"}"#)
}

/// The answer of a call that must have one.
pub(crate) fn answered(settled: Result<Settled, CallError>) -> Answered {
    let settled = settled.expect("a settled call");
    settled.answer().expect("an answer")
}

/// What a check said when it failed.
pub(crate) fn complaint(check: impl FnOnce() + std::panic::UnwindSafe) -> String {
    let panicked = std::panic::catch_unwind(check).expect_err("the check complains");
    message(&*panicked)
}

/// The message of a panic.
pub(crate) fn message(panicked: &(dyn std::any::Any + Send)) -> String {
    let text = panicked.downcast_ref::<String>().map(String::as_str);
    let text = text.or_else(|| panicked.downcast_ref::<&str>().copied());
    text.expect("a message").to_owned()
}
