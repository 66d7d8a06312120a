use idem_tools::http::ResponseExt; // the feature `reqwest`
use idem_tools::testing::{
    CrashPoint, Keys, Proposal, ScriptedModel, TestStore, Vendor, Worker, twin_run,
};
use idem_tools::{IdemBuilder, ToolContext, ToolError, tool, tool_input, tool_output};

// The application: one tool, and what it needs.

struct Post {
    client: reqwest::Client,
    url: String,
}

#[tool_input]
struct SendLetter {
    to: String,
    text: String,
}

#[tool_output]
struct Sent {
    id: String,
}

/// Send a letter.
#[tool(
    scope = "tool.letter.send",
    timeout_s = 60,
    effect = "keyed",
    vendor_window = "24h"
)]
async fn send_letter(ctx: &ToolContext, input: SendLetter) -> Result<Sent, ToolError> {
    let post = ctx.state::<Post>()?;
    let request = post
        .client
        .post(&post.url)
        .header("Idempotency-Key", ctx.vendor_key().as_str());
    let body = serde_json::json!({ "what": [input.to, input.text] });
    Ok(request.json(&body).send().await?.for_tool()?.json().await?)
}

// Its tests: every worker gets the tool and the way to the vendor that counts.

fn equip(vendor: &Vendor) -> impl Fn(IdemBuilder) -> IdemBuilder + Clone + Send + 'static {
    let url = vendor.effects_url();
    move |idem| {
        let post = Post {
            client: reqwest::Client::new(),
            url: url.clone(),
        };
        idem.tool::<send_letter>().state(post)
    }
}

fn model() -> ScriptedModel {
    ScriptedModel::new().step([Proposal::new(
        "send_letter",
        r#"{"to": "ann", "text": "Hello"}"#,
    )])
}

#[tokio::test]
async fn a_turn_that_is_sampled_again_sends_no_second_letter() {
    let (store, vendor) = (TestStore::sqlite(), Vendor::start(Keys::Kept).await);
    let report = twin_run(&store, &model(), equip(&vendor), || vendor.book().effects).await;
    report.assert_once();
}

#[tokio::test]
async fn a_worker_that_dies_before_it_can_note_the_letter_down_sends_no_second_one() {
    let (store, vendor) = (TestStore::sqlite(), Vendor::start(Keys::Kept).await);

    let dies = Worker::start_stopping_at(CrashPoint::AfterWire, &store, equip(&vendor)).await;
    dies.turn(1).begin(model().calls(0));
    dies.reached().await; // the letter is sent, and nothing says so
    dies.vanish();

    store.leases_pass().await; // nobody waits 70 s
    let next = Worker::start(&store, equip(&vendor)).await;
    let answers = next.turn(1).call_all(model().resampled().calls(0)).await;
    let sent = answers[0].clone().unwrap().answer().unwrap();
    assert_eq!(sent.decode::<Sent>().unwrap().id, "effect-1");
    assert_eq!(vendor.book().effects, 1);
}
