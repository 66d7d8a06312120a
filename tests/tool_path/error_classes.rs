//! What a body met has one of three classes, and the class chooses the ending (R13).

use std::io;
use std::time::Duration;

use idem_core::OutcomeKind;
use idem_tests::vendor::Keys;
use idem_tools::http::ResponseExt;
use idem_tools::{Answered, ErrorClass, ToolContext, ToolError, tool};
use serde_json::json;

use crate::http_stub::HttpStub;
use crate::setting::{Setting, Worker, World, assert_replays, code};
use crate::tools::{Desk, Note, Sent};

const ANN: &str = r#"{"to":"ann"}"#;

#[tool(scope = "tool.note.ask", timeout_s = 60)]
async fn ask(ctx: &ToolContext, input: Note) -> Result<Sent, ToolError> {
    let key = ctx.vendor_key().as_str();
    let reply = ctx.state::<Desk>()?.ask(key, &json!(input.to)).await?;
    Ok(reply.for_tool()?.json().await?)
}

/// Gives the vendor a fifth of a second.
#[tool(scope = "tool.note.ask", timeout_s = 60)]
async fn ask_impatiently(ctx: &ToolContext, input: Note) -> Result<Sent, ToolError> {
    let url = ctx.state::<String>()?;
    let client = reqwest::Client::builder().no_proxy().build()?;
    let request = client.post(url).json(&json!({ "what": input.to }));
    let reply = request.timeout(Duration::from_millis(200)).send().await?;
    Ok(reply.for_tool()?.json().await?)
}

#[tool(scope = "tool.note.open", timeout_s = 60)]
async fn open_template(_ctx: &ToolContext, input: Note) -> Result<String, ToolError> {
    Err(io::Error::new(io::ErrorKind::NotFound, input.to))?
}

#[tool(scope = "tool.note.classify", timeout_s = 60)]
async fn classified(_ctx: &ToolContext, input: Note) -> Result<String, ToolError> {
    Err(match input.to.as_str() {
        "no effect" => ToolError::no_effect("busy", "ask again").with_retry_after(HOUR),
        "answer" => ToolError::answer("gone", "it is gone").with_details(json("{\"n\":1}")),
        _ => ToolError::unknown("it may be there"),
    })
}

const HOUR: Duration = Duration::from_secs(3600);

fn json(text: &str) -> idem_tools::Json {
    text.parse().expect("JSON")
}

async fn worker_at(world: &World, url: &str) -> Worker {
    let (desk, url) = (Desk::at(url.to_owned()), url.to_owned());
    let add = |builder: idem_tools::IdemBuilder| {
        let builder = builder.tool::<ask>().tool::<ask_impatiently>();
        let builder = builder.tool::<open_template>().tool::<classified>();
        builder.state(desk).state(url)
    };
    world.worker_with(add).await
}

/// The class of a failure, by its ending: released, stored as an answer, or stored as unknown.
async fn class(setting: &Setting, worker: &Worker, tool: &str, arguments: &str) -> ErrorClass {
    let rows = setting.rows().await;
    let failed = worker.answer(tool, arguments).await;
    if setting.rows().await == rows {
        assert!(failed.failure().is_some_and(|failure| failure.retryable));
        return ErrorClass::NoEffect;
    }
    assert!(failed.failure().is_some_and(|failure| !failure.retryable));
    assert_replays(&failed, &worker.answer(tool, arguments).await);
    let unknown = failed.kind == Some(OutcomeKind::OutcomeUnknown);
    assert_eq!(code(&failed) == "outcome_unknown", unknown);
    if unknown {
        ErrorClass::Unknown
    } else {
        ErrorClass::Answer
    }
}

fn status_line(status: u16, headers: &str) -> String {
    format!(
        "HTTP/1.1 {status} Scripted\r\ncontent-length: 2\r\nconnection: close\r\n{headers}\r\n{{}}"
    )
}

/// R13: each status has its class, and an answer keeps the status as its code.
pub(crate) async fn every_status_has_its_class(setting: Setting) {
    use ErrorClass::{Answer, NoEffect, Unknown};
    let table = [
        (400, Answer),
        (401, Answer),
        (403, Answer),
        (404, Answer),
        (408, Unknown),
        (409, Answer),
        (410, Answer),
        (422, Answer),
        (429, NoEffect),
        (500, Unknown),
        (502, Unknown),
        (503, Unknown),
        (504, Unknown),
        (303, Unknown),
        (307, Unknown),
    ];
    for (status, expected) in table {
        let world = World::new(&setting, Keys::Ignored).await;
        let stub =
            HttpStub::answering(status_line(status, "location: http://127.0.0.1:1/\r\n")).await;
        let worker = worker_at(&world, &stub.url).await;
        assert_eq!(
            class(&setting, &worker, "ask", ANN).await,
            expected,
            "{status}"
        );
        assert_eq!(stub.requests(), 1, "{status}");
        if expected != Unknown {
            let failed = worker.answer("ask", ANN).await;
            assert_eq!(code(&failed), format!("http_{status}"));
        }
    }
}

/// R13: when the vendor says how long to wait, the driver is told, within reason.
pub(crate) async fn a_vendors_retry_after_reaches_the_caller(setting: Setting) {
    for (written, told) in [
        ("retry-after: 7\r\n", Some(Duration::from_secs(7))),
        ("retry-after:  0 \r\n", Some(Duration::ZERO)),
        ("retry-after: 99999999\r\n", Some(24 * HOUR)),
        ("retry-after: Wed, 21 Oct 2026 07:28:00 GMT\r\n", None),
        ("retry-after: -1\r\n", None),
        ("", None),
    ] {
        let world = World::new(&setting, Keys::Ignored).await;
        let stub = HttpStub::answering(status_line(429, written)).await;
        let worker = worker_at(&world, &stub.url).await;
        let busy = worker.answer("ask", ANN).await;
        let failure = busy.failure().expect("a refusal");
        assert_eq!(failure.retry_after, told, "{written}");
        assert_eq!(setting.rows().await, 0);
    }
}

/// R13, R14: a reply that breaks off says nothing about the effect.
pub(crate) async fn a_broken_reply_is_unknown(setting: Setting) {
    let ok = "HTTP/1.1 200 OK\r\n";
    for reply in [
        format!("{ok}content-length: 100\r\n\r\n{{\"id\":"),
        format!("{ok}transfer-encoding: chunked\r\n\r\n5\r\n{{\"id\""),
        format!("{ok}content-le"),
        format!("{ok}content-length: 8\r\nconnection: close\r\n\r\nnot JSON"),
        "no HTTP at all".to_owned(),
        String::new(),
    ] {
        let world = World::new(&setting, Keys::Ignored).await;
        let stub = HttpStub::answering(reply.clone()).await;
        let worker = worker_at(&world, &stub.url).await;
        let broken = class(&setting, &worker, "ask", ANN).await;
        assert_eq!(broken, ErrorClass::Unknown, "{reply:?}");
        assert_eq!(stub.requests(), 1, "{reply:?}");
    }
}

/// R13, R14: the client's own patience ends the wait and not the request. A fifth of a second really passes.
pub(crate) async fn a_timeout_of_the_client_is_unknown(setting: Setting) {
    let world = World::new(&setting, Keys::Ignored).await;
    let worker = worker_at(&world, &world.vendor.effects_url()).await;
    let gate = world.next_is_slow();
    let late = class(&setting, &worker, "ask_impatiently", ANN).await;
    assert_eq!(late, ErrorClass::Unknown);
    gate.open();
    world.vendor.wait_for_effects(1).await;
    assert_eq!(world.counted(), (1, 1));
}

/// R13: an address at which nobody listens, and one that is none, carried nothing.
pub(crate) async fn a_connection_that_was_never_made_has_no_effect(setting: Setting) {
    let world = World::new(&setting, Keys::Ignored).await;
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await;
    let closed = listener.and_then(|listener| listener.local_addr());
    let closed = format!("http://{}/", closed.expect("a free port"));
    for url in [closed.as_str(), "no address at all", "http://"] {
        let worker = worker_at(&world, url).await;
        let failed = class(&setting, &worker, "ask", ANN).await;
        assert_eq!(failed, ErrorClass::NoEffect, "{url}");
        let failed = worker.answer("ask", ANN).await;
        assert_eq!(code(&failed), "not_reached");
        assert!(
            !failed.to_model_text().contains(url),
            "no address is repeated"
        );
    }
}

/// R13: an error that nothing classified is unknown, and its words are kept for the model.
pub(crate) async fn a_foreign_error_is_unknown(setting: Setting) {
    let world = World::new(&setting, Keys::Ignored).await;
    let worker = worker_at(&world, "").await;
    let found = class(&setting, &worker, "open_template", ANN).await;
    assert_eq!(found, ErrorClass::Unknown);
    let said = worker.answer("open_template", ANN).await.to_model_text();
    assert!(said.contains("ann"), "{said}");
    let long = format!(r#"{{"to":"{}"}}"#, "é".repeat(5000));
    let cut = worker.answer("open_template", &long).await.to_model_text();
    assert!(cut.contains('…') && cut.chars().count() < 1000);
}

/// R13, R35: what a tool says of its own failure reaches the caller.
pub(crate) async fn a_tools_own_failure_has_its_class_and_its_words(setting: Setting) {
    let world = World::new(&setting, Keys::Ignored).await;
    let worker = worker_at(&world, "").await;
    let call = async |to: &str| -> Answered {
        worker
            .answer("classified", &format!(r#"{{"to":"{to}"}}"#))
            .await
    };
    let busy = call("no effect").await;
    let failure = busy.failure().expect("a failure");
    assert_eq!(
        (code(&busy), failure.message.as_str()),
        ("busy", "ask again")
    );
    assert_eq!((failure.retryable, failure.retry_after), (true, Some(HOUR)));
    assert_eq!(setting.rows().await, 0);
    let gone = call("answer").await;
    let failure = gone.failure().expect("a failure");
    assert_eq!((code(&gone), failure.retryable), ("gone", false));
    assert_eq!(failure.details, Some(json("{\"n\":1}")));
    assert_replays(&gone, &call("answer").await);
    let unknown = call("anything else").await;
    assert_eq!(code(&unknown), "outcome_unknown");
    assert!(unknown.to_model_text().contains("it may be there"));
}
