//! The airline's vendor: a process that answers as it is recorded, keeps keys, and breaks requests as it is told.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Stdio;
use std::time::Duration;

use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt, BufReader};
use tokio::process::{Child, Command};

use crate::airline::{conversation, recordings};
use crate::program::example;

/// Nobody waits so long for a late reply.
const LATE: [&str; 2] = ["--late-ms", "600000"];
const CANCEL: &str = r#"{"reservation_id":"R"}"#;

/// A vendor's process; it ends when this is dropped.
struct Vendor {
    _process: Child,
    base: String,
    client: reqwest::Client,
}

impl Vendor {
    async fn start(path: &Path, options: &[&str]) -> Self {
        let mut process = Command::new(example("airline"))
            .arg("vendor")
            .arg(path)
            .args(LATE)
            .args(options)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .kill_on_drop(true)
            .spawn()
            .unwrap();
        let mut lines = BufReader::new(process.stdout.take().unwrap()).lines();
        let port: u16 = lines.next_line().await.unwrap().unwrap().parse().unwrap();
        let client = reqwest::Client::builder().no_proxy();
        let client = client
            .retry(reqwest::retry::never())
            .pool_max_idle_per_host(0);
        Self {
            _process: process,
            base: format!("http://127.0.0.1:{port}"),
            client: client.timeout(Duration::from_secs(1)).build().unwrap(),
        }
    }

    fn request(&self, tool: &str, arguments: &str, key: Option<&str>) -> reqwest::RequestBuilder {
        let url = format!("{}/tools/{tool}", self.base);
        let body = json!({ "conversation": "one", "turn": 1, "step": 0, "arguments": arguments });
        let request = self.client.post(url).json(&body);
        match key {
            Some(key) => request.header("idempotency-key", key),
            None => request,
        }
    }

    async fn book(&self) -> Value {
        let book = self.client.get(format!("{}/book", self.base)).send();
        book.await.unwrap().json().await.unwrap()
    }
}

/// The status and the body, or how it failed.
async fn outcome(request: reqwest::RequestBuilder) -> (String, Value) {
    match request.send().await {
        Ok(reply) => {
            let status = reply.status().as_u16().to_string();
            (status, reply.json().await.unwrap_or_default())
        }
        Err(error) if error.is_timeout() => ("timeout".to_owned(), Value::Null),
        Err(_) => ("broken".to_owned(), Value::Null),
    }
}

async fn cancelling(options: &[&str]) -> Vendor {
    let folder = tempfile::tempdir().unwrap();
    let calls = [
        ("cancel_reservation", CANCEL, "cancelled"),
        (
            "cancel_reservation",
            r#"{"reservation_id":"S"}"#,
            "Error: no such reservation",
        ),
        (
            "transfer_to_human_agents",
            r#"{"summary":"s"}"#,
            "transferred",
        ),
        ("calculate", r#"{"expression":"1 + 1"}"#, "2.0"),
    ];
    let path = recordings(folder.path(), &[conversation("one", &[&calls])]);
    Vendor::start(&path, options).await
}

#[tokio::test]
async fn each_fault_is_what_it_says_and_the_key_makes_one_effect_of_a_repeat() {
    for (fault, seen, effects) in [
        ("drop-after", "broken", 1),
        ("late", "timeout", 1),
        ("bad-gateway-after", "502", 1),
        ("too-many-requests", "429", 0),
        ("bad-gateway-before", "502", 0),
        ("drop-before", "broken", 0),
    ] {
        let vendor = cancelling(&[]).await;
        let request = || vendor.request("cancel_reservation", CANCEL, Some("k"));
        let broken = request().header("x-airline-fault", fault);
        assert_eq!(outcome(broken).await.0, seen, "{fault}");
        assert_eq!(vendor.book().await["effects"], effects, "{fault}");
        let again = outcome(request()).await;
        assert_eq!(
            again,
            ("200".to_owned(), json!({ "result": "cancelled" })),
            "{fault}"
        );
        let book = vendor.book().await;
        assert_eq!(book["effects"], 1, "{fault}");
        assert_eq!(book["answered_from_keys"], effects, "{fault}");
        assert_eq!(book["faults"], json!({ fault: 1 }));
        assert_eq!(book["duplicates"], json!([]));
    }
}

#[tokio::test]
async fn the_book_tells_a_second_effect_of_one_call() {
    let vendor = cancelling(&[]).await;
    for key in ["a", "b"] {
        outcome(vendor.request("cancel_reservation", CANCEL, Some(key))).await;
    }
    outcome(vendor.request("calculate", r#"{"expression":"1 + 1"}"#, None)).await;
    outcome(vendor.request("transfer_to_human_agents", r#"{"summary":"s"}"#, Some("c"))).await;
    let book = vendor.book().await;
    let twice = json!([{
        "conversation": "one", "turn": 1, "tool": "cancel_reservation", "arguments": CANCEL,
        "requests": 2, "effects": 2,
    }]);
    assert_eq!(book["duplicates"], twice);
    assert_eq!(book["requests"], 4);
    assert_eq!(book["effects"], 2);
    assert_eq!(book["handovers"], 1);
    assert_eq!(book["calls"].as_array().unwrap().len(), 2);
}

#[tokio::test]
async fn a_recorded_error_is_a_business_failure() {
    let vendor = cancelling(&[]).await;
    for _ in 0..2 {
        let request = vendor.request("cancel_reservation", r#"{"reservation_id":"S"}"#, Some("k"));
        let refused = json!({ "code": "refused", "message": "Error: no such reservation" });
        assert_eq!(outcome(request).await, ("422".to_owned(), refused));
    }
    let unknown = vendor.request("cancel_reservation", r#"{"reservation_id":"T"}"#, Some("l"));
    assert_eq!(outcome(unknown).await.0, "404");
    let book = vendor.book().await;
    assert_eq!(
        (&book["effects"], &book["not_recorded"]),
        (&json!(0), &json!(1))
    );
}

#[tokio::test]
async fn a_seed_breaks_the_same_requests_in_whatever_order_they_come() {
    let (mut seen, mut faults) = (Vec::new(), Vec::new());
    for backwards in [false, true] {
        let vendor = cancelling(&["--chaos", "500", "--seed", "7"]).await;
        let mut numbers: Vec<u32> = (0..24).collect();
        if backwards {
            numbers.reverse();
        }
        let mut outcomes = BTreeMap::new();
        for number in numbers {
            let arguments = format!(r#"{{"expression":"{number}"}}"#);
            let request = vendor.request("calculate", &arguments, None);
            let request = request.timeout(Duration::from_millis(200));
            outcomes.insert(number, outcome(request).await.0);
        }
        seen.push(outcomes);
        faults.push(vendor.book().await["faults"].clone());
    }
    assert_eq!(seen[0], seen[1]);
    assert_eq!(faults[0], faults[1]);
    assert!(faults[0].as_object().unwrap().len() > 2, "{}", faults[0]);
}
